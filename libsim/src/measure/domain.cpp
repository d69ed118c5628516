// SPDX-License-Identifier: GPL-3.0-or-later
// The space that bodies fill: where it ends, its slices, its deformation, its lattice.
#include "base/angles.hpp"
#include "detail/polygon_math.hpp"

#include "scree/mass/moments.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/sim/measure/instant.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace scree::sim {

shape::Aabb boundingBox(const shape::Shape& shape, const Vec3& pos, const Quat& q,
                        double homothety) {
  shape::Aabb box;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
    shape::Aabb ball;
    ball.add(pos + rotated(q, homothety * shape.vertices[v]));
    box.add(ball.grown(shape.radiusAt(v) * homothety));
  }
  return box;
}

double boundingRadius(const shape::Shape& shape, const Vec3& about) {
  double farthest = 0.0;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    farthest = std::max(farthest, (shape.vertices[v] - about).norm() + shape.radiusAt(v));
  return farthest;
}

namespace {

Vec3 centreOfFree(const Instant& instant) {
  Vec3 sum = Vec3::Zero();
  const std::size_t driven = instant.conf().nDriven, n = instant.bodyCount();
  for (std::size_t k = driven; k < n; ++k) sum += instant.body(k).pos;
  return sum / static_cast<double>(std::max<std::size_t>(n - driven, 1));
}

/// Keeps the sides that border on a domain, the first of several in one plane, with their areas.
void keepBorder(Domain& domain) {
  const shape::ConvexHull& hull = domain.hull;
  const std::optional<Round>& round = domain.round;
  std::vector<char> taken(hull.faces.size(), 0);
  std::erase_if(domain.sides, [&](WallSide& side) {
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      const auto face = hull.faces[f];
      if (taken[f] || hull.normals[f].dot(side.space.normal) < 1.0 - 1e-9 ||
          std::abs(side.space.over(hull.points[face[0]])) >
              1e-9 * (domain.high - domain.low).norm())
        continue;
      taken[f] = 1;
      double whole = std::nan("");
      if (!round)
        whole = shape::detail::areaVector(hull.points, face).norm();
      else if (domain.squareEnds())
        whole = pi * round->radius * round->radius;
      // A plate with less than 99 % of the side is one of several; rounding takes less than 1 %.
      side.area = side.area < 0.99 * whole ? std::nan("") : whole;
      return false;
    }
    return true;
  });
}

/// The rounding balls at the vertices of all free bodies.
std::vector<mass::Ball> freeBalls(const Instant& instant) {
  std::vector<mass::Ball> balls;
  for (std::size_t k = instant.conf().nDriven; k < instant.bodyCount(); ++k) {
    const ParticleRecord& p = instant.body(k);
    const shape::Shape& shape = instant.shapeOf(k);
    for (std::size_t v = 0; v < shape.vertices.size(); ++v)
      balls.push_back(
          {p.pos + rotated(p.q, p.homothety * shape.vertices[v]), p.homothety * shape.radiusAt(v)});
  }
  return balls;
}

shape::Aabb boxOfFree(const Instant& instant) {
  shape::Aabb box;
  for (std::size_t k = instant.conf().nDriven; k < instant.bodyCount(); ++k)
    box.add(instant.boxOf(k));
  return box;
}

double sampledVolume(const std::vector<mass::Ball>& balls) {
  std::vector<Vec3> points;
  for (const Vec3& d : evenDirections(2000)) {
    const auto reach = [&](const mass::Ball& b) { return b.centre.dot(d) + b.radius; };
    const mass::Ball& most = *std::ranges::max_element(balls, {}, reach);
    points.push_back(most.centre + most.radius * d);
  }
  return shape::convexHull(points).volume();
}

/// The plane boundaries, by the side that bodies are not on.
std::vector<WallSide> planeSides(const Instant& instant) {
  std::vector<WallSide> sides;
  const std::vector<Boundary>& boundaries = instant.conf().boundaries;
  for (std::uint32_t k = 0; k < boundaries.size(); ++k)
    if (const Boundary& b = boundaries[k]; b.kind == Boundary::Kind::plane)
      sides.push_back({WallSide::plane, k, {-b.axis, -b.axis.dot(b.centre)}, true});
  return sides;
}

