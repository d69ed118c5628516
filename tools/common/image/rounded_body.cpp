// SPDX-License-Identifier: GPL-3.0-or-later
#include "rounded_body.hpp"

#include "ray_tree.hpp"

#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace scree::tools::image {
namespace {

using shape::Edge;

constexpr double never = 1e300;

Vec3 areaVector(const std::vector<Vec3>& corners) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 2; k < corners.size(); ++k)
    sum += 0.5 * (corners[k - 1] - corners[0]).cross(corners[k] - corners[0]);
  return sum;
}

/// First t at which the ray enters a ball; never where it passes by or comes from within.
double entryOfBall(const Vec3& centre, double r, const Ray& ray) {
  const Vec3 off = ray.origin - centre;
  const double b = off.dot(ray.direction);
  const Vec3 nearest = off - b * ray.direction;
  const double h = r * r - nearest.squaredNorm();
  return h < 0.0 ? never : -b - std::sqrt(h);
}

}  // namespace

RoundedBody::RoundedBody(const shape::Shape& s) : r_(s.radius) {
  const shape::Core core = shape::coreOf(s);
  convex_ = core.convex;
  // Sides along which two faces meet nearly flat are not drawn as edges. More than 11 degrees are
  // drawn; of scans with their many small faces, more than 35.
  const double flat = core.faces.size() > 300 ? 0.82 : 0.98;
  std::map<Edge, std::vector<Vec3>> normals;
  std::vector<Vec3> corners;
  const auto sideOf = [](std::uint32_t a, std::uint32_t b) {
    return Edge{std::min(a, b), std::max(a, b)};
  };
  for (std::size_t f = 0; f < core.faces.size(); ++f) {
    const auto face = core.faces[f];
    corners.clear();
    for (const std::uint32_t v : face) corners.push_back(s.vertices[v]);
    const Vec3 area = areaVector(corners);
    for (std::size_t k = 0; k < face.size() && area.norm() > 0.0; ++k)
      normals[sideOf(face[k], face[(k + 1) % face.size()])].push_back(area.normalized());
  }
  shape::Aabb around;
  for (const Vec3& v : s.vertices) around.add(v);
  const double size = around.halfSize().norm();
  for (std::size_t f = 0; f < core.faces.size(); ++f) {
    const auto face = core.faces[f];
    std::vector<char> sharp;
    corners.clear();
    for (std::size_t k = 0; k < face.size(); ++k) {
      corners.push_back(s.vertices[face[k]]);
      const auto& meet = normals[sideOf(face[k], face[(k + 1) % face.size()])];
      sharp.push_back(meet.size() != 2 || std::abs(meet[0].dot(meet[1])) < flat);
    }
    const Vec3 area = areaVector(corners);
    if (!(area.norm() > 0.0)) continue;
    double off = 0.0;
    for (const Vec3& c : corners)
      off = std::max(off, std::abs(area.normalized().dot(c - corners[0])));
    if (off <= 1e-5 * size) {
      addFace(corners, sharp);
      continue;
    }
    for (std::size_t k = 2; k < corners.size(); ++k)
      addFace({corners[0], corners[k - 1], corners[k]},
              {static_cast<char>(k == 2 && sharp[0]), sharp[k - 1],
               static_cast<char>(k + 1 == corners.size() && sharp[k])});
  }
  if (r_ > 0.0) {
    std::vector<char> held(s.vertices.size(), 0);
    std::vector<Edge> edges = shape::edgesOf(core.faces);
    for (const Edge& e : s.edges) edges.push_back(sideOf(e[0], e[1]));
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const Edge& e : edges) {
      if (s.vertices[e[0]] == s.vertices[e[1]]) continue;
      held[e[0]] = held[e[1]] = 1;
      rods_.push_back({s.vertices[e[0]], s.vertices[e[1]], r_});
    }
    for (std::size_t v = 0; v < held.size(); ++v)
      if (!held[v]) rods_.push_back({s.vertices[v], s.vertices[v], s.radiusAt(v)});
  }
  std::vector<shape::Aabb> boxes;
  for (const Face& face : faces_) {
    shape::Aabb box;
    for (std::uint32_t k = face.begin; k < face.end; ++k) box.add(sides_[k].a);
    // Flat boxes are grown a little: a ray along them is lost to rounding otherwise.
    boxes.push_back(box.grown(r_ + 1e-9 * (size + r_)));
  }
  for (const Rod& rod : rods_) {
    shape::Aabb box;
    box.add(rod.a);
    box.add(rod.b);
    boxes.push_back(box.grown(rod.radius));
  }
  for (const shape::Aabb& box : boxes) box_.add(box);
  tree_ = shape::AabbTree(boxes, 2);
}

void RoundedBody::addFace(const std::vector<Vec3>& corners, const std::vector<char>& sharp) {
  Face face;
  const Vec3 area = areaVector(corners);
  if (!(area.norm() > 0.0)) return;
  face.normal = area.normalized();
  face.size = std::sqrt(area.norm());
  face.offset = face.normal.dot(corners[0]);
  face.begin = static_cast<std::uint32_t>(sides_.size());
  face.convex = true;
  const std::size_t n = corners.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 &a = corners[k], &b = corners[(k + 1) % n], &c = corners[(k + 2) % n];
    if (a == b) continue;
    face.convex &= (b - a).cross(c - b).dot(face.normal) >= -1e-12 * (b - a).squaredNorm();
    sides_.push_back({a, b, (b - a).cross(face.normal).normalized(), sharp[k] != 0});
  }
  face.end = static_cast<std::uint32_t>(sides_.size());
  faces_.push_back(face);
}

