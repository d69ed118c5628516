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

/// Columns of a table that are wanted, so that rows hold no others. All of them where no names are
/// given, or one is not among them: an added one, or one to complain about.
struct Wanted {
  Wanted(std::string_view all, const KindOptions& options) {
    const std::vector<std::string> words = partsOf(std::string(all), ' ');
    for (std::size_t k = 0; k < words.size(); ++k)
      if (std::ranges::count(options.columns, words[k].substr(0, words[k].find(':'))) > 0)
        places.push_back(k);
    if (places.empty() || places.size() < options.columns.size())
      for (places.clear(); places.size() < words.size();) places.push_back(places.size());
    for (const std::size_t k : places) names += (names.empty() ? "" : " ") + words[k];
  }
  Row of(const Row& row) const {
    Row own;
    own.reserve(places.size());
    for (const std::size_t k : places) own.push_back(row[k]);
    return own;
  }

  std::vector<std::size_t> places;
  std::string names;  ///< for columnsFrom()
};

constexpr std::string_view bodyColumns =
    "t:s id group cluster shape homothety driven x:m y:m z:m vx:m/s vy:m/s vz:m/s speed:m/s qw qx "
    "qy qz wx:rad/s wy:rad/s wz:rad/s ax:m/s2 ay:m/s2 az:m/s2 volume:m3 mass:kg kinetic:J fx:N "
    "fy:N fz:N mx:N.m my:N.m mz:N.m points partners";
/// Columns before these need no shapes, and no contacts, which take most of the time.
constexpr std::size_t firstOfShapes = 24, firstOfContacts = 27;

std::vector<Row> bodyRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  const Wanted wanted(bodyColumns, options);
  const bool ofLine = wanted.places.back() < firstOfShapes;
  const auto counts = ofLine ? std::vector<ContactCounts>() : contactCounts(instant);
  std::vector<Row> rows;
  rows.reserve(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    const ParticleRecord& p = instant.body(k);
    Row row =
        rowOf(instant.conf().t, k, p.group, p.cluster, instant.conf().shapeNameOf(p), p.homothety,
              instant.isDriven(k), p.pos, p.vel, p.vel.norm(), p.q, p.vrot, p.acc);
    if (!ofLine) {
      const ForceAndMoment& sum = instant.actions()[k];
      put(row, rowOf(instant.volumes()[k], instant.masses()[k], instant.kineticEnergy(k).sum(),
                     sum.force, sum.moment, counts[k].points, counts[k].partners));
    }
    rows.push_back(wanted.of(row));
  }
  return rows;
}

constexpr std::string_view contactColumns =
    "t:s i j kind type isub jsub dn:m nx ny nz x:m y:m z:m fn:N ftx:N fty:N ftz:N ft:N mx:N.m "
    "my:N.m mz:N.m vx:m/s vy:m/s vz:m/s bx:m by:m bz:m weight";
constexpr std::array linkKinds{"contact", "bond", "wall"};
constexpr std::array pairings{"vv", "ve", "vf", "ee"};

std::vector<Row> contactRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> counts = options.selection().of(instant.conf(), instant.shapes());
  const Wanted wanted(contactColumns, options);
  std::vector<Row> rows;
  for (const Link& c : instant.links()) {
    if (!counts[c.i] && (c.j == Link::none || !counts[c.j])) continue;
    rows.push_back(
        wanted.of(rowOf(instant.conf().t, c.i, c.j == Link::none ? -1 : std::int64_t{c.j},
                        linkKinds[static_cast<std::size_t>(c.kind)],
                        pairings[static_cast<std::size_t>(c.pairing)], c.iSub, c.jSub, c.dn, c.n,
                        c.pos, c.fn, c.ft, c.ft.norm(), c.mom, c.vel, c.branch(), c.weight)));
  }
  return rows;
}

std::string namesOfEnergy() {
  std::string text = "t:s kinetic:J";
  for (const EnergyColumn& c : energyColumns)
    if (!c.ofRunAlone) text += " " + std::string(c.name) + ":J";
  return text;
}

