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

/// Seeds of radical cells in a convex solid, with their weights [L²] (0: Voronoi cells).
class Diagram {
 public:
  Diagram(std::vector<Vec3> points, std::span<const CellSide> walls, const shape::Aabb& box,
          bool periodic)
      : seeds(std::move(points)),
        weights(seeds.size(), 0.0),
        walls_(walls),
        box_(box),
        periodic_(periodic) {}

  std::vector<Vec3> seeds;
  std::vector<double> weights;

  std::vector<RadicalCell> cells() const {
    const Vec3 size = 2.0 * box_.halfSize();
    const double blocks = elementary::cbrt(static_cast<double>(seeds.size()) / 5.6 / size.prod());
    const double most = 2.0 * std::ceil(std::sqrt(static_cast<double>(seeds.size())));
    const auto across = [&](int axis) {
      return static_cast<int>(std::clamp(std::ceil(blocks * size[axis]), 1.0, most));
    };
    voro::container_poly container(box_.low.x(), box_.high.x(), box_.low.y(), box_.high.y(),
                                   box_.low.z(), box_.high.z(), across(0), across(1), across(2),
                                   periodic_, periodic_, periodic_, 8);
    std::vector<std::unique_ptr<voro::wall_plane>> planes;
    for (std::size_t k = 0; k < walls_.size() && !periodic_; ++k) {
      const CellSide& w = walls_[k];
      planes.push_back(std::make_unique<voro::wall_plane>(w.normal.x(), w.normal.y(), w.normal.z(),
                                                          w.offset, -7 - static_cast<int>(k)));
      container.add_wall(*planes.back());
    }
    const double least = *std::ranges::min_element(weights);
    for (std::size_t k = 0; k < seeds.size(); ++k)
      container.put(static_cast<int>(k), seeds[k].x(), seeds[k].y(), seeds[k].z(),
                    std::sqrt(weights[k] - least));
    std::vector<RadicalCell> out(seeds.size());
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

  /// Takes seeds out. @returns how many
  std::size_t remove(const std::vector<char>& which) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < seeds.size(); ++k)
      if (!which[k]) {
        seeds[at] = seeds[k];
        weights[at++] = weights[k];
      }
    const std::size_t gone = seeds.size() - at;
    seeds.resize(at);
    weights.resize(at);
    return gone;
  }

  /// Planes of a cell. Those between two cells are the same to rounding, seen from either.
  std::vector<CellSide> sidesOf(std::size_t k, const RadicalCell& cell) const {
    std::vector<CellSide> sides;
    for (const Neighbour& n : cell.neighbours) {
      if (n.id < 0) {
        const auto wall = static_cast<std::size_t>(-7 - n.id);
        if (n.id <= -7 && wall < walls_.size()) sides.push_back(walls_[wall]);
        continue;
      }
      const double distance = n.to.norm();
      const Vec3 normal = n.to / distance;
      const double shift = (weights[k] - weights[static_cast<std::size_t>(n.id)]) / distance;
      sides.push_back({normal, normal.dot(seeds[k]) + 0.5 * (distance + shift)});
    }
    return sides;
  }

 private:
  /// From seed k to the image of another that lies behind the face of this normal.
  Vec3 displacement(int k, int id, const Vec3& normal) const {
    if (id < 0) return Vec3::Zero();
    const Vec3 size = 2.0 * box_.halfSize(),
               d = seeds[static_cast<std::size_t>(id)] - seeds[static_cast<std::size_t>(k)];
    if (!periodic_) return d;
    Vec3 best = d;
    double most = -2.0;
    for (int m = 0; m < 27; ++m) {
      const Vec3 to = d + Vec3(m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1).cwiseProduct(size);
      const double along = to.normalized().dot(normal);
      if (along > most) most = along, best = to;
    }
    return best;
  }

  std::span<const CellSide> walls_;
  shape::Aabb box_;
  bool periodic_;
};

