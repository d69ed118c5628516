// SPDX-License-Identifier: GPL-3.0-or-later
// import of a labelled image.
#include "read_image.hpp"
#include "shapeSurvey.hpp"

#include "scree/shape/shape_file.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/fill.hpp"

#include <climits>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace scree::tools {
namespace {

using scan::Grain;
using Json = nlohmann::ordered_json;

/// Members of a grain that info has not; null where they are not known.
Json ownMembers(const Grain& g) {
  const bool looked = g.voxelVolume > 0.0, made = !g.shapes.empty();
  const auto known = [](bool is, const auto& value) { return is ? Json(value) : Json(); };
  Vec3 at = Vec3::Zero();
  double volume = 0.0;
  for (const shape::Shape& s : g.shapes) {
    volume += s.volume;
    at += s.volume / volume * (s.position - at);
  }
  return {
      {"label", g.label},
      {"state", g.refusal.empty() ? "imported" : g.refusal},
      {"voxels", g.voxels},
      {"voxelVolume", known(looked, g.voxelVolume)},
      {"volumeDifference", known(made, g.volume / g.voxelVolume - 1.0)},
      {"pieces", known(looked, g.pieces)},
      {"strayVoxels", known(looked, g.strayVoxels)},
      {"holes", known(looked, g.holes)},
      {"holeVoxels", known(looked, g.holeVoxels)},
      {"tunnels", known(looked, g.tunnels)},
      {"border", g.border},
      {"faces", known(made, g.faces)},
      {"inscribed", known(made, g.form.inscribed)},
      {"simplifiedAtMost", known(made && g.simplified, g.simplified ? g.simplified->atMost : 0)},
      {"toVoxels", known(made, g.toVoxels)},
      {"x", known(made, at.x())},
      {"y", known(made, at.y())},
      {"z", known(made, at.z())},
      {"warnings", known(made, g.warnings.size())},
      {"shapes", known(made, g.shapes.size())}};
}

Json jsonOf(const Grain& g, const std::optional<double>& density) {
  Json out{{"name", nullptr}};
  if (!g.shapes.empty()) {
    out["name"] = g.shapes.front().name;
    out["method"] = "image";
    out["volume"] = g.volume;
    out["mass"] = density ? Json(*density * g.volume) : Json();
    addForm(out, g.form);
  }
  out.update(ownMembers(g));
  return out;
}

/// Says what became of the grains, by kinds and in all.
void report(const std::vector<Grain>& grains, const ImageImport& o, const CommonOptions& common,
            Diagnostics& diagnostics) {
  const auto done = [](const Grain& g) { return g.refusal.empty(); };
  const auto sayKind = [&](const std::string& what, const auto& is) {
    std::vector<std::uint32_t> labels;
    for (const Grain& g : grains)
      if (is(g)) labels.push_back(g.label);
    const std::size_t count = labels.size();
    labels.resize(std::min<std::size_t>(count, 10));
    if (count > 0)
      say(common, fmt::format("  {} {}: {}{}", counted(count, "label"), what,
                              fmt::join(labels, " "), count > labels.size() ? " ..." : ""));
  };
  sayKind("at the border of the image left out (--border keep takes them)",
          [](const Grain& g) { return g.refusal == "border"; });
  sayKind(fmt::format("below {} voxels left out (--least-voxels)", o.grains.leastVoxels),
          [](const Grain& g) { return g.refusal == "small"; });
  sayKind("in several pieces, of which the largest is taken",
          [&](const Grain& g) { return done(g) && g.pieces > 1; });
  sayKind("with cavities, which are filled",
          [&](const Grain& g) { return done(g) && g.holes > 0; });
  sayKind("with tunnels", [&](const Grain& g) { return done(g) && g.tunnels > 0; });
  std::size_t count = 0, faces = 0;
  double off = 0.0, toVoxels = 0.0, voxels = 0.0, solid = 0.0;
  for (const Grain& g : grains) {
    if (!done(g) && g.refusal != "border" && g.refusal != "small")
      diagnostics.warn(fmt::format("label {}: no shape: {}", g.label, g.refusal));
    for (const std::string& warning : g.warnings)
      diagnostics.warn(fmt::format("label {}: {}", g.label, warning));
    if (!done(g)) continue;
    ++count;
    faces += g.faces;
    off = std::max(off, std::abs(g.volume / g.voxelVolume - 1.0));
    toVoxels = std::max(toVoxels, g.toVoxels);
    voxels += g.voxelVolume;
    solid += g.volume;
  }
  if (count == 0) throw ModelError(fmt::format("{}: no grain is left to import", o.path));
  say(common,
      fmt::format("  {} imported, {} faces each on average; volume of voxels {:.6g}, of shapes "
                  "{:.6g} ({:+.3g} %; a single one differs by {:.2g} % at most); corners of voxels "
                  "are at most {:.3g} off the surface",
                  counted(count, "grain"), faces / count, voxels, solid,
                  100.0 * (solid / voxels - 1.0), 100.0 * off, toVoxels));
}

/// The shape-file of --conf.
std::string libraryOf(const ImageImport& o) {
  return o.conf.empty() ? "" : std::string(withoutZst(o.conf)) + ".shp";
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
  sim::PackSettings settings;
  settings.source = o.conf;
  settings.threads = o.grains.import.threads;
  if (o.grains.import.density) settings.density.general = *o.grains.import.density;
  // A run calls an overlap deep above 1 % of a size.
  const sim::PushedApart apart =
      sim::pushedApart(packing.shapes, packing.bodies, 0.004 * smallest, settings.threads);
  packing.bodies = apart.bodies;
  say(common, fmt::format("as scanned, grains overlap by up to {:.3g}; moved by {:.2g} on average "
                          "and {:.2g} at most, they overlap by up to {:.3g}",
                          apart.before, apart.meanMove, apart.largestMove, apart.after));
  if (o.walls) sim::addWalls(packing, 0.0);
  sim::CompletedConf done = sim::completed(packing, settings, diagnostics);
  const std::string library = libraryOf(o);
  done.conf.shapeFile = std::filesystem::path(library).filename().string();
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
  const sim::Coordination touching = sim::packingInfo(simulation).coordination;
  say(common,
      fmt::format("{}: {} in contact, {:.3g} contacts a grain, deepest {:.2g} % of a size", o.conf,
                  counted(touching.contacts, "pair"), touching.mean, 100.0 * overlaps.worst));
  writeFile(library, shape::shapesText(packing.shapes), common.existing());
  writeFile(o.conf, sim::confText(done.conf), common.existing());
}

/// The sides of voxels and the form of raw data, from their words. @throws UsageError
Vec3 voxelOf(const ImageImport& o, std::optional<RawForm>& raw) {
  if (!o.conf.empty() && o.grains.import.decompose)
    throw UsageError("--conf: places one shape a grain, --decompose makes several");
  const bool one = o.voxel.find(',') == std::string::npos;
  const auto voxel = threeNumbers(one ? fmt::format("{0},{0},{0}", o.voxel) : o.voxel);
  if (!voxel)
    throw UsageError(
        fmt::format("--voxel: expected the side of a voxel, or three, found '{}'", o.voxel));
  if (o.size.empty()) return *voxel;
  raw = RawForm{{}, o.type};
  const auto size = threeNumbers(o.size);
  for (Eigen::Index a = 0; a < 3; ++a) {
    if (!size || !((*size)[a] <= 1e9) || (*size)[a] != std::floor((*size)[a]))
      throw UsageError(fmt::format("--size-of: expected three whole numbers, found '{}'", o.size));
    raw->size[static_cast<std::size_t>(a)] = static_cast<std::size_t>((*size)[a]);
  }
  return *voxel;
}

}  // namespace

