// SPDX-License-Identifier: GPL-3.0-or-later
#include "verbs.hpp"
#include "write_pack.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>

namespace scree::tools {
namespace {

struct LatticeVerbOptions {
  PackOptions pack;
  std::string type = "sc";
  std::array<std::uint32_t, 3> cells{1, 1, 1};
  std::optional<double> spacing;
  double jitter = 0.0;
  bool randomOrientation = false;
  std::uint64_t seed = 1;
  std::uint32_t group = 1;
};

int lattice(const LatticeVerbOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  sim::LatticeOptions o;
  o.type = sim::latticeType(options.type);
  o.cells = options.cells;
  o.spacing = options.spacing;
  if (!(options.jitter >= 0.0 && options.jitter <= 1.0))
    throw UsageError(
        fmt::format("--jitter: expected a number from 0 to 1, found {:.6g}", options.jitter));
  o.jitter = options.jitter;
  o.randomOrientation = options.randomOrientation;
  o.seed = options.seed;
  o.group = options.group;
  auto shapes = libraryOf(options.pack, diagnostics);
  const auto surveyed = sim::surveyShapes(shapes);
  sim::LatticeResult result = sim::lattice(std::move(shapes), o);
  if (result.mayOverlap && !options.pack.allowOverlap) {
    const std::string what = fmt::format("--spacing {}", *o.spacing);
    if (result.solidFraction > 1.0 + 1e-9)
      throw ModelError(
          fmt::format("{}: the bodies overlap, solid fraction {:.2f}; without this option bodies "
                      "touch, and --allow-overlap writes them as they are",
                      what, result.solidFraction));
    refuseOverlaps(result.packing, options.pack, what, common);
  }
  if (result.mayOverlap)
    diagnostics.warn(fmt::format("--spacing {}: bodies may overlap; without this option they touch",
                                 *o.spacing));
  printWarnings(diagnostics, common);
  saySurveyed(surveyed, common);
  std::string remark;
  if (o.randomOrientation || o.jitter > 0.0) {
    remark = fmt::format("packgen lattice: {} from seed {}",
                         !o.randomOrientation ? "positions"
                         : o.jitter > 0.0     ? "positions and orientations"
                                              : "orientations",
                         o.seed);
    say(common, remark);
  }
  say(common,
      fmt::format("{} on {} {} x {} x {}, cell {:.6g} x {:.6g} x {:.6g} m, solid fraction {:.6f}",
                  bodyCount(result.packing.bodies.size()), options.type, o.cells[0], o.cells[1],
                  o.cells[2], result.cell.size.x(), result.cell.size.y(), result.cell.size.z(),
                  result.solidFraction));
  writePack(std::move(result.packing),
            {.librariesUnchanged = surveyed.empty(),
             .remark = remark,
             .extra =
                 [&](JsonWriter& json) {
                   json.key("solidFraction").value(result.solidFraction).key("cell").beginArray();
                   for (int axis = 0; axis < 3; ++axis) json.value(result.cell.size[axis]);
                   json.end().key("seed").value(o.seed);
                 }},
            options.pack, common);
  return 0;
}

}  // namespace

Verb addLatticeVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<LatticeVerbOptions>();
  CLI::App& verb =
      *app.add_subcommand("lattice",
                          "Place bodies on a crystal lattice\n\nExamples:\n"
                          "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
                          "  packgen lattice --shape box.shp --cells 4 4 4 --walls -o cubes/conf0\n"
                          "  packgen lattice --shape box.shp --type fcc --cells 2 2 2 "
                          "--random-orientation -o fcc/conf0\n"
                          "  packgen lattice --shape box.shp --spacing 1.5 --cells 3 1 3 --kn 1e7 "
                          "--mu 0.3 -o wide/conf0");
  verb.add_option("--shape,--shapes", options->pack.libraries,
                  "Shape-file, or one shape of it; several shapes alternate")
      ->expected(1)
      ->required()
      ->take_all()
      ->option_text("FILE[:NAME]...");
  verb.add_option("--type", options->type, "sc, bcc, fcc or hcp; default sc");
  verb.add_option("--cells", options->cells, "Cells along x, y, z; default 1 1 1")
      ->each([](const std::string& word) {
        const auto n = parseInteger(word);
        if (!n || *n < 1 || *n > 100'000'000)
          throw CLI::ValidationError(
              fmt::format("expected three whole numbers from 1 to 1e8, found '{}'", word));
      })
      ->option_text("NX NY NZ");
  verb.add_option("--spacing", options->spacing,
                  "Distance between centres of nearest neighbours [m]; default touching");
  verb.add_option("--jitter", options->jitter,
                  "Move each body off its site at random, by up to this share (0 to 1) of half the "
                  "gap between neighbours; default 0")
      ->option_text("J");
  verb.add_flag("--random-orientation", options->randomOrientation, "Rotate each body at random");
  verb.add_option("--seed", options->seed, "Seed of orientations and jitter, default 1");
  verb.add_option("--group", options->group, "Group of the bodies, default 1")
      ->check(CLI::Range(0U, 999U));
  addPackOptions(verb, options->pack);
  return {&verb, [options, &common] { return lattice(*options, common); }};
}

}  // namespace scree::tools
