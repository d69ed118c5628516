// SPDX-License-Identifier: GPL-3.0-or-later
// voronoi and cut: solids in cells that are glued, and break.
#include "packgen.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/pack/cell_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace scree::tools {
namespace {

struct RockOptions {
  PackOptions pack;
  std::optional<sim::Container> container;
  sim::CellBodyOptions bodies;
  bool keepMass = false;
  sim::VoronoiOptions cells;    ///< voronoi
  std::string tess;             ///< voronoi
  std::optional<Vec3> stretch;  ///< voronoi
  std::string solid, planes;    ///< cut
};

void addContainer(CLI::App& verb, RockOptions& options, const std::string& also) {
  addParsed<sim::Container>(verb, "--container", options.container, options.pack.out.inputs, "C",
                            "box:LX,LY,LZ cylinder:R,H drum:R,L sphere:R mesh:FILE" + also);
}

void addRockOptions(CLI::App& verb, RockOptions& options) {
  sim::CellBodyOptions& o = options.bodies;
  addOption(verb, "--radius", o.radius, "R",
            "Rounding of the bodies [m]; neighbours take the place of a cell without room for a "
            "ball of it",
            positiveNumber())
      ->required();
  addOption(verb, "--least-area", o.leastArea, "A",
            "Least area of a face that is bonded [m2]; default 0.001 of V^(2/3) of the mean cell",
            numberFrom(0.0, 1e100));
  verb.add_flag("--keep-mass", options.keepMass,
                "Raise the density by what rounding takes from the volume");
  verb.add_option_function<std::string>(
          "--driven", [&o](const std::string& text) { o.driven = sim::Selection(text); },
          "Bodies that are driven, by their centres: they stand still unless drivingSystem.txt "
          "moves them, and come first; for example \"y < 0.1\"")
      ->option_text("EXPR");
  verb.add_option("--seed", o.seed, "Seed of all lots, default 1");
  verb.add_option("--group", o.group, "Group of the bodies, default 1")
      ->check(CLI::Range(0U, 999U));
  options.pack.takeBond = [&o](const std::string& word) {
    if (word != "none" && !sim::BondStrength::begins(word)) return false;
    o.bond.reset();
    if (word != "none") o.bond = sim::BondStrength::parse(word);
    return true;
  };
  addPackOptions(verb, options.pack, true, "");
  CLI::Option* bond = verb.get_option("--bond");
  bond->description(
      "Bonds on shared faces: none (default), or "
      "young=E,poisson=NU,tensile=S,cohesion=C[,gc=G][,weibull=M] in Pa and N/m; also NAME=V, a "
      "parameter of the tables of bonds, for example en2InnerBond=0.5; may be repeated");
}

/// Chooses the law, and refuses what would be refused at the end.
void checkRock(RockOptions& options, const CommonOptions& common) {
  sim::CellBodyOptions& o = options.bodies;
  sim::PackSettings& settings = options.pack.settings;
  if (o.bond && settings.law == "Default") settings.law = "StickedLinks";
  const sim::LawInfo& law = sim::lawNamed(settings.law);
  o.byEnergy = law.bonds == sim::Breakage::fractureEnergy;
  if (o.bond && law.bonds == sim::Breakage::noBonds)
    throw UsageError(fmt::format("--law {}: has no bonds; StickedLinks and BCM have", law.name));
  if (o.bond && o.bond->gc > 0.0 && !o.byEnergy)
    throw UsageError("--bond gc=: counts with --law BCM, where energy breaks bonds");
  if (!o.bond && (o.persistence > 0.0 || std::ranges::any_of(o.sets, [](const sim::JointSet& s) {
                    return s.tensile || s.cohesion;
                  })))
    throw UsageError("--persistence and strengths of joints need --bond young=...");
  for (const sim::JointSet& s : o.sets)
    if (o.bond && std::max(s.tensile.value_or(0.0), s.cohesion.value_or(0.0)) > 0.1 * o.bond->young)
      throw UsageError("--joint: a strength is above E/10, where rock is not elastic");
  for (const auto& [keyword, setting] : settings.parameters)
    if (o.bond && keyword.ends_with("Bond") && !keyword.starts_with("en2"))
      throw UsageError(fmt::format("--bond {}: strengths set it for each face", keyword));
  PackOutput out = options.pack.out;
  nameShapeFile(out, "");
  checkOutput(out, common);
}

/// Turns cells into bodies and writes them.
int writeRock(sim::Tessellation tessellation, RockOptions& options, const std::string& what,
              const CommonOptions& common) {
  sim::CellBodyOptions& o = options.bodies;
  sim::PackSettings& settings = options.pack.settings;
  o.threads = threadCount(common.jobs);
  o.progress = progressBar(common, "shapes");
  o.density = settings.density.general.value_or(o.density);
  for (const sim::PairValue& v : settings.density.special)
    if (v.group1 == o.group) o.density = v.value;
  const std::size_t cells = tessellation.cells.size();
  const std::size_t merged = tessellation.merged;
  const double volume = tessellation.volume;
  sim::CellBodies made = sim::bodiesOf(std::move(tessellation), o);
  say(common, fmt::format("{}: {} cells, {} and {} shapes, volume {:.6g} m3, solid fraction {:.6f}",
                          what, cells, bodyCount(made.packing.bodies.size()),
                          made.packing.shapes.size(), volume, made.solidFraction));
  say(common,
      fmt::format(
          "sizes (balls of equal volume) that 10 25 50 75 90 % of the volume pass: {:.4g} m",
          fmt::join(made.sizes, " ")));
  if (options.keepMass) {
    const double by = 1.0 / made.solidFraction;
    settings.density.general = by * settings.density.general.value_or(2700.0);
    for (sim::PairValue& v : settings.density.special) v.value *= by;
    say(common, fmt::format("--keep-mass: densities times {:.6f}", by));
  }
  MadePack pack;
  pack.report.remark = fmt::format("packgen {}: seed {}", what, o.seed);
  pack.report.reasons = made.notes;
  if (o.bond && !made.packing.interfaces.empty()) {
    const sim::BondStrength& b = *o.bond;
    const auto choose = [&](const char* keyword, double value, const std::string& why) {
      if (!settings.parameters.try_emplace(keyword, sim::PairSetting{value, {}}).second) return;
      pack.report.reasons.push_back(fmt::format("{} {:.4g}: {}", keyword, value, why));
    };
    if (!settings.overlap)
      choose("knContact", made.meanStiffness / 3.0,
             "a third of the mean of a bond: two to three contacts take its place where a face "
             "breaks");
    choose("en2InnerBond", 0.8,
           "light damping, as rock has; --bond en2InnerBond=V sets another, and 0 is critical");
    pack.report.reasons.push_back(fmt::format(
        "bonds of a face of area A, d between the centres across it: kn = E A/d, kt = "
        "kn/(2(1+nu)){}",
        o.byEnergy
            ? b.gc > 0.0 ? fmt::format(", gc {:.6g} N/m", b.gc)
                         : std::string(", gc = S^2 d/(4 E): breaks at a tension of S A, or in "
                                       "shear at S A sqrt(kt/kn): cohesion does not count")
            : fmt::format(", fn0 = {:.6g} Pa A, ft0 = {:.6g} Pa A, shared by its bonds", b.tensile,
                          b.cohesion)));
  }
  pack.report.extra = [&, interfaces = made.packing.interfaces.size()](JsonWriter& json) {
    json.member("cells", cells).member("volume", volume);
    json.member("solidFraction", made.solidFraction).member("merged", merged);
    json.member("dropped", made.dropped).member("droppedVolume", made.droppedVolume);
    if (o.bond)
      json.member("interfaces", interfaces)
          .member("faceArea", made.faceArea)
          .member("bondedArea", made.bondedArea);
    json.key("sizes").list(made.sizes);
    json.member("seed", o.seed);
  };
  pack.packing = std::move(made.packing);
  writePack(std::move(pack), options.pack, common);
  return 0;
}

int voronoi(RockOptions& o, const CommonOptions& common) {
  checkRock(o, common);
  if (!o.tess.empty()) {
    o.pack.out.inputs.push_back(o.tess);
    return writeRock(sim::readTess(TextReader::fromFile(o.tess)), o, "voronoi", common);
  }
  if (!o.container || o.cells.cells == 0)
    throw UsageError("voronoi: expected --container and --cells, or --from-tess");
  o.cells.stretch = o.stretch.value_or(Vec3::Ones());
  o.cells.seed = o.bodies.seed;
  o.cells.radius = o.bodies.radius;
  o.cells.progress = progressBar(common, "cells");
  return writeRock(sim::voronoi(*o.container, o.cells), o, "voronoi", common);
}

int cut(RockOptions& o, const CommonOptions& common) {
  checkRock(o, common);
  if (o.solid.empty() == !o.container)
    throw UsageError("cut: expected a shape SHAPES:NAME or --container, and not both");
  if (o.bodies.sets.empty() && o.planes.empty())
    throw UsageError("cut: expected --joint or --planes");
  std::vector<sim::Joint> joints;
  if (!o.planes.empty()) {
    o.pack.out.inputs.push_back(o.planes);
    joints = sim::readJoints(TextReader::fromFile(o.planes));
  }
  if (o.container && o.container->periodic())
    throw UsageError("cut: a periodic cell cannot be cut by joints; expected a box");
  sim::Cell solid;
  if (o.container) {
    solid = sim::cellOf(*o.container);
  } else {
    o.pack.libraries = {o.solid};
    const sim::ShapeLibrary library = libraryOf(o.pack, false, common);
    o.pack.asInFile.clear();
    if (library.shapes.size() != 1)
      throw UsageError(
          fmt::format("{}: has {} shapes; expected SHAPES:NAME", o.solid, library.shapes.size()));
    solid = sim::cellOf(library.shapes.front());
  }
  return writeRock(sim::cutByJoints(solid, o.bodies.sets, joints, o.bodies.radius, o.bodies.seed,
                                    progressBar(common, "cuts")),
                   o, "cut", common);
}

}  // namespace

