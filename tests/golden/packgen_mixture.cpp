// SPDX-License-Identifier: GPL-3.0-or-later
// packgen fill as a whole, with thousands of mixed bodies: time, memory, and a distance of its own.
// For tests/long/packings.sh.
#include "catch.hpp"
#include "command.hpp"
#include "packing_gaps.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <sys/resource.h>

using namespace scree;
using namespace scree::testing;

namespace {

/// What the programs that have ended took: processor time of all [s], memory of the largest [B].
struct Taken {
  double seconds = 0.0, bytes = 0.0;
};
Taken takenByChildren() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {seconds(used.ru_utime) + seconds(used.ru_stime),
          1024.0 * static_cast<double>(used.ru_maxrss)};
}

/// A box that holds so many bodies, a quarter each, at the solid fraction 0.55.
std::string boxFor(const std::vector<PiecedShape>& shapes, double number) {
  double mean = 0.0;
  for (const PiecedShape& s : shapes) mean += 0.25 * s.shape.volume;
  return fmt::format("box:{0},{0},{0}", std::cbrt(number * mean / 0.55));
}

void mustFill(const Folder& folder, const std::string& box) {
  const Outcome made = run(folder, "packgen fill --shapes shapes.shp --container " + box +
                                       " --solid-fraction 0.55 -q --force -o made/conf0");
  INFO(made.err);
  REQUIRE(made.code == 0);
}

}  // namespace

TEST_CASE("packgen packs thousands of mixed bodies within its time and memory",
          "[.][golden][packgen][mixture]") {
  const double number = GENERATE(10'000.0, 100'000.0);
  const double within = number > 5e4 ? 720.0 : 60.0;  // [s] on two cores
  const auto pieced = mixedShapes();
  const auto shapes = shapesOf(pieced);
  const Folder folder;
  folder.write("shapes.shp", shape::shapesText(shapes));
  // The memory of the largest program so far: known for the small one only before all others.
  static const double small = (mustFill(folder, boxFor(pieced, 100.0)), takenByChildren().bytes);
  const double before = takenByChildren().seconds;
  const std::string box = boxFor(pieced, number);
  const auto begin = std::chrono::steady_clock::now();
  mustFill(folder, box);
  const Taken all = takenByChildren();
  const double clock =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double seconds = all.seconds - before;

  Diagnostics quiet;
  const sim::Conf conf = sim::readConfFromFile(folder.path("made/conf0"), quiet);
  std::vector<sim::PlacedBody> bodies;
  double solid = 0.0;
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k) {
    const sim::ParticleRecord& p = conf.particles[k];
    sim::PlacedBody b;
    const std::string& name = conf.shapeNames.at(p.shapeName);
    while (b.shape < shapes.size() && shapes[b.shape].name != name) ++b.shape;
    REQUIRE(b.shape < shapes.size());
    b.homothety = p.homothety;
    b.pos = p.pos;
    b.q = p.q;
    solid += std::pow(b.homothety, 3) * shapes[b.shape].volume;
    bodies.push_back(b);
  }
  const sim::Container container = sim::Container::parse(box);
  double size = HUGE_VAL;
  for (const shape::Shape& s : shapes) size = std::min(size, 2.0 * sim::boundingRadius(s));
  const double gap = leastGapOf(pieced, bodies, container);
  const double depth = leastDepthOf(pieced, bodies, container);
  const double overlap = std::max(0.0, -std::min(gap, depth)) / size;
  double turned = 0.0;  // over its limit
  for (std::uint32_t k = 0; k < 4; ++k) {
    double n = 0.0;
    for (const sim::PlacedBody& b : bodies) n += b.shape == k;
    CHECK(std::abs(n / static_cast<double>(bodies.size()) - 0.25) < 1e-3);
    turned = std::max(turned, anisotropyOf(bodies, k) * std::sqrt(n) / 4.0);
  }
  const double bytes = (all.bytes - small) / number;
  std::printf(
      "%zu bodies of packgen fill at %.4f: overlap %.1e, orientations at %.2f of their limit, "
      "%.0f s of CPU, %.0f s, %.0f MB, %.0f bytes a body beyond the %.0f MB of 100 bodies\n",
      bodies.size(), solid / container.volume(), overlap, turned, seconds, clock, all.bytes / 1e6,
      bytes, small / 1e6);
  CHECK(static_cast<double>(bodies.size()) > 0.999 * number);
  CHECK(solid / container.volume() == Approx(0.55).epsilon(1e-6));
  CHECK(overlap <= 1e-6);
  CHECK(turned <= 1.0);
  CHECK(seconds < 2.0 * within);
  CHECK(bytes < 4000.0);
  if (number > 5e4) CHECK(all.bytes / number < 4000.0);  // the program included
}