/// Takes the edges of a cell to what a floor and a top leave of it. Planes repeat with the vector
/// that crosses them, so that one plane alone leaves a whole period. @returns false where they are
/// not parallel to two vectors, or there are several of one direction
bool cutByPlanes(Domain& cell, const std::vector<WallSide>& planes) {
  const WallSide *floor = nullptr, *top = nullptr;
  Eigen::Index across = 0;
  for (const WallSide& side : planes) {
    Vec3 along;
    for (int k = 0; k < 3; ++k) along[k] = side.space.normal.dot(cell.vectors.col(k).normalized());
    Eigen::Index own = 0;
    along.cwiseAbs().maxCoeff(&own);
    if (along.cwiseAbs().sum() - std::abs(along[own]) > 2e-9) return false;
    if ((floor || top) && own != across) return false;
    across = own;
    const WallSide*& slot = along[own] < 0.0 ? floor : top;
    if (slot) return false;
    slot = &side;
  }
  const Vec3 row = cell.vectors.inverse().row(across);
  const auto shareOf = [&](const WallSide& side, double from) {
    const double place = row.dot(side.space.offset * side.space.normal) - from;
    const double share = place - std::floor(place);
    return share < 1.0 - 1e-12 ? share : 0.0;
  };
  const double from = shareOf(floor ? *floor : *top, 0.0), share = top ? shareOf(*top, from) : 0.0;
  cell.corner = from * cell.vectors.col(across);
  if (share > 0.0)
    for (Mat3* edges : {&cell.edges, &cell.carried}) edges->col(across) *= share;
  const Vec3 u = cell.vectors.col((across + 1) % 3), v = cell.vectors.col((across + 2) % 3);
  cell.sides = planes;
  for (WallSide& side : cell.sides) side.area = u.cross(v).norm();
  return true;
}

/// The affine map x -> F x + c that takes planes to planes, by least squares. A plane n·x = d goes
/// to m·x = e where Fᵀ m = λ n and m·c = e - λ d.
Mat3 mapOfPlanes(const std::vector<WallSide>& before, const std::vector<WallSide>& now) {
  std::map<std::pair<BodyId, std::uint32_t>, const HalfSpace*> first;
  for (const WallSide& side : before) first[{side.body, side.face}] = &side.space;
  const auto m = static_cast<Eigen::Index>(now.size());
  if (first.size() != now.size() || m < 4) return Mat3::Constant(notKnown);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(4 * m, 12 + m);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(4 * m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const WallSide& side = now[static_cast<std::size_t>(k)];
    const auto found = first.find({side.body, side.face});
    if (found == first.end()) return Mat3::Constant(notKnown);
    for (int c = 0; c < 3; ++c) {
      for (int r = 0; r < 3; ++r) a(4 * k + c, 3 * r + c) = side.space.normal[r];
      a(4 * k + c, 12 + k) = -found->second->normal[c];
      a(4 * k + 3, 9 + c) = side.space.normal[c];
    }
    a(4 * k + 3, 12 + k) = found->second->offset;
    right[4 * k + 3] = side.space.offset;
  }
  const Eigen::VectorXd x = a.colPivHouseholderQr().solve(right);
  const Mat3 f = x.head<9>().reshaped<Eigen::RowMajor>(3, 3);
  // Planes that move in other ways leave a rest, in units of the normals and of the size.
  Eigen::VectorXd rest = a * x - right;
  double size = 0.0;
  for (Eigen::Index k = 0; k < m; ++k) size = std::max(size, std::abs(right[4 * k + 3]));
  for (Eigen::Index k = 0; k < m; ++k) rest[4 * k + 3] /= size;
  const double moved = (f - Mat3::Identity()).cwiseAbs().maxCoeff();
  return rest.cwiseAbs().maxCoeff() <= 1e-5 + 0.01 * moved ? f : Mat3::Constant(notKnown);
}

}  // namespace

int axisOf(const Vec3& n) {
  for (int axis = 0; axis < 3; ++axis)
    if ((n.cwiseAbs() - Vec3::Unit(axis)).norm() < 1e-9) return axis;
  return -1;
}

