// SPDX-License-Identifier: GPL-3.0-or-later
// terrain: meshes and grids in, driven surfaces or their heights out.
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

/// Splits FILE[:GROUP]. @param number  of the file; group 1 is that of bodies that fall
std::pair<std::string, std::uint32_t> fileAndGroup(const std::string& text, std::size_t number) {
  const std::size_t colon = std::min(text.rfind(':'), text.size() - 1);
  const auto group = parseInteger(text.substr(colon + 1));
  if (group && *group >= 0 && *group <= 999)
    return {text.substr(0, colon), static_cast<std::uint32_t>(*group)};
  return {text, static_cast<std::uint32_t>(number == 0 ? 0 : number + 1)};
}

int terrain(TerrainVerbOptions& o, const CommonOptions& common) {
  PackOptions pack;
  std::vector<std::string>& inputs = pack.out.inputs;
  std::vector<sim::TerrainSource> sources;
  for (const std::string& text : o.sources) {
    const auto& [file, group] = fileAndGroup(text, inputs.size());
    sources.push_back({inputs.emplace_back(file), {}, group});
  }
  for (std::string& text : o.zones) {
    const auto& [file, group] = fileAndGroup(text, inputs.size());
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
    source.mesh = sim::readTerrain(source.name, common.force, diagnostics);
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
  if (std::ranges::all_of(field.triangles(), [](const sim::TerrainTriangle& t) {
        return (t.b - t.a).cross(t.c - t.a).isZero(0.0);
      }))
    throw ModelError("the terrain has no area");
  const Vec3 low = field.box().low, high = field.box().high;
  const std::string grid = o.grid.empty() ? "" : sim::gridText(sim::gridOf(field, o.cell));
  o.terrain.threads = threadCount(common.jobs);
  MadePack made{sim::terrainOf(sources, o.terrain)};
  made.report.reasons.push_back(fmt::format(
      "{} triangles; x {:.6g} to {:.6g}, y {:.6g} to {:.6g}, z {:.6g} to {:.6g} m",
      field.triangles().size(), low.x(), high.x(), low.y(), high.y(), low.z(), high.z()));
  made.report.extra = [&](JsonWriter& json) {
    json.member("triangles", field.triangles().size()).member("low", low).member("high", high);
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
  addOption(verb, "SOURCE", options->sources, "FILE[:GROUP]...",
            "Meshes (STL, OBJ, PLY, OFF) or ESRI ASCII grids; '-' is standard input")
      ->required();
  addOption(verb, "--radius", options->terrain.radius, "R",
            "Rounding of the surface [m], which lies on both sides of it", positiveNumber());
  addOption(verb, "--tile", options->terrain.tile, "L",
            "Divide it into bodies of squares of this side [m] in plan; default one for each "
            "group, in which a run of Scree searches faster",
            positiveNumber());
  addOption(verb, "--zone", options->zones, "FILE.csv[:GROUP]",
            "Outline in plan, a table with columns x,z: faces whose middle is inside it are "
            "a group of their own; may be repeated, the last one counts")
      ->expected(1)
      ->take_all();
  CLI::Option* output = verb.add_option("-o,--output", options->output,
                                        "Shape-file to write, default terrain.shp. The conf-file "
                                        "beside it has the same name with .conf");
  CLI::Option* grid = addOption(verb, "--grid", options->grid, "FILE.asc",
                                "Write the heights as an ESRI ASCII grid, too; needs --cell");
  CLI::Option* cell =
      addOption(verb, "--cell", options->cell, "L", "Side of its cells [m]", positiveNumber())
          ->needs(grid);
  grid->needs(cell);
  addOption(verb, "--heights", options->heights, "FILE.csv",
            "Write no files; print the height at each point of a table with columns x,z, nan "
            "beside the terrain. '-' is standard input")
      ->excludes(output)
      ->excludes(grid);
  return {&verb, [options, &common] { return terrain(*options, common); }};
}

}  // namespace scree::tools
