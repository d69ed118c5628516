// SPDX-License-Identifier: GPL-3.0-or-later
// The table of conf-file keywords: each row reads, writes and documents one.
#include "scree/base/expression.hpp"
#include "scree/sim/io/conf_file.hpp"

#include "conf_blocks.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::sim {
namespace {

using In = TextReader;
using Out = TextWriter;
using D = Diagnostics;

/// A number, or arithmetic between dollar signs: `$2 * 0.5e-6$`.
double scalar(In& in, std::string_view what) {
  const std::string_view first = in.peek();
  if (first.empty() || first[0] != '$') return in.number(what);
  std::string expression(in.word(what).substr(1));
  while (expression.empty() || expression.back() != '$') {
    if (!in.nextOnSameLine()) throw in.error(fmt::format("{}: expected a closing '$' on this line", what));
    expression += ' ';
    expression += in.word(what);
  }
  expression.pop_back();
  try {
    return evaluate(expression);
  } catch (const ExpressionError& error) {
    throw in.errorAt(first, fmt::format("{}: in '{}': {}", what, expression, error.what()));
  }
}

double positiveScalar(In& in, std::string_view what) {
  const double value = scalar(in, what);
  if (!(value > 0.0)) throw in.error(fmt::format("{}: expected a number above 0, found {}", what, value));
  return value;
}

double notNegativeScalar(In& in, std::string_view what) {
  const double value = scalar(in, what);
  if (!(value >= 0.0)) throw in.error(fmt::format("{}: expected a number not below 0, found {}", what, value));
  return value;
}

std::string choice(In& in, std::string_view what, std::initializer_list<std::string_view> allowed) {
  const std::string_view word = in.word(what);
  for (const std::string_view a : allowed)
    if (word == a) return std::string(word);
  std::string list;
  for (const std::string_view a : allowed) list += (list.empty() ? "" : ", ") + std::string(a);
  throw in.error(fmt::format("{}: expected one of {}; found '{}'{}", what, list, word.substr(0, 40),
                             suggestion(word, {allowed.begin(), allowed.size()})));
}

std::uint32_t group(In& in) { return static_cast<std::uint32_t>(in.integer("group", 0, 1'000'000)); }

constexpr std::string_view lawNames[] = {
    "knContact",    "en2Contact",   "ktContact",    "muContact",     "krContact",    "murContact",
    "viscTContact", "knInnerBond",  "ktInnerBond",  "krInnerBond",   "fn0InnerBond", "ft0InnerBond",
    "mom0InnerBond", "powInnerBond", "en2InnerBond", "knOuterBond",  "ktOuterBond",  "krOuterBond",
    "fn0OuterBond", "ft0OuterBond", "mom0OuterBond", "powOuterBond", "en2OuterBond", "gcInnerBond",
    "gcOuterBond"};

template <std::size_t K>
void readLawParameter(In& in, Conf& c, D&) {
  const std::uint32_t g1 = group(in), g2 = group(in);
  // A restitution may be given as negative: that asks for critical damping.
  const bool signedValue = lawNames[K].substr(0, 3) == "en2";
  c.setLawParameter(std::string(lawNames[K]), g1, g2,
                    signedValue ? scalar(in, lawNames[K]) : notNegativeScalar(in, lawNames[K]));
}
template <std::size_t K>
void writeLawParameter(Out& out, const Conf& c) {
  const auto found = c.lawParameters.find(std::string(lawNames[K]));
  if (found == c.lawParameters.end()) return;
  for (const PairValue& v : found->second) out.line(lawNames[K], v.group1, v.group2, v.value);
}

constexpr std::string_view lawHelp[] = {
    "normal stiffness of contacts",
    "square of the restitution coefficient; 0 or less: critical damping; 1 or more: none",
    "tangential stiffness of contacts",
    "friction coefficient",
    "rolling stiffness, per radian; 0: no rolling moment (Default)",
    "rolling arm (a length); for Avalanche a ratio to the lever of the contact",
    "tangential viscosity (law GeoVisc)",
    "normal stiffness of bonds inside a cluster",
    "tangential stiffness of bonds inside a cluster",
    "rolling stiffness of bonds inside a cluster",
    "tensile strength of bonds inside a cluster",
    "shear strength of bonds inside a cluster",
    "bending strength of bonds inside a cluster",
    "exponent of the yield surface of bonds inside a cluster",
    "square of the restitution of bonds inside a cluster",
    "normal stiffness of bonds between clusters",
    "tangential stiffness of bonds between clusters",
    "rolling stiffness of bonds between clusters",
    "tensile strength of bonds between clusters",
    "shear strength of bonds between clusters",
    "bending strength of bonds between clusters",
    "exponent of the yield surface of bonds between clusters",
    "square of the restitution of bonds between clusters",
    "fracture energy of bonds inside a cluster (law BCM)",
    "fracture energy of bonds between clusters (law BCM)"};
constexpr std::string_view lawUnits[] = {"F/L", "", "F/L", "", "F L", "L", "F T/L", "F/L", "F/L", "F L", "F", "F", "F L",
                                         "",    "", "F/L", "F/L", "F L", "F", "F",  "F L", "",    "",    "F/L", "F/L"};
static_assert(std::size(lawNames) == std::size(lawHelp) && std::size(lawNames) == std::size(lawUnits));

template <std::size_t... K>
void addLawParameters(std::vector<ConfKeyword>& table, std::index_sequence<K...>) {
  (table.push_back({lawNames[K], {}, "group1 group2 value", lawUnits[K], "0", lawHelp[K],
                    readLawParameter<K>, writeLawParameter<K>}),
   ...);
}

/// Keeps a line as it stands; `simulationFrom` says what it cannot compute.
template <bool saved>
void keepLine(In& in, Conf& c, D&) {
  // The keyword is the last word read; its place is known to the caller through `places`.
  OtherLine line;
  line.arguments = std::string(in.restOfLine());
  line.saved = saved;
  c.others.push_back(std::move(line));
}

std::vector<ConfKeyword> makeTable() {
  std::vector<ConfKeyword> t{
      {"AddOrRemoveInteractions", {}, "word", "", "bruteForce",
       "bruteForce or OBBtree; kept, since contacts do not depend on how they are searched",
       [](In& in, Conf& c, D&) { c.addOrRemoveInteractions = choice(in, "AddOrRemoveInteractions", {"bruteForce", "OBBtree"}); },
       [](Out& o, const Conf& c) { o.line("AddOrRemoveInteractions", c.addOrRemoveInteractions); }},
      {"Integrator", {}, "word", "", "velocityVerlet", "velocityVerlet, Euler, Beeman or RungeKutta4",
       [](In& in, Conf& c, D&) { c.integrator = choice(in, "Integrator", {"velocityVerlet", "Euler", "Beeman", "RungeKutta4"}); },
       [](Out& o, const Conf& c) { o.line("Integrator", c.integrator); }},
      {"UpdateNL", {"UpdateNLStrategy"}, "word", "", "bruteForce",
       "bruteForce or linkCells; kept, since contacts do not depend on how they are searched",
       [](In& in, Conf& c, D&) { c.updateNL = choice(in, "UpdateNL", {"bruteForce", "linkCells"}); },
       [](Out& o, const Conf& c) { o.line("UpdateNL", c.updateNL); }},
      {"forceLaw", {}, "word", "", "Avalanche", "force law; `rockable --list laws` shows those there are",
       [](In& in, Conf& c, D&) { c.forceLaw = in.word("forceLaw"); },
       [](Out& o, const Conf& c) { if (!c.forceLaw.empty()) o.line("forceLaw", c.forceLaw); }},
      {"t", {}, "t", "T", "0", "current time",
       [](In& in, Conf& c, D&) { c.t = scalar(in, "t"); },
       [](Out& o, const Conf& c) { o.line("t", c.t); }},
      {"tmax", {}, "t", "T", "1", "time at the end of the run",
       [](In& in, Conf& c, D&) { c.tmax = scalar(in, "tmax"); },
       [](Out& o, const Conf& c) { o.line("tmax", c.tmax); }},
      {"dt", {}, "dt", "T", "1e-6", "time step",
       [](In& in, Conf& c, D&) { c.dt = positiveScalar(in, "dt"); },
       [](Out& o, const Conf& c) { o.line("dt", c.dt); }},
      {"interVerlet", {}, "dt", "T", "0.01",
       "period of neighbour updates; kept, since the engine updates by motion",
       [](In& in, Conf& c, D&) { c.interVerlet = notNegativeScalar(in, "interVerlet"); },
       [](Out& o, const Conf& c) { o.line("interVerlet", c.interVerlet); }},
      {"interConf", {}, "dt", "T", "0.25", "period of conf-files",
       [](In& in, Conf& c, D&) { c.interConf = positiveScalar(in, "interConf"); },
       [](Out& o, const Conf& c) { o.line("interConf", c.interConf); }},
      {"DVerlet", {}, "d", "L", "0", "gap of neighbouring bodies; kept, since the engine chooses its own",
       [](In& in, Conf& c, D&) { c.DVerlet = notNegativeScalar(in, "DVerlet"); },
       [](Out& o, const Conf& c) { o.line("DVerlet", c.DVerlet); }},
      {"dVerlet", {}, "d", "L", "0", "gap of neighbouring sub-elements; kept, since the engine chooses its own",
       [](In& in, Conf& c, D&) { c.dVerlet = notNegativeScalar(in, "dVerlet"); },
       [](Out& o, const Conf& c) { o.line("dVerlet", c.dVerlet); }},
      {"parallel_mode", {}, "word", "", "DefaultParallelMode", "kept, since results do not depend on threads",
       [](In& in, Conf& c, D&) { c.parallelMode = in.word("parallel_mode"); },
       [](Out& o, const Conf& c) { if (c.parallelMode != "DefaultParallelMode") o.line("parallel_mode", c.parallelMode); }},
      {"density", {}, "group value", "M/L³", "0", "density of the bodies of a group",
       [](In& in, Conf& c, D&) { const std::uint32_t g = group(in); c.setDensity(g, positiveScalar(in, "density")); },
       [](Out& o, const Conf& c) { for (const GroupValue& d : c.density) o.line("density", d.group, d.value); }},
      {"gravity", {}, "x y z", "L/T²", "0 -9.81 0", "acceleration of gravity, on bodies that are not driven",
       [](In& in, Conf& c, D&) { c.gravity = in.vec3("gravity"); },
       [](Out& o, const Conf& c) { o.line("gravity", c.gravity); }},
      {"BodyForce", {}, "name parameters", "", "", "a force on all bodies that are not driven", keepLine<true>, nullptr},
      {"ParamsInInterfaces", {}, "0|1", "", "0", "1: lines of Interfaces carry the parameters of their bonds",
       [](In& in, Conf& c, D&) { c.paramsInInterfaces = static_cast<int>(in.integer("ParamsInInterfaces", 0, 1)); },
       [](Out& o, const Conf& c) { o.line("ParamsInInterfaces", c.paramsInInterfaces); }},
      {"dynamicUpdateNL", {}, "0|1", "", "0", "kept, since the engine always updates by motion",
       [](In& in, Conf& c, D&) { c.dynamicUpdateNL = static_cast<int>(in.integer("dynamicUpdateNL", 0, 1)); },
       [](Out& o, const Conf& c) { o.line("dynamicUpdateNL", c.dynamicUpdateNL); }},
      {"dispUpdateNL", {}, "d", "L", "1", "kept, as dynamicUpdateNL",
       [](In& in, Conf& c, D&) { c.dispUpdateNL = notNegativeScalar(in, "dispUpdateNL"); },
       [](Out& o, const Conf& c) { if (c.dynamicUpdateNL) o.line("dispUpdateNL", c.dispUpdateNL); }},
      {"angleUpdateNL", {}, "degrees", "", "", "kept, as dynamicUpdateNL",
       [](In& in, Conf& c, D&) { c.angleUpdateNL = notNegativeScalar(in, "angleUpdateNL"); },
       [](Out& o, const Conf& c) { if (c.dynamicUpdateNL && c.angleUpdateNL) o.line("angleUpdateNL", *c.angleUpdateNL); }},
      {"usePeriodicCell", {}, "0|1", "", "0", "1: periodic cell", keepLine<true>, nullptr},
      {"h", {}, "9 numbers", "L", "0", "periodic cell: vectors as columns", keepLine<true>, nullptr},
      {"vh", {}, "9 numbers", "L/T", "0", "periodic cell: velocity", keepLine<true>, nullptr},
      {"ah", {}, "9 numbers", "L/T²", "0", "periodic cell: acceleration", keepLine<true>, nullptr},
      {"mh", {}, "value", "", "-1", "periodic cell: mass factor", keepLine<true>, nullptr},
      {"dh", {}, "value", "", "0", "periodic cell: damping", keepLine<true>, nullptr},
      {"cellMomentumCorrection", {}, "dt", "T", "0", "periodic cell: period of drift removal", keepLine<true>, nullptr},
      {"cellVelocityCorrection", {}, "dt", "T", "0", "periodic cell: period of drift removal", keepLine<true>, nullptr},
      {"useKineticStress", {}, "0|1", "", "1", "periodic cell: kinetic part of the stress", keepLine<true>, nullptr},
      {"useSoftParticles", {}, "Young Poisson", "", "", "soft particles", keepLine<true>, nullptr},
      {"numericalDampingCoeff", {}, "c", "", "0", "damping in proportion to force (Cundall)",
       [](In& in, Conf& c, D&) { c.numericalDampingCoeff = notNegativeScalar(in, "numericalDampingCoeff"); },
       [](Out& o, const Conf& c) { o.line("numericalDampingCoeff", c.numericalDampingCoeff); }},
      {"VelocityBarrier", {"velocityBarrier"}, "v", "L/T", "0", "velocity that bodies cannot pass; 0: none",
       [](In& in, Conf& c, D&) { c.velocityBarrier = notNegativeScalar(in, "VelocityBarrier"); },
       [](Out& o, const Conf& c) { o.line("VelocityBarrier", c.velocityBarrier); }},
      {"AngularVelocityBarrier", {"angularVelocityBarrier"}, "w", "1/T", "0", "spin that bodies cannot pass; 0: none",
       [](In& in, Conf& c, D&) { c.angularVelocityBarrier = notNegativeScalar(in, "AngularVelocityBarrier"); },
       [](Out& o, const Conf& c) { o.line("AngularVelocityBarrier", c.angularVelocityBarrier); }},
      {"VelocityBarrierExponent", {"velocityBarrierExponent"}, "e", "", "1", "sharpness of VelocityBarrier",
       [](In& in, Conf& c, D&) { c.velocityBarrierExponent = scalar(in, "VelocityBarrierExponent"); },
       [](Out& o, const Conf& c) { o.line("VelocityBarrierExponent", c.velocityBarrierExponent); }},
      {"AngularVelocityBarrierExponent", {"angularVelocityBarrierExponent"}, "e", "", "1", "sharpness of AngularVelocityBarrier",
       [](In& in, Conf& c, D&) { c.angularVelocityBarrierExponent = scalar(in, "AngularVelocityBarrierExponent"); },
       [](Out& o, const Conf& c) { o.line("AngularVelocityBarrierExponent", c.angularVelocityBarrierExponent); }},
      {"preventCrossingLength", {}, "d", "L", "0", "kept; without effect",
       [](In& in, Conf& c, D&) { c.preventCrossingLength = notNegativeScalar(in, "preventCrossingLength"); },
       [](Out& o, const Conf& c) { if (c.preventCrossingLength > 0) o.line("preventCrossingLength", c.preventCrossingLength); }},
  };
  addLawParameters(t, std::make_index_sequence<std::size(lawNames)>{});
  const std::vector<ConfKeyword> rest{
      {"en2ContactFromViscRate", {}, "group1 group2 rate", "", "",
       "sets en2Contact to that of a damping rate in [0, 1): exp(-2 pi rate / sqrt(1 - rate²))",
       [](In& in, Conf& c, D&) {
         const std::uint32_t g1 = group(in), g2 = group(in);
         const double rate = notNegativeScalar(in, "en2ContactFromViscRate");
         if (rate >= 1.0) throw in.error("en2ContactFromViscRate: expected a rate in [0, 1)");
         c.setLawParameter("en2Contact", g1, g2, std::exp(-2.0 * pi * rate / std::sqrt(1.0 - rate * rate)));
       },
       nullptr},
      {"ContactPartnership", {}, "word", "", "None", "None, NumberWeight, OverlapWeight or SurfaceWeight",
       [](In& in, Conf& c, D&) { c.contactPartnership = choice(in, "ContactPartnership", {"None", "NumberWeight", "OverlapWeight", "SurfaceWeight"}); },
       [](Out& o, const Conf& c) { o.line("ContactPartnership", c.contactPartnership); }},
      {"cellMinSizes", {}, "x y z", "L", "1 1 1", "sizes of link cells; kept, since the engine has its own",
       [](In& in, Conf& c, D&) { c.cellMinSizes = in.vec3("cellMinSizes"); },
       [](Out& o, const Conf& c) { o.line("cellMinSizes", c.cellMinSizes); }},
      {"boxForLinkCellsOpt", {}, "0|1", "", "0", "kept, as cellMinSizes",
       [](In& in, Conf& c, D&) { c.boxForLinkCellsOpt = static_cast<int>(in.integer("boxForLinkCellsOpt", 0, 1)); },
       [](Out& o, const Conf& c) { o.line("boxForLinkCellsOpt", c.boxForLinkCellsOpt); }},
      {"iconf", {}, "n", "", "0", "number of this conf-file; the next one is n + 1",
       [](In& in, Conf& c, D&) { c.iconf = static_cast<int>(in.integer("iconf", 0, INT32_MAX / 2)); },
       [](Out& o, const Conf& c) { o.line("iconf", c.iconf); }},
      {"nDriven", {}, "n", "", "0", "the first n bodies are fixed, or driven by drivingSystem.txt",
       [](In& in, Conf& c, D&) { c.nDriven = static_cast<std::uint32_t>(in.integer("nDriven", 0, UINT32_MAX - 1)); },
       [](Out& o, const Conf& c) { o.line("nDriven", c.nDriven); }},
      {"shapeFile", {}, "path", "", "", "library of the shapes; looked for beside this file, then in the current folder",
       [](In& in, Conf& c, D&) { c.shapeFile = in.word("shapeFile"); },
       [](Out& o, const Conf& c) { if (!c.shapeFile.empty()) o.line("shapeFile", c.shapeFile); }},
      {"separator", {}, "word", "", "space", "without effect",
       [](In& in, Conf&, D&) { choice(in, "separator", {"tab", "semicolon", "space"}); }, nullptr},
      {"precision", {}, "n", "", "", "decimals of particles and interactions; absent or 0: shortest exact text",
       [](In& in, Conf& c, D&) {
         const auto n = in.integer("precision", INT32_MIN, 60);
         c.precision = n > 0 ? static_cast<int>(n) : -1;
       },
       [](Out& o, const Conf& c) { if (c.precision > 0) o.line("precision", c.precision); }},
      {"Tempo", {}, "what command t1 t2 v1 v2", "", "", "a parameter that varies in time", keepLine<true>, nullptr},
      {"initSpringJoint", {}, "i pos_i j pos_j K", "", "", "a spring between two points of two bodies", keepLine<true>, nullptr},
      {"glue_with_walls", {}, "yes|no", "", "no", "whether commands glue driven bodies too", keepLine<false>, nullptr},
      {"Particles", {}, "N, then N lines", "", "", "the bodies: name group cluster homothety pos vel acc Q vrot arot",
       readParticles, writeParticles},
      {"Interactions", {}, "N, then N lines", "", "0", "the contacts: i j type isub jsub n dn pos vel fn ft mom damp",
       readInteractions, writeInteractions},
      {"Interfaces", {}, "N, then N lines", "", "0", "the glued pairs: i j bonds [dn0] [parameters] (type isub jsub)...",
       readInterfaces, writeInterfaces},
      {"DataExtractor", {}, "name parameters", "", "", "a table written during the run", keepLine<false>, nullptr},
      {"stickVerticesInClusters", {}, "epsilon", "", "", "command: glue vertices inside clusters", keepLine<false>, nullptr},
      {"stickVerticesInClustersMoments", {}, "epsilon", "", "", "command: idem, driven bodies left out", keepLine<false>, nullptr},
      {"stickBCM", {}, "epsilon", "", "", "command: glue for law BCM", keepLine<false>, nullptr},
      {"stickClusters", {}, "epsilon", "", "", "command: glue clusters to each other", keepLine<false>, nullptr},
      {"copyParamsToInterfaces", {}, "word", "", "", "command: bond parameters into the interfaces", keepLine<false>, nullptr},
      {"setVariableStickParams", {}, "name word lambda m seed", "", "", "command: Weibull strengths", keepLine<false>, nullptr},
      {"setStiffnessRatioInterfaces", {}, "ratio", "", "", "command: kt = ratio kn in interfaces", keepLine<false>, nullptr},
      {"randomlyOrientedVelocities", {}, "v", "", "", "command: random directions, given speed", keepLine<false>, nullptr},
      {"randomlyOrientedVelocitiesClusters", {}, "v option", "", "", "command: one direction a cluster", keepLine<false>, nullptr},
      {"setAllVelocities", {}, "x y z", "", "", "command: one velocity for all", keepLine<false>, nullptr},
      {"homothetyRange", {}, "first last hmin hmax seed", "", "", "command: random sizes", keepLine<false>, nullptr},
      {"particlesClonage", {}, "first last dx dy dz", "", "", "command: translated copies", keepLine<false>, nullptr},
  };
  t.insert(t.end(), rest.begin(), rest.end());
  return t;
}

}  // namespace

const std::vector<ConfKeyword>& confKeywords() {
  static const std::vector<ConfKeyword> table = makeTable();
  return table;
}

const std::vector<std::string_view>& lawParameterNames() {
  static const std::vector<std::string_view> names(std::begin(lawNames), std::end(lawNames));
  return names;
}

}  // namespace scree::sim