/// Adjusts weights until each cell has its volume: Newton's method, damped so that no cell becomes
/// empty. Source: J. Kitagawa, Q. Mérigot, B. Thibert, J. Eur. Math. Soc. 21, 2603-2651, 2019.
/// @returns the largest relative difference that is left
double adjustWeights(Diagram& diagram, const std::vector<double>& volumes,
                     const Progress& progress) {
  constexpr int rounds = 60;
  const auto n = static_cast<Eigen::Index>(volumes.size());
  const Eigen::Map<const Eigen::VectorXd> wanted(volumes.data(), n);
  Eigen::Map<Eigen::VectorXd> weights(diagram.weights.data(), n);
  const auto volumesOf = [&](const std::vector<RadicalCell>& cells) {
    Eigen::VectorXd v(n);
    for (Eigen::Index k = 0; k < n; ++k) v[k] = cells[static_cast<std::size_t>(k)].volume;
    return v;
  };
  std::vector<RadicalCell> cells = diagram.cells();
  Eigen::VectorXd now = volumesOf(cells);
  const double least = 0.5 * std::min(now.minCoeff(), wanted.minCoeff());
  for (int round = 0; round < rounds; ++round) {
    const double worst = ((now - wanted).array() / wanted.array()).abs().maxCoeff();
    if (worst < 1e-6) break;
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < static_cast<int>(n); ++k)
      for (const Neighbour& other : cells[static_cast<std::size_t>(k)].neighbours) {
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
      cells = diagram.cells();
      now = volumesOf(cells);
      if (now.minCoeff() > least && (now - wanted).norm() <= (1.0 - 0.5 * share) * miss) break;
      weights = before;
    }
    if (weights == before) break;
    if (progress) progress((round + 1.0) / rounds);
  }
  return ((now - wanted).array() / wanted.array()).abs().maxCoeff();
}

Vec3 wrapped(Vec3 x, const shape::Aabb& box) {
  const Vec3 size = 2.0 * box.halfSize();
  for (int k = 0; k < 3; ++k) x[k] -= size[k] * std::floor((x[k] - box.low[k]) / size[k]);
  return x;
}

/// A plane in coordinates that are `by` times as long along the axes.
CellSide stretched(const CellSide& side, const Vec3& by) {
  const Vec3 normal = side.normal.cwiseQuotient(by);
  const double length = normal.norm();
  return {normal / length, side.offset / length, side.set};
}

/// A container in coordinates in which its cells are not stretched, and the seeds in it.
class Seeded {
 public:
  Seeded(const Container& container, const VoronoiOptions& options)
      : container_(container),
        options_(options),
        solid_(cellOf(container)),
        by_(options.stretch / elementary::cbrt(options.stretch.prod())),
        rng_(options.seed) {
    const double box = 8.0 * boundingBox(solid_).halfSize().prod();
    if (!(solid_.volume > 1e-3 * box))
      throw UsageError("--container: the mesh fills less than 0.001 of the box around it");
    if (options.grading && !solid_.convex)
      throw UsageError("--grading: expected a convex container");
    // Tolerances of voro++ are absolute: the size of a cell becomes 1.
    by_ *= elementary::cbrt(box / static_cast<double>(options.cells));
    if (solid_.convex)
      for (const CellSide& s : solid_.sides) walls_.push_back(stretched(s, by_.cwiseInverse()));
    box_ = boundingBox(solid_);
    if (!container.periodic()) box_ = box_.grown(1e-3 * box_.halfSize().maxCoeff());
    box_ = {box_.low.cwiseQuotient(by_), box_.high.cwiseQuotient(by_)};
    std::vector<Vec3> seeds;
    for (std::size_t k = 0; k < options.cells; ++k)
      seeds.push_back(container.randomPoint(rng_).cwiseQuotient(by_));
    diagram_.emplace(std::move(seeds), walls_, box_, container.periodic());
  }
  const Cell& solid() const { return solid_; }

  /// Moves each seed to the centre of its cell, round by round. Cells that reach through a mesh may
  /// have their centre outside: their seeds stay.
  void relax() {
    for (int round = 0; round < options_.relax; ++round) {
      const std::vector<RadicalCell> cells = diagram_->cells();
      for (std::size_t k = 0; k < cells.size(); ++k) {
        const Vec3& to = cells[k].centroid;
        if (cells[k].empty) continue;
        if (container_.periodic())
          diagram_->seeds[k] = wrapped(to, box_);
        else if (solid_.convex || container_.depth(to.cwiseProduct(by_)) >
                                      2.0 * cells[k].box.halfSize().cwiseProduct(by_).norm())
          diagram_->seeds[k] = to;
      }
      if (options_.progress) options_.progress((round + 1.0) / options_.relax);
    }
  }

