// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/rng.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/sim/pack/tessellation.hpp"

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <voro++/voro++.hh>

namespace scree::sim {
namespace {

/// A neighbour of a radical cell, and the area of the face between both.
struct Neighbour {
  int id = 0;              ///< of a seed; below 0: -7 - k for wall k
  double area = 0.0;       ///< [L²]
  Vec3 to = Vec3::Zero();  ///< [L] from seed to seed, or to its image behind the face
};
struct RadicalCell {
  bool empty = true;
  double volume = 0.0;
  Vec3 centroid = Vec3::Zero();
  shape::Aabb box;
  std::vector<Neighbour> neighbours;
};

/// A plane in coordinates that are `by` times as long along the axes.
CellSide stretched(const CellSide& side, const Vec3& by) {
  const Vec3 normal = side.normal.cwiseQuotient(by);
  const double length = normal.norm();
  return {normal / length, side.offset / length, side.set};
}

/// Seeds of radical cells in a container, with their weights [L²] (0: Voronoi cells). Coordinates
/// are scaled so that cells have the size 1: tolerances of voro++ are absolute.
class Seeds {
 public:
  Seeds(const Container& container, const VoronoiOptions& options)
      : solid(cellOf(container)),
        container_(container),
        options_(options),
        by_(options.stretch / elementary::cbrt(options.stretch.prod())),
        rng_(options.seed) {
    const double box = 8.0 * boundingBox(solid).halfSize().prod();
    if (!(solid.volume > 1e-3 * box))
      throw UsageError("--container: the mesh fills less than 0.001 of the box around it");
    if (options.grading && !solid.convex)
      throw UsageError("--grading: expected a convex container");
    by_ *= elementary::cbrt(box / static_cast<double>(options.cells));
    if (solid.convex && !container.periodic())
      for (const CellSide& s : solid.sides) walls_.push_back(stretched(s, by_.cwiseInverse()));
    box_ = boundingBox(solid);
    if (!container.periodic()) box_ = box_.grown(1e-3 * box_.halfSize().maxCoeff());
    box_ = {box_.low.cwiseQuotient(by_), box_.high.cwiseQuotient(by_)};
    for (std::size_t k = 0; k < options.cells; ++k)
      points_.push_back(container.randomPoint(rng_).cwiseQuotient(by_));
    weights_.assign(options.cells, 0.0);
  }

  /// Moves each seed to the centre of its cell, round by round. Cells that reach through a mesh may
  /// have their centre outside: their seeds stay.
  void relax() {
    const Vec3 size = 2.0 * box_.halfSize();
    for (int round = 0; round < options_.relax; ++round) {
      const std::vector<RadicalCell> all = cells();
      for (std::size_t k = 0; k < all.size(); ++k) {
        Vec3 to = all[k].centroid;
        const double reach = 2.0 * all[k].box.halfSize().cwiseProduct(by_).norm();
        if (all[k].empty || !(solid.convex || container_.depth(to.cwiseProduct(by_)) > reach))
          continue;
        for (int axis = 0; axis < 3 && container_.periodic(); ++axis)
          to[axis] -= size[axis] * std::floor((to[axis] - box_.low[axis]) / size[axis]);
        points_[k] = to;
      }
      if (options_.progress) options_.progress((round + 1.0) / options_.relax);
    }
  }

  /// Gives the cells volumes that follow the grading, in random order. @returns what came of it
  std::string grade() {
    std::vector<double> volumes;
    for (const double d : options_.grading->sizes(options_.gradingBy, options_.cells))
      volumes.push_back(d * d * d);
    const double scale = solid.volume / std::accumulate(volumes.begin(), volumes.end(), 0.0);
    for (double& v : volumes) v *= scale / by_.prod();
    for (std::size_t k = volumes.size(); k > 1; --k)
      std::swap(volumes[k - 1], volumes[static_cast<std::size_t>(rng_.uniform() * double(k))]);
    const double worst = adjustWeights(volumes);
    return fmt::format("grading {}: sizes times {:.6g}; cells have their volumes within {:.2g} %",
                       options_.grading->text(), elementary::cbrt(scale * 6.0 / pi), 100.0 * worst);
  }

