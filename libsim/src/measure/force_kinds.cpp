// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of forces: their distribution, sums between groups, loads of walls, force chains.
#include "base/elementary.hpp"
#include "kind_parts.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/law_values.hpp"
#include "scree/sim/measure/loads.hpp"
#include "scree/sim/measure/stress.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree::sim {
namespace {

/// Whether a link counts: it touches, and one of its bodies is chosen.
bool countsAsForce(const Link& c, const std::vector<char>& chosen) {
  return (c.touches() || c.kind == Link::Kind::bond) &&
         (chosen[c.i] || (c.j != Link::none && chosen[c.j]));
}

/// Options of a histogram of forces.
struct Histogram {
  Selection selection;
  std::string of;
  std::int64_t bins;
  double max;
  bool log;
};

std::vector<Row> histogramRows(const Instant& instant, const Histogram& o) {
  const std::vector<char> chosen = chosenBodies(instant, o.selection, false);
  const LawValues law(instant);
  std::vector<double> values;
  double sum = 0.0;
  for (const Link& c : instant.links()) {
    if (!countsAsForce(c, chosen)) continue;
    if (o.of == "mobilised") {
      const double bound = law.frictionBound(c);
      if (c.kind == Link::Kind::bond || bound == 0.0) continue;
      values.push_back(c.ft.norm() / bound);
    } else {
      values.push_back(o.of == "fn" ? c.fn : c.ft.norm());
    }
    sum += c.fn;
  }
  // Both forces in units of the mean normal force.
  const double n = static_cast<double>(values.size());
  const double mean = values.empty() ? notKnown : sum / n;
  if (o.of != "mobilised")
    for (double& v : values) v /= mean;
  double most = o.max;
  if (most == 0.0) {
    most = o.of == "mobilised" ? 1.0 : 0.0;
    for (const double v : values) most = std::max(most, v);
  }
  // Bonds may carry tension: then the first bin begins below 0.
  const double lowest = values.empty() ? 0.0 : *std::ranges::min_element(values);
  // With --log, bins of equal ratio over four decades below the largest.
  const double least = o.log ? 1e-4 * most : std::min(0.0, lowest);
  const double m = static_cast<double>(o.bins);
  const auto edge = [&](std::int64_t b) {
    const double share = static_cast<double>(b) / m;
    return o.log ? least * elementary::pow(most / least, share) : least + (most - least) * share;
  };
  std::vector<std::int64_t> count(static_cast<std::size_t>(o.bins), 0);
  std::int64_t beyond = 0;
  for (const double v : values) {
    const double share = o.log ? elementary::log(v / least) / elementary::log(most / least)
                               : (v - least) / (most - least);
    if (v == most)
      ++count.back();
    else if (share >= 0.0 && share < 1.0)
      ++count[static_cast<std::size_t>(share * m)];
    else
      ++beyond;
  }
  std::vector<Row> rows;
  for (std::int64_t b = 0; b < o.bins; ++b) {
    const double low = edge(b), high = edge(b + 1);
    const std::int64_t own = count[static_cast<std::size_t>(b)];
    rows.push_back({instant.conf().t, b, o.log ? std::sqrt(low * high) : 0.5 * (low + high), low,
                    high, own, static_cast<double>(own) / (n * (high - low)), mean, beyond});
  }
  return rows;
}

Measure forces(const KindOptions& options) {
  const Selection selection = options.selection();
  const Histogram histogram{selection, options.text("of"), options.whole("bins"),
                            options.number("max"), options.has("log")};
  return {.columns = columnsFrom("t:s bin x low high count pdf mean:N beyond"),
          .rows = [histogram](const Instant& instant) { return histogramRows(instant, histogram); },
          .needsShapes = selection.needsShapes()};
}

std::vector<Row> wallRows(const Instant& instant) {
  const Conf& conf = instant.conf();
  const WallLoads loads = wallLoads(instant);
  const WallPressures pressures = wallPressures(instant, loads);
  std::vector<Row> rows;
  const auto add = [&](std::size_t wall, const std::string& kind, const WallLoad& s,
                       const WallPressure& p) {
    rows.push_back({conf.t, static_cast<std::int64_t>(wall), kind, s.points, s.force.x(),
                    s.force.y(), s.force.z(), s.moment.x(), s.moment.y(), s.moment.z(), s.fn,
                    p.area, p.pressure});
  };
  for (std::size_t k = 0; k < loads.driven.size(); ++k)
    add(k, "driven", loads.driven[k], pressures.driven[k]);
  for (std::size_t k = 0; k < loads.round.size(); ++k) {
    using Round = Boundary::Kind;
    const Round kind = conf.boundaries[k].kind;
    add(k,
        kind == Round::ball    ? "ball"
        : kind == Round::cone  ? "cone"
        : kind == Round::plane ? "plane"
                               : "cylinder",
        loads.round[k], pressures.round[k]);
  }
  return rows;
}

Measure walls(const KindOptions&) {
  return {.columns =
              columnsFrom("t:s wall kind points fx:N fy:N fz:N mx:N.m my:N.m mz:N.m fn:N area:m2 "
                          "pressure:Pa"),
          .rows = wallRows};
}

/// Columns of bodies that carry more than the mean, one behind the other along the direction of
/// their largest stress. Source: J. F. Peters, M. Muthuswamy, J. Wibowo, A. Tordesillas, Phys. Rev.
/// E 72, 041307, 2005.
std::vector<Row> chainRows(const Instant& instant, const Selection& selection, std::int64_t fewest,
                           double angle) {
  const std::vector<char> chosen = chosenBodies(instant, selection, false);
  const std::vector<Mat3> virials = bodyVirials(instant);
  std::vector<double> stress(chosen.size(), 0.0);
  std::vector<Vec3> direction(chosen.size(), Vec3::Zero());
  double sum = 0.0;
  std::int64_t loaded = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k] || virials[k].isZero(0.0)) continue;
    const Invariants v = invariantsOf(virials[k] / instant.volumes()[k]);
    stress[k] = v.values[0];
    direction[k] = v.directions.col(0);
    sum += v.values[0];
    ++loaded;
  }
  const double mean = loaded > 0 ? sum / static_cast<double>(loaded) : 0.0;
  // All points of two bodies are one link, along the line of their centres.
  struct Pair {
    Vec3 branch = Vec3::Zero(), force = Vec3::Zero();
  };
  std::map<std::pair<BodyId, BodyId>, Pair> pairs;
  for (const Link& c : instant.links()) {
    if (c.j == Link::none || !chosen[c.i] || !chosen[c.j]) continue;
    if (!(stress[c.i] > mean && stress[c.j] > mean)) continue;
    Pair& p = pairs[bodyPair(c.i, c.j)];
    p.branch = c.branch();
    p.force += c.i < c.j ? c.force() : Vec3(-c.force());
  }
  const double least = elementary::cos(angle * pi / 180.0);
  std::vector<BodyId> root(chosen.size());
  for (BodyId k = 0; k < root.size(); ++k) root[k] = k;
  const auto find = [&](BodyId k) {
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
  };
  std::erase_if(pairs, [&](const auto& entry) {
    const auto& [pair, p] = entry;
    const Vec3 along = p.branch.normalized();
    return std::abs(along.dot(direction[pair.first])) < least ||
           std::abs(along.dot(direction[pair.second])) < least;
  });
  for (const auto& [pair, p] : pairs) {
    const BodyId a = find(pair.first), b = find(pair.second);
    root[std::max(a, b)] = std::min(a, b);
  }
  struct Chain {
    std::int64_t bodies = 0, links = 0;
    double length = 0.0, force = 0.0, stress = 0.0;
  };
  std::map<BodyId, Chain> chains;  // by their first bodies
  for (BodyId k = 0; k < root.size(); ++k) {
    if (!(stress[k] > mean)) continue;
    Chain& c = chains[find(k)];
    ++c.bodies;
    c.stress += stress[k];
  }
  for (const auto& [pair, p] : pairs) {
    Chain& c = chains[find(pair.first)];
    ++c.links;
    c.length += p.branch.norm();
    c.force += p.force.norm();
  }
  std::vector<Row> rows;
  for (const auto& [first, c] : chains) {
    if (c.bodies < fewest) continue;
    const double n = static_cast<double>(c.bodies), m = static_cast<double>(c.links);
    rows.push_back({instant.conf().t, std::int64_t{first}, c.bodies, c.links, c.length, c.force / m,
                    c.stress / n, n / static_cast<double>(loaded)});
  }
  return rows;
}