  /// Gives the cells volumes that follow the grading, in random order. @returns what came of it
  std::string grade() {
    std::vector<double> volumes;
    for (const double d : options_.grading->sizes(options_.gradingBy, options_.cells))
      volumes.push_back(d * d * d);
    const double scale = solid_.volume / std::accumulate(volumes.begin(), volumes.end(), 0.0);
    for (double& v : volumes) v *= scale / by_.prod();
    for (std::size_t k = volumes.size(); k > 1; --k)
      std::swap(volumes[k - 1], volumes[static_cast<std::size_t>(rng_.uniform() * double(k))]);
    const double worst = adjustWeights(*diagram_, volumes, options_.progress);
    return fmt::format("grading {}: sizes times {:.6g}; cells have their volumes within {:.2g} %",
                       options_.grading->text(), elementary::cbrt(scale * 6.0 / pi), 100.0 * worst);
  }

  /// Cells that each have room for a ball of the radius. Seeds of others are taken out.
  /// @param removed  gets how many
  std::vector<Cell> cellsWithRoom(std::size_t& removed) {
    while (true) {
      const std::vector<RadicalCell> cells = diagram_->cells();
      std::vector<Cell> whole(cells.size());
      std::vector<char> thin(cells.size(), 0);
      for (std::size_t k = 0; k < cells.size(); ++k) {
        std::optional<Cell> cell = cellOfSeed(k, cells[k]);
        thin[k] = !cell || !hasRoom(*cell, options_.radius);
        if (cell) whole[k] = std::move(*cell);
      }
      const auto count = static_cast<std::size_t>(std::ranges::count(thin, 1));
      if (count == 0) return whole;
      if (2 * count > cells.size())
        throw UsageError(
            fmt::format("--radius {:.6g}: {} of {} cells have no room for a ball of it",
                        options_.radius, count, cells.size()));
      // Neighbours without room go one at a time, the smallest first.
      std::vector<char> goes = thin;
      for (std::size_t k = 0; k < cells.size(); ++k)
        for (const Neighbour& n : cells[k].neighbours)
          if (const auto m = static_cast<std::size_t>(n.id); n.id >= 0 && thin[k] && thin[m])
            if (std::pair(cells[m].volume, m) < std::pair(cells[k].volume, k)) goes[k] = 0;
      removed += diagram_->remove(goes);
    }
  }

 private:
  std::optional<Cell> cellOfSeed(std::size_t k, const RadicalCell& from) const {
    if (from.empty) return std::nullopt;
    std::vector<CellSide> sides = diagram_->sidesOf(k, from);
    for (CellSide& s : sides) s = stretched(s, by_);
    for (int axis = 0; axis < 3 && !solid_.convex; ++axis) {  // nothing else bounds the outer ones
      sides.push_back({Vec3::Unit(axis), box_.high[axis] * by_[axis]});
      sides.push_back({-Vec3::Unit(axis), -box_.low[axis] * by_[axis]});
    }
    return convexCell(sides, {from.box.low.cwiseProduct(by_), from.box.high.cwiseProduct(by_)});
  }

  const Container& container_;
  const VoronoiOptions& options_;
  Cell solid_;
  Vec3 by_;
  Rng rng_;
  std::vector<CellSide> walls_;
  shape::Aabb box_;
  std::optional<Diagram> diagram_;
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

}  // namespace

Tessellation voronoi(const Container& container, const VoronoiOptions& options) {
  constexpr std::size_t most = 1'000'000;  // 60 GB
  if (options.cells < 1 || options.cells > most)
    throw UsageError(fmt::format("--cells: expected a number from 1 to {}", most));
  Seeded seeded(container, options);
  Tessellation out;
  out.volume = seeded.solid().volume;
  seeded.relax();
  if (options.grading) out.notes.push_back(seeded.grade());
  out.cells = seeded.cellsWithRoom(out.merged);
  if (out.merged > 0)
    out.notes.push_back(fmt::format(
        "cells without room for a ball of the radius, whose place their neighbours fill: {}",
        out.merged));
  if (!seeded.solid().convex) {
    out.solid = seeded.solid();
    out.cells = clipped(std::move(out.cells), container, seeded.solid());
  }
  if (container.periodic()) {
    out.period.used = true;
    out.period.h = container.box().high.asDiagonal();
  }
  return out;
}

