// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/angles.hpp"
#include "base/elementary.hpp"
#include "detail/polygon_math.hpp"
#include "detect/broad_phase.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/moments.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/sim/pack/cell_bodies.hpp"
#include "scree/sim/pack/tessellation.hpp"

#include <Eigen/QR>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <voro++/voro++.hh>

namespace scree::sim {
namespace {

constexpr std::size_t mostPlanes = 1000;  ///< of a convex cell: voro++ ends the process above 2048

/// Sets volume and centroid.
void measure(Cell& cell) {
  const Vec3 origin = boundingBox(cell).centre();
  std::vector<Vec3> corners = cell.mesh.vertices;
  for (Vec3& c : corners) c -= origin;
  const mass::Moments moments = mass::meshMoments(corners, cell.mesh.faces);
  cell.volume = moments.m0;
  cell.centroid = origin + moments.m1 / moments.m0;
}

/// Moves the corners onto the planes of their faces, by Newton steps: those that are given come
/// from other planes of the same body, or to a tolerance of 1e-11 only.
void settleCorners(Cell& cell) {
  std::vector<std::vector<const CellSide*>> sidesAt(cell.mesh.vertices.size());
  for (std::size_t f = 0; f < cell.sides.size(); ++f)
    for (const std::uint32_t v : cell.mesh.faces[f]) sidesAt[v].push_back(&cell.sides[f]);
  for (std::size_t v = 0; v < sidesAt.size(); ++v) {
    const auto count = static_cast<Eigen::Index>(sidesAt[v].size());
    Eigen::MatrixX3d normals(count, 3);
    Eigen::VectorXd offsets(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      normals.row(k) = sidesAt[v][static_cast<std::size_t>(k)]->normal;
      offsets[k] = sidesAt[v][static_cast<std::size_t>(k)]->offset;
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixX3d> solver(count, 3);
    solver.setThreshold(1e-7);  // planes that are nearly parallel do not move it along both
    solver.compute(normals);
    for (int step = 0; step < 2; ++step)
      cell.mesh.vertices[v] += solver.solve(offsets - normals * cell.mesh.vertices[v]);
  }
}

/// Planes about the round wall of a container, at the distance at which they bound its volume.
std::vector<CellSide> tangentPlanes(const Boundary& wall) {
  std::vector<Vec3> normals;
  double scale = 1.0;
  if (wall.kind == Boundary::Kind::cylinder) {
    constexpr int sides = 36;
    int axis = 0;
    wall.axis.cwiseAbs().maxCoeff(&axis);
    for (int k = 0; k < sides; ++k) {
      Vec3& n = normals.emplace_back(Vec3::Zero());
      n[(axis + 1) % 3] = cosOfTurns(k / double(sides));
      n[(axis + 2) % 3] = sinOfTurns(k / double(sides));
    }
    const double half = 0.5 / sides;
    scale = std::sqrt(pi / (sides * sinOfTurns(half) / cosOfTurns(half)));
  } else {
    for (const Vec3& n : evenDirections(300)) normals.emplace_back(n.x(), n.z(), n.y());
    std::vector<CellSide> unit;
    for (const Vec3& n : normals) unit.push_back({n, 1.0});
    const auto ball = convexCell(unit, {Vec3::Constant(-2.0), Vec3::Constant(2.0)});
    scale = elementary::cbrt(4.0 / 3.0 * pi / ball->volume);
  }
  std::vector<CellSide> out;
  for (const Vec3& n : normals) out.push_back({n, n.dot(wall.centre) + scale * wall.radius});
  return out;
}

/// A closed mesh as a cell: neighbouring triangles in one plane become one face.
/// @param known  planes that its faces may lie on, which are then taken to the bit
Cell meshCell(const shape::SurfaceMesh& mesh, std::span<const CellSide> known) {
  Cell cell;
  cell.mesh = shape::mergedCoplanar(mesh, 0.0).mesh;
  const shape::Aabb box = boundingBox(cell);
  const double size = 2.0 * box.halfSize().norm();
  std::vector<CellSide> planes;  // each once
  for (std::size_t f = 0; f < cell.mesh.faces.size(); ++f) {
    const auto corners = cell.mesh.faces[f];
    CellSide side;
    side.normal = shape::detail::areaVector(cell.mesh.vertices, corners).normalized();
    side.offset = side.normal.dot(cell.mesh.vertices[corners[0]]);
    const auto same = [&](const CellSide& s) {
      return (s.normal - side.normal).norm() < 1e-6 &&
             std::abs(s.normal.dot(cell.mesh.vertices[corners[0]]) - s.offset) < 1e-8 * size;
    };
    if (const auto at = std::ranges::find_if(planes, same); at != planes.end()) {
      side = *at;
    } else {
      if (const auto given = std::ranges::find_if(known, same); given != known.end()) side = *given;
      planes.push_back(side);
    }
    cell.sides.push_back(side);
  }
  cell.convex = planes.size() <= mostPlanes && std::ranges::all_of(planes, [&](const CellSide& s) {
                  return std::ranges::all_of(cell.mesh.vertices, [&](const Vec3& v) {
                    return s.normal.dot(v) - s.offset < 1e-8 * size;
                  });
                });
  if (cell.convex)
    if (auto clean = convexCell(planes, box)) return std::move(*clean);
  cell.convex = false;
  measure(cell);
  return cell;
}

/// A solid bounded by faces: by their planes where it is convex.
Cell solidCell(const shape::Shape& skeleton, const std::string& what) {
  const shape::Core core = shape::coreOf(skeleton);
  if (!core.closed || core.hull.rank < 3)
    throw GeometryError(fmt::format("{}: {}", what, shape::whyNoSolid(core)));
  if (!core.convex || core.hull.faces.size() > mostPlanes)
    return meshCell(shape::withoutLooseVertices({core.vertices, core.faces}), {});
  std::vector<CellSide> sides;
  const shape::Aabb box = shape::detail::boxAround(core.hull.points);
  for (std::size_t f = 0; f < core.hull.faces.size(); ++f) {
    const Vec3& n = core.hull.normals[f];
    sides.push_back({n, n.dot(core.hull.points[core.hull.faces[f][0]]) + skeleton.radius});
  }
  return *convexCell(sides, box.grown(10.0 * skeleton.radius));
}

}  // namespace

bool hasRoom(const Cell& cell, double radius) {
  return radius == 0.0 || !cell.convex || insetCell(cell, radius);
}

std::optional<Cell> insetCell(const Cell& cell, double radius) {
  std::vector<CellSide> sides = cell.sides;
  for (CellSide& s : sides) s.offset -= radius;
  return convexCell(sides, boundingBox(cell));
}

std::vector<Cell> partsBehind(const shape::SurfaceMesh& triangles, std::span<const CellSide> cuts,
                              std::span<const CellSide> known) {
  shape::SurfaceMesh left = triangles;
  const shape::Aabb box = shape::detail::boxAround(triangles.vertices);
  for (const CellSide& s : cuts) {
    left = shape::cutAlong(left, s.normal, s.offset, 1e-9 * box.halfSize().norm())[0];
    if (left.faces.empty()) return {};
    // Else slivers of triangles would pile up in the planes of faces.
    left = shape::triangulated(shape::mergedCoplanar(left, 0.0).mesh);
  }
  std::vector<CellSide> planes(cuts.begin(), cuts.end());
  planes.insert(planes.end(), known.begin(), known.end());
  std::vector<Cell> parts;
  for (const shape::SurfaceMesh& part : shape::connectedSolids(left)) {
    Cell piece = meshCell(part, planes);
    piece.cuts.assign(cuts.begin(), cuts.end());
    if (piece.volume > 1e-12 * box.halfSize().prod()) parts.push_back(std::move(piece));
  }
  return parts;
}

shape::Aabb boundingBox(const Cell& cell) { return shape::detail::boxAround(cell.mesh.vertices); }

std::optional<Cell> convexCell(std::span<const CellSide> sides, const shape::Aabb& around) {
  // Planes cut a box of half the size 200 about the origin, twice as large as the cell, so that
  // the absolute tolerance of voro++, 1e-11, is 1e-13 of the size.
  const Vec3 centre = around.centre();
  const double unit = 0.01 * around.halfSize().maxCoeff();
  if (!(unit > 0.0)) return std::nullopt;
  static thread_local voro::voronoicell_neighbor cell;
  cell.init(-200.0, 200.0, -200.0, 200.0, -200.0, 200.0);
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const Vec3& n = sides[k].normal;
    if (!cell.nplane(n.x(), n.y(), n.z(), 2.0 * (sides[k].offset - n.dot(centre)) / unit,
                     static_cast<int>(k)))
      return std::nullopt;
  }
  std::vector<double> places;
  std::vector<int> ids, corners;
  cell.vertices(places);
  cell.neighbors(ids);
  cell.face_vertices(corners);
  Cell out;
  for (std::size_t v = 0; v + 2 < places.size(); v += 3)
    out.mesh.vertices.push_back(centre + unit * Vec3(places[v], places[v + 1], places[v + 2]));
  std::vector<std::uint32_t> polygon;
  std::size_t at = 0;
  for (const int id : ids) {
    const auto count = static_cast<std::size_t>(corners[at++]);
    polygon.assign(corners.begin() + static_cast<std::ptrdiff_t>(at),
                   corners.begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
    if (id < 0) return std::nullopt;  // unbounded
    const CellSide& side = sides[static_cast<std::size_t>(id)];
    if (shape::detail::areaVector(out.mesh.vertices, polygon).dot(side.normal) < 0.0)
      std::ranges::reverse(polygon);
    out.mesh.faces.add(polygon);
    out.sides.push_back(side);
  }
  settleCorners(out);
  measure(out);
  if (!(out.volume > 1e-12 * around.halfSize().prod())) return std::nullopt;
  return out;
}

Cell cellOf(const Container& container) {
  if (const shape::SurfaceMesh* mesh = container.mesh())
    return solidCell(shape::shapeFromMesh(*mesh, 0.0), container.text());
  std::vector<CellSide> sides;
  for (const Boundary& wall : container.walls()) {
    if (wall.kind == Boundary::Kind::cone)
      throw UsageError(fmt::format(
          "--container {}: expected box, cylinder, sphere, mesh or periodic", container.text()));
    if (wall.kind == Boundary::Kind::plane) {
      sides.push_back({-wall.axis, -wall.axis.dot(wall.centre)});
    } else {
      const std::vector<CellSide> round = tangentPlanes(wall);
      sides.insert(sides.end(), round.begin(), round.end());
    }
  }
  if (container.periodic())
    for (int axis = 0; axis < 3; ++axis) {
      sides.push_back({Vec3::Unit(axis), container.box().high[axis]});
      sides.push_back({-Vec3::Unit(axis), -container.box().low[axis]});
    }
  return *convexCell(sides, container.box());
}

Cell cellOf(const shape::Shape& shape) { return solidCell(shape, "shape '" + shape.name + "'"); }

namespace {

/// Corners in a plane whose normal the functions below get.
using Polygon = std::vector<Vec3>;

double turnOf(const Vec3& normal, const Vec3& o, const Vec3& a, const Vec3& b) {
  return normal.dot((a - o).cross(b - o));
}

double areaOf(const Vec3& normal, const Polygon& p) {
  double twice = 0.0;
  for (std::size_t k = 2; k < p.size(); ++k) twice += turnOf(normal, p[0], p[k - 1], p[k]);
  return 0.5 * twice;
}

/// Area that two convex polygons, both counter-clockwise, have in common.
double commonConvex(const Vec3& normal, Polygon left, const Polygon& by) {
  for (std::size_t k = 0; k < by.size() && !left.empty(); ++k) {
    const Vec3 &a = by[k], &b = by[(k + 1) % by.size()];
    Polygon next;
    for (std::size_t m = 0; m < left.size(); ++m) {
      const Vec3 &p = left[m], &q = left[(m + 1) % left.size()];
      const double tp = turnOf(normal, a, b, p), tq = turnOf(normal, a, b, q);
      if (tp >= 0.0) next.push_back(p);
      if ((tp > 0.0 && tq < 0.0) || (tp < 0.0 && tq > 0.0))
        next.push_back(p + tp / (tp - tq) * (q - p));
    }
    left = std::move(next);
  }
  return left.size() < 3 ? 0.0 : areaOf(normal, left);
}

/// Convex parts of a face of a cell, itself or triangles, counter-clockwise.
std::vector<Polygon> partsOf(const Cell& cell, std::uint32_t face, const Vec3& normal,
                             const Vec3& shift) {
  std::vector<Polygon> parts;
  const auto add = [&](std::span<const std::uint32_t> corners) {
    Polygon& part = parts.emplace_back();
    for (const std::uint32_t c : corners) part.push_back(cell.mesh.vertices[c] + shift);
    if (areaOf(normal, part) < 0.0) std::ranges::reverse(part);
  };
  if (cell.convex) {
    add(cell.mesh.faces[face]);
    return parts;
  }
  std::vector<std::array<std::uint32_t, 3>> triangles;
  shape::triangulate(cell.mesh.vertices, cell.mesh.faces[face], triangles);
  for (const auto& t : triangles) add(t);
  return parts;
}

}  // namespace

std::vector<SharedFace> sharedFaces(const std::vector<Cell>& cells, const PeriodicCell& period) {
  std::vector<shape::Aabb> boxes;
  std::vector<Vec3> centres;
  const Vec3 size = period.h.diagonal();
  for (const Cell& cell : cells) {
    shape::Aabb& box = boxes.emplace_back(boundingBox(cell));
    box = box.grown(1e-9 * box.halfSize().norm());
    const Vec3 centre = centres.emplace_back(box.centre());
    if (!period.used) continue;
    if (!((2.0 * box.halfSize()).array() < 0.5 * size.array()).all())
      throw UsageError("a cell is larger than half of the period: expected more cells");
    for (int k = 0; k < 3; ++k)
      box.move(-size[k] * std::floor(centre[k] / size[k]) * Vec3::Unit(k));
  }
  const auto pairs =
      period.used ? overlappingImages(boxes, period.h, 0, 1) : overlappingPairs(boxes, 0, 1);
  std::vector<SharedFace> out;
  for (const auto& [a, b] : pairs) {
    const Cell &i = cells[a], &j = cells[b];
    Vec3 shift = Vec3::Zero();
    if (period.used)
      for (int k = 0; k < 3; ++k)
        shift[k] = size[k] * std::round((centres[a] - centres[b])[k] / size[k]);
    const double length = boxes[a].halfSize().norm() + boxes[b].halfSize().norm();
    for (std::uint32_t f = 0; f < i.sides.size(); ++f)
      for (std::uint32_t g = 0; g < j.sides.size(); ++g) {
        const CellSide &s = i.sides[f], &t = j.sides[g];
        if (s.normal.dot(t.normal) > -1.0 + 1e-12 ||
            std::abs(s.offset + t.offset + t.normal.dot(shift)) > 1e-8 * length)
          continue;
        double area = 0.0;
        for (const Polygon& p : partsOf(i, f, s.normal, Vec3::Zero()))
          for (const Polygon& q : partsOf(j, g, s.normal, shift))
            area += commonConvex(s.normal, p, q);
        // Faces that meet along an edge share rounding alone.
        if (area > 1e-12 * length * length) out.push_back({a, b, f, g, area, shift});
      }
  }
  return out;
}

}  // namespace scree::sim