std::vector<Row> energyRows(const Instant& instant, const KindOptions&) {
  const Conf& conf = instant.conf();
  // The energy of the cell itself depends on its loading, which conf-files do not tell.
  const EnergyBudget e = energyBudget(instant, conf.cell.used ? notKnown : 0.0);
  Row row = rowOf(conf.t, e.translation + e.rotation);
  for (const EnergyColumn& c : energyColumns)
    if (!c.ofRunAlone) put(row, e.*c.value);
  return {row};
}

std::vector<Row> balanceRows(const Instant& instant, const KindOptions& options) {
  const ForceBalance b = forceBalance(instant, chosenBodies(instant, options));
  return {rowOf(instant.conf().t, b.bodies, b.resultant, b.force, b.resultant / b.force, b.rms,
                b.worst, b.worstOverMean, b.sum)};
}

std::vector<Row> coordinationRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  std::array<std::int64_t, 4> ofType{};
  std::vector<std::pair<BodyId, BodyId>> points;
  std::int64_t atWalls = 0;
  for (const Link& c : instant.links()) {
    if (!actsOn(c, chosen)) continue;
    points.push_back(c.pair());
    ++(c.j == Link::none ? atWalls : ofType[static_cast<std::size_t>(c.pairing)]);
  }
  std::ranges::sort(points);
  std::array<std::int64_t, 3> classes{};
  for (std::size_t k = 0, end = 0; k < points.size(); k = end) {
    while (end < points.size() && points[end] == points[k]) ++end;
    ++classes[std::min<std::size_t>(end - k, 3) - 1];
  }
  const std::vector<ContactCounts> counts = contactCounts(instant);
  std::int64_t bodies = 0, none = 0, one = 0, partnerSum = 0, endSum = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    ++bodies;
    none += counts[k].partners == 0;
    one += counts[k].partners == 1;
    partnerSum += counts[k].partners;
    endSum += counts[k].points;
  }
  const auto ratio = [](std::int64_t a, std::int64_t b) {
    return b > 0 ? static_cast<double>(a) / static_cast<double>(b) : notKnown;
  };
  return {rowOf(instant.conf().t, bodies, classes[0] + classes[1] + classes[2], points.size(),
                ratio(partnerSum, bodies), ratio(endSum, bodies),
                ratio(partnerSum - one, bodies - none - one), none, one, ratio(none + one, bodies),
                classes[0], classes[1], classes[2], ofType[0], ofType[1], ofType[2], ofType[3],
                atWalls)};
}

/// Mean of sorted values, and the values below which shares of them lie: the nearest ranks.
Row spreadOf(std::vector<double> values) {
  std::ranges::sort(values);
  const auto quantile = [&](double q) {
    const double rank = std::ceil(q * static_cast<double>(values.size()));
    return values.empty() ? notKnown : values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
  };
  return rowOf(quantile(0.5), quantile(0.95), quantile(1.0));
}
double meanOf(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return values.empty() ? notKnown : sum / static_cast<double>(values.size());
}

std::vector<Row> overlapRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  std::vector<double> deep, relative;
  double most = -1.0;
  std::int64_t i = -1, j = -1, beyond = 0;
  for (const Link& c : instant.links()) {
    if (!c.touches() || !actsOn(c, chosen)) continue;
    const bool wall = c.j == Link::none;
    // By the smaller free body: a wall has no size of its own.
    double size = notKnown;
    for (const BodyId k : {c.i, wall ? c.i : c.j})
      if (!instant.isDriven(k)) size = std::fmin(size, ballDiameter(instant.volumes()[k]));
    deep.push_back(-c.dn);
    relative.push_back(-c.dn / size);
    beyond += relative.back() > options.number("limit");
    if (relative.back() > most) {
      most = relative.back();
      i = c.i;
      j = wall ? -1 : std::int64_t{c.j};
    }
  }
  std::ranges::sort(deep);
  const double n = static_cast<double>(deep.size());
  return {rowOf(instant.conf().t, deep.size(), meanOf(deep), spreadOf(deep), meanOf(relative),
                spreadOf(relative), n > 0.0 ? static_cast<double>(beyond) / n : notKnown, i, j)};
}