Tessellation readTess(TextReader text) {
  // Sections begin with '**', their parts with '*'. Those that are not needed are passed over.
  constexpr std::int64_t most = 1'000'000'000;
  struct Face {
    std::vector<std::uint32_t> corners;
    CellSide side;
  };
  Tessellation out;
  std::vector<Vec3> points;
  std::vector<Face> faces;
  bool any = false;
  const auto number = [&](std::size_t k) {
    if (text.integer("id", 0, most) != static_cast<std::int64_t>(k))
      throw text.error(fmt::format("expected the id {}: ids count from 1", k));
  };
  while (!text.atEnd()) {
    const std::string_view word = text.word("section");
    any = any || word == "***tess";
    if (!any) throw text.error("expected ***tess: this is no tessellation of Neper");
    if (word == "**general") {
      if (const std::int64_t dimension = text.integer("dimension", 1, 9); dimension != 3)
        throw text.error(
            fmt::format("expected a tessellation in 3 dimensions, found {}", dimension));
    } else if (word == "**periodicity") {
      throw text.error("periodic tessellations are not read");
    } else if (word == "**vertex") {
      for (std::size_t k = 1, n = text.count("vertices", 8); k <= n; ++k) {
        number(k);
        points.push_back(text.vec3("coordinates"));
        text.integer("state", -1, most);
      }
    } else if (word == "**face") {
      for (std::size_t k = 1, n = text.count("faces", 8); k <= n; ++k) {
        number(k);
        Face& face = faces.emplace_back();
        for (std::size_t m = text.count("vertices of a face", 2); m > 0; --m)
          face.corners.push_back(static_cast<std::uint32_t>(
              text.integer("vertex", 1, static_cast<std::int64_t>(points.size())) - 1));
        for (std::size_t m = text.count("edges of a face", 2); m > 0; --m)
          text.integer("edge", -most, most);
        const double offset = text.number("plane");
        const Vec3 normal = text.vec3("plane");
        if (face.corners.size() < 3 || !(normal.norm() > 0.0))
          throw text.error("a face has fewer than three vertices, or a plane without normal");
        face.side = {normal / normal.norm(), offset / normal.norm()};
        text.integer("state", -1, most);
        text.integer("point", -1, most);
        text.vec3("coordinates");
      }
    } else if (word == "**polyhedron") {
      for (std::size_t k = 1, n = text.count("polyhedra", 8); k <= n; ++k) {
        number(k);
        std::vector<const Face*> own;
        shape::Aabb box;
        Vec3 middle = Vec3::Zero();
        double corners = 0.0;
        for (std::size_t m = text.count("faces of a polyhedron", 2); m > 0; --m) {
          const auto last = static_cast<std::int64_t>(faces.size());
          const std::int64_t id = text.integer("face", -last, last);
          if (id == 0) throw text.error("expected the number of a face, found 0");
          own.push_back(&faces[static_cast<std::size_t>(std::abs(id)) - 1]);
          for (const std::uint32_t v : own.back()->corners)
            box.add(points[v]), middle += points[v], corners += 1.0;
        }
        // Planes of the file are the same for both cells of a face; corners follow from them.
        std::vector<CellSide> sides;
        double volume = 0.0;
        for (const Face* face : own) {
          const double height = face->side.offset - face->side.normal.dot(middle / corners);
          sides.push_back(face->side);
          if (height < 0.0) sides.back() = {-face->side.normal, -face->side.offset};
          volume +=
              std::abs(height) / 3.0 * shape::detail::areaVector(points, face->corners).norm();
        }
        std::optional<Cell> cell = convexCell(sides, box);
        if (!cell || !(std::abs(cell->volume - volume) < 1e-3 * volume))
          throw text.error(fmt::format("polyhedron {}: its faces do not bound a convex cell", k));
        out.volume += cell->volume;
        out.cells.push_back(std::move(*cell));
      }
    }
  }
  if (out.cells.empty()) throw text.error("expected **polyhedron, found the end of the file");
  return out;
}

}  // namespace scree::sim
