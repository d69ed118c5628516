// SPDX-License-Identifier: GPL-3.0-or-later
#include "detect/many_contact_pair.hpp"

namespace scree::sim {
namespace {

constexpr std::uint32_t fewInGroup = 8;  ///< smaller groups are not worth a plane
constexpr std::size_t mostGroups = 32;   ///< candidates of further faces stay without a group
/// Error of heights in single precision, as a share of the lengths that enter them: seven roundings
/// of 2^-24 each, twice over.
constexpr double singleMargin = 1e-6;

/// Finds, for a candidate, the face whose plane may separate it, and the points to test against it.
struct Sorter {
  const ShapeGeometry &a, &b;
  bool bIsCoarse;  ///< b has the longer edges

  struct Key {
    std::uint32_t face, ends;
    bool ofB;
    bool operator==(const Key&) const = default;
  };
  Key keyOf(const Candidate& c) const {
    const bool jIsB = !c.swapped;
    const ShapeGeometry& j = jIsB ? b : a;
    if (c.pairing == Pairing::vertexFace && j.faces[c.jSub].count > 0) return {c.jSub, 1, jIsB};
    if (c.pairing == Pairing::vertexEdge) return {j.faceOfEdge[c.jSub], 1, jIsB};
    if (c.pairing == Pairing::edgeEdge)
      return {bIsCoarse ? b.faceOfEdge[c.jSub] : a.faceOfEdge[c.iSub], 2, bIsCoarse};
    return {ShapeGeometry::noFace, 1, jIsB};
  }
  /// Ends of the sub-element that stands over the plane.
  std::array<std::uint32_t, 2> endsOf(const Candidate& c) const {
    if (c.pairing != Pairing::edgeEdge) return {c.iSub, c.iSub};
    return bIsCoarse ? a.edges[c.iSub] : b.edges[c.jSub];
  }
};

}  // namespace

void sortByPlanes(const ShapeGeometry& a, const ShapeGeometry& b,
                  std::span<const Candidate> candidates, PairPlanes& planes) {
  planes.groups.clear();
  planes.place.clear();
  planes.others.clear();
  planes.touched.clear();
  const Sorter sorter{a, b, b.longestEdge > a.longestEdge};
  std::array<std::uint32_t, mostGroups> fill{};
  std::array<std::uint8_t, ManyContactPair::most> groupOf;
  constexpr std::uint8_t none = 255;
  std::size_t last = 0;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (candidates[k].touching()) planes.touched.push_back(static_cast<std::uint32_t>(k));
    groupOf[k] = none;
    const Sorter::Key key = sorter.keyOf(candidates[k]);
    if (key.face == ShapeGeometry::noFace) continue;
    const auto is = [&](const PairPlanes::Group& g) {
      return g.face == key.face && g.ends == key.ends && g.ofB == key.ofB;
    };
    if (last >= planes.groups.size() || !is(planes.groups[last]))
      last =
          static_cast<std::size_t>(std::ranges::find_if(planes.groups, is) - planes.groups.begin());
    if (last == planes.groups.size()) {
      if (last == mostGroups) continue;
      planes.groups.push_back({key.face, key.ofB, key.ends, 0, 0});
    }
    groupOf[k] = static_cast<std::uint8_t>(last);
    ++planes.groups[last].count;
  }
  std::uint32_t all = 0;
  for (std::size_t g = 0; g < planes.groups.size(); ++g) {
    PairPlanes::Group& group = planes.groups[g];
    if (group.count < fewInGroup) group.count = 0;
    group.first = fill[g] = all;
    all += group.count;
  }
  planes.place.resize(all);
  for (auto* ends : {&planes.begin, &planes.end})
    for (std::vector<float>& ofAxis : *ends) ofAxis.resize(all);
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const auto at = static_cast<std::uint32_t>(k);
    if (groupOf[k] == none || planes.groups[groupOf[k]].count == 0) {
      planes.others.push_back(at);
      continue;
    }
    const PairPlanes::Group& group = planes.groups[groupOf[k]];
    const std::uint32_t m = fill[groupOf[k]]++;
    planes.place[m] = at;
    const ShapeGeometry& over = group.ofB ? a : b;
    const auto ends = sorter.endsOf(candidates[k]);
    const double *begin = over.vertices[ends[0]].data(), *end = over.vertices[ends[1]].data();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      planes.begin[axis][m] = static_cast<float>(begin[axis]);
      planes.end[axis][m] = static_cast<float>(end[axis]);
    }
  }
  std::erase_if(planes.groups, [](const PairPlanes::Group& g) { return g.count == 0; });
}

