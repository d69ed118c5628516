// SPDX-License-Identifier: GPL-3.0-or-later
// terrain: meshes and grids in, driven surfaces or their heights out.
#include "option_checks.hpp"
#include "packgen.hpp"

#include "scree/base/table.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/version.hpp"
#include "scree/shape/make.hpp"
#include "scree/sim/pack/terrain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace scree::tools {
namespace {

struct TerrainVerbOptions {
  std::vector<std::string> sources, zones;  ///< FILE[:GROUP]
  sim::TerrainOptions terrain;
  std::string output = "terrain.shp", grid, heights;
  double cell = 0.0;  ///< [L] of `grid`
};

/// Splits FILE[:GROUP]. Groups that are not given are 0, 2, 3, ... in the order of the calls.
std::pair<std::string, std::uint32_t> fileAndGroup(std::string text, std::uint32_t& next) {
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos && colon > 0)
    if (const auto group = parseInteger(text.substr(colon + 1)))
      if (*group >= 0 && *group <= 999)
        return {text.substr(0, colon), static_cast<std::uint32_t>(*group)};
  const std::uint32_t group = std::min(next, 999U);
  next = next == 0 ? 2 : next + 1;
  return {std::move(text), group};
}

int terrain(TerrainVerbOptions& o, const CommonOptions& common) {
  std::uint32_t next = 0;
  PackOptions pack;
  std::vector<std::string>& inputs = pack.out.inputs;
  std::vector<sim::TerrainSource> sources;
  for (const std::string& text : o.sources) {
    const auto& [file, group] = fileAndGroup(text, next);
    sources.push_back({inputs.emplace_back(file), {}, group});
  }
  for (std::string& text : o.zones) {
    const auto& [file, group] = fileAndGroup(text, next);
    o.terrain.zones.push_back({{}, group});
    text = inputs.emplace_back(file);
  }
  if (!o.heights.empty()) inputs.push_back(o.heights);
  if (o.heights.empty() && o.terrain.radius == 0.0)
    throw UsageError("--radius R is required: the rounding of the surface");
  checkFiles(inputs, {o.grid, o.heights.empty() ? o.output : ""}, common);

  Diagnostics diagnostics(common.strict);
  std::vector<sim::TerrainTriangle> triangles;
  for (sim::TerrainSource& source : sources) {
    source.mesh = sim::readTerrain(source.name, diagnostics);
    sim::addTriangles(shape::shapeFromMesh(source.mesh, 0.0), {}, triangles);
  }
  printWarnings(diagnostics, common);
  const sim::HeightField field(std::move(triangles));
  if (!o.heights.empty()) {
    std::vector<Row> rows;
    for (const Vec2& p : sim::readPoints(o.heights))
      rows.push_back({p.x(), p.y(), field.heightAt(p.x(), p.y()).value_or(NAN)});
    printResult(tableText(common.json ? TableFormat::json : TableFormat::csv,
                          {fmt::format("packgen {} (Scree)", version()),
                           "packgen terrain --heights", columnsFrom("x:m z:m y:m")},
                          rows));
    return 0;
  }
  for (std::size_t k = 0; k < o.zones.size(); ++k)
    o.terrain.zones[k].outline = sim::readPoints(o.zones[k]);
  const sim::TerrainFigures figures = sim::figuresOf(field);
  const Vec3 low = field.box().low, high = field.box().high;
  const std::string grid = o.grid.empty() ? "" : sim::gridText(sim::gridOf(field, o.cell));
  o.terrain.threads = threadCount(common.jobs);
  MadePack made;
  made.packing = sim::terrainOf(sources, o.terrain);
  made.report.reasons.push_back(fmt::format(
      "{} triangles; x {:.6g} to {:.6g}, y {:.6g} to {:.6g}, z {:.6g} to {:.6g} m; {:.6g} m2 in "
      "plan, {:.6g} m2 of surface, up to {:.3g} degrees steep",
      field.triangles().size(), low.x(), high.x(), low.y(), high.y(), low.z(), high.z(),
      figures.planArea, figures.area, figures.steepest));
  made.report.extra = [&](JsonWriter& json) {
    json.member("triangles", field.triangles().size()).member("low", low).member("high", high);
    json.member("area", figures.area).member("planArea", figures.planArea);
    json.member("steepest", figures.steepest);
  };
  pack.out.library = o.output;
  pack.out.conf = std::filesystem::path(o.output).replace_extension(".conf").string();
  writePack(std::move(made), pack, common);
  if (!o.grid.empty()) writeFile(o.grid, grid, common.existing());
  return 0;
}

}  // namespace

Verb addTerrainVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<TerrainVerbOptions>();
  CLI::App& verb = addVerb(
      app, "terrain",
      "Turn meshes and ESRI ASCII grids into driven surfaces, in tiles and groups; or report their "
      "heights",
      "  shapeSurvey make slope --size 24 12 16 --steps 8 -o slope.shp\n"
      "  shapeSurvey export slope.shp -o slope.stl\n"
      "  packgen terrain slope.stl --radius 0.05 --tile 4 -o terrain.shp\n"
      "  printf 'x,z\\n0,-8\\n12,-8\\n12,8\\n0,8\\n' > upper.csv\n"
      "  packgen terrain slope.stl --radius 0.05 --zone upper.csv:7 --grid slope.asc --cell 0.5 -o "
      "zones.shp\n"
      "  printf 'x,z\\n3,0\\n9,-2\\n' | packgen terrain slope.asc --heights -",
      "y is up, x is east, -z is north. A grid has its heights at the middle of its cells.\n"
      "Several files are zones: groups 0, 2, 3, ... unless FILE:GROUP names others.");
  verb.add_option("SOURCE", options->sources,
                  "Meshes (STL, OBJ, PLY, OFF) or ESRI ASCII grids; '-' is standard input")
      ->required()
      ->option_text("FILE[:GROUP]...");
  verb.add_option("--radius", options->terrain.radius,
                  "Rounding of the surface [m], which lies on both sides of it")
      ->check(positiveNumber())
      ->option_text("R");
  verb.add_option("--tile", options->terrain.tile,
                  "Divide it into bodies of squares of this side [m] in plan; default one for each "
                  "group, in which a run of Scree searches faster")
      ->check(positiveNumber())
      ->option_text("L");
  verb.add_option("--zone", options->zones,
                  "Outline in plan, a table with columns x,z: faces whose middle is inside it are "
                  "a group of their own; may be repeated, the last one counts")
      ->expected(1)
      ->take_all()
      ->option_text("FILE.csv[:GROUP]");
  CLI::Option* output = verb.add_option("-o,--output", options->output,
                                        "Shape-file to write, default terrain.shp. The conf-file "
                                        "beside it has the same name with .conf");
  CLI::Option* grid = verb.add_option("--grid", options->grid,
                                      "Write the heights as an ESRI ASCII grid, too; needs --cell")
                          ->option_text("FILE.asc");
  CLI::Option* cell = verb.add_option("--cell", options->cell, "Side of its cells [m]")
                          ->check(positiveNumber())
                          ->needs(grid)
                          ->option_text("L");
  grid->needs(cell);
  verb.add_option("--heights", options->heights,
                  "Write no files; print the height at each point of a table with columns x,z, nan "
                  "beside the terrain. '-' is standard input")
      ->excludes(output)
      ->excludes(grid)
      ->option_text("FILE.csv");
  return {&verb, [options, &common] { return terrain(*options, common); }};
}

}  // namespace scree::tools
