// SPDX-License-Identifier: GPL-3.0-or-later
// The table of `#scree` lines: what a run must know to go on to the bit, and other programs need
// not.
#include "conf_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::sim {
namespace {

/// Reads the values of a line in their order.
template <class... Values>
void readAll(TextReader& in, std::string_view what, Values&... values) {
  (readValue(in, what, values), ...);
}

void readClock(TextReader& in, Conf& conf) {
  RunState& state = conf.runState.emplace();
  readAll(in, "#scree clock", state.t0, state.step);
}
void writeClock(TextWriter& out, const Conf& conf) {
  if (conf.runState) out.line("#scree", "clock", conf.runState->t0, conf.runState->step);
}

/// The numbers of an energy ledger in the order of its line.
template <class Ledger>
auto numbersOf(Ledger& l) {
  return std::array{&l.start,         &l.startPotential, &l.startTangential, &l.startRolling,
                    &l.normalLoss,    &l.switched,       &l.tangential,      &l.rolling,
                    &l.damping,       &l.barriers,       &l.breakage,        &l.bodyForces,
                    &l.drives,        &l.exchanged,      &l.nextDamping,     &l.nextBarriers,
                    &l.nextBodyForces};
}
void readEnergy(TextReader& in, Conf& conf) {
  EnergyLedger ledger;
  for (double* number : numbersOf(ledger)) *number = in.number("#scree energy");
  conf.energy = ledger;
}
void writeEnergy(TextWriter& out, const Conf& conf) {
  if (!conf.energy) return;
  out.put("#scree");
  out.put("energy");
  for (const double* number : numbersOf(*conf.energy)) out.put(*number);
  out.endLine();
}

void readHeld(TextReader& in, Conf& conf) {
  if (!conf.energy) throw in.error("#scree held: expected after a line '#scree energy'");
  EnergyLedger::Saved& saved = conf.energy->saved.emplace();
  readAll(in, "#scree held", saved.held, saved.potential);
}
void writeHeld(TextWriter& out, const Conf& conf) {
  if (conf.energy && conf.energy->saved)
    out.line("#scree", "held", conf.energy->saved->held, conf.energy->saved->potential);
}

void readCellEnergy(TextReader& in, Conf& conf) {
  if (!conf.energy) throw in.error("#scree cellEnergy: expected after a line '#scree energy'");
  readAll(in, "#scree cellEnergy", conf.energy->cell, conf.energy->cellVirial);
}
void writeCellEnergy(TextWriter& out, const Conf& conf) {
  if (conf.energy && conf.cell.used)
    out.line("#scree", "cellEnergy", conf.energy->cell, conf.energy->cellVirial);
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
  if (conf.order.empty()) conf.places.try_emplace("#scree order", in.place());
  while (in.nextOnSameLine())
    conf.order.push_back(static_cast<BodyId>(in.integer("#scree order", 0, UINT32_MAX - 1)));
}
void writeOrder(TextWriter& out, const Conf& conf) {
  constexpr std::size_t ofLine = 20;
  for (std::size_t k = 0; k < conf.order.size(); ++k) {
    if (k % ofLine == 0) {
      if (k > 0) out.endLine();
      out.put("#scree");
      out.put("order");
    }
    out.put(conf.order[k]);
  }
  if (!conf.order.empty()) out.endLine();
}

void readEarlierMotion(TextReader& in, Conf& conf) {
  in.integer("#scree before: number of the body",
             static_cast<std::int64_t>(conf.earlierMotion.size()),
             static_cast<std::int64_t>(conf.earlierMotion.size()));
  EarlierMotion& m = conf.earlierMotion.emplace_back();
  readAll(in, "#scree before", m.acc, m.spinAcc, m.moment);
}
void writeEarlierMotion(TextWriter& out, const Conf& conf) {
  if (conf.integrator != "Beeman") return;
  std::size_t k = 0;
  for (const EarlierMotion& m : conf.earlierMotion)
    out.line("#scree", "before", k++, m.acc, m.spinAcc, m.moment);
}
void writtenElsewhere(TextWriter&, const Conf&) {}  // behind the block it belongs to

void readBoundary(TextReader& in, Conf& conf) {
  Boundary b;
  using Kind = Boundary::Kind;
  const std::string kind = choice(in, "#scree boundary", {"ball", "cylinder", "cone", "plane"});
  b.kind = kind == "ball"       ? Kind::ball
           : kind == "cylinder" ? Kind::cylinder
           : kind == "cone"     ? Kind::cone
                                : Kind::plane;
  b.centre = in.vec3("#scree boundary: centre");
  if (b.kind != Kind::ball) {
    b.axis = in.vec3("#scree boundary: axis");
    if (!(b.axis.norm() > 0.0))
      throw in.error("#scree boundary: expected an axis that is not zero");
    // An axis of unit length to rounding stays as it is, so that a restart keeps its bits.
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
    if (b.kind == Boundary::Kind::ball)
      out.line("#scree", "boundary", "ball", b.centre, b.radius, b.group);
    else if (b.kind == Boundary::Kind::cylinder)
      out.line("#scree", "boundary", "cylinder", b.centre, b.axis, b.radius, b.group);
    else if (b.kind == Boundary::Kind::cone)
      out.line("#scree", "boundary", "cone", b.centre, b.axis, b.angle, b.radius, b.group);
    else
      out.line("#scree", "boundary", "plane", b.centre, b.axis, b.group);
  }
}

void readBoundaryMotion(TextReader& in, Conf& conf) {
  constexpr std::string_view what = "#scree boundaryMotion";
  if (conf.boundaries.empty())
    throw in.error("#scree boundaryMotion: expected after the line '#scree boundary' it moves");
  const auto last = static_cast<std::int64_t>(conf.boundaries.size()) - 1;
  Boundary& b = conf.boundaries[static_cast<std::size_t>(
      in.integer("#scree boundaryMotion: number of the boundary", 0, last))];
  readAll(in, what, b.vel, b.spin);
  if (!in.atEnd() && in.peek().front() != '#') b.power = in.number("#scree boundaryMotion: power");
  if (b.kind != Boundary::Kind::ball && b.spin.cross(b.axis).norm() > 1e-9 * b.spin.norm())
    throw in.error("#scree boundaryMotion: expected a spin along the axis of the boundary");
}
void writeBoundaryMotions(TextWriter& out, const Conf& conf) {
  for (std::size_t k = 0; k < conf.boundaries.size(); ++k)
    if (const Boundary& b = conf.boundaries[k]; b.moves())
      out.line("#scree", "boundaryMotion", k, b.vel, b.spin, b.power);
}

void readTouch(TextReader& in, Conf& conf) {
  BoundaryTouch& t = conf.boundaryTouches.emplace_back();
  readAll(in, "#scree touch", t.boundary, t.body, t.vertex, t.dn, t.fn, t.ft, t.mom, t.vel);
}
void writeTouches(TextWriter& out, const Conf& conf) {
  for (const BoundaryTouch& t : conf.boundaryTouches)
    out.line("#scree", "touch", t.boundary, t.body, t.vertex, t.dn, t.fn, t.ft, t.mom, t.vel);
}

void readSummedClock(TextReader& in, Conf& conf) {
  const std::string_view program = in.word("program after #scree compat");
  if (program != "rockable")
    throw in.error(
        fmt::format("#scree compat: expected rockable, found '{}'", program.substr(0, 40)));
  SummedClock& state = conf.summedClock.emplace();
  readAll(in, "#scree compat", state.t, state.dt, state.sinceConf, state.sinceLists,
          state.listsRequested, state.listsDue);
}
void writeSummedClock(TextWriter& out, const Conf& conf) {
  if (const auto& state = conf.summedClock)
    out.line("#scree", "compat", "rockable", state->t, state->dt, state->sinceConf,
             state->sinceLists, int{state->listsRequested}, int{state->listsDue});
}

/// Displacement of one body, bodies in order; after the line of the summed clock.
void readMoved(TextReader& in, Conf& conf) {
  constexpr std::string_view what = "#scree moved";
  if (!conf.summedClock) throw in.error("#scree moved: expected after a line '#scree compat'");
  SummedClock::Moved& m = conf.summedClock->moved.emplace_back();
  readAll(in, what, m.way, m.turn.w());
  for (int k = 0; k < 3; ++k) m.turn.vec()[k] = in.number(what);
}
void writeMoved(TextWriter& out, const Conf& conf) {
  if (!conf.summedClock) return;
  for (const SummedClock::Moved& m : conf.summedClock->moved)
    out.line("#scree", "moved", m.way, m.turn);
}

void readBonded(TextReader& in, Conf& conf) {
  BondedArea area;
  area.all = in.notNegative("#scree bonded");
  area.broken = in.notNegative("#scree bonded");
  conf.bondedArea = area;
}
void writeBonded(TextWriter& out, const Conf& conf) {
  if (conf.bondedArea) out.line("#scree", "bonded", conf.bondedArea->all, conf.bondedArea->broken);
}

/// A listed pair of sub-elements that does not touch: key, dn, fn, ft, mom, damp.
void readIdle(TextReader& in, Conf& conf) {
  constexpr std::string_view what = "#scree idle";
  InteractionRecord& r = conf.idle.emplace_back();
  readAll(in, what, r.key.i, r.key.j);
  r.key.pairing = static_cast<Pairing>(in.integer(what, 0, 3));
  readAll(in, what, r.key.iSub, r.key.jSub, r.dn, r.fn, r.ft, r.mom, r.damp);
}
void writeIdle(TextWriter& out, const Conf& conf) {
  for (const InteractionRecord& r : conf.idle)
    out.line("#scree", "idle", r.key.i, r.key.j, static_cast<int>(r.key.pairing), r.key.iSub,
             r.key.jSub, r.dn, r.fn, r.ft, r.mom, r.damp);
}

}  // namespace

