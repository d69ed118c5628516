// SPDX-License-Identifier: GPL-3.0-or-later
// Derivations: docs/mass-properties.md.
#include "base/angles.hpp"
#include "base/elementary.hpp"
#include "convex_cell.hpp"
#include "cut_ball.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace scree::mass::detail {
namespace {

constexpr std::size_t maxVertices = ConvexCell::maxVertices;

/// The face on the left of each directed edge.
class FaceAcross {
 public:
  explicit FaceAcross(const ConvexCell& cell) {
    for (std::size_t f = 0; f < static_cast<std::size_t>(cell.faceCount); ++f)
      for (std::size_t k = cell.start[f], last = cell.start[f + 1]; k < last; ++k)
        at(cell.corner[k], cell.corner[k + 1 < last ? k + 1 : cell.start[f]]) =
            static_cast<std::uint8_t>(f);
  }
  std::uint8_t& at(std::uint8_t from, std::uint8_t to) { return face_[from * maxVertices + to]; }

 private:
  std::array<std::uint8_t, maxVertices * maxVertices> face_;  // only edges are written and read
};

/// A disc in the plane of a face, cut by the face. Holds integrals about the middle of the disc,
/// and the solid angle seen from the centre of the ball, `height` below.
struct DiscPiece {
  Vec3 n;
  double radius, height, ball;  ///< of the disc; of the centre below the face; of the ball
  double area = 0.0, angle = 0.0;
  Vec3 first = Vec3::Zero();
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

  void addSquare(const Vec3& a, const Vec3& b, double w) {
    xx += w * a.x() * b.x();
    yy += w * a.y() * b.y();
    zz += w * a.z() * b.z();
    xy += 0.5 * w * (a.x() * b.y() + a.y() * b.x());
    xz += 0.5 * w * (a.x() * b.z() + a.z() * b.x());
    yz += 0.5 * w * (a.y() * b.z() + a.z() * b.y());
  }

  /// Triangle from the middle to a stretch of the line at distance delta.
  void chord(double delta, const Vec3& out, const Vec3& along, double from, double to) {
    const Vec3 a = delta * out + from * along, b = delta * out + to * along, s = a + b;
    const double cross = delta * (to - from);
    area += 0.5 * cross;
    first += cross / 6.0 * s;
    addSquare(s, s, cross / 24.0);
    addSquare(a, a, cross / 24.0);
    addSquare(b, b, cross / 24.0);
    angle += angleOfStretch(delta, from, to, height);
  }

  /// Sector of the disc between the directions of two points outside it.
  void arc(const Vec3& p, const Vec3& q) {
    const double lp = p.norm(), lq = q.norm();
    if (!(lp > 0.0) || !(lq > 0.0)) return;
    const double turn = elementary::atan2(n.dot(p.cross(q)), p.dot(q));
    const Vec3 u = p / lp, v = q / lq;
    const double r2 = radius * radius, quarter = 0.25 * r2 * r2;
    area += 0.5 * r2 * turn;
    first += r2 * radius / 3.0 * (v - u).cross(n);
    const double half = 0.5 * quarter * turn;
    xx += half * (1.0 - n.x() * n.x());
    yy += half * (1.0 - n.y() * n.y());
    zz += half * (1.0 - n.z() * n.z());
    xy -= half * n.x() * n.y();
    xz -= half * n.x() * n.z();
    yz -= half * n.y() * n.z();
    addSquare(v, n.cross(v), -0.5 * quarter);
    addSquare(u, n.cross(u), 0.5 * quarter);
    angle += turn * (ball - std::fabs(height)) / ball;
  }

