// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/scan/grains.hpp"

#include "base/elementary.hpp"
#include "detail/edge_collapse.hpp"
#include "detail/polygon_math.hpp"
#include "scan/voxel_surface.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <unordered_map>

namespace scree::scan {
namespace {

using detail::Block;
using shape::SurfaceMesh;
using shape::detail::boxAround;
using Place = std::array<std::size_t, 3>;

/// The voxels of a label that an image has, and the box around them.
struct Found {
  std::uint32_t label = 0;
  std::size_t voxels = 0;
  Place low{SIZE_MAX, SIZE_MAX, SIZE_MAX}, high{};  ///< first and last voxel along each axis
};

/// All labels, in their order. One pass, by runs of equal labels along x.
std::vector<Found> labelsOf(const LabelVolume& image) {
  std::unordered_map<std::uint32_t, Found> found;
  const auto& [nx, ny, nz] = image.size;
  for (std::size_t k = 0; k < nz; ++k)
    for (std::size_t j = 0; j < ny; ++j) {
      const std::uint32_t* row = image.labels.data() + nx * (j + ny * k);
      for (std::size_t i = 0; i < nx;) {
        const std::uint32_t label = row[i];
        std::size_t end = i + 1;
        while (end < nx && row[end] == label) ++end;
        if (label != 0) {
          Found& f = found[label];
          f.label = label;
          f.voxels += end - i;
          const Place first{i, j, k}, last{end - 1, j, k};
          for (std::size_t a = 0; a < 3; ++a) {
            f.low[a] = std::min(f.low[a], first[a]);
            f.high[a] = std::max(f.high[a], last[a]);
          }
        }
        i = end;
      }
    }
  std::vector<Found> out;
  for (const auto& [label, f] : found) out.push_back(f);
  std::ranges::sort(out, {}, &Found::label);
  return out;
}

Block blockOf(const LabelVolume& image, const Found& f) {
  Block block;
  for (std::size_t a = 0; a < 3; ++a) block.size[a] = f.high[a] - f.low[a] + 3;
  block.solid.assign(block.size[0] * block.size[1] * block.size[2], 0);
  for (std::size_t k = f.low[2]; k <= f.high[2]; ++k)
    for (std::size_t j = f.low[1]; j <= f.high[1]; ++j) {
      const std::uint32_t* row =
          image.labels.data() + image.size[0] * (j + image.size[1] * k) + f.low[0];
      std::uint8_t* to = block.solid.data() + block.at(1, j - f.low[1] + 1, k - f.low[2] + 1);
      for (std::size_t i = 0; i <= f.high[0] - f.low[0]; ++i) to[i] = row[i] == f.label;
    }
  return block;
}

/// Gives the voxels with value `from` that are connected with voxel `seed` through faces the value
/// `to`. @returns their number
std::size_t flood(Block& block, std::size_t seed, std::uint8_t from, std::uint8_t to) {
  std::vector<std::size_t> open{seed};
  block.solid[seed] = to;
  std::size_t count = 0;
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    ++count;
    for (const std::size_t next : block.neighbours(at))
      if (next < block.solid.size() && block.solid[next] == from) {
        block.solid[next] = to;
        open.push_back(next);
      }
  }
  return count;
}

/// Leaves the largest piece of a label, with its cavities filled.
void clean(Block& block, Grain& grain) {
  constexpr std::uint8_t piece = 2, largest = 3, outside = 4, cavity = 5;
  grain.pieces = 0;
  std::size_t most = 0, seedOfLargest = 0;
  for (std::size_t v = 0; v < block.solid.size(); ++v)
    if (block.solid[v] == 1) {
      ++grain.pieces;
      if (const std::size_t count = flood(block, v, 1, piece); count > most) {
        most = count;
        seedOfLargest = v;
      }
    }
  flood(block, seedOfLargest, piece, largest);
  grain.strayVoxels = grain.voxels - most;
  for (std::uint8_t& v : block.solid)
    if (v == piece) v = 0;
  flood(block, 0, 0, outside);
  for (std::size_t v = 0; v < block.solid.size(); ++v)
    if (block.solid[v] == 0) {
      ++grain.holes;
      grain.holeVoxels += flood(block, v, 0, cavity);
    }
  for (std::uint8_t& v : block.solid) v = v != outside;
}

/// Scales a closed mesh about its centre so that it encloses a volume.
void scaleTo(SurfaceMesh& mesh, double volume) {
  Vec3 centre = Vec3::Zero();
  for (const Vec3& v : mesh.vertices) centre += v / static_cast<double>(mesh.vertices.size());
  for (Vec3& v : mesh.vertices) v -= centre;
  const double factor = elementary::cbrt(volume / shape::signedVolume(mesh.vertices, mesh.faces));
  for (Vec3& v : mesh.vertices) v = centre + factor * v;
}

/// One grain on its way from voxels to shapes. Lengths are those of the result; the origin is the
/// low corner of the grain's block until the shapes are made.
class GrainImport {
 public:
  GrainImport(const LabelVolume& image, const GrainOptions& options, const Found& found)
      : image_(image), o_(options), found_(found) {}

