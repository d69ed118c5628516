// SPDX-License-Identifier: GPL-3.0-or-later
// The table of conf-file keywords. Files are written in the order of its rows.
#include "conf_values.hpp"

#include "scree/base/math.hpp"
#include "scree/sim/io/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::sim {
namespace {

using In = TextReader;
using Out = TextWriter;
using D = Diagnostics;

template <class T>
void putValue(Out& out, const T& v) {
  if constexpr (std::is_same_v<T, std::optional<double>>)
    out.put(*v);
  else if constexpr (std::is_same_v<T, bool>)
    out.put(v ? 1 : 0);
  else
    out.put(v);
}

// A value belongs to the conf or to its periodic cell.
template <class C, class Owner, class T>
auto& valueOf(C& conf, T Owner::*member) {
  if constexpr (std::is_same_v<Owner, PeriodicCell>)
    return conf.cell.*member;
  else
    return conf.*member;
}

ConfKeyword row(std::string_view name, std::string_view arguments, std::string_view unit,
                std::string_view byDefault, std::string_view help, decltype(ConfKeyword::read) read,
                decltype(ConfKeyword::write) write) {
  return {
      name, {}, arguments, unit, std::string(byDefault), help, std::move(read), std::move(write)};
}

/// When a line is written. Those of the periodic cell are, with one and where they are set.
enum class Written { always, ifSet };

/// A keyword whose value is one member, of Conf or of PeriodicCell.
template <class Owner, class T>
ConfKeyword value(std::string_view name, T Owner::*member, std::string_view unit,
                  std::string_view help, Check check = Check::any,
                  Written written = Written::always, std::vector<std::string_view> aliases = {}) {
  constexpr std::string_view arguments = std::is_same_v<T, Vec3>            ? "x y z"
                                         : std::is_same_v<T, Mat3>          ? "9 numbers"
                                         : std::is_same_v<T, std::string>   ? "word"
                                         : std::is_same_v<T, std::uint32_t> ? "n"
                                         : std::is_integral_v<T>            ? "0|1"
                                                                            : "value";
  static const Conf defaults;
  const auto isSet = [=](const Conf& c) { return valueOf(c, member) != valueOf(defaults, member); };
  Out byDefault;
  if constexpr (std::is_same_v<T, Mat3>)
    byDefault.put(0);
  else if constexpr (!std::is_same_v<T, std::optional<double>>)
    putValue(byDefault, valueOf(defaults, member));
  const auto read = [=](In& in, Conf& c, D&) { readValue(in, name, valueOf(c, member), check); };
  const auto write = [=](Out& out, const Conf& c) {
    if (std::is_same_v<Owner, PeriodicCell> ? !c.cell.used && !isSet(c)
                                            : written == Written::ifSet && !isSet(c))
      return;
    out.put(name);
    putValue(out, valueOf(c, member));
    out.endLine();
  };
  return {name, std::move(aliases), arguments, unit, byDefault.take(), help, read, write};
}

ConfKeyword word(std::string_view name, std::string Conf::*member,
                 std::initializer_list<std::string_view> allowed, std::string_view help) {
  ConfKeyword made = value(name, member, "", help);
  made.read = [name, member, words = std::vector(allowed)](In& in, Conf& c, D&) {
    c.*member = choice(in, name, words);
  };
  return made;
}

/// A keyword whose words, as many as `arguments` has, are kept and written again as they stand; of
/// DataExtractor all words of the line.
ConfKeyword keptLine(std::string_view name, std::string_view arguments, std::string_view help,
                     std::vector<std::string_view> aliases = {}) {
  const auto words = name == "DataExtractor" ? 0 : std::ranges::count(arguments, ' ') + 1;
  ConfKeyword made = row(
      name, arguments, "", "", help,
      [name, words](In& in, Conf& conf, D&) {
        std::string text(words == 0 ? in.restOfLine() : in.word(name));
        for (auto k = words; k > 1; --k) text += " " + std::string(in.word(name));
        conf.others.push_back({{}, std::move(text), {}});
      },
      nullptr);
  made.aliases = std::move(aliases);
  return made;
}

void warnOfSecond(In& in, D& diagnostics, const std::string& what, double first) {
  diagnostics.warn(
      in.error(fmt::format("{}: given twice, first as {}; the last one counts", what, first)));
}

// Parameters of force laws.

struct LawParameter {
  std::string_view name, unit, help;
};
constexpr LawParameter ofPairs[] = {
    {"knContact", "F/L", "normal stiffness of contacts"},
    {"en2Contact", "",
     "square of the restitution coefficient, 0 to 1; 0: critical damping; 1: none"},
    {"ktContact", "F/L", "tangential stiffness of contacts"},
    {"muContact", "", "friction coefficient"},
    {"krContact", "F L", "rolling stiffness, per radian; 0: no rolling moment (Default)"},
    {"murContact", "L",
     "rolling arm (a length); for Avalanche a ratio to the lever of the contact"},
    {"viscTContact", "F T/L", "tangential viscosity (law GeoVisc)"},
    {"knInnerBond", "F/L", "normal stiffness of bonds inside a cluster"},
    {"ktInnerBond", "F/L", "tangential stiffness of bonds inside a cluster"},
    {"krInnerBond", "F L", "rolling stiffness of bonds inside a cluster"},
    {"fn0InnerBond", "F", "tensile strength of bonds inside a cluster"},
    {"ft0InnerBond", "F", "shear strength of bonds inside a cluster"},
    {"mom0InnerBond", "F L", "bending strength of bonds inside a cluster"},
    {"powInnerBond", "", "exponent of the yield surface of bonds inside a cluster"},
    {"en2InnerBond", "", "square of the restitution of bonds inside a cluster"},
    {"knOuterBond", "F/L", "normal stiffness of bonds between clusters"},
    {"ktOuterBond", "F/L", "tangential stiffness of bonds between clusters"},
    {"krOuterBond", "F L", "rolling stiffness of bonds between clusters"},
    {"fn0OuterBond", "F", "tensile strength of bonds between clusters"},
    {"ft0OuterBond", "F", "shear strength of bonds between clusters"},
    {"mom0OuterBond", "F L", "bending strength of bonds between clusters"},
    {"powOuterBond", "", "exponent of the yield surface of bonds between clusters"},
    {"en2OuterBond", "", "square of the restitution of bonds between clusters"},
    {"gcInnerBond", "F/L", "fracture energy of bonds inside a cluster (law BCM)"},
    {"gcOuterBond", "F/L", "fracture energy of bonds between clusters (law BCM)"}};

ConfKeyword lawRow(const LawParameter& p) {
  const std::string name(p.name);
  const bool signedValue = name.starts_with("en2");  // whoever runs a file checks restitutions
  const auto read = [=](In& in, Conf& c, D& diagnostics) {
    const std::uint32_t g1 = group(in), g2 = group(in);
    const double v = signedValue ? in.number(name) : in.notNegative(name);
    if (const double* first = c.findLawParameter(name, g1, g2); first && *first != v)
      warnOfSecond(in, diagnostics, fmt::format("{} {} {}", name, g1, g2), *first);
    c.setLawParameter(name, g1, g2, v);
    // Where later complaints point to.
    if ((signedValue && !(v >= 0.0 && v <= 1.0)) || (name == "knContact" && v == 0.0))
      c.places[rowName(name, g1, g2)] = in.place();
  };
  const auto write = [=](Out& out, const Conf& c) {
    if (const auto found = c.lawParameters.find(name); found != c.lawParameters.end())
      for (const auto& [groups, v] : found->second) out.line(name, groups.first, groups.second, v);
  };
  return row(p.name, "group1 group2 value", p.unit, "0", p.help, read, write);
}

/// A parameter that holds for one group.
ConfKeyword groupRow(std::string_view name, std::string_view unit, std::string_view help) {
  const auto read = [=](In& in, Conf& c, D& diagnostics) {
    const std::uint32_t g = group(in);
    const double v = name == "youngModulus" ? in.positive(name) : in.number(name);
    if (name == "poissonRatio" && !(v > -1.0 && v <= 0.5))
      throw in.error(
          fmt::format("poissonRatio: expected a number above -1, 0.5 at most, found {}", v));
    if (const double first = c.groupParameter(name, g); first != 0.0 && first != v)
      warnOfSecond(in, diagnostics, fmt::format("{} {}", name, g), first);
    c.setGroupParameter(name, g, v);
  };
  const auto write = [=](Out& out, const Conf& c) {
    if (const auto found = c.groupParameters.find(name); found != c.groupParameters.end())
      for (const auto& [g, v] : found->second) out.line(name, g, v);
  };
  return row(name, "group value", unit, "0", help, read, write);
}

void readDensity(In& in, Conf& c, D& diagnostics) {
  const std::uint32_t g = group(in);
  const double v = in.positive("density"), first = c.densityOf(g);
  if (first > 0.0 && first != v) warnOfSecond(in, diagnostics, fmt::format("density {}", g), first);
  c.setDensity(g, v);
}
void writeDensity(Out& out, const Conf& c) {
  for (const auto& [g, v] : c.density) out.line("density", g, v);
}

void readEn2FromRate(In& in, Conf& c, D&) {
  const std::uint32_t g1 = group(in), g2 = group(in);
  const double rate = in.notNegative("en2ContactFromViscRate");
  if (rate >= 1.0) throw in.error("en2ContactFromViscRate: expected a rate in [0, 1)");
  const double en2 = portableExp(-2.0 * pi * rate / std::sqrt(1.0 - rate * rate));
  c.setLawParameter("en2Contact", g1, g2, en2);
  c.en2FromRate.push_back({g1, g2, en2});
}

// Lines of several values.

Vec3 direction(In& in, std::string_view what) {
  const Vec3 v = in.vec3(what);
  if (!(v.norm() > 0.0)) throw in.error(fmt::format("{}: expected a direction, found 0 0 0", what));
  return v;
}

void readBodyForce(In& in, Conf& c, D&) {
  const std::string name =
      choice(in, "BodyForce", {"AttractingPoint", "PreferredDirection", "ViscousFluid"});
  if (name == "AttractingPoint")
    c.bodyForce = AttractingPoint{in.vec3(name), in.number(name)};
  else if (name == "PreferredDirection")
    c.bodyForce =
        PreferredDirection{direction(in, "PreferredDirection: axis of the body"),
                           direction(in, "PreferredDirection: axis in space"), in.number(name)};
  else
    c.bodyForce = ViscousFluid{in.notNegative(name)};
}
void writeBodyForce(Out& out, const Conf& c) {
  if (!c.bodyForce) return;
  if (const auto* f = std::get_if<AttractingPoint>(&*c.bodyForce))
    out.line("BodyForce", "AttractingPoint", f->point, f->acceleration);
  else if (const auto* g = std::get_if<PreferredDirection>(&*c.bodyForce))
    out.line("BodyForce", "PreferredDirection", g->bodyAxis, g->axis, g->maxMoment);
  else
    out.line("BodyForce", "ViscousFluid", std::get<ViscousFluid>(*c.bodyForce).density);
}

void readJoint(In& in, Conf& c, D&) {
  SpringJoint s;
  readValue(in, "initSpringJoint: first body", s.i);
  s.onI = in.vec3("initSpringJoint");
  readValue(in, "initSpringJoint: second body", s.j);
  s.onJ = in.vec3("initSpringJoint");
  s.stiffness = std::abs(in.number("initSpringJoint"));
  if (s.i == s.j)
    throw in.error(fmt::format("initSpringJoint: expected two bodies, found {} twice", s.i));
  c.joints.push_back(s);
}
void writeJoints(Out& out, const Conf& c) {
  for (const SpringJoint& s : c.joints)
    out.line("initSpringJoint", s.i, s.onI, s.j, s.onJ, s.stiffness);
}

void readTempo(In& in, Conf& c, D&) {
  Tempo tempo;
  const std::string what = choice(in, "Tempo", {"NDCoeff", "Inter", "Body"});
  if (what == "Inter") {
    tempo.what = Tempo::What::pair;
    const std::string_view name = in.word("Tempo Inter: parameter");
    const auto& known = lawParameterNames();
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw in.error(fmt::format("Tempo Inter: unknown parameter '{}'{}", name.substr(0, 40),
                                 suggestion(name, known)));
    tempo.parameter = name;
    const std::uint32_t g1 = group(in), g2 = group(in);
    tempo.group1 = std::min(g1, g2);
    tempo.group2 = std::max(g1, g2);
  } else if (what == "Body") {
    tempo.what = Tempo::What::density;
    choice(in, "Tempo Body", {"density"});
    tempo.group1 = group(in);
  }
  if (choice(in, "Tempo: course", {"Ramp", "Range"}) == "Range")
    tempo.course = Tempo::Course::range;
  tempo.t1 = in.number("Tempo: first time");
  tempo.t2 = in.number("Tempo: last time");
  if (tempo.t2 < tempo.t1) throw in.error("Tempo: the last time is before the first");
  // A restitution may be negative, which gives critical damping; a density must leave a mass.
  const Check check = tempo.what == Tempo::What::density   ? Check::positive
                      : tempo.parameter.starts_with("en2") ? Check::any
                                                           : Check::notNegative;
  readValue(in, "Tempo: value", tempo.v1, check);
  readValue(in, "Tempo: value", tempo.v2, check);
  c.tempos.push_back(std::move(tempo));
}
void writeTempos(Out& out, const Conf& c) {
  for (const Tempo& tempo : c.tempos) {
    out.put("Tempo");
    if (tempo.what == Tempo::What::damping)
      out.put("NDCoeff");
    else if (tempo.what == Tempo::What::pair)
      out.put("Inter").put(tempo.parameter).put(tempo.group1).put(tempo.group2);
    else
      out.put("Body").put("density").put(tempo.group1);
    out.put(tempo.course == Tempo::Course::ramp ? "Ramp" : "Range");
    out.line(tempo.t1, tempo.t2, tempo.v1, tempo.v2);
  }
}

// Values with rules of their own.

/// A whole number; the format's description calls it a double, so it may be written as one.
void readNumberOfConf(In& in, Conf& c, D&) {
  const double n = in.number("iconf");
  if (!(n >= 0.0 && n <= INT32_MAX / 2 && n == std::floor(n)))
    throw in.error(
        fmt::format("iconf: expected a whole number from 0 to {}, found {}", INT32_MAX / 2, n));
  c.iconf = static_cast<int>(n);
}

void readPrecision(In& in, Conf& c, D&) {
  const auto n = in.integer("precision", INT32_MIN, INT32_MAX);
  if (n < 0 || n > 60) throw in.error(fmt::format("precision: expected 0 to 60, found {}", n));
  c.precision = n > 0 ? static_cast<int>(n) : -1;
}
void readGlueWithWalls(In& in, Conf& c, D&) {
  const std::string word =
      choice(in, "glue_with_walls", {"yes", "YES", "y", "Y", "1", "no", "NO", "n", "N", "0"});
  c.glueWithWalls = std::string_view("yY1").find(word[0]) != std::string_view::npos;
}
/// A command that prepares a state; never written.
ConfKeyword commandRow(const CommandInfo& info) {
  const auto read = [&info](In& in, Conf& conf, D&) {
    conf.commands.push_back({std::string(info.name), in});
    for (auto k = std::ranges::count(info.arguments, ' '); k >= 0; --k) {
      if (in.peek().starts_with('$'))
        in.number(info.name);
      else
        in.word(info.name);
    }
  };
  return row(info.name, info.arguments, "", "", info.help, read, nullptr);
}

constexpr auto positive = Check::positive, notNegative = Check::notNegative;

std::vector<ConfKeyword> makeTable() {
  constexpr Written ifSet = Written::ifSet, always = Written::always;
  std::vector<ConfKeyword> rows{
      keptLine("AddOrRemoveInteractions", "word",
               "kept; contacts do not depend on the search method"),
      word("Integrator", &Conf::integrator, {"velocityVerlet", "Euler", "Beeman", "RungeKutta4"},
           "velocityVerlet, Euler, Beeman or RungeKutta4"),
      keptLine("UpdateNL", "word", "kept; contacts do not depend on the search method",
               {"UpdateNLStrategy"}),
      value("forceLaw", &Conf::forceLaw, "",
            "force law, without one Avalanche; `rockable --list laws` prints the names", Check::any,
            ifSet),
      value("t", &Conf::t, "T", "current time"),
      value("tmax", &Conf::tmax, "T", "time at the end of the run"),
      value("dt", &Conf::dt, "T", "time step", positive),
      value("interVerlet", &Conf::interVerlet, "T",
            "period of neighbour updates; kept, Scree updates by displacement", notNegative),
      value("interConf", &Conf::interConf, "T", "period of conf-files", positive),
      value("DVerlet", &Conf::DVerlet, "L",
            "gap of neighbouring bodies; kept, Scree chooses its own", notNegative),
      value("dVerlet", &Conf::dVerlet, "L",
            "gap of neighbouring sub-elements; kept, Scree chooses its own", notNegative),
      keptLine("parallel_mode", "word", "kept; results do not depend on threads"),
      row("density", "group value", "M/L³", "0", "density of the bodies of a group", readDensity,
          writeDensity),
      value("gravity", &Conf::gravity, "L/T²", "acceleration of gravity, on free bodies"),
      row("BodyForce", "name parameters", "", "",
          "a force on all free bodies: AttractingPoint x y z acceleration, PreferredDirection "
          "(axis of the body) (axis in space) largest_moment, or ViscousFluid density; the last "
          "one acts",
          readBodyForce, writeBodyForce),
      value("ParamsInInterfaces", &Conf::paramsInInterfaces, "",
            "1: lines of Interfaces contain the parameters of their bonds"),
      value("dynamicUpdateNL", &Conf::dynamicUpdateNL, "",
            "kept; Scree always updates by displacement"),
      value("dispUpdateNL", &Conf::dispUpdateNL, "L", "kept, as dynamicUpdateNL", notNegative,
            ifSet),
      value("angleUpdateNL", &Conf::angleUpdateNL, "degrees", "kept, as dynamicUpdateNL",
            notNegative, ifSet),
      value("usePeriodicCell", &PeriodicCell::used, "", "1: space is periodic, in the cell h"),
      value("h", &PeriodicCell::h, "L",
            "periodic cell: its three vectors as columns, given row by row"),
      value("vh", &PeriodicCell::vh, "L/T", "periodic cell: velocity of h"),
      value("ah", &PeriodicCell::ah, "L/T²", "periodic cell: acceleration of h"),
      value("mh", &PeriodicCell::mh, "",
            "periodic cell: its mass over that of all bodies; 0 or less: mass 1"),
      value("dh", &PeriodicCell::dh, "M/T", "periodic cell: viscous damping of its motion",
            notNegative),
      value("cellMomentumCorrection", &PeriodicCell::momentumCorrection, "T",
            "periodic cell: period at which mean momentum is removed; 0: never", notNegative),
      value("cellVelocityCorrection", &PeriodicCell::velocityCorrection, "T",
            "periodic cell: period at which mean velocity is removed; 0: never", notNegative),
      value("useKineticStress", &PeriodicCell::kineticStress, "",
            "periodic cell: 1 includes velocity fluctuations in the stress"),
      keptLine("useSoftParticles", "Young Poisson",
               "refused: bodies are rigid, and no version of Rockable computes it"),
      value("numericalDampingCoeff", &Conf::numericalDampingCoeff, "",
            "damping in proportion to the unbalanced force, weight included (Cundall); no effect "
            "at rest",
            notNegative),
      value("VelocityBarrier", &Conf::velocityBarrier, "L/T",
            "velocity B that components hardly exceed: acceleration a (1 - r)/(1 + r), r = "
            "(v/B)^e; 0: none",
            notNegative, always, {"velocityBarrier"}),
      value("AngularVelocityBarrier", &Conf::angularVelocityBarrier, "1/T",
            "the same for components of spin; 0: none", notNegative, always,
            {"angularVelocityBarrier"}),
      value("VelocityBarrierExponent", &Conf::velocityBarrierExponent, "",
            "sharpness of VelocityBarrier", Check::any, always, {"velocityBarrierExponent"}),
      value("AngularVelocityBarrierExponent", &Conf::angularVelocityBarrierExponent, "",
            "sharpness of AngularVelocityBarrier", Check::any, always,
            {"angularVelocityBarrierExponent"}),
      keptLine("preventCrossingLength", "value", "kept; without effect")};
  for (const LawParameter& p : ofPairs) rows.push_back(lawRow(p));
  const std::vector<ConfKeyword> afterLaws{
      groupRow("youngModulus", "F/L²",
               "Young's modulus of the bodies of a group (law HertzMindlin)"),
      groupRow("poissonRatio", "",
               "Poisson ratio of the bodies of a group, -1 to 0.5 (law HertzMindlin)"),
      row("en2ContactFromViscRate", "group1 group2 rate", "", "",
          "sets en2Contact to that of a damping rate in [0, 1): exp(-2 pi rate / sqrt(1 - rate²))",
          readEn2FromRate, nullptr),
      word("ContactPartnership", &Conf::contactPartnership,
           {"None", "NumberWeight", "OverlapWeight", "SurfaceWeight"},
           "how contacts of a pair share its stiffness: None, NumberWeight, OverlapWeight; "
           "SurfaceWeight is None"),
      keptLine("cellMinSizes", "x y z", "sizes of link cells; kept, Scree has its own"),
      keptLine("boxForLinkCellsOpt", "0|1", "kept, as cellMinSizes"),
      row("iconf", "n", "", "0", "number of this conf-file; the next one is n + 1",
          readNumberOfConf, [](Out& out, const Conf& c) { out.line("iconf", c.iconf); }),
      value("nDriven", &Conf::nDriven, "",
            "the first n bodies are fixed, or driven by drivingSystem.txt"),
      value("shapeFile", &Conf::shapeFile, "",
            "library of the shapes; looked for beside this file, then in the current folder",
            Check::any, ifSet),
      keptLine("separator", "word", "kept, without effect"),
      row("precision", "n", "", "",
          "0 to 60 decimals of particles and interactions, 16 being exact; absent or 0: shortest "
          "exact text",
          readPrecision,
          [](Out& out, const Conf& c) {
            if (c.precision > 0) out.line("precision", c.precision);
          }),
      row("Tempo", "what course t1 t2 v1 v2", "", "",
          "a parameter that varies in time: NDCoeff, Inter parameter group1 group2, or Body "
          "density group; course Ramp (v1 until t1, linear, v2 from t2) or Range (v1 within "
          "[t1, t2], else v2)",
          readTempo, writeTempos),
      row("initSpringJoint", "i pos_i j pos_j K", "", "",
          "a spring between points given in the frames of two bodies, initially unloaded",
          readJoint, writeJoints),
      row("glue_with_walls", "yes|no", "", "no",
          "whether stickVerticesInClustersMoments, stickBCM and stickClusters glue driven bodies "
          "too",
          readGlueWithWalls,
          [](Out& out, const Conf& c) {
            if (c.glueWithWalls) out.line("glue_with_walls", "yes");
          }),
      row("Particles", "N, then N lines", "", "",
          "the bodies: name group cluster homothety pos vel acc Q vrot arot", readParticles,
          writeParticles),
      row("Interactions", "N, then N lines", "", "0",
          "the contacts: i j type isub jsub n dn pos vel fn ft mom damp", readInteractions,
          writeInteractions),
      row("Interfaces", "N, then N lines", "", "0",
          "the glued pairs: i j bonds [dn0] [parameters] (type isub jsub)...", readInterfaces,
          writeInterfaces),
      keptLine("DataExtractor", "name parameters",
               "a table written during the run, as in a line of dataExtractors.txt")};
  rows.insert(rows.end(), afterLaws.begin(), afterLaws.end());
  for (const CommandInfo& command : allCommands()) rows.push_back(commandRow(command));
  return rows;
}

}  // namespace

const std::vector<ConfKeyword>& confKeywords() {
  static const std::vector<ConfKeyword> table = makeTable();
  return table;
}

const std::vector<std::string_view>& lawParameterNames() {
  static const std::vector<std::string_view> names = namesOf(ofPairs);
  return names;
}

std::string choice(TextReader& in, std::string_view what,
                   std::span<const std::string_view> allowed) {
  const std::string_view word = in.word(what);
  if (std::ranges::find(allowed, word) != allowed.end()) return std::string(word);
  throw in.error(fmt::format("{}: expected one of {}; found '{}'{}", what, fmt::join(allowed, ", "),
                             word.substr(0, 40), suggestion(word, allowed)));
}

std::uint32_t group(TextReader& in) {
  return static_cast<std::uint32_t>(in.integer("group", 0, 1'000'000));
}

std::string rowName(std::string_view keyword, std::uint32_t group1, std::uint32_t group2) {
  return fmt::format("{} {} {}", keyword, std::min(group1, group2), std::max(group1, group2));
}

}  // namespace scree::sim