  /// A side of the face from a to b, on the line at distance delta.
  void side(const Vec3& a, const Vec3& b, double delta, const Vec3& out, const Vec3& along) {
    const double square = (radius - delta) * (radius + delta);
    const double from = a.dot(along), to = b.dot(along);
    const double half = square > 0.0 ? std::sqrt(square) : 0.0;
    if (!(square > 0.0) || to <= -half || from >= half) return arc(a, b);
    const Vec3 foot = delta * out;
    if (from < -half) arc(a, foot - half * along);
    chord(delta, out, along, std::max(from, -half), std::min(to, half));
    if (to > half) arc(foot + half * along, b);
  }
};

/// Solid angle of the directions with no positive part along any of the normals. Each octant of the
/// sphere is cut by one great circle after the other.
double coneAngle(std::span<const Vec3> normals) {
  if (normals.size() == 1) return 2.0 * pi;
  double sum = 0.0;
  std::array<Vec3, 3 + ConvexCell::maxFaces> polygon, kept;
  for (int octant = 0; octant < 8; ++octant) {
    const double x = octant & 1 ? -1.0 : 1.0, y = octant & 2 ? -1.0 : 1.0,
                 z = octant & 4 ? -1.0 : 1.0;
    std::size_t count = 3;
    polygon[0] = Vec3(x, 0, 0);
    polygon[1] = Vec3(0, y, 0);
    polygon[2] = Vec3(0, 0, z);
    if (x * y * z < 0.0) std::swap(polygon[0], polygon[1]);
    for (const Vec3& n : normals) {
      std::size_t left = 0;
      for (std::size_t k = 0; k < count && left + 2 < kept.size(); ++k) {
        const Vec3 &a = polygon[k], &b = polygon[k + 1 < count ? k + 1 : 0];
        const double sa = n.dot(a), sb = n.dot(b);
        if (sa <= 0.0) kept[left++] = a;
        if ((sa < 0.0 && sb > 0.0) || (sa > 0.0 && sb < 0.0))
          kept[left++] = (std::fabs(sb) * a + std::fabs(sa) * b).normalized();
      }
      count = left;
      std::swap(polygon, kept);
      if (count < 3) break;
    }
    for (std::size_t k = 2; k < count; ++k)
      sum += solidAngleOfUnits(polygon[0], polygon[k - 1], polygon[k]);
  }
  return sum;
}

}  // namespace

Sums ballInCell(const ConvexCell& cell, const Vec3& c, double r) {
  const auto faces = static_cast<std::size_t>(cell.faceCount);
  std::array<double, ConvexCell::maxFaces> h;
  std::array<Vec3, ConvexCell::maxFaces> through;  // normals of planes through the centre
  std::size_t throughCount = 0;
  bool within = true;
  for (std::size_t f = 0; f < faces; ++f) {
    h[f] = cell.offset[f] - cell.normal[f].dot(c);
    if (h[f] <= -r) return {};
    if (std::fabs(h[f]) < 1e-13 * r) {
      h[f] = 0.0;
      through[throughCount++] = cell.normal[f];
    }
    within &= h[f] >= 0.0;
  }
  FaceAcross across(cell);
  // What the centre sees of the cell, less the faces that it sees. Planes through the centre are
  // seen edge on: they take a cone away instead.
  CutBall cut(r, !within            ? 0.0
                 : throughCount > 0 ? coneAngle({through.data(), throughCount})
                                    : 4.0 * pi);
  for (std::size_t f = 0; f < faces; ++f) {
    if (h[f] >= r) continue;
    const Vec3& n = cell.normal[f];
    DiscPiece piece{
        .n = n, .radius = std::sqrt((r - h[f]) * (r + h[f])), .height = h[f], .ball = r};
    const Vec3 middle = c + h[f] * n;
    for (std::size_t k = cell.start[f], last = cell.start[f + 1]; k < last; ++k) {
      const std::uint8_t i = cell.corner[k], j = cell.corner[k + 1 < last ? k + 1 : cell.start[f]];
      const Vec3 a = cell.vertex[i] - middle, b = cell.vertex[j] - middle;
      const std::uint8_t g = across.at(j, i);
      const double cosine = n.dot(cell.normal[g]);
      Vec3 out = cell.normal[g] - cosine * n;
      const double sine = out.norm();
      double delta;
      if (sine > 1e-6) {
        // From the distances of the planes, so that all faces speak of one and the same body.
        out /= sine;
        delta = (h[g] - h[f] * cosine) / sine;
      } else {
        const Vec3 way = b - a;
        const double length = way.norm();
        if (!(length > 0.0)) continue;
        out = way.cross(n) / length;
        delta = a.dot(out);
      }
      piece.side(a, b, delta, out, n.cross(out));
    }
    Mat3 second;
    second << piece.xx, piece.xy, piece.xz, piece.xy, piece.yy, piece.yz, piece.xz, piece.yz,
        piece.zz;
    cut.addFace(n, h[f], piece.area, piece.angle, piece.first, second);
  }
  Sums out;
  out.add(Sums::of(cut.moments()), c);
  return out;
}

