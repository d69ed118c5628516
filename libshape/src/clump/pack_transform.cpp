// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/pack_transform.hpp"

#include "base/turn.hpp"

#include "scree/base/rng.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;

/// Refuses a number beyond the range of double precision, or below its least normal one.
void checkRange(const ShapePack& pack, std::string_view what) {
  constexpr double least = std::numeric_limits<double>::min();
  const auto inRange = [](double v) { return std::isfinite(v) && v >= least; };
  const auto fine = [&](const PackParticle& p) {
    const auto& given = p.carried().given;
    bool all = !given || (given->centre.allFinite() && given->inertia.allFinite() &&
                          inRange(given->volume) && inRange(given->inertia.diagonal().minCoeff()));
    for (const PackMember& m : p.members) {
      all = all && m.centre.allFinite() && inRange(m.radius);
      for (const Vec3& node : m.nodes()) all = all && node.allFinite();
      if (m.kind() == Kind::ellipsoid) all = all && (ellipsoidSemiAxes(m).array() > 0.0).all();
    }
    return all;
  };
  const auto bad = std::ranges::find_if_not(pack.particles, fine);
  if (bad != pack.particles.end())
    throw ModelError(fmt::format(
        "{}: a number of particle {} would exceed the range of double precision", what, bad->id));
  if (!pack.cell.allFinite())
    throw ModelError(fmt::format("{}: the cell would exceed the range of double precision", what));
}

/// Applies `change` to each point of a member but its centre: corners given in full, and `nodes`.
template <class Change>
void changeCorners(PackMember& m, const Change& change) {
  const std::size_t corners = std::as_const(m).nodes().size();
  for (std::size_t k = 0; k < corners; ++k) {
    double* const p = &m.raw()[3 * k];
    Vec3& node = m.nodes()[k];
    node = change(node);
    if (std::isnan(p[0]) || std::isnan(p[1])) continue;  // a marker: the node moves where it stands
    for (Eigen::Index c = 0; c < 3; ++c) p[c] = node[c];
  }
}

void move(PackParticle& particle, const Vec3& by) {
  for (PackMember& m : particle.members) {
    m.centre += by;
    changeCorners(m, [&](const Vec3& p) -> Vec3 { return p + by; });
  }
  if (std::as_const(particle).carried().given) particle.carried().given->centre += by;
}

Vec3 rotationVector(Quat q) {
  if (q.w() < 0.0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  if (!(sine > 0.0)) return Vec3::Zero();
  return 2.0 * portableAtan2(sine, q.w()) / sine * q.vec();
}

Quat orientationOf(const Vec3& vector) {
  const double angle = vector.norm();
  if (!(angle > 0.0)) return Quat::Identity();
  const double halfTurns = angle / (4.0 * pi);
  const Vec3 v = sinOfTurns(halfTurns) / angle * vector;
  return {cosOfTurns(halfTurns), v.x(), v.y(), v.z()};
}

void turnMember(PackMember& m, const Turn& turn) {
  m.centre = turn(m.centre);
  changeCorners(m, turn);
  if (m.kind() == Kind::capsule) {
    const double radius = capsuleRadius(m);
    const Vec3 half = turn(capsuleHalfShaft(m));
    std::copy(half.begin(), half.end(), m.raw().begin());
    // A shaft that rounding made longer must not eat up the radius of a thin capsule.
    if (!turn.quarter()) m.radius = half.norm() + radius;
  } else if (m.kind() == Kind::ellipsoid) {
    Vec3 vector(m.raw()[0], m.raw()[1], m.raw()[2]);
    if (turn.quarter()) {
      // R Q = (R Q R^-1) R: the rotation vector turns, and R permutes the semi-axes.
      const Vec3 axes = turn.lengths(ellipsoidSemiAxes(m));
      vector = turn(vector);
      std::copy(axes.begin(), axes.end(), m.raw().begin() + 3);
    } else {
      vector = rotationVector((turn.orientation() * orientationOf(vector)).normalized());
    }
    std::copy(vector.begin(), vector.end(), m.raw().begin());
  }
}

std::int64_t largestId(const ShapePack& pack) {
  std::int64_t largest = -1;
  for (const PackParticle& p : pack.particles) largest = std::max(largest, p.id);
  return largest;
}

void reorder(ShapePack& pack, const std::vector<std::size_t>& order) {
  std::vector<PackParticle> particles;
  particles.reserve(order.size());
  for (const std::size_t k : order) particles.push_back(std::move(pack.particles[k]));
  pack.particles = std::move(particles);
}

}  // namespace

void translate(ShapePack& pack, const Vec3& by) {
  for (PackParticle& particle : pack.particles) move(particle, by);
  checkRange(pack, "translate");
}

