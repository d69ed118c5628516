// SPDX-License-Identifier: GPL-3.0-or-later
// import of a labelled image.
#include "import_image.hpp"

#include "read_image.hpp"

#include "scree/mass/morphology.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/fill.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace scree::tools {
namespace {

using scan::Grain;
using Json = nlohmann::ordered_json;

/// Columns of the table behind those of info.
constexpr std::array<const char*, 20> moreColumns{
    "/label",  "/state",       "/voxels",    "/voxelVolume",      "/volumeDifference",
    "/pieces", "/strayVoxels", "/holes",     "/holeVoxels",       "/tunnels",
    "/border", "/faces",       "/inscribed", "/simplifiedAtMost", "/toVoxels",
    "/x",      "/y",           "/z",         "/warnings",         "/shapes"};

/// Members of a grain, named as those of info.
Json jsonOf(const Grain& g, const std::optional<double>& density) {
  Json out{{"name", g.shapes.empty() ? Json() : Json(g.shapes.front().name)}};
  out["label"] = g.label;
  out["state"] = g.refusal.empty() ? "imported" : g.refusal;
  out["voxels"] = g.voxels;
  out["border"] = g.border;
  if (g.voxelVolume > 0.0) {
    out["pieces"] = g.pieces;
    out["strayVoxels"] = g.strayVoxels;
    out["holes"] = g.holes;
    out["holeVoxels"] = g.holeVoxels;
    out["tunnels"] = g.tunnels;
    out["voxelVolume"] = g.voxelVolume;
  }
  if (g.shapes.empty()) return out;
  out["method"] = "image";
  out["volume"] = g.volume;
  out["mass"] = density ? Json(*density * g.volume) : Json();
  out["volumeDifference"] = g.volume / g.voxelVolume - 1.0;
  const scan::Form& f = g.form;
  for (Eigen::Index k = 0; k < 3; ++k) {
    out[std::string("side") + "ABC"[k]] = f.sides[k];
    out[std::string(1, "xyz"[k])] = g.shapes.front().position[k];
  }
  out["zingg"] = {{"elongation", f.sides[1] / f.sides[0]}, {"flatness", f.sides[2] / f.sides[1]}};
  out["zinggClass"] = mass::zinggClass(f.box);
  out["equivalentDiameter"] = std::cbrt(6.0 * f.volume / pi);
  out["area"] = f.area;
  out["sphericity"] = f.sphericity;
  out["convexity"] = f.convexity;
  out["roundness"] = f.roundness;
  out["inscribed"] = f.inscribed;
  out["faces"] = g.faces;
  if (g.simplified) out["simplifiedAtMost"] = g.simplified->atMost;
  out["toVoxels"] = g.toVoxels;
  out["warnings"] = g.warnings.size();
  out["shapes"] = g.shapes.size();
  return out;
}

/// One line for the grains of one kind: their number and the first labels; none for no grain.
void sayKind(const CommonOptions& common, const std::vector<Grain>& grains, const std::string& what,
             const std::function<bool(const Grain&)>& is) {
  std::vector<std::uint32_t> labels;
  std::size_t count = 0;
  for (const Grain& g : grains)
    if (is(g) && ++count <= 10) labels.push_back(g.label);
  if (count > 0)
    say(common, fmt::format("  {} {}: {}{}", counted(count, "label"), what, fmt::join(labels, " "),
                            count > labels.size() ? " ..." : ""));
}

void report(const std::vector<Grain>& grains, const ImageImport& o, const CommonOptions& common,
            Diagnostics& diagnostics) {
  const auto done = [](const Grain& g) { return g.refusal.empty(); };
  sayKind(common, grains, "at the border of the image left out (--border keep takes them)",
          [](const Grain& g) { return g.refusal == "border"; });
  sayKind(common, grains,
          fmt::format("below {} voxels left out (--least-voxels)", o.grains.leastVoxels),
          [](const Grain& g) { return g.refusal == "small"; });
  sayKind(common, grains, "in several pieces, of which the largest is taken",
          [&](const Grain& g) { return done(g) && g.pieces > 1; });
  sayKind(common, grains, "with cavities, which are filled",
          [&](const Grain& g) { return done(g) && g.holes > 0; });
  sayKind(common, grains, "with tunnels", [&](const Grain& g) { return done(g) && g.tunnels > 0; });
  for (const Grain& g : grains) {
    if (!done(g) && g.refusal != "border" && g.refusal != "small")
      diagnostics.warn(fmt::format("label {}: no shape: {}", g.label, g.refusal));
    for (const std::string& warning : g.warnings)
      diagnostics.warn(fmt::format("label {}: {}", g.label, warning));
  }
  std::size_t count = 0, faces = 0;
  double off = 0.0, apart = 0.0, toVoxels = 0.0, voxels = 0.0, solid = 0.0;
  for (const Grain& g : grains) {
    if (!done(g)) continue;
    ++count;
    faces += g.faces;
    off = std::max(off, std::abs(g.volume / g.voxelVolume - 1.0));
    if (g.simplified) apart = std::max(apart, g.simplified->atMost);
    toVoxels = std::max(toVoxels, g.toVoxels);
    voxels += g.voxelVolume;
    solid += g.volume;
  }
  const double side = o.voxel.minCoeff();
  if (count == 0) throw ModelError(fmt::format("{}: no grain is left to import", o.path));
  say(common,
      fmt::format("  {} imported, {} faces each on average; volume of voxels {:.6g}, of shapes "
                  "{:.6g} ({:+.3g} %; a single one differs by {:.2g} % at most)",
                  counted(count, "grain"), faces / count, voxels, solid,
                  100.0 * (solid / voxels - 1.0), 100.0 * off));
  say(common,
      fmt::format("  simplified by at most {:.3g} ({:.2g} voxels); corners of voxels are at "
                  "most {:.3g} away ({:.2g} voxels)",
                  apart, apart / side, toVoxels, toVoxels / side));
}

/// Writes the packing as scanned, and says what it is like.
void writeConf(const std::vector<Grain>& grains, const ImageImport& o, const CommonOptions& common,
               Diagnostics& diagnostics) {
  sim::Packing packing;
  double smallest = HUGE_VAL;
  for (const Grain& g : grains)
    for (const shape::Shape& s : g.shapes) {
      sim::PlacedBody body;
      body.shape = static_cast<std::uint32_t>(packing.shapes.size());
      body.cluster = static_cast<std::int32_t>(packing.bodies.size()) + 1;
      sim::moveToBodyFrame(body, s);
      packing.shapes.push_back(s);
      packing.bodies.push_back(body);
      smallest = std::min(smallest, 2.0 * s.obb.extent.minCoeff());
    }
  // A run calls an overlap deep above 1 % of a size.
  const sim::PushedApart apart =
      sim::pushedApart(packing.shapes, packing.bodies, 0.004 * smallest, o.grains.import.threads);
  packing.bodies = apart.bodies;
  const double side = o.voxel.minCoeff();
  say(common, fmt::format("as scanned, grains overlap by up to {:.3g} ({:.2g} voxels); moved by "
                          "{:.2g} voxels on average and {:.2g} at most, by up to {:.3g}",
                          apart.before, apart.before / side, apart.meanMove / side,
                          apart.largestMove / side, apart.after));
  if (o.walls) sim::addWalls(packing, 0.0);
  sim::PackSettings settings;
  settings.source = o.conf;
  settings.threads = o.grains.import.threads;
  if (o.density) settings.density.general = *o.density;
  sim::CompletedConf done = sim::completed(packing, settings, diagnostics);
  const std::string library = o.walls ? std::string(withoutZst(o.conf)) + ".shp" : o.output;
  done.conf.shapeFile = relativeTo(library, std::filesystem::path(o.conf).parent_path().string());
  if (const std::string why = sim::whyNoShapeFileName(done.conf.shapeFile); !why.empty())
    throw UsageError(why);
  done.conf.iconf = static_cast<int>(sim::confNumber(o.conf).value_or(0));
  Diagnostics ignored;  // completed() has warned
  const sim::Simulation simulation(done.conf, done.shapes, {}, settings.threads, ignored);
  const sim::Overlaps overlaps = sim::overlapsOf(simulation);
  if (overlaps.deep > 0 || apart.crossings > 0)
    diagnostics.warn(fmt::format(
        "{}: {} contacts are deeper than 1 % of a size, {} pairs of skeletons cross; a larger "
        "--radius with --inset, or --hull, helps",
        o.conf, overlaps.deep, apart.crossings));
  sim::checkStart(simulation, true, diagnostics);
  for (const std::string& reason : done.reasons) say(common, reason);
  const sim::PackingInfo info = sim::packingInfo(simulation);
  say(common, fmt::format("{}: {} in contact, {:.3g} contacts a grain, deepest {:.2g} % of a size",
                          o.conf, counted(info.coordination.contacts, "pair"),
                          info.coordination.mean, 100.0 * overlaps.worst));
  if (library != o.output) writeFile(library, shape::shapesText(packing.shapes), common.existing());
  writeFile(o.conf, sim::confText(done.conf), common.existing());
}

}  // namespace