namespace {

/// Integrals over the circular segment of half angle phi of a circle of radius 1. Coordinates begin
/// on the chord: x towards the arc, y along the chord.
struct Segment {
  double area, x, xx, yy, xxx, xyy;
};
Segment segmentOf(double phi) {
  Segment s{};
  const double sine = elementary::sin(phi), cosine = elementary::cos(phi);
  if (phi > 0.5) {
    const double s3 = sine * sine * sine, s5 = s3 * sine * sine, c = cosine;
    s.area = phi - sine * c;
    const double x = 2.0 / 3.0 * s3;  // about the centre
    const double xx = 0.25 * (s.area + 2.0 * s3 * c);
    const double xxx = 2.0 / 3.0 * s3 - 0.4 * s5;
    s.yy = 0.25 * (s.area - 2.0 / 3.0 * s3 * c);
    s.x = x - c * s.area;
    s.xx = xx - 2.0 * c * x + c * c * s.area;
    s.xxx = xxx - 3.0 * c * xx + 3.0 * c * c * x - c * c * c * s.area;
    s.xyy = 2.0 / 15.0 * s5 - c * s.yy;
    return s;
  }
  // Where the closed forms cancel, Gauss' rule with eight points is exact to rounding.
  constexpr double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                              0.9602898564975363};
  constexpr double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                0.1012285362903763};
  for (int k = 0; k < 8; ++k) {
    const double t = 0.5 * phi * (1.0 + (k % 2 ? node[k / 2] : -node[k / 2]));
    const double w = 0.5 * phi * weight[k / 2];
    const double u = elementary::sin(t), c = std::sqrt((1.0 - u) * (1.0 + u));
    const double x = (sine - u) * (sine + u) / (c + cosine), u2 = u * u;
    s.area += 2.0 * w * u2;
    s.x += 2.0 * w * x * u2;
    s.xx += 2.0 * w * x * x * u2;
    s.xxx += 2.0 * w * x * x * x * u2;
    s.yy += 2.0 / 3.0 * w * u2 * u2;
    s.xyy += 2.0 / 3.0 * w * x * u2 * u2;
  }
  return s;
}

/// Part between the plane z = 0 and faces above it, within the cylinder; coordinates with z
/// along the axis. Ten integrals: 1 x y z xx yy zz xy xz yz.
struct UnderFaces {
  double radius;
  Sums sums;

  void point(double w, double x, double y, double z) {
    const double wz = w * z, half = 0.5 * wz * z;
    sums.m0 += wz;
    sums.m1[0] += wz * x;
    sums.m1[1] += wz * y;
    sums.m1[2] += half;
    sums.m2[0] += wz * x * x;
    sums.m2[1] += wz * y * y;
    sums.m2[2] += half * z * 2.0 / 3.0;
    sums.m2[3] += wz * x * y;
    sums.m2[4] += half * x;
    sums.m2[5] += half * y;
  }

  /// A rule with four points that is exact for cubics.
  void triangle(const Vec3& a, const Vec3& b, const Vec3& c, double sign) {
    const double area =
        0.5 * sign * ((b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x()));
    const Vec3 s = a + b + c, m = s / 3.0;
    point(-27.0 / 48.0 * area, m.x(), m.y(), m.z());
    for (const Vec3* v : {&a, &b, &c}) {
      const Vec3 p = 0.4 * *v + 0.2 * s;
      point(25.0 / 48.0 * area, p.x(), p.y(), p.z());
    }
  }