ManyContactPair::ManyContactPair(PairPlanes& planes, const NeighbourPair& pair,
                                 std::span<const Candidate> candidates, const BodyPose& a,
                                 const BodyPose& b, double displacement)
    : planes_(planes), count_(candidates.size()), displacement_(displacement) {
  std::fill_n(due_.begin(), (count_ + 63) / 64, std::uint64_t{0});
  const auto markDue = [&](std::uint32_t k) { due_[k / 64] |= std::uint64_t{1} << k % 64; };
  std::erase_if(planes.touched, [&](std::uint32_t k) { return !candidates[k].touching(); });
  for (const std::uint32_t k : planes.touched) markDue(k);
  for (const std::uint32_t k : planes.others)
    if (!(candidates[k].skipUntil > displacement)) markDue(k);

  std::array<float, 8> least;
  least.fill(HUGE_VALF);
  const double reach = a.radius + b.radius;
  const Vec3 apart = b.pos - a.pos;
  for (const PairPlanes::Group& group : planes.groups) {
    const BodyPose &owner = group.ofB ? b : a, &over = group.ofB ? a : b;
    const ShapeGeometry::Face& face = owner.shape->faces[group.face];
    // Height in true lengths of a point p of the frame of `over`: normal · p - offset.
    const Vec3 upright = owner.turn * face.normal * (1.0 / owner.scale),
               normal = over.turn.transpose() * upright;
    const double offset =
        face.offset * owner.scale + (group.ofB ? upright.dot(apart) : -upright.dot(apart));
    const double margin =
        singleMargin * (over.scale * over.shape->boundingRadius + std::abs(offset) + reach) +
        pair.slack;
    const auto nx = static_cast<float>(normal.x()), ny = static_cast<float>(normal.y()),
               nz = static_cast<float>(normal.z()), d = static_cast<float>(offset),
               limit = static_cast<float>(reach + margin);
    constexpr std::uint32_t chunk = 256, wide = 8;
    std::array<float, chunk + wide> gap;
    for (std::uint32_t from = group.first; from < group.first + group.count; from += chunk) {
      const std::uint32_t n = std::min(chunk, group.first + group.count - from);
      const float *x = planes.begin[0].data() + from, *y = planes.begin[1].data() + from,
                  *z = planes.begin[2].data() + from;
      if (group.ends == 1) {
        for (std::uint32_t m = 0; m < n; ++m)
          gap[m] = std::abs(nx * x[m] + ny * y[m] + nz * z[m] - d) - limit;
      } else {
        const float *u = planes.end[0].data() + from, *v = planes.end[1].data() + from,
                    *w = planes.end[2].data() + from;
        for (std::uint32_t m = 0; m < n; ++m) {
          const float h = nx * x[m] + ny * y[m] + nz * z[m] - d,
                      g = nx * u[m] + ny * v[m] + nz * w[m] - d;
          gap[m] = std::max(std::min(h, g), -std::max(h, g)) - limit;
        }
      }
      for (std::uint32_t m = 0; m < n; ++m) {
        low_[lowCount_] = static_cast<std::uint16_t>(planes.place[from + m]);
        lowCount_ += !(gap[m] > 0.0f);
      }
      // Eight minima side by side: one alone would be a chain of dependent steps.
      std::fill_n(gap.begin() + n, wide, HUGE_VALF);
      for (std::uint32_t m = 0; m < n; m += wide)
        for (std::uint32_t lane = 0; lane < wide; ++lane) {
          const float g = gap[m + lane] > 0.0f ? gap[m + lane] : HUGE_VALF;
          least[lane] = g < least[lane] ? g : least[lane];
        }
    }
  }
  least_ = *std::min_element(least.begin(), least.end());
  for (std::uint32_t m = 0; m < lowCount_; ++m)
    if (!(candidates[low_[m]].skipUntil > displacement)) markDue(low_[m]);
}

double ManyContactPair::leastSkipUntil(std::span<const Candidate> candidates) const {
  // The margin in each `limit` covers the rounding of the gaps to float.
  double least = displacement_ + static_cast<double>(least_);
  for (std::uint32_t m = 0; m < lowCount_; ++m)
    least = std::min(least, candidates[low_[m]].skipUntil);
  for (const std::uint32_t k : planes_.others) least = std::min(least, candidates[k].skipUntil);
  return least;
}

}  // namespace scree::sim
