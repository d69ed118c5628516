// SPDX-License-Identifier: GPL-3.0-or-later
// Table of the `#scree` lines: data that a run needs to continue with the same bits, and that other
// programs skip.
#include "conf_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace scree::sim {
namespace {

// Each overload of valuesOf lists the members of a record in the order in which its line has them,
// to read them from the file or write them to it.
template <class T, class Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

auto valuesOf(Is<RunState> auto& s) { return std::tie(s.t0, s.step); }
auto valuesOf(Is<EditMark> auto& m) { return std::tie(m.viscosityApart, m.contactsMissing); }
auto valuesOf(Is<EnergyLedger> auto& l) {
  return std::tie(l.start, l.startPotential, l.startTangential, l.startRolling, l.normalLoss,
                  l.switched, l.tangential, l.rolling, l.damping, l.barriers, l.breakage,
                  l.bodyForces, l.drives, l.exchanged, l.nextDamping, l.nextBarriers,
                  l.nextBodyForces);
}
auto valuesOf(Is<EnergyLedger::Saved> auto& s) { return std::tie(s.held, s.potential); }
auto valuesOf(Is<BondedArea> auto& a) { return std::tie(a.all, a.broken); }
auto valuesOf(Is<EarlierMotion> auto& m) { return std::tie(m.acc, m.spinAcc, m.moment); }
auto valuesOf(Is<BoundaryTouch> auto& t) {
  return std::tie(t.boundary, t.body, t.vertex, t.dn, t.fn, t.ft, t.mom, t.vel);
}
auto valuesOf(Is<SummedClock> auto& c) {
  return std::tie(c.t, c.dt, c.sinceConf, c.sinceLists, c.listsRequested, c.listsDue);
}
auto valuesOf(Is<SummedClock::Moved> auto& m) { return std::tie(m.way, m.turn); }
auto valuesOf(Is<ImpactPeak> auto& p) { return std::tie(p.force, p.place, p.speed, p.other); }
/// Values of a line `idle`: a listed pair of sub-elements that does not touch.
auto valuesOf(Is<InteractionRecord> auto& r) {
  return std::tie(r.key.i, r.key.j, r.key.pairing, r.key.iSub, r.key.jSub, r.dn, r.fn, r.ft, r.mom,
                  r.damp);
}

template <class T>
void read(TextReader& in, std::string_view name, T& item) {
  const std::string what = fmt::format("#scree {}", name);
  std::apply([&](auto&... values) { (readValue(in, what, values), ...); }, valuesOf(item));
}
template <class T, class... Prefix>
void write(TextWriter& out, std::string_view name, const T& item, const Prefix&... prefix) {
  out.put("#scree").put(name);
  (out.put(prefix), ...);
  const auto put = [&out]<class V>(const V& value) {
    if constexpr (std::is_same_v<V, bool> || std::is_enum_v<V>)
      out.put(static_cast<int>(value));
    else
      out.put(value);
  };
  std::apply([&](const auto&... values) { (put(values), ...); }, valuesOf(item));
  out.endLine();
}

/// Row of the table for an optional member of SavedState, whose values form the line.
template <class T>
StateLine optionalLine(std::string_view name, std::string_view arguments, std::string_view help,
                       std::optional<T> SavedState::*member) {
  return {name, arguments, help,
          [=](TextReader& in, Conf& conf) { read(in, name, (conf.makeState().*member).emplace()); },
          [=](TextWriter& out, const Conf& conf) {
            if (const auto& item = conf.state().*member) write(out, name, *item);
          }};
}

/// Row of the table for a list, each record of which has a line.
/// @param listOf  the list of a conf
template <class ListOf>
StateLine listLine(std::string_view name, std::string_view arguments, std::string_view help,
                   ListOf listOf) {
  return {name, arguments, help,
          [=](TextReader& in, Conf& conf) { read(in, name, listOf(conf).emplace_back()); },
          [=](TextWriter& out, const Conf& conf) {
            for (const auto& item : listOf(conf)) write(out, name, item);
          }};
}
SavedState& stateOf(Conf& conf) { return conf.makeState(); }
const SavedState& stateOf(const Conf& conf) { return conf.state(); }

/// Energy ledger that `line` adds to. @throws ParseError if its line `energy` has not been read
EnergyLedger& ledgerOf(TextReader& in, Conf& conf, std::string_view line) {
  if (!conf.state().energy)
    throw in.error(fmt::format("#scree {}: expected after a line '#scree energy'", line));
  return *conf.saved->energy;
}
void readHeld(TextReader& in, Conf& conf) {
  read(in, "held", ledgerOf(in, conf, "held").saved.emplace());
}
void writeHeld(TextWriter& out, const Conf& conf) {
  if (const auto& energy = conf.state().energy; energy && energy->saved)
    write(out, "held", *energy->saved);
}

void readCellEnergy(TextReader& in, Conf& conf) {
  EnergyLedger& ledger = ledgerOf(in, conf, "cellEnergy");
  ledger.cell = in.number("#scree cellEnergy");
  ledger.cellVirial = in.mat3("#scree cellEnergy");
}
void writeCellEnergy(TextWriter& out, const Conf& conf) {
  if (const auto& energy = conf.state().energy; energy && conf.cell.used)
    out.line("#scree", "cellEnergy", energy->cell, energy->cellVirial);
}

void readCellFlips(TextReader& in, Conf& conf) {
  Mat3& flips = conf.cell.flips = in.mat3("#scree cellFlips");
  const double det = flips.determinant();
  if (flips != Mat3(flips.array().round()) || !(std::abs(std::abs(det) - 1.0) < 1e-6))
    throw in.error("#scree cellFlips: expected whole numbers with a determinant of 1");
}
void writeCellFlips(TextWriter& out, const Conf& conf) {
  if (conf.cell.flips != Mat3::Identity()) out.line("#scree", "cellFlips", conf.cell.flips);
}

void readRestLength(TextReader& in, Conf& conf) {
  const double length = in.number("#scree restLength");
  if (!(length >= 0.0) && length != -1.0)
    throw in.error(fmt::format(
        "#scree restLength: expected a length, or -1 for that of the start, found {}", length));
  conf.restLengths.push_back(length);
}
void writeRestLengths(TextWriter& out, const Conf& conf) {
  const auto known = [](const SpringJoint& joint) { return joint.restLength >= 0.0; };
  if (std::none_of(conf.joints.begin(), conf.joints.end(), known)) return;
  for (const SpringJoint& joint : conf.joints)
    out.line("#scree", "restLength", known(joint) ? joint.restLength : -1.0);
}

void readOrder(TextReader& in, Conf& conf) {
  std::vector<BodyId>& order = conf.makeState().order;
  if (order.empty()) conf.places.try_emplace("#scree order", in.place());
  while (in.nextOnSameLine())
    order.push_back(static_cast<BodyId>(in.integer("#scree order", 0, UINT32_MAX - 1)));
}
void writeOrder(TextWriter& out, const Conf& conf) {
  constexpr std::size_t perLine = 20;
  const std::vector<BodyId>& order = conf.state().order;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k % perLine == 0) out.put("#scree").put("order");
    out.put(order[k]);
    if ((k + 1) % perLine == 0 || k + 1 == order.size()) out.endLine();
  }
}

