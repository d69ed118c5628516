// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of the state: bodies, contacts, energy, balance, coordination, overlaps, sliding.
#include "kind_parts.hpp"

#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/law_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scree::sim {
namespace {

/// Columns that belong together, and the cells of one thing in them.
template <class Thing>
struct Columns {
  std::string_view text;  ///< names and units, for columnsFrom()
  void (*append)(Row&, const Thing&);
};

/// The groups of a table that hold the columns that are wanted, so that a kind computes no others.
/// All of them where no names are given, or one is not among them: an added one, or one to complain
/// about.
template <class Group, std::size_t count>
std::vector<const Group*> groupsToCompute(const Group (&table)[count],
                                          const std::vector<std::string>& wanted) {
  std::vector<const Group*> some, all;
  std::size_t found = 0;
  for (const Group& group : table) {
    all.push_back(&group);
    const auto names = columnsFrom(group.text);
    const auto own = std::ranges::count_if(
        names, [&](const Column& c) { return std::ranges::find(wanted, c.name) != wanted.end(); });
    if (own > 0) some.push_back(&group);
    found += static_cast<std::size_t>(own);
  }
  return !wanted.empty() && found == wanted.size() ? some : all;
}

template <class Group>
std::vector<Column> columnsOfGroups(const std::vector<const Group*>& groups) {
  std::string text;
  for (const Group* group : groups) text += (text.empty() ? "" : " ") + std::string(group->text);
  return columnsFrom(text);
}

void appendVector(Row& row, const Vec3& v) { row.insert(row.end(), {v.x(), v.y(), v.z()}); }
void appendWhole(Row& row, std::int64_t k) { row.emplace_back(k); }

enum class Needs { nothing, shapes, actions, counts };
/// A body of an instant, for its columns.
struct OneBody {
  const Instant& instant;
  const std::vector<ContactCounts>& counts;
  std::size_t k;
  const ParticleRecord& p;
};
struct BodyColumns : Columns<OneBody> {
  Needs needs = Needs::nothing;
};
const BodyColumns columnsOfBodies[] = {
    {{"t:s", [](Row& r, const OneBody& s) { r.emplace_back(s.instant.conf().t); }}},
    {{"id", [](Row& r, const OneBody& s) { appendWhole(r, std::int64_t(s.k)); }}},
    {{"group", [](Row& r, const OneBody& s) { appendWhole(r, s.p.group); }}},
    {{"cluster", [](Row& r, const OneBody& s) { appendWhole(r, s.p.cluster); }}},
    {{"shape",
      [](Row& r, const OneBody& s) { r.emplace_back(s.instant.conf().shapeNameOf(s.p)); }}},
    {{"homothety", [](Row& r, const OneBody& s) { r.emplace_back(s.p.homothety); }}},
    {{"driven", [](Row& r, const OneBody& s) { appendWhole(r, s.instant.isDriven(s.k)); }}},
    {{"x:m y:m z:m", [](Row& r, const OneBody& s) { appendVector(r, s.p.pos); }}},
    {{"vx:m/s vy:m/s vz:m/s", [](Row& r, const OneBody& s) { appendVector(r, s.p.vel); }}},
    {{"speed:m/s", [](Row& r, const OneBody& s) { r.emplace_back(s.p.vel.norm()); }}},
    {{"qw qx qy qz",
      [](Row& r, const OneBody& s) {
        r.emplace_back(s.p.q.w());
        appendVector(r, s.p.q.vec());
      }}},
    {{"wx:rad/s wy:rad/s wz:rad/s", [](Row& r, const OneBody& s) { appendVector(r, s.p.vrot); }}},
    {{"ax:m/s2 ay:m/s2 az:m/s2", [](Row& r, const OneBody& s) { appendVector(r, s.p.acc); }}},
    {{"volume:m3 mass:kg kinetic:J",
      [](Row& r, const OneBody& s) {
        appendNumbers(r, {s.instant.volumes()[s.k], s.instant.masses()[s.k],
                          s.instant.kineticEnergy(s.k).sum()});
      }},
     Needs::shapes},
    {{"fx:N fy:N fz:N mx:N.m my:N.m mz:N.m",
      [](Row& r, const OneBody& s) {
        appendVector(r, s.instant.actions()[s.k].force);
        appendVector(r, s.instant.actions()[s.k].moment);
      }},
     Needs::actions},
    {{"points partners",
      [](Row& r, const OneBody& s) {
        appendWhole(r, s.counts[s.k].points);
        appendWhole(r, s.counts[s.k].partners);
      }},
     Needs::counts},
};

Measure bodies(const KindOptions& options) {
  // Places alone take a tenth of the time of all columns.
  const auto groups = groupsToCompute(columnsOfBodies, options.columns);
  const auto needs = [&](Needs what) {
    return std::ranges::find(groups, what, &BodyColumns::needs) != groups.end();
  };
  const bool counted = needs(Needs::counts);
  const Selection selection = options.selection();
  return {.columns = columnsOfGroups(groups),
          .rows =
              [=, driven = options.has("driven")](const Instant& instant) {
                const std::vector<char> chosen = chosenBodies(instant, selection, driven);
                const auto counts = counted ? contactCounts(instant) : std::vector<ContactCounts>();
                std::vector<Row> rows;
                rows.reserve(chosen.size());
                for (std::size_t k = 0; k < chosen.size(); ++k) {
                  if (!chosen[k]) continue;
                  const OneBody body{instant, counts, k, instant.body(k)};
                  Row& row = rows.emplace_back();
                  for (const BodyColumns* group : groups) group->append(row, body);
                }
                return rows;
              },
          .needsShapes = needs(Needs::shapes) || selection.needsShapes(),
          .needsContacts = needs(Needs::actions) || counted};
}

struct OneLink {
  const Link& c;
  double t;
};
const Columns<OneLink> columnsOfContacts[] = {
    {"t:s", [](Row& r, const OneLink& s) { r.emplace_back(s.t); }},
    {"i j",
     [](Row& r, const OneLink& s) {
       appendWhole(r, s.c.i);
       appendWhole(r, s.c.j == Link::none ? -1 : std::int64_t{s.c.j});
     }},
    {"kind type isub jsub",
     [](Row& r, const OneLink& s) {
       constexpr std::array kinds{"contact", "bond", "wall"};
       constexpr std::array types{"vv", "ve", "vf", "ee"};
       r.emplace_back(std::string(kinds[static_cast<std::size_t>(s.c.kind)]));
       r.emplace_back(std::string(types[static_cast<std::size_t>(s.c.pairing)]));
       appendWhole(r, s.c.iSub);
       appendWhole(r, s.c.jSub);
     }},
    {"dn:m", [](Row& r, const OneLink& s) { r.emplace_back(s.c.dn); }},
    {"nx ny nz", [](Row& r, const OneLink& s) { appendVector(r, s.c.n); }},
    {"x:m y:m z:m", [](Row& r, const OneLink& s) { appendVector(r, s.c.pos); }},
    {"fn:N", [](Row& r, const OneLink& s) { r.emplace_back(s.c.fn); }},
    {"ftx:N fty:N ftz:N ft:N",
     [](Row& r, const OneLink& s) {
       appendVector(r, s.c.ft);
       r.emplace_back(s.c.ft.norm());
     }},
    {"mx:N.m my:N.m mz:N.m", [](Row& r, const OneLink& s) { appendVector(r, s.c.mom); }},
    {"vx:m/s vy:m/s vz:m/s", [](Row& r, const OneLink& s) { appendVector(r, s.c.vel); }},
    {"bx:m by:m bz:m", [](Row& r, const OneLink& s) { appendVector(r, s.c.branch()); }},
    {"weight", [](Row& r, const OneLink& s) { r.emplace_back(s.c.weight); }},
};

Measure contacts(const KindOptions& options) {
  const auto groups = groupsToCompute(columnsOfContacts, options.columns);
  const Selection selection = options.selection();
  return {.columns = columnsOfGroups(groups),
          .rows =
              [=](const Instant& instant) {
                const std::vector<char> counts = selection.of(instant.conf(), instant.shapes());
                std::vector<Row> rows;
                for (const Link& c : instant.links()) {
                  if (!counts[c.i] && (c.j == Link::none || !counts[c.j])) continue;
                  Row& row = rows.emplace_back();
                  for (const auto* group : groups) group->append(row, {c, instant.conf().t});
                }
                return rows;
              },
          .needsShapes = selection.needsShapes()};
}

Measure energy(const KindOptions&) {
  return {
      .columns = columnsFrom("t:s kinetic:J translation:J rotation:J potential:J "
                             "elastic.normal:J elastic.tangential:J elastic.rolling:J "
                             "elastic.bonds:J elastic.joints:J lost.friction:J lost.viscosity:J "
                             "lost.hysteresis:J lost.rolling:J lost.switching:J lost.damping:J "
                             "lost.barriers:J lost.breakage:J work.bodyForces:J work.drives:J "
                             "work.cell:J residual:J"),
      .rows = [](const Instant& instant) -> std::vector<Row> {
        const Conf& conf = instant.conf();
        // The energy of the cell itself depends on its loading, which conf-files do not tell.
        const EnergyBudget e = energyBudget(instant, conf.cell.used ? notKnown : 0.0);
        Row row{conf.t};
        appendNumbers(row, {e.translation + e.rotation,
                            e.translation,
                            e.rotation,
                            e.potential,
                            e.normal,
                            e.tangential,
                            e.rolling,
                            e.bonds,
                            e.joints,
                            e.friction,
                            e.viscosity,
                            e.hysteresis,
                            e.rollingLoss,
                            e.switching,
                            e.damping,
                            e.barriers,
                            e.breakage,
                            e.bodyForces,
                            e.drives,
                            e.cellWork,
                            e.residual});
        return {row};
      }};
}

Measure balance(const KindOptions& options) {
  return {
      .columns = columnsFrom("t:s bodies resultant:N force:N unbalanced rms worst worstOverMean "
                             "fx:N fy:N fz:N"),
      .rows = [selection = options.selection()](const Instant& instant) -> std::vector<Row> {
        const ForceBalance b = forceBalance(instant, chosenBodies(instant, selection, false));
        return {{instant.conf().t, b.bodies, b.resultant, b.force, b.resultant / b.force, b.rms,
                 b.worst, b.worstOverMean, b.sum.x(), b.sum.y(), b.sum.z()}};
      }};
}

std::vector<Row> coordinationRows(const Instant& instant, const Selection& selection) {
  const std::vector<char> chosen = chosenBodies(instant, selection, false);
  const std::size_t n = chosen.size();
  std::array<std::int64_t, 4> pairings{};
  std::vector<std::pair<BodyId, BodyId>> points;  // a round wall: numbered from above
  std::int64_t atWalls = 0;
  for (const Link& c : instant.links()) {
    if (!c.touches() && c.kind != Link::Kind::bond) continue;
    const bool wall = c.j == Link::none;
    if (!chosen[c.i] && (wall || !chosen[c.j])) continue;
    points.push_back(wall ? std::pair(c.i, Link::none - c.jSub) : bodyPair(c.i, c.j));
    wall ? ++atWalls : ++pairings[static_cast<std::size_t>(c.pairing)];
  }
  std::ranges::sort(points);
  std::vector<std::int64_t> partners(n), ends(n);
  std::array<std::int64_t, 3> classes{};
  std::int64_t pairs = 0;
  for (std::size_t k = 0; k < points.size();) {
    std::size_t end = k + 1;
    while (end < points.size() && points[end] == points[k]) ++end;
    const auto count = static_cast<std::int64_t>(end - k);
    ++classes[static_cast<std::size_t>(std::min<std::int64_t>(count, 3) - 1)];
    ++pairs;
    for (const BodyId body : {points[k].first, points[k].second})
      if (body < n && chosen[body]) {
        ++partners[body];
        ends[body] += count;
      }
    k = end;
  }
  std::int64_t bodies = 0, none = 0, one = 0, partnerSum = 0, endSum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (!chosen[k]) continue;
    ++bodies;
    none += partners[k] == 0;
    one += partners[k] == 1;
    partnerSum += partners[k];
    endSum += ends[k];
  }
  const auto ratio = [](std::int64_t a, std::int64_t b) {
    return b > 0 ? static_cast<double>(a) / static_cast<double>(b) : notKnown;
  };
  return {{instant.conf().t, bodies, pairs, static_cast<std::int64_t>(points.size()),
           ratio(partnerSum, bodies), ratio(endSum, bodies),
           ratio(partnerSum - one, bodies - none - one), none, one, ratio(none + one, bodies),
           classes[0], classes[1], classes[2], pairings[0], pairings[1], pairings[2], pairings[3],
           atWalls}};
}

