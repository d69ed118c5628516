// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces, shapes and form of grains of known size in labelled images.
#include "catch.hpp"
#include "label_images.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/scan/grains.hpp"

#include <algorithm>
#include <cmath>

using namespace scree;
using namespace scree::testing;

namespace {

const Mat3 turned = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();

scan::Grain onlyGrain(const scan::LabelVolume& volume, scan::GrainOptions options = {}) {
  std::vector<scan::Grain> grains = scan::grainsOf(volume, options);
  REQUIRE(grains.size() == 1);
  return grains.front();
}

void fill(scan::LabelVolume& volume, std::array<std::size_t, 3> low,
          std::array<std::size_t, 3> high, std::uint32_t label) {
  for (std::size_t k = low[2]; k < high[2]; ++k)
    for (std::size_t j = low[1]; j < high[1]; ++j)
      for (std::size_t i = low[0]; i < high[0]; ++i)
        volume.labels[i + volume.size[0] * (j + volume.size[1] * k)] = label;
}

}  // namespace

TEST_CASE("bodies of 40 voxels keep volume, centre, inertia and area", "[image]") {
  const KnownBody body = GENERATE(knownBall(), knownBox({1.0, 1.0, 1.0}),
                                  knownEllipsoid({0.5, 0.4, 0.3}), knownBoulder());
  INFO(body.name);
  constexpr int voxels = 40;
  const Vec3 off(0.13, 0.27, 0.41);
  const scan::LabelVolume volume = imageOf(body, voxels, turned, off);
  const scan::Grain grain = onlyGrain(volume);
  REQUIRE(grain.shapes.size() == 1);
  const shape::Shape& s = grain.shapes.front();
  // The voxels themselves differ from the body by about 0.1 %.
  CHECK(std::abs(grain.voxelVolume / body.volume - 1.0) < 2e-3);
  CHECK(std::abs(grain.volume / grain.voxelVolume - 1.0) < 1e-6);
  CHECK(std::abs(grain.form.area->area / body.area - 1.0) < 0.01);
  const Vec3 middle = (Vec3::Constant(0.5 * static_cast<double>(volume.size[0])) + off) / voxels;
  CHECK((s.position - middle).norm() < 0.1 / voxels);
  Vec3 known = body.inertiaPerMass, found = s.inertiaPerMass;
  std::sort(known.data(), known.data() + 3);
  std::sort(found.data(), found.data() + 3);
  CHECK((found - known).norm() < 0.01 * known.norm());
  // Simplified within half a voxel of a surface that is within half a voxel of the truth.
  REQUIRE(grain.simplified);
  CHECK(grain.simplified->atMost <= 0.5 / voxels);
  CHECK(grain.faces < 1000);  // of some 15,000
  scan::GrainOptions rounded;
  rounded.faces = 60;
  rounded.import.radius = 2.0 / voxels;
  rounded.import.inset = true;
  const scan::Grain coarse = onlyGrain(volume, rounded);
  CHECK(std::abs(coarse.volume / coarse.voxelVolume - 1.0) < 1e-3);
}

TEST_CASE("surfaces of voxels converge with their number", "[image]") {
  const KnownBody body = GENERATE(knownBall(), knownBox({1.0, 1.0, 1.0}));
  INFO(body.name);
  double before = 1.0;
  for (const int voxels : {10, 20, 40}) {
    scan::GrainOptions options;
    options.faces = 1'000'000;  // not simplified
    const scan::Grain grain =
        onlyGrain(imageOf(body, voxels, turned, Vec3(0.13, 0.27, 0.41)), options);
    const double off = std::abs(grain.form.area->area / body.area - 1.0);
    CHECK(off < 0.7 * before);
    before = off;
    CHECK(grain.toVoxels * voxels < 1.0);  // corners of voxels stand out by 0.87
  }
}

TEST_CASE("form of a ball, an ellipsoid and a rounded box", "[image]") {
  const auto formAt40 = [](const KnownBody& body) {
    return onlyGrain(imageOf(body, 40, turned, Vec3(0.13, 0.27, 0.41))).form;
  };
  const scan::Form ball = formAt40(knownBall());
  CHECK(*ball.sphericity > 0.99);
  CHECK(*ball.convexity > 0.99);
  CHECK(std::abs(ball.inscribed - 0.5) < 0.02);
  CHECK(*ball.roundness > 0.9);
  CHECK(ball.lengths[2] / ball.lengths[0] > 0.97);
  const scan::Form ellipsoid = formAt40(knownEllipsoid({0.5, 0.4, 0.3}));
  CHECK(std::abs(ellipsoid.inscribed - 0.3) < 0.01);
  CHECK((ellipsoid.lengths - Vec3(1.0, 0.8, 0.6)).cwiseAbs().maxCoeff() < 0.5 / 40);
  const scan::Form box = formAt40(knownBox({1.0, 0.8, 0.6}));
  CHECK(*box.roundness < 0.4);  // edges as sharp as voxels show them
}