void readEarlierMotion(TextReader& in, Conf& conf) {
  std::vector<EarlierMotion>& all = conf.makeState().earlierMotion;
  const auto next = static_cast<std::int64_t>(all.size());
  in.integer("#scree before: number of the body", next, next);
  read(in, "before", all.emplace_back());
}
void writeEarlierMotion(TextWriter& out, const Conf& conf) {
  std::size_t k = 0;
  if (conf.integrator == "Beeman")
    for (const EarlierMotion& m : conf.state().earlierMotion) write(out, "before", m, k++);
}
void writtenElsewhere(TextWriter&, const Conf&) {}  // writeInterfaces does it

void readBoundary(TextReader& in, Conf& conf) {
  Boundary b;
  using Kind = Boundary::Kind;
  const auto* kind = std::ranges::find(b.names, choice(in, "#scree boundary", b.names));
  b.kind = static_cast<Kind>(kind - b.names.begin());
  b.centre = in.vec3("#scree boundary: centre");
  if (b.kind != Kind::ball) {
    b.axis = in.vec3("#scree boundary: axis");
    if (!(b.axis.norm() > 0.0))
      throw in.error("#scree boundary: expected an axis that is not zero");
    // An axis of unit length, up to rounding, is not normalised again: a restart keeps its bits.
    if (std::abs(b.axis.squaredNorm() - 1.0) > 1e-15) b.axis.normalize();
  }
  if (b.kind == Kind::cone) {
    const double angle = in.positive("#scree boundary: angle");
    if (!(angle < 90.0))
      throw in.error(fmt::format(
          "#scree boundary: expected the angle of a cone, below 90 degrees, found {}", angle));
    b.setAngle(angle);
    b.radius = in.notNegative("#scree boundary: radius of the outlet");
  } else if (b.kind != Kind::plane) {
    b.radius = in.positive("#scree boundary: radius");
  }
  b.group = group(in);
  conf.boundaries.push_back(b);
}
void writeBoundaries(TextWriter& out, const Conf& conf) {
  for (const Boundary& b : conf.boundaries) {
    out.put("#scree").put("boundary").put(b.name()).put(b.centre);
    if (b.kind != Boundary::Kind::ball) out.put(b.axis);
    if (b.kind == Boundary::Kind::cone) out.put(b.angle);
    if (b.kind != Boundary::Kind::plane) out.put(b.radius);
    out.line(b.group);
  }
}