Measure coordination(const KindOptions& options) {
  const Selection selection = options.selection();
  return {
      .columns = columnsFrom("t:s bodies pairs points Z Zpoints Zmechanical free0 free1 rattlers "
                             "simple double multiple vv ve vf ee walls"),
      .rows = [selection](const Instant& instant) { return coordinationRows(instant, selection); },
      .needsShapes = selection.needsShapes()};
}

/// The value below which the share `q` of a sorted list lies: the nearest rank.
double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) return notKnown;
  const double rank = std::ceil(q * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}
double meanOf(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return values.empty() ? notKnown : sum / static_cast<double>(values.size());
}

std::vector<Row> overlapRows(const Instant& instant, const Selection& selection, double limit) {
  const std::vector<char> chosen = chosenBodies(instant, selection, false);
  std::vector<double> deep, relative;
  double most = -1.0;
  std::int64_t i = -1, j = -1, beyond = 0;
  for (const Link& c : instant.links()) {
    if (!c.touches()) continue;
    const bool wall = c.j == Link::none;
    if (!chosen[c.i] && (wall || !chosen[c.j])) continue;
    // By the smaller free body: a wall has no size of its own.
    double size = notKnown;
    for (const BodyId k : {c.i, wall ? c.i : c.j})
      if (!instant.isDriven(k)) size = std::fmin(size, ballDiameter(instant.volumes()[k]));
    deep.push_back(-c.dn);
    relative.push_back(-c.dn / size);
    beyond += relative.back() > limit;
    if (relative.back() > most) {
      most = relative.back();
      i = c.i;
      j = wall ? -1 : std::int64_t{c.j};
    }
  }
  std::ranges::sort(deep);
  const double relMean = meanOf(relative);
  std::ranges::sort(relative);
  const auto n = static_cast<std::int64_t>(deep.size());
  const double share = n > 0 ? static_cast<double>(beyond) / static_cast<double>(n) : notKnown;
  return {{instant.conf().t, n, meanOf(deep), quantile(deep, 0.5), quantile(deep, 0.95),
           quantile(deep, 1.0), relMean, quantile(relative, 0.5), quantile(relative, 0.95),
           quantile(relative, 1.0), share, i, j}};
}