  Grain run() {
    grain_.label = found_.label;
    grain_.voxels = found_.voxels;
    for (std::size_t a = 0; a < 3; ++a)
      grain_.border |= found_.low[a] == 0 || found_.high[a] + 1 == image_.size[a];
    if (found_.voxels < o_.leastVoxels)
      grain_.refusal = "small";
    else if (grain_.border && !o_.keepBorder)
      grain_.refusal = "border";
    else
      make();
    return std::move(grain_);
  }

 private:
  void make() {
    try {
      const SurfaceMesh fine = surface();
      SurfaceMesh mesh = simplified(fine);
      grain_.faces = mesh.faces.size();
      if (grain_.simplified) grain_.toVoxels += grain_.simplified->atMost;
      for (std::size_t a = 0; a < 3; ++a) {
        const auto axis = static_cast<Eigen::Index>(a);
        const double shift = (static_cast<double>(found_.low[a]) - 1.0) * image_.voxel[axis];
        for (Vec3& v : mesh.vertices) v[axis] += shift;
      }
      mesh::ImportOptions steps = o_.import;
      steps.name = fmt::format("{}_{}", o_.import.name.value_or("grain"), found_.label);
      steps.threads = 1;  // grains have the threads
      makeShapes(mesh, steps);
      grain_.warnings.insert(grain_.warnings.end(), warnings_.begin(), warnings_.end());
    } catch (const GeometryError& error) {
      grain_.shapes.clear();
      grain_.refusal = error.what();
    }
  }

  /// Makes the shapes and surveys them. Corners and hollows that the rounding changes are made up
  /// for by the scale. It is sought with Steiner's volume, which costs little; by what share that
  /// is wrong changes little.
  void makeShapes(SurfaceMesh& mesh, const mesh::ImportOptions& steps) {
    const bool scaled = steps.inset && !steps.hull && !steps.decompose;
    double share = 1.0;
    for (int rounds = 6;; --rounds) {
      mesh::ImportReport report;
      warnings_.clear();
      grain_.shapes = mesh::imported(mesh, steps, report, warnings_);
      const shape::Shape& first = grain_.shapes.front();
      const double guess = mesh::roundedVolume({first.vertices, first.faces}, first.radius);
      double off = share * guess / grain_.voxelVolume - 1.0;
      if (!scaled || rounds == 1 || std::abs(off) < 2e-4) {
        grain_.volume = 0.0;
        for (shape::Shape& s : grain_.shapes) {
          mass::survey(s, {.mass = {.tolerance = 2e-4}});
          grain_.volume += s.volume;
        }
        off = grain_.volume / grain_.voxelVolume - 1.0;
        if (!scaled || rounds == 1 || std::abs(off) < 5e-4) return;
        share = grain_.volume / guess;
      }
      scaleTo(mesh, (1.0 - off) * shape::signedVolume(mesh.vertices, mesh.faces));
      const double moved = std::abs(off) * boxAround(mesh.vertices).halfSize().norm();
      grain_.toVoxels += moved;
      if (grain_.simplified) grain_.simplified->atMost += moved;
    }
  }

  double voxelSide() const { return image_.voxel.minCoeff(); }