void readBoundaryMotion(TextReader& in, Conf& conf) {
  constexpr std::string_view what = "#scree boundaryMotion";
  if (conf.boundaries.empty())
    throw in.error("#scree boundaryMotion: expected after the line '#scree boundary' it moves");
  const auto last = static_cast<std::int64_t>(conf.boundaries.size()) - 1;
  Boundary& b = conf.boundaries[static_cast<std::size_t>(
      in.integer("#scree boundaryMotion: number of the boundary", 0, last))];
  readValue(in, what, b.vel);
  readValue(in, what, b.spin);
  if (!in.atEnd() && in.peek().front() != '#') b.power = in.number("#scree boundaryMotion: power");
  if (b.kind != Boundary::Kind::ball && b.spin.cross(b.axis).norm() > 1e-9 * b.spin.norm())
    throw in.error("#scree boundaryMotion: expected a spin along the axis of the boundary");
}
void writeBoundaryMotions(TextWriter& out, const Conf& conf) {
  for (std::size_t k = 0; k < conf.boundaries.size(); ++k)
    if (const Boundary& b = conf.boundaries[k]; b.moves())
      out.line("#scree", "boundaryMotion", k, b.vel, b.spin, b.power);
}

void readSummedClock(TextReader& in, Conf& conf) {
  choice(in, "#scree compat", {"rockable"});
  read(in, "compat", conf.makeState().summedClock.emplace());
}
void writeSummedClock(TextWriter& out, const Conf& conf) {
  if (const auto& clock = conf.state().summedClock) write(out, "compat", *clock, "rockable");
}

/// Reads the displacement of the next body. The line of the summed clock must come first.
void readMoved(TextReader& in, Conf& conf) {
  if (!conf.state().summedClock)
    throw in.error("#scree moved: expected after a line '#scree compat'");
  read(in, "moved", conf.saved->summedClock->moved.emplace_back());
}
void writeMoved(TextWriter& out, const Conf& conf) {
  if (!conf.state().summedClock) return;
  for (const SummedClock::Moved& m : conf.state().summedClock->moved) write(out, "moved", m);
}

}  // namespace