void rotate(ShapePack& pack, int axis, double degrees) {
  if (axis < 0 || axis > 2 || !std::isfinite(degrees))
    throw ModelError("rotate: expected an axis x, y or z and a finite angle");
  const Turn turn(axis, degrees);
  if (turn.quarter()) {
    pack.cell = turn.lengths(pack.cell);
  } else {
    Vec3 across = pack.cell;
    across[axis] = 0.0;
    if ((across.array() != 0.0).any())
      throw ModelError(fmt::format(
          "rotate: the periodic cell allows only quarter turns, found {} degrees about {}", degrees,
          "xyz"[axis]));
  }
  for (PackParticle& particle : pack.particles) {
    for (PackMember& m : particle.members) turnMember(m, turn);
    if (!std::as_const(particle).carried().given) continue;
    GivenMass& given = *particle.carried().given;
    given.centre = turn(given.centre);
    const Mat3 full = turn.tensor(given.inertia);  // exact for quarter turns
    given.inertia = 0.5 * (full + full.transpose()) + Mat3::Zero();
  }
  checkRange(pack, "rotate");
}

void scale(ShapePack& pack, double factor) {
  if (!(factor > 0.0) || !std::isfinite(factor))
    throw ModelError(fmt::format("scale: expected a finite factor above 0, found {}", factor));
  const double cube = factor * factor * factor, fifth = cube * factor * factor;
  pack.cell *= factor;
  for (PackParticle& particle : pack.particles) {
    if (std::as_const(particle).carried().given) {  // the density stays
      GivenMass& given = *particle.carried().given;
      given.volume *= cube;
      given.centre *= factor;
      given.inertia *= fifth;
    }
    for (PackMember& m : particle.members) {
      m.centre *= factor;
      m.radius *= factor;
      if (m.kind() == Kind::tetra) m.rounding() *= factor;
      changeCorners(m, [factor](const Vec3& p) -> Vec3 { return factor * p; });
      // A capsule has its half shaft, an ellipsoid three semi-axes, a facet its half thickness.
      const std::size_t first = m.kind() == Kind::capsule     ? 0
                                : m.kind() == Kind::ellipsoid ? 3
                                : m.kind() == Kind::facet     ? 9
                                                              : m.type->numbers;
      for (std::size_t k = first; k < m.type->numbers; ++k) m.raw()[k] *= factor;
    }
  }
  checkRange(pack, "scale");
}

void tile(ShapePack& pack, const std::array<std::int64_t, 3>& counts) {
  constexpr std::int64_t mostShapes = 50'000'000;
  std::int64_t copies = 1;
  for (std::size_t c = 0; c < 3; ++c) {
    if (counts[c] < 1)
      throw ModelError(fmt::format("tile: expected counts of at least 1, found {}", counts[c]));
    if (counts[c] > 1 && pack.cell[static_cast<Eigen::Index>(c)] == 0.0)
      throw ModelError(
          fmt::format("tile: the pack is not periodic along {}, so its copies would coincide; use "
                      "a count of 1 there",
                      "xyz"[c]));
    if (counts[c] > mostShapes / copies)
      throw ModelError(fmt::format("tile: more than {} shapes", mostShapes));
    copies *= counts[c];
  }
  const std::size_t n = pack.particles.size(), shapes = pack.shapeCount();
  if (shapes > static_cast<std::size_t>(mostShapes / copies))
    throw ModelError(fmt::format("tile: more than {} shapes", mostShapes));
  std::int64_t id = largestId(pack);
  pack.particles.reserve(n * static_cast<std::size_t>(copies));
  for (std::int64_t i = 0; i < counts[0]; ++i)
    for (std::int64_t j = 0; j < counts[1]; ++j)
      for (std::int64_t k = 0; k < counts[2]; ++k) {
        if (i == 0 && j == 0 && k == 0) continue;
        const Vec3 by = pack.cell.cwiseProduct(
            Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
        for (std::size_t p = 0; p < n; ++p) {
          PackParticle copy = pack.particles[p];
          copy.id = ++id;
          copy.line = 0;
          for (PackMember& m : copy.members) {
            if (!std::as_const(m).before().empty()) m.before().clear();
            if (!std::as_const(m).comment().empty()) m.comment().clear();
          }
          move(copy, by);
          pack.particles.push_back(std::move(copy));
        }
      }
  for (Eigen::Index c = 0; c < 3; ++c)
    pack.cell[c] *= static_cast<double>(counts[static_cast<std::size_t>(c)]);
  checkRange(pack, "tile");
}

void canonicalize(ShapePack& pack, std::span<const Vec3> centres) {
  if ((pack.cell.array() == 0.0).all())
    throw ModelError("canonicalize: the pack is not periodic (it has no ##PERIODIC:: line)");
  for (std::size_t p = 0; p < pack.particles.size(); ++p) {
    Vec3 by = Vec3::Zero();
    const PackParticle& particle = pack.particles[p];
    // Such a centre is a number of the file, which moves with one rounding. Others are computed
    // again from what has moved.
    const bool stated =
        particle.given() || (particle.members.size() == 1 && particle.members[0].nodes().empty());
    for (Eigen::Index c = 0; c < 3; ++c) {
      const double edge = pack.cell[c], at = centres[p][c];
      if (edge == 0.0 || (at >= 0.0 && at < edge)) continue;
      const double cells = -std::floor(at / edge), target = at + cells * edge;
      double noise = 0.0;
      if (!stated) {
        const shape::Aabb box = boxOf(particle);
        const double reach = std::max(std::fabs(box.low[c]), std::fabs(box.high[c]));
        noise = std::min(1e-13 * (edge + reach), 0.25 * edge);
      }
      // So near an end, rounding would carry it out of the cell: it goes to the lower one.
      const bool safe = target >= noise && target < edge - noise;
      by[c] = safe ? cells * edge : noise - at;
    }
    if ((by.array() != 0.0).any()) move(pack.particles[p], by);
  }
  checkRange(pack, "canonicalize");
}

void sortBy(ShapePack& pack, std::span<const double> keys) {
  std::vector<std::size_t> order(pack.particles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::isnan(keys[b]) ? !std::isnan(keys[a]) : keys[a] < keys[b];
  });
  reorder(pack, order);
}

