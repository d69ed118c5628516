// SPDX-License-Identifier: GPL-3.0-or-later
// A packing goes through an image and comes back: shapes, places, form, and a run of it.
#include "label_packing.hpp"
#include "tool_test.hpp"

#include "scree/shape/rounded_surface.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/run_input.hpp"

namespace {

sim::Simulation packingOf(const std::string& path) {
  Diagnostics diagnostics;
  sim::Conf conf = sim::readConfFromFile(path, diagnostics);
  const auto files = sim::confFilesOf(conf, path);
  sim::RunInput input = sim::readRunInput(std::move(conf), files, diagnostics);
  return sim::Simulation(std::move(input.conf), std::move(input.shapes), {}, 1, diagnostics);
}

double meanOf(const Table& table, const std::string& column) {
  double sum = 0.0;
  for (std::size_t r = 0; r < table.rows.size(); ++r) sum += table.number(r, column);
  return sum / static_cast<double>(table.rows.size());
}

/// Boulders of three forms packed in a box, as an image of so many voxels in the mean size,
/// imported.
void checkRoundTrip(int number, int voxels, int faces) {
  const Folder folder;
  for (int k = 1; k <= 3; ++k)
    mustRun(folder, "shapeSurvey make boulder --size 1 0." + std::to_string(9 - k) + " 0." +
                        std::to_string(8 - k) + " --radius 0.15 --seed " + std::to_string(k) +
                        " --name B" + std::to_string(k) + " -o b" + std::to_string(k) + ".shp");
  const double side = std::cbrt(0.35 * number / 0.5);
  const std::string length = std::to_string(side);
  mustRun(folder, "packgen fill --shapes b1.shp --shapes b2.shp --shapes b3.shp --container box:" +
                      length + "," + length + "," + length + " --jammed --number " +
                      std::to_string(number) + " -o jammed/conf0");
  const sim::Simulation original = packingOf(folder / "jammed/conf0");
  const sim::Bodies& b = original.bodies();
  const double voxel = 1.0 / voxels;
  Vec3 origin;
  const scan::LabelVolume image = imageOf(original, voxel, origin);
  writeTiff<std::uint16_t>(folder / "scan.tif", image, "w", {COMPRESSION_LZW});

  expect(folder,
         "shapeSurvey import scan.tif --voxel " + std::to_string(voxel) + " --radius " +
             std::to_string(1.5 * voxel) + " --inset --faces " + std::to_string(faces) +
             " -o scan.shp --conf scan.conf --table scan.csv",
         0, {std::to_string(number) + " grains imported"});

  // Each grain is within half a voxel, root mean square, of the one that it was. Its rounded
  // surface is compared with the one of the original.
  Diagnostics diagnostics;
  double square = 0.0, farthest = 0.0, centres = 0.0;
  std::size_t points = 0;
  for (const shape::Shape& s : shape::readShapesFromFile(folder / "scan.shp", diagnostics)) {
    const std::size_t k = b.driven + std::stoul(s.name.substr(s.name.find('_') + 1)) - 1;
    centres = std::max(centres, (origin + s.position - b.pos[k]).norm());
    const shape::Shape& known = original.shapes()[b.shape[k]];
    const shape::SurfaceDistance core(
        shape::SurfaceMesh{known.vertices, shape::coreOf(known).faces});
    for (const Vec3& p : shape::roundedSurface(s, 2).points) {
      const Vec3 at = origin + s.position + rotated(s.orientation, p);
      const Vec3 own = rotated(b.q[k].conjugate(), Vec3(at - b.pos[k])) / b.homothety[k];
      const double off = std::abs(core.nearest(own).distance - known.radius) * b.homothety[k];
      square += off * off;
      farthest = std::max(farthest, off);
      ++points;
    }
  }
  const double mean = std::sqrt(square / static_cast<double>(points)) / voxel;
  CAPTURE(mean, farthest / voxel, centres / voxel);
  CHECK(mean < 0.5);
  CHECK(farthest < 2.0 * voxel);
  CHECK(centres < 0.25 * voxel);

  // Form: means over the grains against those of the originals, by number.
  mustRun(folder,
          "cat b1.shp b2.shp b3.shp > known.shp; shapeSurvey info known.shp --table known.csv");
  const Table found = readTable(folder / "scan.csv"), known = readTable(folder / "known.csv");
  for (const auto& [column, tolerance] :
       {std::pair("elongation", 0.02), std::pair("flatness", 0.02), std::pair("sphericity", 0.02),
        std::pair("convexity", 0.02)}) {
    CAPTURE(column, meanOf(found, column), meanOf(known, column));
    CHECK(std::abs(meanOf(found, column) - meanOf(known, column)) < tolerance);
  }

  // Voxels make corners look rounder, the less of them there are; with too few there is no
  // roundness (docs/meshes.md).
  double rounder = 0.0;
  std::size_t resolved = 0;
  for (std::size_t r = 0; r < found.rows.size(); ++r)
    if (const double roundness = found.number(r, "roundness"); !std::isnan(roundness)) {
      rounder += roundness - meanOf(known, "roundness");
      ++resolved;
    }
  CAPTURE(resolved, rounder);
  CHECK((resolved > 0) == (voxels > 30));
  CHECK(rounder >= 0.0);
  CHECK(rounder <= 0.25 * static_cast<double>(resolved));

  mustRun(folder, "rockable scan.conf --check --strict");
  expect(folder, "rockable scan.conf --strict --steps 1000 -o run", 0);
}

}  // namespace

TEST_CASE("a packing comes back from its image, with form and contacts, and runs",
          "[golden][image]") {
  checkRoundTrip(30, 20, 100);
}

TEST_CASE("a grain of several shapes stands where its voxels do", "[golden][image]") {
  const Folder folder;
  scan::LabelVolume image = emptyImage(40, 40, 20);
  Vec3 centre = Vec3::Zero();
  double voxels = 0.0;
  for (std::size_t k = 4; k < 16; ++k)
    for (std::size_t j = 4; j < 36; ++j)
      for (std::size_t i = 4; i < 36; ++i) {
        if (i >= 14 && j >= 12) continue;
        image.labels[i + 40 * (j + 40 * k)] = 1;
        centre += Vec3(double(i) + 0.5, double(j) + 0.5, double(k) + 0.5);
        ++voxels;
      }
  writeTiff<std::uint16_t>(folder / "l.tif", image, "w");
  mustRun(folder,
          "shapeSurvey import l.tif --voxel 1 --radius 0.5 --decompose 2 -o l.shp --table l.csv");
  const Table table = readTable(folder / "l.csv");
  CHECK(table.number(0, "shapes") == 2);
  // The rounding of the image moves corners by half a voxel.
  CHECK(table.number(0, "x") == Approx(centre.x() / voxels).margin(0.25));
  CHECK(table.number(0, "y") == Approx(centre.y() / voxels).margin(0.25));
  CHECK(table.number(0, "z") == Approx(centre.z() / voxels).margin(0.25));
}

TEST_CASE("500 grains come back from their image, with form and contacts, and run", "[.][image]") {
  checkRoundTrip(500, 32, 120);
}
