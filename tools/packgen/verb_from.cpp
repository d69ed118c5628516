// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tool.hpp"
#include "verbs.hpp"
#include "write_pack.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <memory>

namespace scree::tools {
namespace {

struct FromVerbOptions {
  PackOptions pack;
  std::string table;
};

int fromTable(FromVerbOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  options.pack.otherInputs = {options.table};
  auto table = sim::readPoseTable(TextReader::fromFile(options.table),
                                  libraryOf(options.pack, diagnostics), diagnostics);
  printWarnings(diagnostics, common);
  saySurveyed(table.surveyed, common);
  MadePack made;
  made.packing = std::move(table.packing);
  made.unchanged = table.surveyed.empty();
  made.source = inputName(options.table);
  writePack(std::move(made), options.pack, common);
  return 0;
}

}  // namespace

Verb addFromVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<FromVerbOptions>();
  CLI::App& verb = *app.add_subcommand(
      "from",
      "Place bodies as a table lists them\n\nExamples:\n"
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  printf 'x,y,z\\n0,2,0\\n3,2,0\\n' > poses.csv\n"
      "  packgen from poses.csv --shapes box.shp -o two/conf0\n"
      "  packgen from poses.csv --shapes box.shp --walls 0.5 --duration 2 -o walled/conf0");
  verb.add_option(
          "TABLE", options->table,
          "Table with a header line: x,y,z and shape, group, cluster, homothety, qw,qx,qy,qz, "
          "vx,vy,vz, wx,wy,wz, driven; '-' is standard input")
      ->required();
  addShapeOption(verb, "--shapes,--shape", options->pack.libraries,
                 "Shape-files, or single shapes of them");
  addPackOptions(verb, options->pack);
  return {&verb, [options, &common] { return fromTable(*options, common); }};
}

}  // namespace scree::tools