  /// Between the chord from a to b and the arc that turns left by 2 phi; z = slope·(x, y) + ...
  void segment(const Vec3& a, const Vec3& b, double phi, double slopeX, double slopeY,
               double sign) {
    // From the direction of a, so that a short arc keeps its digits.
    const double c = elementary::cos(phi), s = elementary::sin(phi), r = radius;
    const double nx = (a.x() * c - a.y() * s) / r, ny = (a.x() * s + a.y() * c) / r;
    const double length = std::sqrt(nx * nx + ny * ny), ex = nx / length, ey = ny / length;
    const double tx = -ey, ty = ex;  // along the chord, from a to b
    const Segment q = segmentOf(phi);
    const double r2 = r * r, r3 = r2 * r, r4 = r2 * r2, r5 = r4 * r;
    const double A = sign * r2 * q.area, X = sign * r3 * q.x, XX = sign * r4 * q.xx,
                 YY = sign * r4 * q.yy, XXX = sign * r5 * q.xxx, XYY = sign * r5 * q.xyy;
    const Vec3 m = 0.5 * (a + b);
    const double gx = slopeX * ex + slopeY * ey;
    const double chord = 2.0 * r * s;
    const double gy = chord > 1e-9 * r ? (b.z() - a.z()) / chord : slopeX * tx + slopeY * ty;
    // Over the segment, with u towards the arc and v along the chord:
    const double z0 = m.z();
    const double Z = z0 * A + gx * X;                  // ∫z
    const double UZ = z0 * X + gx * XX, VZ = gy * YY;  // ∫uz, ∫vz
    const double UUZ = z0 * XX + gx * XXX, VVZ = z0 * YY + gx * XYY, UVZ = gy * XYY;
    const double gg = gx * gx, hh = gy * gy;
    const double ZZ = z0 * z0 * A + 2.0 * z0 * gx * X + gg * XX + hh * YY;
    const double UZZ = z0 * z0 * X + 2.0 * z0 * gx * XX + gg * XXX + hh * XYY;
    const double VZZ = 2.0 * gy * (z0 * YY + gx * XYY);
    const double ZZZ = z0 * z0 * z0 * A + 3.0 * z0 * z0 * gx * X + 3.0 * z0 * (gg * XX + hh * YY) +
                       gx * gg * XXX + 3.0 * gx * hh * XYY;
    sums.m0 += Z;
    sums.m1[0] += m.x() * Z + ex * UZ + tx * VZ;
    sums.m1[1] += m.y() * Z + ey * UZ + ty * VZ;
    sums.m1[2] += 0.5 * ZZ;
    sums.m2[0] += m.x() * m.x() * Z + 2.0 * m.x() * (ex * UZ + tx * VZ) + ex * ex * UUZ +
                  2.0 * ex * tx * UVZ + tx * tx * VVZ;
    sums.m2[1] += m.y() * m.y() * Z + 2.0 * m.y() * (ey * UZ + ty * VZ) + ey * ey * UUZ +
                  2.0 * ey * ty * UVZ + ty * ty * VVZ;
    sums.m2[2] += ZZZ / 3.0;
    sums.m2[3] += m.x() * m.y() * Z + m.x() * (ey * UZ + ty * VZ) + m.y() * (ex * UZ + tx * VZ) +
                  ex * ey * UUZ + (ex * ty + ey * tx) * UVZ + tx * ty * VVZ;
    sums.m2[4] += 0.5 * (m.x() * ZZ + ex * UZZ + tx * VZZ);
    sums.m2[5] += 0.5 * (m.y() * ZZ + ey * UZZ + ty * VZZ);
  }
};

/// A corner of a face cut by the cylinder; `arc`: an arc, not a chord, leads to the next.
/// `axisLeft`: the axis is to the left of the side of the face that the corner is on.
struct CutCorner {
  Vec3 p;
  std::size_t side;
  bool arc, axisLeft;
};

}  // namespace