Verb addVoronoiVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<RockOptions>();
  CLI::App& verb =
      addVerb(app, "voronoi", "Cut a solid into Voronoi cells and glue them: rock that breaks",
              "  packgen voronoi --container box:1,1,1 --cells 200 --radius 0.005 "
              "--bond young=1e9,poisson=0.25,tensile=1e6,cohesion=2e6 -o rock/conf0\n"
              "  packgen voronoi --container cylinder:0.05,0.1 --cells 500 --relax 5 --radius 2e-4 "
              "--bond young=1e10,poisson=0.2,tensile=5e6,cohesion=1e7,weibull=6 -o core/conf0\n"
              "  packgen voronoi --container periodic:1,1,1 --cells 1000 --grading lognormal:1,0.3 "
              "--radius 1e-3 -o cell/conf0");
  addContainer(verb, *options, " periodic:LX,LY,LZ");
  CLI::Option* cells = addOption(verb, "--cells", options->cells.cells, "N", "Number of cells",
                                 CLI::Range(1U, 1'000'000U));
  CLI::Option* tess = addOption(verb, "--from-tess", options->tess, "FILE",
                                "Read a tessellation of Neper (.tess) instead");
  tess->excludes(cells)->excludes(verb.get_option("--container"));
  addOption(verb, "--relax", options->cells.relax, "K",
            "Rounds in which each seed moves to the centre of its cell (Lloyd); default 0",
            CLI::Range(0, 10000));
  addParsed<sim::SizeGrading>(
      verb, "--grading", options->cells.grading, options->pack.out.inputs, "G",
      "Relative sizes of cells, by radical cells: uniform:A,B lognormal:MEDIAN,SIGMA fuller:A,B,Q "
      "beta:A,B,P,Q or FILE.csv with the columns d,passing; scaled to fill the container");
  addChoice(verb, "--by", options->cells.gradingBy,
            {{"number", sim::Measure::number}, {"mass", sim::Measure::mass}},
            "What the grading counts: mass (default) or number")
      ->needs(verb.get_option("--grading"));
  addVector(verb, "--stretch", options->stretch, "X,Y,Z",
            "Lengthen the cells by these factors along x, y, z; their ratios count")
      ->delimiter(',')
      ->check(numberFrom(1e-3, 1e3));
  for (const char* name : {"--relax", "--grading", "--stretch"})
    tess->excludes(verb.get_option(name));
  addRockOptions(verb, *options);
  return {&verb, [options, &common] { return voronoi(*options, common); }};
}