std::vector<CLI::Option*> addImageOptions(CLI::App& verb, ImageImport& o) {
  CLI::Option* faces =
      verb.add_option("--faces", o.grains.faces, "Simplify each grain to this many triangles")
          ->check(CLI::Range(4, INT_MAX));
  return {
      verb.add_option("--voxel", o.voxel,
                      "Import the grains of a labelled image: side of a voxel in the unit of the "
                      "shapes, or three sides along x, y, z")
          ->option_text("S[,S,S]"),
      verb.add_option("--size-of", o.size, "Voxels of raw data along x, y, z")
          ->option_text("X,Y,Z"),
      verb.add_option("--type", o.type,
                      "Type of raw data: uint8, uint16, uint32, int8 ...; big-endian uint16be ... "
                      "(default: uint16)"),
      faces,
      verb.add_option("--error", o.grains.error,
                      "Simplify while the surface stays within this distance (default: half a "
                      "voxel)")
          ->check(positiveNumber())
          ->excludes(faces),
      verb.add_option("--least-voxels", o.grains.leastVoxels,
                      "Leave out grains of fewer voxels (default: 64)")
          ->check(CLI::Range(1, INT_MAX)),
      verb.add_option("--border", o.border,
                      "keep: import grains at the border of the image, cut off there")
          ->check(CLI::IsMember({"keep"})),
      verb.add_option("--conf", o.conf,
                      "Write a conf-file with each grain where the image has it, and its shapes"),
      verb.add_flag("--walls", o.walls, "Put six walls around the grains of --conf"),
      verb.add_option("--table", o.table, "Write one row of size and form a grain (CSV)")};
}

int importImage(ImageImport o, const CommonOptions& common) {
  std::optional<RawForm> raw;
  const Vec3 voxel = voxelOf(o, raw);
  checkReportGoesElsewhere(common.json, o.output);
  checkFiles({o.path}, {o.output, o.conf, libraryOf(o), o.table}, common);
  Diagnostics diagnostics(common.strict);
  const scan::LabelVolume volume = readLabels(o.path, voxel, raw, diagnostics);
  sayDetail(common, "image read");
  if (!o.grains.import.name) {
    std::string name = std::filesystem::path(o.path).stem().string();
    std::ranges::replace_if(
        name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    o.grains.import.name = name.empty() ? "grain" : name;
  }
  o.grains.keepBorder = o.border == "keep";
  o.grains.progress = progressBar(common, "grains");
  const std::vector<Grain> grains = scan::grainsOf(volume, o.grains);
  say(common, fmt::format("{}: {} voxels, {}", o.path, fmt::join(volume.size, " x "),
                          counted(grains.size(), "label")));
  report(grains, o, common, diagnostics);
  std::vector<shape::Shape> shapes;
  Json rows = Json::array();
  for (const Grain& g : grains) {
    shapes.insert(shapes.end(), g.shapes.begin(), g.shapes.end());
    rows.push_back(jsonOf(g, o.grains.import.density));
  }
  if (!o.conf.empty()) writeConf(grains, o, common, diagnostics);
  std::vector<std::string> own;
  const Json members = ownMembers({});
  for (const auto& [name, value] : members.items()) own.push_back("/" + name);
  if (!o.table.empty()) writeFile(o.table, formTable(rows, own), common.existing());
  const Json all{{"schema", 1},
                 {"file", o.path},
                 {"size", volume.size},
                 {"voxel", {voxel.x(), voxel.y(), voxel.z()}},
                 {"grains", rows}};
  return deliver(o.output, shape::shapesText(shapes),
                 all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n", diagnostics,
                 common);
}

}  // namespace scree::tools