bool RoundedBody::holds(const Face& face, const Vec3& p) const {
  if (face.convex) {
    for (std::uint32_t k = face.begin; k < face.end; ++k)
      if (sides_[k].outward.dot(p - sides_[k].a) > 0.0) return false;
    return true;
  }
  // Crossings of a line in the projection along the largest component of the normal.
  int axis = 0;
  face.normal.cwiseAbs().maxCoeff(&axis);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  bool inside = false;
  for (std::uint32_t k = face.begin; k < face.end; ++k) {
    const Vec3 &a = sides_[k].a, &b = sides_[k].b;
    if ((a[v] > p[v]) != (b[v] > p[v]) &&
        p[u] < a[u] + (p[v] - a[v]) / (b[v] - a[v]) * (b[u] - a[u]))
      inside = !inside;
  }
  return inside;
}

double RoundedBody::entryOfFace(const Face& face, const Ray& ray) const {
  const double towards = face.normal.dot(ray.direction);
  if (towards == 0.0) return never;
  const double plane = face.offset + (towards < 0.0 ? r_ : -r_);
  const double t = (plane - face.normal.dot(ray.origin)) / towards;
  const Vec3 p = ray.origin + t * ray.direction;
  return holds(face, p) ? t : never;
}

double RoundedBody::entryOfRod(const Rod& rod, const Ray& ray) {
  const double r = rod.radius;
  const Vec3 along = rod.b - rod.a;
  const double length2 = along.squaredNorm();
  if (length2 == 0.0) return entryOfBall(rod.a, r, ray);
  // Across the axis the rod is a disc: a t² + 2 b t + c = 0 on its rim.
  const Vec3 off = ray.origin - rod.a;
  const double s0 = off.dot(along) / length2, s1 = ray.direction.dot(along) / length2;
  const Vec3 p = off - s0 * along, d = ray.direction - s1 * along;
  const double a = d.squaredNorm(), b = p.dot(d);
  if (a > 1e-24) {
    const double h = r * r - (p - b / a * d).squaredNorm();
    if (h < 0.0) return never;
    const double t = (-b - std::sqrt(a * h)) / a, s = s0 + t * s1;
    if (s >= 0.0 && s <= 1.0) return t;
    return entryOfBall(s < 0.0 ? rod.a : rod.b, r, ray);
  }
  return std::min(entryOfBall(rod.a, r, ray), entryOfBall(rod.b, r, ray));
}

/// visit(item, t) for the entry into each part that lies in [from, to]; it may lower `to`.
template <class Visit>
void RoundedBody::walk(const Ray& ray, double from, double& to, Visit&& visit) const {
  forEachAlong(tree_, ray, from, to, [&](std::uint32_t item) {
    const double t = item < faces_.size() ? entryOfFace(faces_[item], ray)
                                          : entryOfRod(rods_[item - faces_.size()], ray);
    if (t >= from && t <= to && t < never) visit(item, t);
  });
}

Hit RoundedBody::first(const Ray& ray, double from, double to) const {
  Hit hit;
  std::uint32_t best = 0;
  double limit = to;
  walk(ray, from, limit, [&](std::uint32_t item, double t) {
    if (t < hit.t || (t == hit.t && item < best)) {
      hit.t = limit = t;
      best = item;
    }
  });
  if (!hit.any()) return hit;
  const Vec3 p = ray.origin + hit.t * ray.direction;
  if (best < faces_.size()) {
    const Face& face = faces_[best];
    hit.normal = face.normal.dot(ray.direction) < 0.0 ? face.normal : Vec3(-face.normal);
    hit.faceSize = face.size;
    const Vec3 below = p - r_ * hit.normal;
    for (std::uint32_t k = face.begin; k < face.end; ++k) {
      const Side& side = sides_[k];
      if (!side.sharp) continue;
      const Vec3 along = side.b - side.a;
      const double s = std::clamp((below - side.a).dot(along) / along.squaredNorm(), 0.0, 1.0);
      const Vec3 off = side.a + s * along - below;
      if (!hit.edgeNear || off.squaredNorm() < hit.toEdge.squaredNorm()) hit.toEdge = off;
      hit.edgeNear = true;
    }
  } else {
    const Rod& rod = rods_[best - faces_.size()];
    const Vec3 along = rod.b - rod.a;
    const double length2 = along.squaredNorm();
    const double s = length2 > 0.0 ? std::clamp((p - rod.a).dot(along) / length2, 0.0, 1.0) : 0.0;
    hit.normal = (p - rod.a - s * along).normalized();
  }
  return hit;
}

double RoundedBody::reach(const Vec3& direction) const {
  double most = -never;
  const double length = direction.norm();
  for (const Side& side : sides_) most = std::max(most, direction.dot(side.a) + r_ * length);
  for (const Rod& rod : rods_)
    most =
        std::max(most, std::max(direction.dot(rod.a), direction.dot(rod.b)) + rod.radius * length);
  return most;
}

bool RoundedBody::blocks(const Ray& ray, double from, double to) const {
  bool found = false;
  double limit = to;
  walk(ray, from, limit, [&](std::uint32_t, double) {
    found = true;
    limit = -never;  // nothing more to ask
  });
  return found;
}

}  // namespace scree::tools::image
