// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/scan/grains.hpp"

#include "base/elementary.hpp"
#include "detail/edge_collapse.hpp"
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
    for (const std::size_t stride : block.strides())
      for (const std::size_t next : {at - stride, at + stride})
        if (next < block.solid.size() && block.solid[next] == from) {  // below 0 wraps around
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

/// [L] Distance of the farthest of some points from a surface.
double farthestOf(const std::vector<Vec3>& points, const SurfaceMesh& mesh) {
  const shape::SurfaceDistance surface(mesh);
  double most = 0.0;
  std::uint32_t near = 0;
  for (const Vec3& p : points) {
    const auto found = surface.nearest(p, near);
    near = found.triangle;
    most = std::max(most, found.distance);
  }
  return most;
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
      grain_.form = formOf(fine);
      grain_.form.roundness = roundnessOf(detail::trianglesOf(even_), grain_.form.inscribed);
      even_ = {};
      SurfaceMesh mesh = simplified(fine);
      grain_.faces = mesh.faces.size();
      grain_.toVoxels = farthestOf(corners_, mesh);
      corners_ = {};
      for (std::size_t a = 0; a < 3; ++a) {
        const auto axis = static_cast<Eigen::Index>(a);
        const double shift = (static_cast<double>(found_.low[a]) - 1.0) * image_.voxel[axis];
        for (Vec3& v : mesh.vertices) v[axis] += shift;
      }
      mesh::ImportOptions steps = o_.import;
      steps.name = fmt::format("{}_{}", o_.import.name.value_or("grain"), found_.label);
      steps.threads = 1;  // grains have the threads
      mesh::ImportReport report;
      grain_.shapes = mesh::imported(mesh, steps, report, grain_.warnings);
      for (shape::Shape& s : grain_.shapes) {
        mass::survey(s, {.mass = {.tolerance = 2e-4}});
        grain_.volume += s.volume;
      }
    } catch (const GeometryError& error) {
      grain_.shapes.clear();
      grain_.refusal = error.what();
    }
  }

  double voxelSide() const { return image_.voxel.minCoeff(); }
  double accuracy() const { return 0.2 * voxelSide(); }

  SurfaceMesh surface() {
    Block block = blockOf(image_, found_);
    clean(block, grain_);
    grain_.voxelVolume =
        static_cast<double>(grain_.voxels - grain_.strayVoxels + grain_.holeVoxels) *
        image_.voxel.prod();
    detail::fillEdgeContacts(block);
    detail::QuadMesh quads = detail::voxelSurface(block);
    // Vertices less edges plus faces, with two edges for each face.
    grain_.tunnels = (quads.quads.size() + 2 - quads.points.size()) / 2;
    for (const Vec3& p : quads.points) corners_.push_back(p.cwiseProduct(image_.voxel));
    even_ = quads;
    detail::smooth(even_, image_.voxel, detail::Edges::rounded);
    detail::smooth(quads, image_.voxel, detail::Edges::sharp);
    SurfaceMesh mesh = detail::trianglesOf(quads);
    scaleTo(mesh, grain_.voxelVolume);
    grain_.facesBefore = mesh.faces.size();
    return mesh;
  }

  SurfaceMesh simplified(const SurfaceMesh& fine) {
    if (o_.faces) {
      if (fine.faces.size() <= *o_.faces) return fine;
      SurfaceMesh mesh = collapsed(fine, verticesFor(*o_.faces));
      grain_.simplified = shape::hausdorff(fine, mesh, accuracy());
      return mesh;
    }
    const double most = o_.error.value_or(0.5 * voxelSide());
    // Coarser and coarser, each from the one before, as long as no vertex is too far away.
    std::vector<SurfaceMesh> tried{fine};
    for (double count = 0.25 * static_cast<double>(fine.vertices.size()); count > 4.0;
         count *= 0.6) {
      SurfaceMesh next = collapsed(tried.back(), static_cast<std::size_t>(count));
      if (next.vertices.size() == tried.back().vertices.size() ||
          farthestOf(fine.vertices, next) > most)
        break;
      tried.push_back(std::move(next));
    }
    for (; tried.size() > 1; tried.pop_back()) {
      grain_.simplified = shape::hausdorff(fine, tried.back(), accuracy());
      if (grain_.simplified->atMost <= most) return tried.back();
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

  SurfaceMesh collapsed(const SurfaceMesh& mesh, std::size_t vertices) const {
    shape::detail::CollapsingMesh work(mesh);
    work.collapseTo(vertices);
    SurfaceMesh out = shape::withoutLooseVertices(work.mesh());
    scaleTo(out, grain_.voxelVolume);
    return out;
  }

  const LabelVolume& image_;
  const GrainOptions& o_;
  const Found& found_;
  Grain grain_;
  detail::QuadMesh even_;      ///< surface for curvatures
  std::vector<Vec3> corners_;  ///< of the voxels, on the surface
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