Measure overlaps(const KindOptions& options) {
  return {.columns = columnsFrom("t:s overlaps mean:m d50:m d95:m max:m relMean rel50 rel95 relMax "
                                 "beyond i j"),
          .rows = [selection = options.selection(), limit = options.number("limit")](
                      const Instant& instant) { return overlapRows(instant, selection, limit); }};
}

std::vector<Row> slidingRows(const Instant& instant, const Selection& selection, double limit) {
  const std::vector<char> chosen = chosenBodies(instant, selection, false);
  const LawValues law(instant);
  std::int64_t contacts = 0, frictionless = 0, sliding = 0;
  double mobilised = 0.0, normal = 0.0, slidingNormal = 0.0;
  for (const Link& c : instant.links()) {
    if (!c.touches() || c.kind == Link::Kind::bond) continue;
    if (!chosen[c.i] && (c.j == Link::none || !chosen[c.j])) continue;
    const double bound = law.frictionBound(c);
    if (bound == 0.0) {
      ++frictionless;
      continue;
    }
    const double used = c.ft.norm() / bound;
    ++contacts;
    mobilised += used;
    normal += c.fn;
    if (!(used >= limit)) continue;
    ++sliding;
    slidingNormal += c.fn;
  }
  const double n = static_cast<double>(contacts);
  // Without a law that is known nothing bounds friction.
  const bool known = contacts > 0 && mobilised == mobilised;
  return {{instant.conf().t, contacts, frictionless, sliding,
           known ? static_cast<double>(sliding) / n : notKnown, known ? mobilised / n : notKnown,
           known && normal > 0.0 ? slidingNormal / normal : notKnown}};
}

