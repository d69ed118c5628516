// SPDX-License-Identifier: GPL-3.0-or-later
// label_packing CONF VOXEL OUT.nrrd: the free bodies of a conf-file, all convex, as a labelled
// image with voxels of a side. It stands for a scan in docs/tutorials/scan.md.
#include "label_packing.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run_input.hpp"

#include <fmt/format.h>

#include <cstdlib>

int main(int argc, char** argv) try {
  using namespace scree;
  if (argc != 4) return 2;
  Diagnostics diagnostics;
  sim::Conf conf = sim::readConfFromFile(argv[1], diagnostics);
  const auto files = sim::confFilesOf(conf, argv[1]);
  sim::RunInput input = sim::readRunInput(std::move(conf), files, diagnostics);
  const sim::Simulation packing(std::move(input.conf), std::move(input.shapes), {}, 1, diagnostics);
  Vec3 origin;
  const double voxel = std::strtod(argv[2], nullptr);
  const scan::LabelVolume image = testing::imageOf(packing, voxel, origin);
  writeFile(
      argv[3],
      fmt::format("NRRD0004\ntype: uint16\ndimension: 3\nsizes: {} {} {}\nspacings: {} {} {}\n"
                  "endian: little\nencoding: gzip\n\n",
                  image.size[0], image.size[1], image.size[2], voxel, voxel, voxel) +
          testing::gzipped(testing::bytesOf<std::uint16_t>(image)),
      Existing::replace);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