int importImage(ImageImport& o, const CommonOptions& common) {
  if (!o.conf.empty() && (o.output == "-" || o.conf == "-"))
    throw UsageError("--conf needs -o FILE: the conf-file names the shape-file");
  if (!o.conf.empty() && o.grains.import.decompose)
    throw UsageError("--conf: places one shape a grain, --decompose makes several");
  checkReportGoesElsewhere(common.json, o.output);
  checkFiles({o.path}, {o.output, o.conf, o.table}, common);
  Diagnostics diagnostics(common.strict);
  const scan::LabelVolume volume = readLabels(o.path, o.voxel, o.raw, diagnostics);
  sayDetail(common, "image read");
  mesh::ImportOptions& steps = o.grains.import;
  if (!steps.name) {
    std::string name = std::filesystem::path(o.path).stem().string();
    std::ranges::replace_if(
        name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    steps.name = name.empty() || std::filesystem::is_directory(o.path) ? "grain" : name;
  }
  o.grains.progress = progressBar(common, "grains");
  const std::vector<Grain> grains = scan::grainsOf(volume, o.grains);
  say(common, fmt::format("{}: {} x {} x {} voxels, {}", o.path, volume.size[0], volume.size[1],
                          volume.size[2], counted(grains.size(), "label")));
  report(grains, o, common, diagnostics);
  std::vector<shape::Shape> shapes;
  Json rows = Json::array();
  for (const Grain& g : grains) {
    shapes.insert(shapes.end(), g.shapes.begin(), g.shapes.end());
    rows.push_back(jsonOf(g, o.density));
  }
  if (!o.conf.empty()) writeConf(grains, o, common, diagnostics);
  if (!o.table.empty()) writeFile(o.table, formTable(rows, moreColumns), common.existing());
  const Json all{{"schema", 1},
                 {"file", o.path},
                 {"size", volume.size},
                 {"voxel", {o.voxel.x(), o.voxel.y(), o.voxel.z()}},
                 {"grains", rows}};
  return deliver(o.output, shape::shapesText(shapes),
                 all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n", diagnostics,
                 common);
}

}  // namespace scree::tools
