// SPDX-License-Identifier: GPL-3.0-or-later
// lattice and from: bodies that stand where the user puts them.
#include "packgen.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::tools {
namespace {

struct LatticeVerbOptions {
  PackOptions pack;
  std::string type = "sc";
  sim::LatticeOptions lattice;
};

int lattice(LatticeVerbOptions& options, const CommonOptions& common) {
  sim::LatticeOptions& o = options.lattice;
  o.type = sim::latticeType(options.type);
  sim::LatticeResult result = sim::lattice(libraryOf(options.pack, true, common).shapes, o);
  if (result.solidFraction > 1.0 + 1e-9 && !options.pack.allowOverlap)
    throw ModelError(
        fmt::format("--spacing {}: the bodies overlap, solid fraction {:.2f}; see --allow-overlap",
                    o.spacing.value_or(0.0), result.solidFraction));
  MadePack made;
  if (o.randomOrientation || o.jitter > 0.0)
    made.report.remark = fmt::format("packgen lattice: seed {}", o.seed);
  say(common,
      fmt::format(
          "{} on {} {} x {} x {}, cell {:.6g} x {:.6g} x {:.6g} m, solid fraction {:.6f}, seed {}",
          bodyCount(result.packing.bodies.size()), options.type, o.cells[0], o.cells[1], o.cells[2],
          result.cell.size.x(), result.cell.size.y(), result.cell.size.z(), result.solidFraction,
          o.seed));
  made.packing = std::move(result.packing);
  made.report.extra = [&](JsonWriter& json) {
    json.member("solidFraction", result.solidFraction).member("cell", result.cell.size);
    json.member("seed", o.seed);
  };
  writePack(std::move(made), options.pack, common);
  return 0;
}

struct FromVerbOptions {
  PackOptions pack;
  std::string table;
};

int fromTable(FromVerbOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  auto table = sim::readPoseTable(TextReader::fromFile(options.table),
                                  libraryOf(options.pack, false, common).shapes, diagnostics);
  options.pack.out.inputs.push_back(options.table);
  options.pack.settings.source = inputName(options.table);
  printWarnings(diagnostics, common);
  saySurveyed(table.surveyed, common);
  writePack({std::move(table.packing)}, options.pack, common);
  return 0;
}

}  // namespace

Verb addLatticeVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<LatticeVerbOptions>();
  CLI::App& verb =
      addVerb(app, "lattice", "Place bodies on a crystal lattice",
              "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
              "  packgen lattice --shape box.shp --cells 4 4 4 --walls -o cubes/conf0\n"
              "  packgen lattice --shape box.shp --type fcc --cells 2 2 2 "
              "--random-orientation -o fcc/conf0\n"
              "  packgen lattice --shape box.shp --spacing 1.5 --cells 3 1 3 --kn 1e7 --mu 0.3 -o "
              "wide/conf0");
  sim::LatticeOptions& o = options->lattice;
  verb.add_option("--type", options->type, "sc, bcc, fcc or hcp; default sc");
  addOption(verb, "--cells", o.cells, "NX NY NZ", "Cells along x, y, z; default 1 1 1",
            CLI::Range(1U, 100'000'000U));
  verb.add_option("--spacing", o.spacing,
                  "Distance between centres of nearest neighbours [m]; default touching");
  addOption(verb, "--jitter", o.jitter, "J",
            "Move each body off its site at random, by up to this share (0 to 1) of half the gap "
            "between neighbours; default 0",
            CLI::Range(0.0, 1.0));
  verb.add_flag("--random-orientation", o.randomOrientation, "Rotate each body at random");
  verb.add_option("--seed", o.seed, "Seed of orientations and jitter, default 1");
  verb.add_option("--group", o.group, "Group of the bodies, default 1")
      ->check(CLI::Range(0U, 999U));
  addPackOptions(verb, options->pack, true,
                 "Shape-file, or one shape of it; several shapes alternate");
  return {&verb, [options, &common] { return lattice(*options, common); }};
}

Verb addFromVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<FromVerbOptions>();
  CLI::App& verb =
      addVerb(app, "from", "Place bodies as a table lists them",
              "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
              "  printf 'x,y,z\\n0,2,0\\n3,2,0\\n' > poses.csv\n"
              "  packgen from poses.csv --shapes box.shp -o two/conf0\n"
              "  packgen from poses.csv --shapes box.shp --walls 0.5 --duration 2 -o walled/conf0");
  verb.add_option("TABLE", options->table,
                  "Table with a header line: x,y,z and shape, group, cluster, homothety, "
                  "qw,qx,qy,qz, vx,vy,vz, wx,wy,wz, driven; '-' is standard input")
      ->required();
  addPackOptions(verb, options->pack, true, "Shape-files, or single shapes of them");
  return {&verb, [options, &common] { return fromTable(*options, common); }};
}

}  // namespace scree::tools