std::vector<WallSide> wallSides(const Instant& instant, const std::optional<Vec3>& point) {
  const Vec3 inside = point.value_or(centreOfFree(instant));
  std::vector<WallSide> sides;
  for (BodyId k = 0; k < instant.conf().nDriven; ++k) {
    const ParticleRecord& p = instant.body(k);
    const shape::Shape& s = instant.shapeOf(k);
    std::vector<Vec3> at;
    for (const Vec3& v : s.vertices) at.push_back(p.pos + rotated(p.q, p.homothety * v));
    const shape::Aabb box = shape::detail::boxAround(at);
    for (std::uint32_t f = 0; f < s.faces.size(); ++f) {
      const auto corners = s.faces[f];
      Vec3 normal = shape::detail::areaVector(at, corners);
      if (!(normal.norm() > 0.0)) continue;
      normal.normalize();
      if (normal.dot(inside - at[corners[0]]) > 0.0) normal = -normal;
      if (const int axis = axisOf(normal); axis >= 0)
        normal = std::copysign(1.0, normal[axis]) * Vec3::Unit(axis);
      // Over a convex face, the point lies on one side of all its edges.
      double least = 0.0, most = 0.0;
      const double r = p.homothety * s.radius;
      double area = shape::detail::areaVector(at, corners).norm() + pi * r * r;
      for (std::size_t c = 0; c < corners.size(); ++c) {
        const Vec3 &a = at[corners[c]], &b = at[corners[(c + 1) % corners.size()]];
        area += r * (b - a).norm();
        const double off = (b - a).cross(inside - a).dot(normal);
        least = std::min(least, off);
        most = std::max(most, off);
      }
      const double size = (box.high - box.low).norm();
      const bool covers = std::min(-least, most) <= 1e-9 * size * size;
      if (!covers && s.faces.size() > 1) continue;
      double inner = HUGE_VAL, outer = -HUGE_VAL;
      for (const std::uint32_t c : corners) outer = std::max(outer, normal.dot(at[c]));
      for (const Vec3& v : at) inner = std::min(inner, normal.dot(v));
      if (outer - inner > 1e-9 * size) continue;  // something of it stands before the face
      const HalfSpace space{normal, inner - r};
      // Bodies stand behind a face of what is fixed inside the walls.
      std::size_t behind = 0;
      for (std::size_t b = instant.conf().nDriven; b < instant.bodyCount(); ++b)
        behind += space.over(instant.body(b).pos) > 0.0;
      if (20 * behind > instant.bodyCount() - instant.conf().nDriven) continue;
      sides.push_back({k, f, space, covers, area});
    }
  }
  return sides;
}

std::optional<Domain> cellDomain(const Instant& instant) {
  const PeriodicCell& cell = instant.conf().cell;
  if (!cell.used) return {};
  Domain d;
  d.kind = Domain::Kind::cell;
  d.vectors = d.edges = cell.h;
  d.carried = cell.h * cell.flips.inverse();
  const std::vector<WallSide> planes = planeSides(instant);
  if (!planes.empty() && !cutByPlanes(d, planes)) return {};
  static_cast<Region&>(d) = cellRegion(d.edges, d.corner);
  return d;
}

std::vector<WallFace> wallFaces(const Instant& instant) {
  std::vector<WallFace> faces;
  if (!instant.hasShapes() || instant.conf().nDriven >= instant.bodyCount()) return faces;
  const shape::Aabb box = boxOfFree(instant);
  const Vec3 middle = 0.5 * (box.low + box.high);
  const std::vector<WallSide> sides = wallSides(instant, middle);
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      const WallSide* inner = nullptr;
      for (const WallSide& s : sides)
        if (s.covers && s.space.normal == side * Vec3::Unit(axis) && s.space.over(middle) <= 0.0 &&
            (!inner || s.space.offset < inner->space.offset))
          inner = &s;
      if (inner) faces.push_back({inner->body, axis, side, side * inner->space.offset});
    }
  return faces;
}