  /// Cells that each have room for a ball of the radius. Seeds of others are taken out.
  std::vector<Cell> cellsWithRoom() {
    while (true) {
      const std::vector<RadicalCell> all = cells();
      std::vector<Cell> whole(all.size());
      std::vector<char> thin(all.size(), 0);
      for (std::size_t k = 0; k < all.size(); ++k) {
        std::optional<Cell> cell = cellOfSeed(k, all[k]);
        thin[k] = !cell || !hasRoom(*cell, options_.radius);
        if (cell) whole[k] = std::move(*cell);
      }
      const auto count = static_cast<std::size_t>(std::ranges::count(thin, 1));
      if (count == 0) return whole;
      if (2 * count > all.size())
        throw UsageError(
            fmt::format("--radius {:.6g}: {} of {} cells have no room for a ball of it",
                        options_.radius, count, all.size()));
      // Neighbours without room go one at a time, the smallest first.
      std::vector<char> goes = thin;
      for (std::size_t k = 0; k < all.size(); ++k)
        for (const Neighbour& n : all[k].neighbours)
          if (const auto m = static_cast<std::size_t>(n.id); n.id >= 0 && thin[k] && thin[m])
            if (std::pair(all[m].volume, m) < std::pair(all[k].volume, k)) goes[k] = 0;
      std::size_t left = 0;
      for (std::size_t k = 0; k < goes.size(); ++k) {
        if (goes[k]) continue;
        points_[left] = points_[k];
        weights_[left++] = weights_[k];
      }
      points_.resize(left);
      weights_.resize(left);
    }
  }

  const Cell solid;

 private:
  std::vector<RadicalCell> cells() const {
    const Vec3 size = 2.0 * box_.halfSize();
    const auto count = static_cast<double>(points_.size());
    const double blocks = elementary::cbrt(count / 5.6 / size.prod());
    const double most = 2.0 * std::ceil(std::sqrt(count));
    const auto across = [&](int axis) {
      return static_cast<int>(std::clamp(std::ceil(blocks * size[axis]), 1.0, most));
    };
    const bool periodic = container_.periodic();
    voro::container_poly container(box_.low.x(), box_.high.x(), box_.low.y(), box_.high.y(),
                                   box_.low.z(), box_.high.z(), across(0), across(1), across(2),
                                   periodic, periodic, periodic, 8);
    std::vector<std::unique_ptr<voro::wall_plane>> planes;
    for (const CellSide& w : walls_) {
      const int id = -7 - static_cast<int>(planes.size());
      planes.push_back(std::make_unique<voro::wall_plane>(w.normal.x(), w.normal.y(), w.normal.z(),
                                                          w.offset, id));
      container.add_wall(*planes.back());
    }
    const double least = *std::ranges::min_element(weights_);
    for (std::size_t k = 0; k < points_.size(); ++k)
      container.put(static_cast<int>(k), points_[k].x(), points_[k].y(), points_[k].z(),
                    std::sqrt(weights_[k] - least));
    std::vector<RadicalCell> out(points_.size());
    voro::c_loop_all loop(container);
    voro::voronoicell_neighbor cell;
    std::vector<double> areas, normals, corners;
    std::vector<int> ids;
    if (loop.start()) do {
        if (!container.compute_cell(cell, loop)) continue;
        RadicalCell& to = out[static_cast<std::size_t>(loop.pid())];
        to.empty = false;
        to.volume = cell.volume();
        cell.centroid(to.centroid[0], to.centroid[1], to.centroid[2]);
        to.centroid += Vec3(loop.x(), loop.y(), loop.z());
        cell.vertices(loop.x(), loop.y(), loop.z(), corners);
        for (std::size_t v = 0; v + 2 < corners.size(); v += 3)
          to.box.add(Vec3(corners[v], corners[v + 1], corners[v + 2]));
        cell.neighbors(ids);
        cell.face_areas(areas);
        cell.normals(normals);
        for (std::size_t f = 0; f < ids.size(); ++f)
          to.neighbours.push_back(
              {ids[f], areas[f],
               displacement(loop.pid(), ids[f],
                            Vec3(normals[3 * f], normals[3 * f + 1], normals[3 * f + 2]))});
      } while (loop.inc());
    return out;
  }

  /// From seed k to the image of another that lies behind the face of this normal.
  Vec3 displacement(int k, int id, const Vec3& normal) const {
    if (id < 0) return Vec3::Zero();
    const Vec3 size = 2.0 * box_.halfSize(),
               d = points_[static_cast<std::size_t>(id)] - points_[static_cast<std::size_t>(k)];
    if (!container_.periodic()) return d;
    Vec3 best = d;
    double most = -2.0;
    for (int m = 0; m < 27; ++m) {
      const Vec3 to = d + Vec3(m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1).cwiseProduct(size);
      const double along = to.normalized().dot(normal);
      if (along > most) most = along, best = to;
    }
    return best;
  }

