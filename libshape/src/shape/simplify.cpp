// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/edge_collapse.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <set>

namespace scree::shape {
namespace {

using detail::CollapsingMesh;
using detail::Quadric;

struct Candidate {
  double cost;
  std::uint32_t a, b;
  std::uint32_t ageA, ageB;  ///< of the two vertices when this was planned
  bool operator>(const Candidate& other) const {
    return cost != other.cost ? cost > other.cost : std::pair(a, b) > std::pair(other.a, other.b);
  }
};

class Simplifier {
 public:
  explicit Simplifier(CollapsingMesh mesh)
      : mesh_(std::move(mesh)), quadrics_(planeQuadrics(mesh_)), age_(mesh_.size(), 0) {}

  void reduceTo(std::size_t vertices) {
    // What could not collapse may later, when its surroundings have changed: some rounds.
    for (std::size_t before = 0; before != mesh_.vertexCount();) {
      before = mesh_.vertexCount();
      if (before <= vertices) return;
      for (std::uint32_t v = 0; v < mesh_.size(); ++v)
        if (mesh_.hasVertex(v)) offerAround(v, true);
      while (!queue_.empty() && mesh_.vertexCount() > vertices) step();
      queue_ = {};
    }
  }

  CollapsingMesh& mesh() { return mesh_; }

 private:
  void offerAround(std::uint32_t v, bool onlyHigher) {
    for (const std::uint32_t w : mesh_.neighbours(v)) {
      if (onlyHigher && w < v) continue;
      const std::uint32_t a = std::min(v, w), b = std::max(v, w);
      const detail::CollapsePlan plan = planCollapse(mesh_, quadrics_, a, b);
      if (plan.possible)
        queue_.push({plan.cost, a, b, age_[a], age_[b]});
      else
        blocked_.insert({a, b});
    }
  }

  /// Edges near a vertex that could not collapse: perhaps they can now.
  void offerBlocked(std::uint32_t v) {
    for (const std::uint32_t w : mesh_.neighbours(v))
      for (const std::uint32_t x : mesh_.neighbours(w)) {
        const std::uint32_t a = std::min(w, x), b = std::max(w, x);
        if (blocked_.erase({a, b}) == 0) continue;
        const detail::CollapsePlan plan = planCollapse(mesh_, quadrics_, a, b);
        if (plan.possible)
          queue_.push({plan.cost, a, b, age_[a], age_[b]});
        else
          blocked_.insert({a, b});
      }
  }

  void step() {
    const Candidate c = queue_.top();
    queue_.pop();
    if (!mesh_.hasVertex(c.a) || !mesh_.hasVertex(c.b) || age_[c.a] != c.ageA ||
        age_[c.b] != c.ageB)
      return;
    // Triangles around may have changed since.
    const detail::CollapsePlan plan = planCollapse(mesh_, quadrics_, c.a, c.b);
    if (!plan.possible) {
      blocked_.insert({c.a, c.b});
      return;
    }
    if (plan.cost > c.cost) {
      queue_.push({plan.cost, c.a, c.b, c.ageA, c.ageB});
      return;
    }
    mesh_.collapse(c.a, c.b, plan.to);
    quadrics_[c.a] += quadrics_[c.b];
    ++age_[c.a];
    offerAround(c.a, false);
    offerBlocked(c.a);
  }

  CollapsingMesh mesh_;
  std::vector<Quadric> quadrics_;
  std::vector<std::uint32_t> age_;
  std::set<Edge> blocked_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
};

}  // namespace

SurfaceMesh simplified(const SurfaceMesh& mesh, std::size_t vertices) {
  // From the middle, so that quadrics lose no digits far from the origin.
  Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  SurfaceMesh used = withoutLooseVertices(mesh);
  const Vec3 origin = mesh.vertices.empty() ? Vec3::Zero() : box.centre();
  for (Vec3& v : used.vertices) v -= origin;
  Simplifier simplifier(CollapsingMesh(used.vertices, trianglesOf(used)));
  simplifier.reduceTo(vertices);
  const std::size_t reached = simplifier.mesh().vertexCount();
  if (reached > vertices)
    throw GeometryError(
        fmt::format("cannot be simplified to {} vertices without closing holes, joining parts or "
                    "folding over; {} vertices are possible",
                    vertices, reached));
  SurfaceMesh out = simplifier.mesh().mesh();
  for (Vec3& v : out.vertices) v += origin;
  return out;
}

}  // namespace scree::shape