Measure sliding(const KindOptions& options) {
  const Selection selection = options.selection();
  return {.columns = columnsFrom("t:s contacts frictionless sliding share mobilised shareOfForce"),
          .rows = [selection, limit = options.number("limit")](
                      const Instant& instant) { return slidingRows(instant, selection, limit); },
          .needsShapes = selection.needsShapes()};
}

}  // namespace

std::vector<Kind> stateKinds() {
  return {
      {"bodies",
       "a row for each body: position, motion, orientation, mass, force and moment, contacts",
       {selectOption, drivenOption},
       bodies,
       {.x = "x", .y = {"z"}, .points = true}},
      {"contacts",
       "a row for each contact, bond and contact with a round wall (29 columns)",
       {selectOption},
       contacts,
       {.x = "dn", .y = {"fn"}, .by = "kind", .points = true}},
      {"energy",
       "kinetic, potential and elastic energy; what was lost and put in since the start",
       {},
       energy,
       {.x = "t",
        .y = {"kinetic", "potential", "elastic.normal", "lost.friction", "lost.viscosity"}}},
      {"balance",
       "resultant of bodies, weight included, over contact forces: mean, rms, worst",
       {selectOption},
       balance,
       {.x = "t", .y = {"unbalanced", "rms"}}},
      {"coordination",
       "coordination numbers by pairs and by points, rattlers, classes of contacts",
       {selectOption},
       coordination,
       {.x = "t", .y = {"Z", "Zpoints", "Zmechanical"}}},
      {"overlaps",
       "overlaps of contacts, in length and over the diameter of the smaller body",
       {positive("limit", "X", "share of the diameter beyond which an overlap counts as deep",
                 "0.01"),
        selectOption},
       overlaps,
       {.x = "t", .y = {"relMean", "rel95", "relMax"}}},
      {"sliding",
       "share of contacts that slide, mean mobilised friction",
       {positive("limit", "X", "share of the bound from which a contact slides", "0.999"),
        selectOption},
       sliding,
       {.x = "t", .y = {"share", "mobilised"}}},
  };
}

}  // namespace scree::sim