  /// Adjusts weights until each cell has its volume: Newton, damped so that none becomes empty.
  /// Source: J. Kitagawa, Q. Mérigot, B. Thibert, J. Eur. Math. Soc. 21, 2603-2651, 2019.
  /// @returns the largest relative difference that is left
  double adjustWeights(const std::vector<double>& volumes) {
    constexpr int rounds = 60;
    const auto n = static_cast<Eigen::Index>(volumes.size());
    const Eigen::Map<const Eigen::VectorXd> wanted(volumes.data(), n);
    Eigen::Map<Eigen::VectorXd> weights(weights_.data(), n);
    const auto volumesOf = [n](const std::vector<RadicalCell>& all) {
      Eigen::VectorXd v(n);
      for (Eigen::Index k = 0; k < n; ++k) v[k] = all[static_cast<std::size_t>(k)].volume;
      return v;
    };
    std::vector<RadicalCell> all = cells();
    Eigen::VectorXd now = volumesOf(all);
    const double least = 0.5 * std::min(now.minCoeff(), wanted.minCoeff());
    for (int round = 0; round < rounds; ++round) {
      const double worst = ((now - wanted).array() / wanted.array()).abs().maxCoeff();
      if (worst < 1e-6) break;
      std::vector<Eigen::Triplet<double>> entries;
      for (int k = 0; k < static_cast<int>(n); ++k)
        for (const Neighbour& other : all[static_cast<std::size_t>(k)].neighbours) {
          if (other.id < 0) continue;
          const double slope = 0.5 * other.area / other.to.norm();  // dV/dw
          entries.emplace_back(k, k, slope * (1.0 + 1e-9));
          entries.emplace_back(k, other.id, -slope);
        }
      Eigen::SparseMatrix<double> jacobian(n, n);
      jacobian.setFromTriplets(entries.begin(), entries.end());
      const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(jacobian);
      const Eigen::VectorXd step = solver.solve(wanted - now), before = weights;
      if (!step.allFinite()) break;
      const double miss = (now - wanted).norm();
      for (double share = 1.0; share > 1e-6; share *= 0.5) {
        weights = before + share * step;
        all = cells();
        now = volumesOf(all);
        if (now.minCoeff() > least && (now - wanted).norm() <= (1.0 - 0.5 * share) * miss) break;
        weights = before;
      }
      if (weights == before) break;
      if (options_.progress) options_.progress((round + 1.0) / rounds);
    }
    return ((now - wanted).array() / wanted.array()).abs().maxCoeff();
  }

  /// A cell from its planes. Those between two cells are the same to rounding, seen from either.
  std::optional<Cell> cellOfSeed(std::size_t k, const RadicalCell& from) const {
    std::vector<CellSide> sides;
    for (const Neighbour& n : from.neighbours) {
      if (n.id < 0) {
        const auto wall = static_cast<std::size_t>(-7 - n.id);
        if (n.id <= -7 && wall < walls_.size()) sides.push_back(stretched(walls_[wall], by_));
        continue;
      }
      const double distance = n.to.norm();
      const Vec3 normal = n.to / distance;
      const double shift = (weights_[k] - weights_[static_cast<std::size_t>(n.id)]) / distance;
      sides.push_back(stretched({normal, normal.dot(points_[k]) + 0.5 * (distance + shift)}, by_));
    }
    for (int axis = 0; axis < 3 && !solid.convex; ++axis) {  // nothing else bounds the outer ones
      sides.push_back({Vec3::Unit(axis), box_.high[axis] * by_[axis]});
      sides.push_back({-Vec3::Unit(axis), -box_.low[axis] * by_[axis]});
    }
    if (from.empty) return std::nullopt;
    return convexCell(sides, {from.box.low.cwiseProduct(by_), from.box.high.cwiseProduct(by_)});
  }

