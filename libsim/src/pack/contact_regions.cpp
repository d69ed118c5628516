// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact_regions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree::sim {
namespace {

/// [-] of the length of an edge: over that part at either end the weight falls to zero.
constexpr double edgeEnd = 0.1;

/// Weight of a foot on an edge of i, at `foot` relative to its centre.
double weightAlong(const BodyPose& i, std::uint32_t edge, const Vec3& foot) {
  const shape::Edge& e = i.shape->edges[edge];
  const Vec3 begin = i.arm(i.shape->vertices[e[0]]), along = i.arm(i.shape->vertices[e[1]]) - begin;
  const double s = (foot - begin).dot(along) / along.squaredNorm();
  return std::clamp(std::min(s, 1.0 - s) / edgeEnd, 0.0, 1.0);
}

}  // namespace

ContactRegions::ContactRegions(const ShapeGeometry& g) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Vec3>> sides;
  for (const ShapeGeometry::Face& f : g.faces) {
    const auto all = g.sidesOf(f);
    for (std::size_t k = 0; k < all.size(); ++k)
      sides[std::minmax(all[k].corner, all[(k + 1) % all.size()].corner)].push_back(all[k].normal);
  }
  std::vector<std::vector<Vec3>> along(g.vertices.size());
  edgeStart_.push_back(0);
  for (const shape::Edge& e : g.edges) {
    if (const auto found = sides.find(std::minmax(e[0], e[1])); found != sides.end())
      outOfFace_.insert(outOfFace_.end(), found->second.begin(), found->second.end());
    edgeStart_.push_back(static_cast<std::uint32_t>(outOfFace_.size()));
    const Vec3 d = (g.vertices[e[1]] - g.vertices[e[0]]).normalized();
    along[e[0]].push_back(d);
    along[e[1]].push_back(-d);
  }
  vertexStart_.push_back(0);
  for (const std::vector<Vec3>& edges : along) {
    alongEdges_.insert(alongEdges_.end(), edges.begin(), edges.end());
    vertexStart_.push_back(static_cast<std::uint32_t>(alongEdges_.size()));
  }
}

bool ContactRegions::ofEdge(std::uint32_t edge, const Vec3& n) const {
  return std::ranges::all_of(of(edgeStart_, outOfFace_, edge),
                             [&](const Vec3& out) { return out.dot(n) >= 0.0; });
}

bool ContactRegions::ofVertex(std::uint32_t vertex, const Vec3& n) const {
  return std::ranges::all_of(of(vertexStart_, alongEdges_, vertex),
                             [&](const Vec3& along) { return along.dot(n) <= 0.0; });
}

double contactWeight(const Candidate& c, const BodyPose& i, const ContactRegions& ofI,
                     const BodyPose& j, const ContactRegions& ofJ, const Vec3& branch,
                     const Touch& touch) {
  const auto seenFrom = [&](const BodyPose& body, const Vec3& n) { return body.inBody(n); };
  switch (c.pairing) {
    case Pairing::vertexVertex: {
      if (i.shape->edges.empty() && j.shape->edges.empty()) return 1.0;
      return (ofJ.ofVertex(c.jSub, seenFrom(j, touch.n)) ? 1.0 : 0.0) +
             (ofI.ofVertex(c.iSub, seenFrom(i, -touch.n)) ? 1.0 : 0.0);
    }
    case Pairing::vertexEdge:
      return ofJ.ofEdge(c.jSub, seenFrom(j, touch.n)) ? 1.0 : 0.0;
    case Pairing::vertexFace:
      return 1.0;
    case Pairing::edgeEdge: {
      const Vec3 footI = touch.arm + touch.n * (i.radius + 0.5 * touch.dn);
      const Vec3 footJ = footI + branch - touch.n * (touch.dn + i.radius + j.radius);
      return weightAlong(i, c.iSub, footI) * weightAlong(j, c.jSub, footJ);
    }
  }
  return 1.0;
}

}  // namespace scree::sim