Sums cylinderInCell(const ConvexCell& cell, const Vec3& p, const Vec3& t, double r) {
  // Along the axis the curved wall has no flux: the planar faces are enough.
  const Vec3 e1 = t.unitOrthogonal(), e2 = t.cross(e1);
  const Vec3 o = p + t * t.dot(cell.vertex[0] - p);
  std::array<Vec3, maxVertices> v;
  for (std::size_t k = 0; k < static_cast<std::size_t>(cell.vertexCount); ++k) {
    const Vec3 d = cell.vertex[k] - o;
    v[k] = Vec3(d.dot(e1), d.dot(e2), d.dot(t));
  }
  const double r2 = r * r;
  UnderFaces under{r, {}};
  std::array<CutCorner, 2 * maxVertices + 2> cut;
  for (std::size_t f = 0; f < static_cast<std::size_t>(cell.faceCount); ++f) {
    const Vec3& normal = cell.normal[f];
    const double nx = normal.dot(e1), ny = normal.dot(e2), nz = normal.dot(t);
    if (std::fabs(nz) < 1e-12) continue;  // parallel to the axis: no area seen along it
    const double slopeX = -nx / nz, slopeY = -ny / nz, sign = nz > 0.0 ? 1.0 : -1.0;
    const std::size_t first = cell.start[f], count = cell.start[f + 1] - first;
    const auto corner = [&](std::size_t k) -> const Vec3& {  // counter-clockwise seen along -t
      return v[cell.corner[first + (nz > 0.0 ? k : count - 1 - k)]];
    };
    std::size_t found = 0;
    bool centreInside = true;
    for (std::size_t k = 0; k < count; ++k) {
      const Vec3 &a = corner(k), &b = corner(k + 1 < count ? k + 1 : 0);
      const double dx = b.x() - a.x(), dy = b.y() - a.y();
      const double length2 = dx * dx + dy * dy;
      const double fromA = a.x() * a.x() + a.y() * a.y() - r2;
      const double fromB = b.x() * b.x() + b.y() * b.y() - r2;
      const double crossing = a.x() * dy - a.y() * dx;
      centreInside &= crossing > 0.0;
      if (fromA <= 0.0) cut[found++] = {a, k, false, false};
      if (!(length2 > 0.0) || (fromA <= 0.0 && fromB <= 0.0)) continue;
      const double half2 = r2 * length2 - crossing * crossing;
      if (fromA > 0.0 && fromB > 0.0 && !(half2 > 0.0)) continue;
      const double half = std::sqrt(std::max(half2, 0.0)), towards = -(a.x() * dx + a.y() * dy);
      const double enter = (towards - half) / length2, leave = (towards + half) / length2;
      if (fromA > 0.0 && fromB > 0.0 && (leave <= 0.0 || enter >= 1.0)) continue;
      if (fromA > 0.0) cut[found++] = {a + std::clamp(enter, 0.0, 1.0) * (b - a), k, false, false};
      if (fromB > 0.0)
        cut[found++] = {a + std::clamp(leave, 0.0, 1.0) * (b - a), k, true, crossing > 0.0};
    }
    if (found == 0) {
      if (!centreInside) continue;
      // The whole disc lies in the face: three thirds of it.
      const double z0 = (cell.offset[f] - normal.dot(o)) / nz;
      for (int k = 0; k < 3; ++k) {
        const double angle = 2.0 * pi * k / 3.0;
        const double x = r * elementary::cos(angle), y = r * elementary::sin(angle);
        cut[found++] = {Vec3(x, y, z0 + slopeX * x + slopeY * y), static_cast<std::size_t>(k), true,
                        true};
      }
    }
    for (std::size_t k = 2; k < found; ++k) under.triangle(cut[0].p, cut[k - 1].p, cut[k].p, sign);
    for (std::size_t k = 0; k < found; ++k) {
      if (!cut[k].arc) continue;
      const CutCorner &from = cut[k], &to = cut[k + 1 < found ? k + 1 : 0];
      const double wx = to.p.x() - from.p.x(), wy = to.p.y() - from.p.y();
      double turn = elementary::atan2(from.p.x() * wy - from.p.y() * wx,
                                      from.p.x() * to.p.x() + from.p.y() * to.p.y());
      // A negative turn is a long way round, or rounding where two sides meet on the circle.
      if (turn < 0.0) {
        const bool longWay = turn < -1.0 || (from.side == to.side ? from.axisLeft : turn < -1e-9);
        turn = longWay ? turn + 2.0 * pi : 0.0;
      }
      if (turn > 0.0) under.segment(from.p, to.p, 0.5 * turn, slopeX, slopeY, sign);
    }
  }
  Mat3 frame;
  frame.col(0) = e1;
  frame.col(1) = e2;
  frame.col(2) = t;
  Moments m = under.sums.moments();
  m.m1 = (frame * m.m1).eval();
  m.m2 = (frame * m.m2 * frame.transpose()).eval();
  Sums out;
  out.add(Sums::of(m), o);
  return out;
}

Sums ellipsoidInCell(const ConvexCell& cell, const Vec3& centre, const Mat3& stretch,
                     const Mat3& toUnit) {
  ConvexCell unit = cell;
  for (std::size_t k = 0; k < static_cast<std::size_t>(cell.vertexCount); ++k)
    unit.vertex[k] = toUnit * (cell.vertex[k] - centre);
  for (std::size_t f = 0; f < static_cast<std::size_t>(cell.faceCount); ++f) {
    const Vec3 n = stretch.transpose() * cell.normal[f];
    const double length = n.norm();
    unit.normal[f] = n / length;
    unit.offset[f] = (cell.offset[f] - cell.normal[f].dot(centre)) / length;
  }
  Moments m = ballInCell(unit, Vec3::Zero(), 1.0).moments();
  const double scale = stretch.determinant();
  m.m0 *= scale;
  m.m1 = (scale * (stretch * m.m1)).eval();
  m.m2 = (scale * (stretch * m.m2 * stretch.transpose())).eval();
  Sums out;
  out.add(Sums::of(m), centre);
  return out;
}

}  // namespace scree::mass::detail
