// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contact_kernel.hpp"
#include "engine/engine.hpp"
#include "falls.hpp"
#include "io/conf_values.hpp"
#include "missed_contacts.hpp"
#include "run_monitor.hpp"
#include "straddles.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/sim/check/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace scree::sim {
namespace {

/// Rounded down, or up, to two digits. A sum that is above them by its rounding alone stays.
double roundedTo2(double value, bool up) {
  const double near = *parseNumber(fmt::format("{:.1e}", value));
  if (up ? near >= value * (1.0 - 1e-12) : near <= value) return near;
  // The other neighbour: a unit of the second digit further.
  const std::string text = fmt::format("{:.1e}", value);
  const double unit = 0.1 * *parseNumber("1" + text.substr(text.find('e')));
  return *parseNumber(fmt::format("{:.1e}", near + (up ? unit : -unit)));
}

/// Steps in the shortest contact that make a bounce accurate.
constexpr double stepsPerContact = 25.0;

void checkRestitution(const Simulation& simulation, Diagnostics& diagnostics) {
  const Conf& conf = simulation.input();
  const auto report = [&](const ParseError& error) {
    if (!engineOf(simulation).rules().anyRestitution) throw error;
    diagnostics.warn(error);
  };
  constexpr const char* meaning =
      "expected 0 to 1, the share of the energy that a collision leaves (0.25 for a restitution "
      "coefficient of 0.5)";
  for (const auto& [name, values] : conf.lawParameters) {
    if (!name.starts_with("en2")) continue;
    for (const PairValue& v : values)
      if (!(v.value >= 0.0 && v.value <= 1.0)) {
        const std::string row = rowName(name, v.group1, v.group2);
        report(conf.errorAt(conf.places.contains(row) ? row : name,
                            fmt::format("{}: {}; found {}", row, meaning, v.value)));
      }
  }
  for (const Tempo& tempo : conf.tempos)
    if (tempo.what == Tempo::What::pair && tempo.parameter.starts_with("en2"))
      for (const double value : {tempo.v1, tempo.v2})
        if (!(value >= 0.0 && value <= 1.0))
          report(
              conf.errorAt("Tempo", fmt::format("Tempo of {} {} {}: {}; found {}", tempo.parameter,
                                                tempo.group1, tempo.group2, meaning, value)));
}

/// Calls f(g1, g2) for all pairs of groups whose bodies can meet with a force.
void forPairsThatMeet(const Simulation& simulation,
                      const std::function<void(std::uint32_t, std::uint32_t)>& f) {
  const Bodies& b = simulation.bodies();
  struct Members {
    std::size_t free = 0, all = 0;
  };
  std::map<std::uint32_t, Members> groups;
  for (std::size_t k = 0; k < b.size(); ++k) {
    ++groups[b.group[k]].all;
    groups[b.group[k]].free += k >= b.driven;
  }
  for (const Boundary& boundary : simulation.input().boundaries) ++groups[boundary.group].all;
  const ContactKernel& kernel = engineOf(simulation).kernel();
  for (const auto& [g1, m1] : groups)
    for (const auto& [g2, m2] : groups)
      if (g1 <= g2 && (m1.free > 0 || m2.free > 0) && (g1 != g2 || m1.all > 1) &&
          kernel.missing(kernel.index(g1, g2)).empty())
        f(g1, g2);
}

/// Whether a parameter of a pair of groups follows a course in time.
bool byTempo(const Conf& conf, std::string_view keyword, std::uint32_t g1, std::uint32_t g2) {
  return std::any_of(conf.tempos.begin(), conf.tempos.end(), [&](const Tempo& tempo) {
    return tempo.what == Tempo::What::pair && tempo.parameter == keyword &&
           std::minmax(tempo.group1, tempo.group2) == std::minmax(g1, g2);
  });
}
/// Whether a line or a `Tempo` gives it.
bool isGiven(const Conf& conf, const std::string& keyword, std::uint32_t g1, std::uint32_t g2) {
  return conf.findLawParameter(keyword, g1, g2) || byTempo(conf, keyword, g1, g2);
}

/// "0-1, 1-1, 1-2 and 4 more", as they are added.
struct PairList {
  std::string names;
  std::size_t pairs = 0;
  void add(std::uint32_t g1, std::uint32_t g2) {
    if (++pairs <= 3) names += fmt::format("{}{}-{}", names.empty() ? "" : ", ", g1, g2);
  }
  std::string text() const {
    return pairs > 3 ? fmt::format("{} and {} more", names, pairs - 3) : names;
  }
};

/// The keyword of the tangential spring or viscosity of a law; "": other keywords give it.
std::string tangentialKeyword(const LawInfo& law) {
  std::string found;
  const auto kernel = makeKernel(law, {0});
  kernel->setParameters(kernel->index(0, 0),
                        ParameterSource(
                            [&](std::string_view keyword) {
                              if (keyword == "ktContact" || keyword == "viscTContact")
                                found = keyword;
                              return 1.0;
                            },
                            [](std::string_view, bool) { return 0.5; }));
  return found;
}

/// A usual value of that keyword, rounded down: that which packgen writes.
double usualTangential(const Simulation& simulation, const std::string& keyword, std::uint32_t g1,
                       std::uint32_t g2) {
  const Bodies& b = simulation.bodies();
  const double kt = 0.8 * simulation.input().lawParameter("knContact", g1, g2);
  if (keyword == "ktContact") return roundedTo2(kt, false);
  double least = HUGE_VAL;
  for (std::size_t k = b.driven; k < b.size(); ++k)
    if (b.group[k] == g1 || b.group[k] == g2) least = std::min(least, b.mass[k]);
  return roundedTo2(2.0 * std::sqrt(kt * 0.5 * least), false);
}

void checkFriction(const Simulation& simulation, Diagnostics& diagnostics) {
  const Conf& conf = simulation.input();
  const std::string tangential = tangentialKeyword(engineOf(simulation).kernel().law());
  PairList noMu, noSpring;
  std::string muRow, springRow;
  double spring = 0.0;
  forPairsThatMeet(simulation, [&](std::uint32_t g1, std::uint32_t g2) {
    const bool rubs =
        conf.lawParameter("muContact", g1, g2) > 0.0 || byTempo(conf, "muContact", g1, g2);
    if (!isGiven(conf, "muContact", g1, g2)) {
      noMu.add(g1, g2);
      if (noMu.pairs == 1) muRow = fmt::format("muContact {} {}", g1, g2);
    } else if (rubs && !tangential.empty() && !isGiven(conf, tangential, g1, g2)) {
      noSpring.add(g1, g2);
      if (noSpring.pairs > 1) return;
      springRow = fmt::format("{} {} {}", tangential, g1, g2);
      spring = usualTangential(simulation, tangential, g1, g2);
    }
  });
  if (noMu.pairs > 0)
    diagnostics.warn(conf.errorAt(
        "", fmt::format("no muContact for groups {}: they slide without friction; add a line '{} "
                        "0.5', or '{} 0' for none",
                        noMu.text(), muRow, muRow)));
  if (noSpring.pairs > 0)
    diagnostics.warn(conf.errorAt(
        "", fmt::format("no {} for groups {}: they slide without friction, whatever their "
                        "muContact; add a line '{} {:.2g}', or '{} 0' for none",
                        tangential, noSpring.text(), springRow, spring, springRow)));
}

/// Times are doubles: a step that is lost in their last digit stops the clock.
void checkClock(const Simulation& simulation, Diagnostics& diagnostics) {
  const Conf& conf = simulation.input();
  const double dt = conf.dt, t = simulation.time();
  const auto digit = [](double time) {  // [T] between this time and the next double
    return std::nextafter(std::abs(time), HUGE_VAL) - std::abs(time);
  };
  const auto message = [&](double time) {
    return fmt::format(
        "dt = {:.4g} is lost in the last digit of t = {:.6g}: the clock stands still; use dt {} or "
        "more",
        dt, time, roundedTo2(digit(time), true));
  };
  if (dt < digit(t)) throw conf.errorAt("dt", message(t));
  if (dt < digit(conf.tmax)) diagnostics.warn(conf.errorAt("dt", message(conf.tmax)));
}

void checkTimeStep(const Simulation& simulation, Diagnostics& diagnostics) {
  const CriticalStep critical = criticalStep(simulation);
  const double dt = simulation.timeStep(), contact = shortestContactTime(simulation);
  const bool unstable = dt > critical.dt;
  if (!unstable && contact >= leastStepsPerContact * dt) return;
  const std::vector<Tempo>& tempos = simulation.input().tempos;
  const bool courses = std::any_of(tempos.begin(), tempos.end(), [](const Tempo& tempo) {
    return tempo.what != Tempo::What::damping;
  });
  const char* among = courses ? ", with all values of Tempo" : "";
  const auto advice = [&](double shortest, bool ofBody) {
    return fmt::format("dt {} gives {:.0f} steps to {}",
                       roundedTo2(shortest / stepsPerContact, false), stepsPerContact,
                       ofBody ? "half its shortest period" : "the shortest contact");
  };
  std::string message;
  if (unstable) {
    const std::string whose =
        critical.body ? fmt::format("body {} on its {} contact{}", *critical.body,
                                    critical.contacts, critical.contacts == 1 ? "" : "s")
                      : "the lightest bodies";
    message = fmt::format(
        "dt = {:.4g} is {:.3g} times the critical time step {:.4g} of {}{}: "
        "contacts will be unstable; {}",
        dt, dt / critical.dt, critical.dt, whose, among,
        advice(0.5 * pi * critical.dt, critical.body.has_value()));
  } else {
    message = fmt::format(
        "dt = {:.4g} gives {:.2g} steps to the shortest contact of {:.4g}{}: "
        "bounces will gain or lose energy; {}",
        dt, contact / dt, contact, among, advice(contact, false));
  }
  diagnostics.warn(simulation.input().errorAt("dt", message));
}

/// A body that leaps over others in a step meets none of them.
void checkSpeeds(const Simulation& simulation, Diagnostics& diagnostics) {
  const Bodies& b = simulation.bodies();
  double most = 0.0;
  BodyId fastest = 0;
  for (std::size_t k = b.driven; k < b.size(); ++k) {
    const double share =
        b.vel[k].norm() * simulation.timeStep() / bodySize(b, simulation.shapes(), k);
    if (share > most) most = share, fastest = static_cast<BodyId>(k);
  }
  if (!(most > largestLeap)) return;
  diagnostics.warn(simulation.input().errorAt(
      "dt",
      fmt::format("body {} starts with {:.3g} times its size in a step, and can pass through "
                  "other bodies; dt {} makes it {:g} times",
                  simulation.bodyOrder().number(fastest), most,
                  roundedTo2(simulation.timeStep() * largestLeap / most, false), largestLeap)));
}

/// [F] that bodies at rest can press a contact with: that of all free ones together.
double wholeWeight(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  double mass = 0.0;
  for (std::size_t k = b.driven; k < b.size(); ++k) mass += b.mass[k];
  return mass * simulation.input().gravity.norm();
}

std::string asWords(const Vec3& v) {  // without the sign of -0
  return fmt::format("{:g} {:g} {:g}", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0);
}
/// (0 1 0), of any vector.
std::string directionOf(const Vec3& v) {
  const Vec3 n = v.normalized();
  return fmt::format("({:.2g} {:.2g} {:.2g})", n.x() + 0.0, n.y() + 0.0, n.z() + 0.0);
}

/// "move body 3 by 0.25 along (0 1 0)"
std::string moveBy(const Simulation& simulation, BodyId k, const Vec3& way) {
  return fmt::format("move body {} by {:.2g} along {}", simulation.bodyOrder().number(k),
                     roundedTo2(way.norm(), true), directionOf(way));
}

/// How a body leaves the face that it passes through: a free one, to the side where it lands.
Vec3 wayOut(const Simulation& simulation, const Straddles& found) {
  const BodyId mover = simulation.bodyOrder().body(found.move),
               other = simulation.bodyOrder().body(found.other);
  if (other >= simulation.bodies().driven) return found.shift;
  return wayToLand(simulation, simulation.input().gravity, mover, other,
                   std::array{found.shift, found.longer});
}

/// The deepest contact of bodies i and j, with the normal from j towards i; 0 if it has none.
Touch deepestTouch(const Simulation& simulation, BodyId i, BodyId j) {
  Touch deepest;
  forEachTouch(simulation, [&](BodyId a, BodyId b, const Touch& touch) {
    if (std::minmax(a, b) != std::minmax(i, j) || touch.dn >= deepest.dn) return;
    deepest = touch;
    if (a == i) return;
    deepest.arm += simulation.bodies().pos[a] - simulation.bodies().pos[i];
    deepest.n = -touch.n;
  });
  return deepest;
}

/// [L] how far a body must move against the normal of a contact, to leave at the other side.
double wayThrough(const Simulation& simulation, BodyId i, BodyId j, const Touch& touch) {
  const Bodies& b = simulation.bodies();
  const shape::Shape& shape = simulation.shapes()[b.shape[i]];
  double high = -HUGE_VAL;  // of body i along the normal, from its centre
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    high = std::max(high, touch.n.dot(rotated(b.q[i], b.homothety[i] * shape.vertices[v])) +
                              b.homothety[i] * shape.radiusAt(v));
  const double surface = touch.n.dot(touch.arm) - 0.5 * touch.dn;  // of body j
  return high - surface + 2.0 * b.homothety[j] * simulation.shapes()[b.shape[j]].radius;
}

/// How to move two bodies apart that overlap: a free one, to the side where it lands.
std::string wayApart(const Simulation& simulation, BodyId i, BodyId j, double depth) {
  const Bodies& b = simulation.bodies();
  const Vec3& g = simulation.input().gravity;
  const std::string advice = fmt::format("move them apart by {:.3g}", depth);
  if (simulation.input().cell.used) return advice;
  if (i < b.driven) std::swap(i, j);
  if (const Straddles found = straddlesOf(simulation); found.pairs > 0) {
    const BodyId mover = simulation.bodyOrder().body(found.move),
                 other = simulation.bodyOrder().body(found.other);
    if (std::minmax(mover, other) == std::minmax(i, j))
      return moveBy(simulation, mover, wayOut(simulation, found));
  }
  Vec3 apart = b.pos[i] - b.pos[j];
  const bool inOnePlace = !(apart.norm() > 1e-9 * depth);
  if (j < b.driven && !inOnePlace) {
    const Touch touch = deepestTouch(simulation, i, j);
    if (!touch.n.isZero()) {
      const std::array ways{Vec3(depth * touch.n),
                            Vec3(-wayThrough(simulation, i, j, touch) * touch.n)};
      const Vec3 way = wayToLand(simulation, g, i, j, ways);
      if (way != ways.front()) return moveBy(simulation, i, way);
      apart = touch.n;
    }
  }
  if (inOnePlace) {
    if (g.isZero()) return advice;
    apart = -g;
  }
  return advice +
         fmt::format(", body {} along {}", simulation.bodyOrder().number(i), directionOf(apart));
}

void checkOverlaps(const Simulation& simulation, Diagnostics& diagnostics) {
  const Overlaps o = overlapsOf(simulation);
  if (o.deep == 0) return;
  const Bodies& b = simulation.bodies();
  const BodyOrder& order = simulation.bodyOrder();
  const BodyId i = order.body(o.i), j = order.body(o.j);
  const ContactKernel& kernel = engineOf(simulation).kernel();
  double inverse = 0.0, radius = 0.0;  // [1/M] of the two together; [L] the larger rounding
  for (const BodyId k : {i, j}) {
    radius = std::max(radius, b.homothety[k] * simulation.shapes()[b.shape[k]].radius);
    if (k >= b.driven) inverse += 1.0 / b.mass[k];
    if (i == j) break;
  }
  std::uint32_t other = b.group[j];  // of the boundary, where there is one
  if (i == j && !simulation.input().boundaries.empty())
    other = simulation.input().boundaries.front().group;
  const double time = kernel.contactTime(kernel.index(b.group[i], other), 1.0 / inverse, radius),
               rate = pi / time,  // [1/T] of the contact as a spring
      kn = rate * rate / inverse;
  const std::string what = fmt::format(
      "{} overlap by {:.3g} (in the unit of the file) at the start, {:.3g} % of the size of the "
      "smaller one{}",
      pairName(o.i, o.j), o.worstDepth, 100.0 * o.worst,
      o.deep > 1 ? fmt::format("; {} contacts are deeper than {:.0f} %", o.deep, 100 * deepOverlap)
                 : "");
  // As deep as weight can press them (ten times that of all, where bodies have fallen): soft.
  if (kn > 0.0 && o.worstDepth * kn <= 10.0 * wholeWeight(simulation)) {
    const double factor = o.worst / deepOverlap;
    if (!simulation.input().findLawParameter("knContact", b.group[i], other)) {
      diagnostics.warn(simulation.input().errorAt(
          "", fmt::format("{}: contacts are soft; {:.2g} times their stiffness keeps such loads "
                          "below {:.0f} %",
                          what, roundedTo2(factor, true), 100.0 * deepOverlap)));
      return;
    }
    diagnostics.warn(simulation.input().errorAt(
        "knContact", fmt::format("{}: contacts are soft; knContact {:.2g} with dt {:.2g} keeps "
                                 "such loads below {:.0f} %",
                                 what, roundedTo2(kn * factor, true),
                                 roundedTo2(simulation.timeStep() / std::sqrt(factor), false),
                                 100.0 * deepOverlap)));
    return;
  }
  const std::string advice = i == j ? fmt::format("move it inwards by {:.3g}", o.worstDepth)
                                    : wayApart(simulation, i, j, o.worstDepth);
  diagnostics.warn(simulation.input().errorAt(
      "Particles",
      fmt::format("{}: contacts will separate them at up to {:.2g} (length over time); {}", what,
                  o.worstDepth * rate, advice)));
}

void checkStraddles(const Simulation& simulation, Diagnostics& diagnostics) {
  const Straddles found = straddlesOf(simulation);
  if (found.pairs == 0) return;
  diagnostics.warn(simulation.input().errorAt(
      "Particles",
      fmt::format(
          "{} pass through each other at the start{}: contacts cannot separate them; {}, "
          "in the unit of the file",
          pairName(std::min(found.move, found.other), std::max(found.move, found.other)),
          found.pairs > 1 ? fmt::format(", and {} more do", found.pairs - 1) : "",
          moveBy(simulation, simulation.bodyOrder().body(found.move), wayOut(simulation, found)))));
}

/// Gravity of the same size with which all bodies land, or 0: the opposite one, or another axis.
/// @param wrongSide  bodies are below what could catch them: no other axis
Vec3 gravityThatLands(const Simulation& simulation, bool wrongSide) {
  const Vec3 g = simulation.input().gravity;
  if (endlessFalls(simulation, -g).bodies.empty()) return -g;
  if (wrongSide) return Vec3::Zero();
  for (const double sign : {-1.0, 1.0})
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 other = sign * g.norm() * Vec3::Unit(axis);
      if (other.cross(g).norm() > 0.1 * g.squaredNorm() &&
          endlessFalls(simulation, other).bodies.empty())
        return other;
    }
  return Vec3::Zero();
}

}  // namespace