std::vector<Row> slidingRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  const LawValues law(instant);
  std::int64_t contacts = 0, frictionless = 0, sliding = 0;
  double mobilised = 0.0, normal = 0.0, slidingNormal = 0.0;
  for (const Link& c : instant.links()) {
    if (!c.touches() || c.kind == Link::Kind::bond || !actsOn(c, chosen)) continue;
    const double bound = law.frictionBound(c);
    if (bound == 0.0) {
      ++frictionless;
      continue;
    }
    const double used = c.ft.norm() / bound;
    ++contacts;
    mobilised += used;
    normal += c.fn;
    if (!(used >= options.number("limit"))) continue;
    ++sliding;
    slidingNormal += c.fn;
  }
  const double n = static_cast<double>(contacts);
  // Without a law that is known nothing bounds friction.
  const bool known = contacts > 0 && mobilised == mobilised;
  return {rowOf(instant.conf().t, contacts, frictionless, sliding,
                known ? static_cast<double>(sliding) / n : notKnown,
                known ? mobilised / n : notKnown,
                known && normal > 0.0 ? slidingNormal / normal : notKnown)};
}

}  // namespace

std::vector<Kind> stateKinds() {
  return {
      {.name = "bodies",
       .help =
           "a row for each body: position, motion, orientation, mass, force and moment, contacts",
       .options = {selectOption, drivenOption},
       .columnsBy = [](const KindOptions& o) { return Wanted(bodyColumns, o).names; },
       .rows = bodyRows,
       .needsBy =
           [](const KindOptions& o) {
             const std::size_t last = Wanted(bodyColumns, o).places.back();
             return KindNeeds{last >= firstOfShapes, last >= firstOfContacts};
           },
       .plot = {.x = "x", .y = {"z"}, .points = true}},
      {.name = "contacts",
       .help = "a row for each contact, bond and contact with a round wall (29 columns)",
       .options = {selectOption},
       .columnsBy = [](const KindOptions& o) { return Wanted(contactColumns, o).names; },
       .rows = contactRows,
       .needs = {.shapes = false},
       .plot = {.x = "dn", .y = {"fn"}, .by = "kind", .points = true}},
      {.name = "energy",
       .help = "kinetic, potential and elastic energy; what was lost and put in since the start",
       .columns = namesOfEnergy(),
       .rows = energyRows,
       .plot = {.x = "t",
                .y = {"kinetic", "potential", "elastic.normal", "lost.friction",
                      "lost.viscosity"}}},
      {.name = "balance",
       .help = "resultant of bodies, weight included, over contact forces: mean, rms, worst",
       .options = {selectOption},
       .columns =
           "t:s bodies resultant:N force:N unbalanced rms worst worstOverMean fx:N fy:N fz:N",
       .rows = balanceRows,
       .plot = {.x = "t", .y = {"unbalanced", "rms"}}},
      {.name = "coordination",
       .help = "coordination numbers by pairs and by points, rattlers, classes of contacts",
       .options = {selectOption},
       .columns = "t:s bodies pairs points Z Zpoints Zmechanical free0 free1 rattlers simple "
                  "double multiple vv ve vf ee walls",
       .rows = coordinationRows,
       .needs = {.shapes = false},
       .plot = {.x = "t", .y = {"Z", "Zpoints", "Zmechanical"}}},
      {.name = "overlaps",
       .help = "overlaps of contacts, in length and over the diameter of the smaller body",
       .options = {positive("limit", "X",
                            "share of the diameter beyond which an overlap counts as deep", "0.01"),
                   selectOption},
       .columns = "t:s overlaps mean:m d50:m d95:m max:m relMean rel50 rel95 relMax beyond i j",
       .rows = overlapRows,
       .plot = {.x = "t", .y = {"relMean", "rel95", "relMax"}}},
      {.name = "sliding",
       .help = "share of contacts that slide, mean mobilised friction",
       .options = {positive("limit", "X", "share of the bound from which a contact slides",
                            "0.999"),
                   selectOption},
       .columns = "t:s contacts frictionless sliding share mobilised shareOfForce",
       .rows = slidingRows,
       .needs = {.shapes = false},
       .plot = {.x = "t", .y = {"share", "mobilised"}}}};
}

}  // namespace scree::sim