  /// The surface that the grain has in the image. Sets its form.
  SurfaceMesh surface() {
    Block block = blockOf(image_, found_);
    clean(block, grain_);
    grain_.voxelVolume =
        static_cast<double>(grain_.voxels - grain_.strayVoxels + grain_.holeVoxels) *
        image_.voxel.prod();
    if (const std::size_t filled = detail::fillContacts(block); filled > grain_.voxels / 100)
      grain_.warnings.push_back(fmt::format(
          "{} voxels filled where it touches itself at edges or corners alone", filled));
    detail::QuadMesh even = detail::voxelSurface(block), sharp = even;
    // Vertices less edges plus faces, with two edges for each face.
    grain_.tunnels = (even.quads.size() + 2 - even.points.size()) / 2;
    detail::smooth(sharp, image_.voxel, detail::Edges::sharp);
    SurfaceMesh mesh = detail::trianglesOf(sharp);
    scaleTo(mesh, grain_.voxelVolume);
    for (std::size_t p = 0; p < mesh.vertices.size(); ++p)
      grain_.toVoxels = std::max(
          grain_.toVoxels, (mesh.vertices[p] - even.points[p].cwiseProduct(image_.voxel)).norm());
    grain_.form = detail::formOf(mesh, block, image_.voxel);
    const double voxel = image_.voxel.maxCoeff();
    constexpr double enough = 10.0;  // voxels; with fewer, edges of all kinds look alike
    if (grain_.form.inscribed >= enough * voxel) {
      detail::smooth(even, image_.voxel, detail::Edges::rounded);
      grain_.form.roundness = detail::roundnessOf(even, grain_.form.inscribed, voxel);
    }
    return mesh;
  }

  /// Sets how far the result is from the fine surface, where it is another one.
  SurfaceMesh simplified(const SurfaceMesh& fine) {
    const double most = o_.error.value_or(0.5 * voxelSide()),
                 accuracy = 0.2 * (o_.faces ? voxelSide() : most);
    if (o_.faces && fine.faces.size() <= *o_.faces) return fine;
    const shape::SurfaceDistance toFine(fine);
    // Mean deviations are tried; the largest is known in the end, and some times as large.
    for (double mean = 0.27 * most; mean > 1e-3 * most;) {
      shape::detail::CollapsingMesh work(fine);
      if (o_.faces)
        work.collapseTo(verticesFor(*o_.faces));
      else
        work.collapseTo(4, mean);
      SurfaceMesh mesh = shape::withoutLooseVertices(work.mesh());
      scaleTo(mesh, grain_.voxelVolume);
      shape::Bracket apart = shape::farthest(fine, shape::SurfaceDistance(mesh), accuracy);
      if (o_.faces || apart.atMost <= most) {
        const shape::Bracket back = shape::farthest(mesh, toFine, accuracy);
        apart = {std::max(apart.atLeast, back.atLeast), std::max(apart.atMost, back.atMost)};
        grain_.simplified = apart;
        if (o_.faces || apart.atMost <= most) return mesh;
      }
      mean *= std::clamp(0.8 * most / apart.atMost, 0.1, 0.8);
    }
    grain_.simplified.reset();
    return fine;
  }

  /// Vertices that a closed surface of triangles has, with the tunnels of the grain.
  std::size_t verticesFor(std::size_t faces) const {
    const std::size_t vertices = faces / 2 + 2;
    return std::max<std::size_t>(vertices > 2 * grain_.tunnels ? vertices - 2 * grain_.tunnels : 0,
                                 4);
  }

  const LabelVolume& image_;
  const GrainOptions& o_;
  const Found& found_;
  Grain grain_;
  std::vector<std::string> warnings_;  ///< of the last import
};

}  // namespace

std::vector<Grain> grainsOf(const LabelVolume& image, const GrainOptions& options) {
  const std::vector<Found> found = labelsOf(image);
  if (found.empty()) throw ModelError("the image has no label: all voxels are 0");
  std::vector<Grain> grains(found.size());
  std::atomic<std::size_t> done{0};
  std::mutex reporting;
  parallelJobs(options.import.threads, found.size(), [&](std::size_t g) {
    grains[g] = GrainImport(image, options, found[g]).run();
    const double share = static_cast<double>(++done) / static_cast<double>(found.size());
    if (!options.progress) return;
    const std::lock_guard lock(reporting);
    options.progress(share);
  });
  return grains;
}

}  // namespace scree::scan
