// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of grains in images of more and more voxels: the table of docs/meshes.md. Each figure is
// the root mean square over bodies in five rotations and places, or a range of them; orders are
// those of the last doubling. Then the farthest points of 60 boulders.
#include "label_images.hpp"

#include "scree/shape/rounded_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace scree;
using namespace scree::testing;

namespace {

/// Prints how far 60 boulders of 16 to 48 faces are from themselves after an import with the
/// default error.
/// @param voxels  along the longest size
/// @param rounding  of the boulders, in that size
/// @param inset  [voxels] radius of the import
void boulders(int voxels, double rounding, double inset) {
  constexpr std::uint64_t count = 60;
  double farthest = 0.0, faces = 0.0;
  int within = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    const double turn = static_cast<double>(k), third = static_cast<double>(k % 3),
                 fourth = static_cast<double>(k % 4);
    shape::Shape known =
        shape::makeBoulder(16 + 8 * static_cast<int>(k % 5),
                           Vec3(1.0, 0.9 - 0.05 * third, 0.8 - 0.05 * fourth), rounding, 100 + k);
    mass::survey(known);
    const ConvexBody body(known);
    const Mat3 axes =
        Eigen::AngleAxisd(0.3 + 0.7 * turn, Vec3(1.0, 2.0 - fourth, 0.5 * third).normalized())
            .toRotationMatrix();
    const Vec3 off(0.13, 0.27, 0.41);
    const scan::LabelVolume image = imageOf(
        {"", [&](const Vec3& x) { return body.holds(x); }, 0.0, 0.0, {}}, voxels, axes, off);
    scan::GrainOptions options;
    options.import.radius = inset / voxels;
    options.import.inset = inset > 0.0;
    const scan::Grain grain = scan::grainsOf(image, options).front();
    const shape::Shape& s = grain.shapes.front();
    const shape::SurfaceDistance core(
        shape::SurfaceMesh{known.vertices, shape::coreOf(known).faces});
    const Vec3 middle = (Vec3::Constant(0.5 * static_cast<double>(image.size[0])) + off) / voxels;
    double far = 0.0;
    for (const Vec3& p : shape::roundedSurface(s, 2).points) {
      const Vec3 at = s.position + rotated(s.orientation, p) - middle;
      far = std::max(far, std::abs(core.nearest(axes.transpose() * at).distance - rounding));
    }
    farthest = std::max(farthest, far * voxels);
    within += far * voxels <= 0.5;
    faces += static_cast<double>(grain.faces) / static_cast<double>(count);
  }
  fmt::print(
      "{} boulders of {} voxels, rounding {} voxels: {} within half a voxel, farthest {:.2f}, "
      "{:.0f} triangles\n",
      count, voxels, inset, within, farthest, faces);
}

}  // namespace

int main() {
  for (const double inset : {0.0, 1.5}) boulders(32, 0.15, inset);
  fmt::print(
      "| body | voxels | volume of voxels | area | centre / size | "
      "inertia | roundness | b/a | c/b |\n|---|---|---|---|---|---|---|---|---|\n");
  KnownBody cube = knownBox({1.0, 1.0, 1.0});
  cube.name = "cube";
  for (const KnownBody& body : {knownBall(), cube, knownBox({1.0, 0.8, 0.6}),
                                knownEllipsoid({0.5, 0.4, 0.3}), knownBoulder()}) {
    std::array<double, 4> before{};
    for (const int voxels : {10, 20, 40, 80}) {
      std::array<double, 4> sum{};
      double roundness = 0.0;
      std::vector<double> elongations, flatnesses;
      constexpr int cases = 5;
      for (int c = 0; c < cases; ++c) {
        const Mat3 axes = Eigen::AngleAxisd(0.3 + 0.7 * c, Vec3(1, 2 - c, 0.5 * c).normalized())
                              .toRotationMatrix();
        const Vec3 off(0.13 + 0.17 * c, 0.27, 0.41 - 0.11 * c);
        const scan::LabelVolume image = imageOf(body, voxels, axes, off);
        scan::GrainOptions options;
        options.faces = 300;
        const scan::Grain grain = scan::grainsOf(image, options).front();
        if (grain.shapes.empty()) continue;
        const shape::Shape& s = grain.shapes.front();
        const Vec3 middle =
            (Vec3::Constant(0.5 * static_cast<double>(image.size[0])) + off) / voxels;
        Vec3 known = body.inertiaPerMass, found = s.inertiaPerMass;
        std::sort(known.data(), known.data() + 3);
        std::sort(found.data(), found.data() + 3);
        const std::array<double, 4> errors{
            grain.voxelVolume / body.volume - 1.0, grain.form.area->area / body.area - 1.0,
            (s.position - middle).norm(), (found - known).norm() / known.norm()};
        for (std::size_t k = 0; k < 4; ++k) sum[k] += errors[k] * errors[k] / cases;
        roundness += grain.form.roundness.value_or(NAN) / cases;
        elongations.push_back(*grain.form.elongation);
        flatnesses.push_back(*grain.form.flatness);
      }
      std::string row = fmt::format("| {} | {} |", body.name, voxels);
      for (std::size_t k = 0; k < 4; ++k) {
        const double error = std::sqrt(sum[k]);
        row += k == 2 ? fmt::format(" {:.1e}", error) : fmt::format(" {:.2g} %", 100.0 * error);
        if (voxels == 80) row += fmt::format(" ({:.1f})", std::log2(before[k] / error));
        row += " |";
        before[k] = error;
      }
      const auto range = [](const std::vector<double>& values) {
        const auto [low, high] = std::ranges::minmax(values);
        return fmt::format("{:.2f} to {:.2f}", low, high);
      };
      fmt::print("{} {:.2f} | {} | {} |\n", row, roundness, range(elongations), range(flatnesses));
    }
  }
}