Verb addCutVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<RockOptions>();
  CLI::App& verb =
      addVerb(app, "cut",
              "Cut a solid along joints into blocks, glued or loose. y is up, x east, -z north; "
              "joints are given by dip and dip direction",
              "  packgen cut --container box:10,10,10 --joint 0,0,1 --joint 90,0,1 --joint 90,90,1 "
              "--radius 0.02 -o cubes/conf0\n"
              "  packgen cut --container box:8,4,8 --joint 65,135,1.5,8 --joint 40,300,2,5:ends=1 "
              "--joint 80,30,1.5:exponential --radius 0.1 --persistence 0.6 "
              "--bond young=1e10,poisson=0.25,tensile=1e6,cohesion=3e6 -o slope/conf0\n"
              "  shapeSurvey make boulder --name boulder -o rocks.shp\n"
              "  printf 'x,y,z,dip,dipdir\\n0,0,0,60,45\\n0,0.1,0,20,200\\n' > joints.csv\n"
              "  packgen cut rocks.shp:boulder --planes joints.csv --radius 0.01 -o boulder/conf0");
  verb.add_option("SOLID", options->solid,
                  "SHAPES:NAME, a shape with its rounding, instead of --container; skeletons that "
                  "are not convex as they are");
  addContainer(verb, *options, "");
  addRepeated(
      verb, "--joint",
      "Joint set: DIP and dip direction [degrees], mean SPACING [m], SPREAD of the normals "
      "[degrees] (Fisher; 0); then words: exponential (spacings), ends=K+K (at earlier sets), "
      "tensile=S, cohesion=C (of bonds across them); may be repeated",
      "DIP,DIPDIR,SPACING[,SPREAD][:WORD,...]", [options](const std::string& word) {
        options->bodies.sets.push_back(sim::JointSet::parse(word));
      });
  addOption(verb, "--planes", options->planes, "FILE.csv",
            "Table of surveyed joints, cut first: x,y,z,dip,dipdir and, where given, radius (of a "
            "disc) and set");
  addOption(verb, "--persistence", options->bodies.persistence, "P",
            "Share of the faces on joints that are open; default 0", numberFrom(0.0, 1.0));
  addRockOptions(verb, *options);
  return {&verb, [options, &common] { return cut(*options, common); }};
}

}  // namespace scree::tools