  const Container& container_;
  const VoronoiOptions& options_;
  Vec3 by_;
  Rng rng_;
  std::vector<CellSide> walls_;  ///< of a convex container
  shape::Aabb box_;
  std::vector<Vec3> points_;
  std::vector<double> weights_;
};

/// The parts of cells that lie in a mesh.
std::vector<Cell> clipped(std::vector<Cell> cells, const Container& container, const Cell& solid) {
  const shape::SurfaceMesh triangles = shape::triangulated(solid.mesh);
  std::vector<Cell> out;
  for (Cell& cell : cells) {
    const shape::Aabb around = boundingBox(cell);
    const double depth = container.depth(around.centre()), reach = around.halfSize().norm();
    if (depth < -reach) continue;
    std::vector<Cell> parts;
    if (depth < reach) parts = partsBehind(triangles, cell.sides, solid.sides);
    if (depth >= reach ||
        (parts.size() == 1 && std::abs(parts[0].volume - cell.volume) <= 1e-9 * cell.volume))
      out.push_back(std::move(cell));
    else
      std::ranges::move(parts, std::back_inserter(out));
  }
  return out;
}

/// A face in a file of Neper.
struct TessFace {
  std::vector<std::uint32_t> corners;
  CellSide side;
};

TessFace readFace(TextReader& text, std::size_t points) {
  TessFace face;
  for (std::size_t m = text.count("vertices of a face", 2); m > 0; --m)
    face.corners.push_back(static_cast<std::uint32_t>(
        text.integer("vertex", 1, static_cast<std::int64_t>(points)) - 1));
  for (std::size_t m = text.count("edges of a face", 2); m > 0; --m) text.number("edge");
  const double offset = text.number("plane");
  const Vec3 normal = text.vec3("plane");
  if (face.corners.size() < 3 || !(normal.norm() > 0.0))
    throw text.error("a face has fewer than three vertices, or a plane without normal");
  face.side = {normal / normal.norm(), offset / normal.norm()};
  for (const char* what : {"state", "point", "x", "y", "z"}) text.number(what);
  return face;
}

/// The cell between the planes of its faces, which the cells beyond them have, too.
Cell readPolyhedron(TextReader& text, std::span<const Vec3> points,
                    std::span<const TessFace> faces) {
  const auto last = static_cast<std::int64_t>(faces.size());
  std::vector<const TessFace*> own;
  shape::Aabb box;
  Vec3 middle = Vec3::Zero();
  double corners = 0.0, volume = 0.0;
  for (std::size_t m = text.count("faces of a polyhedron", 2); m > 0; --m) {
    const std::int64_t id = text.integer("face", -last, last);
    if (id == 0) throw text.error("expected the number of a face, found 0");
    own.push_back(&faces[static_cast<std::size_t>(std::abs(id)) - 1]);
    for (const std::uint32_t v : own.back()->corners)
      box.add(points[v]), middle += points[v], corners += 1.0;
  }
  std::vector<CellSide> sides;
  for (const TessFace* face : own) {
    const double height = face->side.offset - face->side.normal.dot(middle / corners);
    sides.push_back(face->side);
    if (height < 0.0) sides.back() = {-face->side.normal, -face->side.offset};
    volume += std::abs(height) / 3.0 * shape::detail::areaVector(points, face->corners).norm();
  }
  std::optional<Cell> cell = convexCell(sides, box);
  if (!cell || !(std::abs(cell->volume - volume) < 1e-3 * volume))
    throw text.error("the faces of this polyhedron do not bound a convex cell");
  return std::move(*cell);
}

}  // namespace

Tessellation voronoi(const Container& container, const VoronoiOptions& options) {
  constexpr std::size_t most = 1'000'000;  // 60 GB
  if (options.cells < 1 || options.cells > most)
    throw UsageError(fmt::format("--cells: expected a number from 1 to {}", most));
  Seeds seeds(container, options);
  Tessellation out;
  out.volume = seeds.solid.volume;
  seeds.relax();
  if (options.grading) out.notes.push_back(seeds.grade());
  out.cells = seeds.cellsWithRoom();
  out.merged = options.cells - out.cells.size();
  if (out.merged > 0)
    out.notes.push_back(fmt::format(
        "cells without room for a ball of the radius, whose place their neighbours fill: {}",
        out.merged));
  if (!seeds.solid.convex) {
    out.solid = seeds.solid;
    out.cells = clipped(std::move(out.cells), container, seeds.solid);
  }
  if (container.periodic()) {
    out.period.used = true;
    out.period.h = container.box().high.asDiagonal();
  }
  return out;
}

Tessellation readTess(TextReader text) {
  Tessellation out;
  std::vector<Vec3> points;
  std::vector<TessFace> faces;
  const auto forEach = [&](const char* what, const auto& read) {
    const auto count = static_cast<std::int64_t>(text.count(what, 8));
    for (std::int64_t k = 1; k <= count; ++k) {
      text.integer("id", k, k);
      read();
    }
  };
  if (text.atEnd() || text.word("section") != "***tess")
    throw text.error("expected ***tess: this is no tessellation of Neper");
  while (!text.atEnd()) {
    // Sections begin with '**', their parts with '*'. Those that are not needed are passed over.
    const std::string_view section = text.word("section");
    if (section == "**periodicity") throw text.error("periodic tessellations are not read");
    if (section == "**general" && text.integer("dimension", 1, 9) != 3)
      throw text.error("expected a tessellation in 3 dimensions");
    if (section == "**vertex")
      forEach("vertices", [&] {
        points.push_back(text.vec3("coordinates"));
        text.number("state");
      });
    if (section == "**face")
      forEach("faces", [&] { faces.push_back(readFace(text, points.size())); });
    if (section == "**polyhedron")
      forEach("polyhedra", [&] {
        out.cells.push_back(readPolyhedron(text, points, faces));
        out.volume += out.cells.back().volume;
      });
  }
  if (out.cells.empty()) throw text.error("expected **polyhedron, found the end of the file");
  return out;
}

}  // namespace scree::sim