const std::vector<StateLine>& stateLines() {
  static const std::vector<StateLine> lines{
      optionalLine(
          "clock", "t0 step",
          "time at step 0 of the run, and steps since; with it, and without a `precision` below "
          "16, a resumed run gives the same bits",
          &SavedState::runState),
      optionalLine("edited", "viscosityApart contactsMissing",
                   "left by packgen transform, each 0 or 1: whether ft of bonds is without their "
                   "viscosity, and whether contacts of changed bodies are missing",
                   &SavedState::edit),
      {"order", "numbers",
       "numbers of the bodies in the order in which the run stores them, on several lines; without "
       "it the order of the file",
       readOrder, writeOrder},
      {"before", "body acc(3) arot(3) moment(3)",
       "accelerations and moment of a body one step earlier, for Beeman; in the order of bodies",
       readEarlierMotion, writeEarlierMotion},
      {"boundary",
       "ball centre(3) r group, or cylinder centre(3) axis(3) r group, or cone apex(3) axis(3) "
       "angle outlet group, or plane point(3) normal(3) group",
       "a wall around all bodies that are not driven; of a cone, the angle [degrees] between axis "
       "and wall, and the radius of its outlet, 0: none; of a plane, the normal towards the bodies",
       readBoundary, writeBoundaries},
      {"boundaryMotion", "boundary vel(3) spin(3) [power]",
       "constant velocity of a boundary, its spin about its centre or axis, and the power that it "
       "put into bodies at the end of the last step",
       readBoundaryMotion, writeBoundaryMotions},
      listLine(
          "touch", "boundary body vertex dn fn ft(3) mom(3) vel(3)",
          "contact of a vertex with a boundary, with its memory",
          [](auto& conf) -> auto& { return conf.boundaryTouches; }),
      listLine(
          "impact", "force(3) place(3) speed other",
          "largest force so far of an impact that has begun, one line an extractor of impacts",
          [](auto& conf) -> auto& { return stateOf(conf).impacts; }),
      {"restLength", "l",
       "rest length of an initSpringJoint, -1: the initial length; one line for each, in their "
       "order",
       readRestLength, writeRestLengths},
      optionalLine("energy", "17 sums",
                   "sums of energy.txt so far, and the second half of its last step",
                   &SavedState::energy),
      {"held", "energy potential",
       "energy that bodies, normal forces of contacts, spring joints and the cell held when the "
       "file was written, and the potential energy of that; shows whether the file was edited",
       readHeld, writeHeld},
      {"cellEnergy", "work virial(9)",
       "the same for a periodic cell: work put in by its motion, and V stress h^-T of its bodies, "
       "with its volume V and its matrix h [F]",
       readCellEnergy, writeCellEnergy},
      {"cellFlips", "whole numbers(9)",
       "what the run has made of the vectors of a sheared cell: h is the matrix that has moved "
       "with the bodies, times this one",
       readCellFlips, writeCellFlips},
      optionalLine("bonded", "all broken",
                   "area of all interfaces at the start of the run, and area broken since",
                   &SavedState::bondedArea),
      {"interface", "number area [slip(3) of each bond]",
       "area of an interface, after the block; sums of slips with --compat and law BCM",
       readInterfaceState, writtenElsewhere},
      {"restGaps", "number gap of each bond",
       "gaps at rest of the bonds of an interface, less its dn0, where they differ", readRestGaps,
       writtenElsewhere},
      {"compat", "rockable t dt sinceConf sinceLists listsRequested listsDue",
       "a run with --compat rockable: its clock (a sum of time steps) and its counters",
       readSummedClock, writeSummedClock},
      {"moved", "displacement(3) rotation(4)",
       "the same with dynamicUpdateNL: displacement and rotation of a body since lists were last "
       "requested",
       readMoved, writeMoved},
      listLine(
          "idle", "i j type isub jsub dn fn ft(3) mom(3) damp",
          "with --compat rockable: a listed pair of sub-elements without contact",
          [](auto& conf) -> auto& { return stateOf(conf).idle; })};
  return lines;
}

}  // namespace scree::sim