Measure chains(const KindOptions& options) {
  if (options.number("angle") > 90.0) throw UsageError("--angle: expected at most 90 degrees");
  return {.columns = columnsFrom("t:s chain bodies links length:m force:N s1:Pa share"),
          .rows = [selection = options.selection(), least = options.whole("least"),
                   angle = options.number("angle")](const Instant& instant) {
            return chainRows(instant, selection, least, angle);
          }};
}

}  // namespace

std::vector<Kind> forceKinds() {
  return {
      {"forces",
       "distribution of contact forces or of mobilised friction",
       {word("of", "fn|ft|mobilised", "what is distributed, forces over the mean of fn"),
        whole("bins", "number of bins", "50", 1, 1e6),
        positive("max", "X", "end of the last bin (the largest value)"),
        flag("log", "bins of equal ratio over four decades"), selectOption},
       forces,
       {.x = "x", .y = {"pdf"}, .by = "t"}},
      {"walls",
       "a row for each driven body and round wall: force, moment and pressure on it",
       {},
       walls,
       {.x = "t", .y = {"fn"}, .by = "wall"}},
      {"chains",
       "a row for each force chain: bodies with more than the mean stress, in line with it",
       {whole("least", "bodies a chain has at least", "3", 2, 1e6),
        positive("angle", "A", "degrees between a link and the largest stress at most", "45"),
        selectOption},
       chains,
       {.x = "bodies", .y = {"force"}, .points = true}},
  };
}

}  // namespace scree::sim