std::optional<Domain> wallDomain(const Instant& instant) {
  if (!instant.hasShapes() || instant.conf().nDriven >= instant.bodyCount()) return {};
  const std::vector<Boundary>& boundaries = instant.conf().boundaries;
  Domain d;
  d.kind = Domain::Kind::walls;
  Vec3 inside = centreOfFree(instant);
  d.sides = wallSides(instant, inside);
  std::ranges::copy(planeSides(instant), std::back_inserter(d.sides));
  std::optional<Round> round;
  for (const Boundary& b : boundaries) {
    if (b.kind == Boundary::Kind::plane) continue;
    if (b.kind == Boundary::Kind::cone || round) return {};
    // The axis of a ball is that of its spin, which files need not hold.
    const bool ball = b.kind == Boundary::Kind::ball;
    round = Round{ball, b.centre, ball ? Vec3(Vec3::UnitZ()) : b.axis, b.radius};
    if (round->isSphere) {
      for (const WallSide& side : d.sides)
        if (side.space.over(b.centre) > -b.radius) return {};  // it may cut the ball
      inside = b.centre;
    } else {
      // Lifters at the wall of a drum are no ends.
      std::erase_if(d.sides, [&](const WallSide& side) {
        return side.body != WallSide::plane && std::abs(side.space.normal.dot(b.axis)) < 0.5;
      });
    }
  }
  std::vector<HalfSpace> planes;
  for (const WallSide& side : d.sides) planes.push_back(side.space);
  std::optional<Region> region = enclosed(std::move(planes), round, inside);
  if (!region) return {};
  static_cast<Region&>(d) = std::move(*region);
  keepBorder(d);
  return d;
}

Domain hullDomain(const Instant& instant) {
  Domain d;
  d.low = d.high = Vec3::Constant(notKnown);
  if (!instant.hasShapes()) return d;
  const std::vector<mass::Ball> balls = freeBalls(instant);
  if (balls.empty()) return d;
  const shape::Aabb box = boxOfFree(instant);
  d.low = box.low;
  d.high = box.high;
  const auto [least, most] = std::ranges::minmax_element(balls, {}, &mass::Ball::radius);
  if (most->radius - least->radius <= 1e-12 * most->radius) {
    std::vector<Vec3> centres;
    for (const mass::Ball& b : balls) centres.push_back(b.centre);
    d.volume = mass::sweptHullMoments(shape::convexHull(centres), most->radius).m0;
    return d;
  }
  d.volume = sampledVolume(balls);
  return d;
}

Mat3 deformationGradient(const Domain& before, const Domain& now) {
  if (before.kind != now.kind || now.kind == Domain::Kind::hull) return Mat3::Constant(notKnown);
  if (now.kind == Domain::Kind::cell) return now.carried * before.carried.inverse();
  const std::optional<Round>&a = before.round, &b = now.round;
  if (a.has_value() != b.has_value() || (a && a->isSphere != b->isSphere))
    return Mat3::Constant(notKnown);
  if (!a) return mapOfPlanes(before.sides, now.sides);
  const double across = b->radius / a->radius;
  if (a->isSphere) return across * Mat3::Identity();
  const auto from = before.squareEnds(), to = now.squareEnds();
  if (!from || !to) return Mat3::Constant(notKnown);
  const double along = (to->second - to->first) / (from->second - from->first);
  return rotationMatrix(shortestTurn(a->axis, b->axis)) *
         (across * Mat3::Identity() + (along - across) * a->axis * a->axis.transpose());
}

void forEachImage(const PeriodicCell& cell, const Vec3& centre, double radius, const Vec3& low,
                  const Vec3& high, const std::function<void(const Vec3&)>& f) {
  if (!cell.used) return f(Vec3::Zero());
  // Shares of the cell that the box, grown by the radius, spans along each vector.
  const Mat3 inverse = cell.h.inverse();
  Eigen::Vector3i from, to;
  for (int a = 0; a < 3; ++a) {
    const Vec3 row = inverse.row(a);
    const double middle = row.dot(0.5 * (low + high) - centre),
                 half = row.cwiseAbs().dot(0.5 * (high - low)) + radius * row.norm();
    if (!(std::abs(middle) + half < 1e6)) return;  // the cell is not that of this state
    from[a] = static_cast<int>(std::ceil(middle - half));
    to[a] = static_cast<int>(std::floor(middle + half));
  }
  for (int i = from[0]; i <= to[0]; ++i)
    for (int j = from[1]; j <= to[1]; ++j)
      for (int m = from[2]; m <= to[2]; ++m) f(cell.h * Vec3(i, j, m));
}

Lattice::Lattice(const Mat3& vectors) : vectors_(vectors) {
  const auto shorten = [&](int k, const Vec3& by) {
    if (!((vectors_.col(k) - by).squaredNorm() < (1.0 - 1e-12) * vectors_.col(k).squaredNorm()))
      return false;
    vectors_.col(k) -= by;
    return true;
  };
  // Each vector less the nearest multiples of the others, until none gets shorter.
  for (int round = 0, changed = 1; changed != 0 && round < 1000; ++round) {
    changed = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = vectors_.col((k + 1) % 3), b = vectors_.col((k + 2) % 3);
      for (const Vec3& other : {a, b})
        changed += shorten(k, std::round(vectors_.col(k).dot(other) / other.squaredNorm()) * other);
      for (const double sign : {-1.0, 1.0})
        for (const Vec3& both : {Vec3(a + b), Vec3(a - b)}) changed += shorten(k, sign * both);
    }
  }
  inverse_ = vectors_.inverse();
}

