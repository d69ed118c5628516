// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/exact_products.hpp"

#include "scree/base/error.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace scree::clump {
namespace {

/// Second moment of a simplex over its content, times n: sum of v vᵀ plus the square of the sum.
Mat3 spread(std::initializer_list<Vec3> corners) {
  Mat3 squares = Mat3::Zero();
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : corners) {
    squares += v * v.transpose();
    sum += v;
  }
  return squares + sum * sum.transpose();
}

/// @param volume  [L³] of the tetrahedron. @param others  corners relative to the one in question
mass::Moments tetraShare(double volume, const std::array<Vec3, 3>& others) {
  const auto& [b, c, d] = others;
  const double piece = volume / 24.0;
  const Vec3 centroid = 0.25 * (b + c + d);
  mass::Moments out;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      if (i == j) continue;
      const Vec3 edge = 0.5 * others[i], face = (others[i] + others[j]) / 3.0;
      out.m0 += piece;
      out.m1 += 0.25 * piece * (edge + face + centroid);
      out.m2 += piece / 20.0 * spread({edge, face, centroid});
    }
  return out;
}

/// @param cross  [L²] product of two edges of the facet
mass::Moments facetShare(const Vec3& cross, const Vec3& b, const Vec3& c, double half) {
  mass::Moments out;
  if (!(half > 0.0) || !(cross.norm() > 0.0)) return out;
  const double piece = 2.0 * half * cross.norm() / 12.0;  // a sixth of the prism
  const Vec3 centroid = (b + c) / 3.0, n = cross.normalized();
  for (const Vec3& end : {b, c}) {
    const Vec3 edge = 0.5 * end;
    out.m0 += piece;
    out.m1 += piece / 3.0 * (edge + centroid);
    out.m2 +=
        piece / 12.0 * spread({edge, centroid}) + piece * half * half / 3.0 * n * n.transpose();
  }
  return out;
}

struct Collected {
  LumpedNode node;
  const PackMember* last = nullptr;  ///< the shape that was counted last
};

/// The node that a marker at corner k repeats, counted over the particle.
std::optional<std::size_t> markedNode(const PackMember& m, std::size_t k) {
  const std::vector<double>& raw = m.raw();
  if (raw.size() < 3 * k + 3 || !(std::isnan(raw[3 * k]) || std::isnan(raw[3 * k + 1]))) return {};
  return static_cast<std::size_t>(raw[3 * k + 2]);
}

}  // namespace

mass::Moments cornerMoments(const PackMember& element, std::size_t corner) {
  const auto& n = element.nodes();
  if (corner >= n.size()) throw GeometryError("a corner that the shape does not have");
  std::array<Vec3, 3> others{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (std::size_t k = 1; k < n.size(); ++k) others[k - 1] = n[(corner + k) % n.size()] - n[corner];
  using Products = scree::detail::EdgeProducts;
  return n.size() == 4
             ? tetraShare(std::fabs(Products::triple(n[0], n[1], n[2], n[3])) / 6.0, others)
             : facetShare(Products::cross(n[0], n[1], n[2]), others[0], others[1],
                          facetHalfThickness(element));
}

std::vector<LumpedNode> lumpedNodes(const ShapePack& pack, double packDensity) {
  std::vector<Collected> nodes;
  std::map<std::array<double, 3>, std::size_t> known;
  const auto nodeAt = [&](const PackParticle& p, const Vec3& at) -> Collected& {
    const std::array<double, 3> key{at.x() + 0.0, at.y() + 0.0, at.z() + 0.0};
    const auto [found, fresh] = known.try_emplace(key, nodes.size());
    if (fresh) {
      nodes.emplace_back();
      nodes.back().node.id = p.id;
      nodes.back().node.position = at;
    }
    return nodes[found->second];
  };
  const auto add = [](Collected& c, const PackMember& shape, const mass::Moments& m,
                      double density) {
    c.node.mass += density * m.m0;
    c.node.firstMoment += density * m.m1;
    c.node.inertia += density * Mat3(m.m2.trace() * Mat3::Identity() - m.m2);
    if (c.last != &shape) ++c.node.shapes;  // corners of one shape may share the node
    c.last = &shape;
  };
  std::vector<std::size_t> corners;  // nodes of the particle, in the order that markers count in
  for (const PackParticle& p : pack.particles) {
    known.clear();
    corners.clear();
    const double density = p.carried().density.value_or(packDensity);
    for (const PackMember& m : p.members) {
      // Members that are not clumped are bodies of their own, which markers alone join.
      if (p.unclumped) known.clear();
      if (m.rounding() > 0.0)
        throw GeometryError(fmt::format(
            "particle {}: its rounding of {:g} belongs to no corner, so it cannot be lumped", p.id,
            m.rounding()));
      for (std::size_t k = 0; k < m.nodes().size(); ++k) {
        const auto marked = markedNode(m, k);
        Collected& c =
            marked && *marked < corners.size() ? nodes[corners[*marked]] : nodeAt(p, m.nodes()[k]);
        if (!marked) corners.push_back(static_cast<std::size_t>(&c - nodes.data()));
        add(c, m, cornerMoments(m, k), density);
      }
      if (!m.nodes().empty()) continue;
      add(nodeAt(p, m.centre), m, memberMoments(m, m.centre), density);
    }
  }
  std::vector<LumpedNode> out;
  for (Collected& c : nodes) {
    if (c.node.mass > 0.0) c.node.principal = mass::principalFrame(c.node.inertia);
    out.push_back(c.node);
  }
  return out;
}

}  // namespace scree::clump