const std::vector<StateLine>& stateLines() {
  static const std::vector<StateLine> lines{
      {"clock", "t0 step",
       "time at step 0 of the run, and steps since; with it, and without a `precision` below 16, a "
       "resumed run gives the same bits",
       readClock, writeClock},
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
      {"touch", "boundary body vertex dn fn ft(3) mom(3) vel(3)",
       "contact of a vertex with a boundary, with its memory", readTouch, writeTouches},
      {"restLength", "l",
       "rest length of an initSpringJoint, -1: the initial length; one line for each, in their "
       "order",
       readRestLength, writeRestLengths},
      {"energy", "17 sums", "sums of energy.txt so far, and the second half of its last step",
       readEnergy, writeEnergy},
      {"held", "energy potential",
       "energy that bodies, normal forces of contacts, spring joints and the cell held when the "
       "file was written, and the potential energy of that; shows whether the file was edited",
       readHeld, writeHeld},
      {"cellEnergy", "work virial(9)",
       "the same for a periodic cell: work put in by its motion, and V stress h^-T of its bodies, "
       "with its volume V and its matrix h [F]",
       readCellEnergy, writeCellEnergy},
      {"bonded", "all broken",
       "area of all interfaces at the start of the run, and area broken since", readBonded,
       writeBonded},
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
      {"idle", "i j type isub jsub dn fn ft(3) mom(3) damp",
       "with --compat rockable: a listed pair of sub-elements without contact", readIdle,
       writeIdle}};
  return lines;
}

}  // namespace scree::sim