Vec3 Lattice::nearest(const Vec3& d) const {
  Vec3 best = vectors_ * Vec3((inverse_ * d).array().round());
  // The sides of the cell of nearest points belong to sums of -1, 0 and 1 of the shortest vectors.
  for (bool closer = true; closer;) {
    closer = false;
    const Vec3 from = best;
    for (int k = 0; k < 27; ++k) {
      const Vec3 next = from + vectors_ * Vec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
      if (!((d - next).squaredNorm() < (1.0 - 1e-12) * (d - best).squaredNorm())) continue;
      best = next;
      closer = true;
    }
  }
  return best;
}

Slices::Slices(const Domain& domain, int axis, std::int64_t count)
    : domain_(domain), count_(static_cast<std::size_t>(count)), normal_(Vec3::Unit(axis)) {
  low_ = domain.low[axis];
  double high = domain.high[axis];
  if (domain.kind == Domain::Kind::cell) {
    double best = 0.0;
    for (const Mat3& basis : {domain.vectors, Lattice(domain.vectors).vectors()}) {
      const Mat3 inverse = basis.inverse();
      for (int k = 0; k < 3; ++k) {
        const Vec3 row = inverse.row(k);
        const double size = row.norm(), cosine = std::abs(row[axis]) / size;
        if (!(cosine > best * (1.0 + 1e-9))) continue;
        best = cosine;
        const double sign = std::copysign(1.0, row[axis]);
        normal_ = sign * row / size;
        period_ = 1.0 / std::abs(row[axis]);
        stretch_ = size * period_;
        step_ = sign * basis.col(k);
      }
    }
    low_ = 0.0;
    high = period_;
    for (const WallSide& side : domain.sides) {
      if (side.space.normal.cross(normal_).norm() > 1e-9) continue;
      const Vec3 ends = domain.edges.transpose() * normal_ * stretch_;
      low_ = place(domain.corner) + std::min(0.0, ends.minCoeff());
      high = low_ + ends.cwiseAbs().maxCoeff();
    }
  }
  width_ = (high - low_) / static_cast<double>(count);
}

double Slices::volume(std::size_t b) const {
  if (period_ > 0.0) return domain_.volume / static_cast<double>(count_);
  return domain_.between(normal_, low(b), high(b));
}

Region Slices::region(std::size_t b) const {
  Region slice;
  slice.planes = {{normal_, high(b) / stretch_}, {-normal_, -low(b) / stretch_}};
  return slice;
}

std::optional<std::size_t> Slices::at(const Vec3& x) const {
  double share = (place(x) - low_) / width_;
  if (period_ > 0.0) share -= std::floor(share * width_ / period_) * period_ / width_;
  const double n = static_cast<double>(count_);
  if (!(share >= 0.0 && share <= n * (1.0 + 1e-12))) return {};
  return static_cast<std::size_t>(std::min(share, n - 1.0));
}

void Slices::reached(const Vec3& centre, double radius,
                     const std::function<void(std::size_t, int)>& f) const {
  if (!(width_ > 0.0)) return;
  const bool repeats = period_ > 0.0;
  const double at = place(centre) - low_, cells = repeats ? std::floor(at / period_) : 0.0,
               x = repeats ? at - cells * period_ : at, r = radius * stretch_,
               n = static_cast<double>(count_), all = n * width_;
  const int from = repeats ? static_cast<int>(std::ceil((-x - r) / period_)) : 0,
            to = repeats ? static_cast<int>(std::floor((all - x + r) / period_)) : 0;
  for (int image = from; image <= to; ++image) {
    const double place = x + image * period_;
    const double first = std::floor((place - r) / width_), last = std::floor((place + r) / width_);
    if (!(last >= 0.0 && first < n)) continue;
    for (double b = std::max(first, 0.0); b <= std::min(last, n - 1.0); b += 1.0)
      f(static_cast<std::size_t>(b), image - static_cast<int>(cells));
  }
}

}  // namespace scree::sim