void checkFalls(const Simulation& simulation, Diagnostics& diagnostics) {
  const Conf& conf = simulation.input();
  const Falls falls = endlessFalls(simulation, conf.gravity);
  if (falls.bodies.empty()) return;
  const Bodies& b = simulation.bodies();
  const std::size_t n = falls.bodies.size();
  const std::string who =
      n == 1 ? fmt::format("body {} falls", falls.bodies.front())
             : fmt::format("{} bodies, the first body {}, fall", n, falls.bodies.front());
  std::string what = fmt::format("{} for ever along gravity {}: no driven body is below", who,
                                 asWords(conf.gravity));
  const Vec3 other = n == b.size() - b.driven ? gravityThatLands(simulation, falls.lift.has_value())
                                              : Vec3::Zero();
  if (!other.isZero()) what += fmt::format("; with gravity {} all would land", asWords(other));
  if (falls.lift)
    what += fmt::format(
        "; {}body {} is below driven bodies: move it by {:.3g} along {}, in the "
        "unit of the file",
        other.isZero() ? "" : "or, ", falls.bodies.front(), roundedTo2(*falls.lift, true),
        directionOf(-conf.gravity));
  diagnostics.warn(conf.errorAt("gravity", what));
}

void checkStart(const Simulation& simulation, bool begins, Diagnostics& diagnostics) {
  checkRestitution(simulation, diagnostics);
  checkFriction(simulation, diagnostics);
  checkClock(simulation, diagnostics);
  checkTimeStep(simulation, diagnostics);
  if (!begins) return;
  checkSpeeds(simulation, diagnostics);
  checkOverlaps(simulation, diagnostics);
  checkStraddles(simulation, diagnostics);
  checkFalls(simulation, diagnostics);
}

}  // namespace scree::sim