void shuffle(ShapePack& pack, std::uint64_t seed) {
  Rng rng(seed);
  auto& p = pack.particles;
  for (std::size_t n = p.size(); n > 1; --n) {
    const auto k = static_cast<std::size_t>(rng.uniform() * static_cast<double>(n));
    std::swap(p[n - 1], p[std::min(k, n - 1)]);
  }
}

void keepOnly(ShapePack& pack, const std::vector<bool>& keep) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < pack.particles.size(); ++k)
    if (keep[k]) order.push_back(k);
  reorder(pack, order);
}

ShapePack merged(std::span<const ShapePack> packs, Diagnostics& diagnostics) {
  ShapePack all;
  std::set<std::int64_t> taken;
  for (std::size_t n = 0; n < packs.size(); ++n) {
    const ShapePack& pack = packs[n];
    if (n == 0)
      all.cell = pack.cell;
    else if (pack.cell != all.cell)
      throw ModelError(fmt::format(
          "merge: pack {} has another periodic cell ({} {} {}) than the first ({} {} {})", n + 1,
          pack.cell.x(), pack.cell.y(), pack.cell.z(), all.cell.x(), all.cell.y(), all.cell.z()));
    if (pack.userData && !all.userData)
      all.userData = pack.userData;
    else if (pack.userData && *pack.userData != *all.userData)
      diagnostics.warn(fmt::format("merge: lost: the user data of pack {}", n + 1));
    const bool clash = std::any_of(pack.particles.begin(), pack.particles.end(),
                                   [&](const PackParticle& p) { return taken.count(p.id) > 0; });
    std::int64_t next = taken.empty() ? 0 : *taken.rbegin();
    for (PackParticle p : pack.particles) {
      if (clash) p.id = ++next;
      taken.insert(p.id);
      all.particles.push_back(std::move(p));
    }
    all.trailing.insert(all.trailing.end(), pack.trailing.begin(), pack.trailing.end());
  }
  return all;
}

void separateIds(ShapePack& pack, Diagnostics& diagnostics) {
  std::size_t count = 0;
  std::int64_t next = largestId(pack);
  for (std::size_t k = 1; k < pack.particles.size(); ++k)
    if (pack.particles[k].id == pack.particles[k - 1].id) {
      pack.particles[k].id = ++next;
      ++count;
    }
  if (count > 0)
    diagnostics.warn(fmt::format(
        "{} particle(s) would follow one of the same ID and be read as part of it; they get new "
        "IDs",
        count));
}

std::size_t dropSwallowed(PackParticle& particle) {
  std::vector<PackMember>& members = particle.members;
  if (particle.unclumped) return 0;
  std::vector<std::uint32_t> balls;
  std::vector<shape::Aabb> boxes;
  for (std::uint32_t k = 0; k < members.size(); ++k)
    if (const PackMember& m = members[k]; isBall(m)) {
      balls.push_back(k);
      const Vec3 reach = Vec3::Constant(m.radius);
      boxes.push_back({m.centre - reach, m.centre + reach});
    }
  const auto contains = [&](std::uint32_t a, std::uint32_t b) {
    const PackMember &outer = members[balls[a]], &inner = members[balls[b]];
    return (inner.centre - outer.centre).norm() + inner.radius <= outer.radius;
  };
  const shape::AabbTree tree(boxes, 8);
  std::vector<bool> inside(members.size(), false);
  for (std::uint32_t k = 0; k < balls.size(); ++k)
    tree.forEachNear(boxes[k], [&](std::uint32_t j) {
      if (j != k && contains(j, k) && (j < k || !contains(k, j))) inside[balls[k]] = true;
    });
  return std::erase_if(members, [&](const PackMember& m) {
    return inside[static_cast<std::size_t>(&m - members.data())];
  });
}

}  // namespace scree::clump