TEST_CASE("pieces, cavities, tunnels and the border of the image are reported", "[image]") {
  scan::LabelVolume volume = emptyImage(40, 30, 30);
  fill(volume, {2, 2, 2}, {14, 14, 14}, 5);  // with a cavity and a crumb
  fill(volume, {6, 6, 6}, {9, 9, 8}, 0);
  fill(volume, {14, 14, 14}, {16, 15, 15}, 5);  // touches at a corner
  fill(volume, {20, 4, 4}, {32, 16, 12}, 9);    // a ring
  fill(volume, {24, 8, 4}, {28, 12, 12}, 0);
  fill(volume, {2, 20, 20}, {4, 22, 22}, 3);  // small
  fill(volume, {30, 20, 20}, {40, 28, 28}, 70'000);
  scan::GrainOptions options;
  const std::vector<scan::Grain> grains = scan::grainsOf(volume, options);
  REQUIRE(grains.size() == 4);
  CHECK(grains[0].label == 3);
  CHECK(grains[0].refusal == "small");
  CHECK(grains[1].pieces == 2);
  CHECK(grains[1].strayVoxels == 2);
  CHECK(grains[1].holes == 1);
  CHECK(grains[1].holeVoxels == 18);
  CHECK(grains[1].voxelVolume == 12.0 * 12.0 * 12.0);
  CHECK(std::abs(grains[1].volume / grains[1].voxelVolume - 1.0) < 1e-6);
  CHECK(grains[2].tunnels == 1);
  CHECK(grains[2].refusal.empty());
  CHECK(grains[3].border);
  CHECK(grains[3].refusal == "border");
  options.keepBorder = true;
  CHECK(scan::grainsOf(volume, options)[3].refusal.empty());
}

TEST_CASE("voxels that touch at edges and corners still give a closed surface", "[image]") {
  // A bar from which chance takes voxels, so that all kinds of contacts occur.
  Rng rng(7);
  scan::LabelVolume volume = emptyImage(24, 20, 20);
  fill(volume, {2, 2, 2}, {22, 18, 18}, 1);
  for (std::uint32_t& label : volume.labels)
    if (rng.uniform() < 0.35) label = 0;
  scan::GrainOptions options;
  options.faces = 1'000'000;
  const scan::Grain grain = onlyGrain(volume, options);
  INFO(grain.refusal);
  CHECK(grain.tunnels > 0);
  REQUIRE(grain.warnings.size() == 1);
  CHECK(grain.warnings[0].find("voxels filled where it touches itself") != std::string::npos);
  REQUIRE(grain.shapes.size() == 1);
  CHECK(shape::checkEdges(grain.shapes[0].faces).closed());
  CHECK(std::abs(grain.volume / grain.voxelVolume - 1.0) < 0.01);
}

TEST_CASE("grains are the same on any number of threads, in voxels of any sides", "[image]") {
  scan::LabelVolume volume = emptyImage(60, 30, 20);
  volume.voxel = Vec3(1e-5, 1e-5, 2e-5);
  for (std::uint32_t label = 1; label < 4; ++label)
    rasterise(
        volume, [](const Vec3& x) { return x.cwiseQuotient(Vec3(1, 1, 0.5)).norm() < 0.5; },
        Mat3::Identity(), Vec3(16.3 * label, 15.2, 10.1), 14, label);
  scan::GrainOptions options;
  const std::vector<scan::Grain> one = scan::grainsOf(volume, options);
  options.import.threads = 3;
  const std::vector<scan::Grain> three = scan::grainsOf(volume, options);
  REQUIRE(one.size() == 3);
  for (std::size_t g = 0; g < 3; ++g) {
    REQUIRE(one[g].refusal.empty());
    CHECK(one[g].shapes[0].vertices == three[g].shapes[0].vertices);
    CHECK(std::abs(one[g].volume / (2e-15 * static_cast<double>(one[g].voxels)) - 1.0) < 1e-6);
    // A ball of 14 voxels of 1e-5: each end is within half a voxel, which are 2e-5 along z.
    CHECK((one[g].form.lengths - Vec3::Constant(14e-5)).cwiseAbs().maxCoeff() < 2e-5);
  }
  CHECK_THROWS_AS(scan::grainsOf(emptyImage(4, 4, 4), options), ModelError);
}
