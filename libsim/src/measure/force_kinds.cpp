// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of forces: their distribution, sums between groups, loads of walls, force chains.
#include "base/elementary.hpp"
#include "kind_parts.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/law_values.hpp"
#include "scree/sim/measure/stress.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree::sim {
namespace {

std::vector<Row> histogramRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  const LawValues law(instant);
  const bool mobilised = options.text("of") == "mobilised";
  std::vector<double> values;
  double sum = 0.0;
  for (const Link& c : instant.links()) {
    if (!actsOn(c, chosen)) continue;
    if (mobilised) {
      const double bound = law.frictionBound(c);
      if (c.kind == Link::Kind::bond || bound == 0.0) continue;
      values.push_back(c.ft.norm() / bound);
    } else {
      values.push_back(options.text("of") == "fn" ? c.fn : c.ft.norm());
    }
    sum += c.fn;
  }
  // fn and ft are divided by the mean normal force, mobilised friction is not.
  const double n = static_cast<double>(values.size());
  const double mean = values.empty() ? notKnown : sum / n;
  if (!mobilised)
    for (double& v : values) v /= std::abs(mean);
  double upper = options.number("max");
  if (upper == 0.0) {
    upper = mobilised ? 1.0 : 0.0;
    for (const double v : values) upper = std::max(upper, v);
    if (upper == 0.0) upper = 1.0;
  }
  // Bonds may carry tension, fn < 0: the first bin then begins at the lowest value.
  const double lowest = values.empty() ? 0.0 : *std::ranges::min_element(values);
  const double lower = std::min(0.0, lowest), bins = options.number("bins");
  const auto edge = [&](std::size_t b) {
    return lower + (upper - lower) * (static_cast<double>(b) / bins);
  };
  std::vector<std::int64_t> count(static_cast<std::size_t>(bins), 0);
  std::int64_t beyond = 0;
  for (const double v : values) {
    const double share = (v - lower) / (upper - lower);
    if (v == upper)
      ++count.back();
    else if (share >= 0.0 && share < 1.0)
      ++count[static_cast<std::size_t>(share * bins)];
    else
      ++beyond;
  }
  std::vector<Row> rows;
  for (std::size_t b = 0; b < count.size(); ++b) {
    const double low = edge(b), high = edge(b + 1);
    rows.push_back(rowOf(instant.conf().t, b, 0.5 * (low + high), low, high, count[b],
                         static_cast<double>(count[b]) / (n * (high - low)), mean, beyond));
  }
  return rows;
}

std::vector<Row> wallRows(const Instant& instant, const KindOptions&) {
  const Conf& conf = instant.conf();
  const WallLoads loads = wallLoads(instant);
  std::vector<Row> rows;
  const auto add = [&](std::size_t wall, std::string_view kind, const WallLoad& s) {
    rows.push_back(
        rowOf(conf.t, wall, kind, s.points, s.force, s.moment, s.fn, s.area, s.pressure));
  };
  for (std::size_t k = 0; k < loads.driven.size(); ++k) add(k, "driven", loads.driven[k]);
  for (std::size_t k = 0; k < loads.round.size(); ++k)
    add(k, conf.boundaries[k].name(), loads.round[k]);
  return rows;
}

/// Force chains: bodies whose largest principal stress is above the mean, joined where the line of
/// their centres is within --angle of the direction of that stress in both. Source: J. F. Peters,
/// M. Muthuswamy, J. Wibowo, A. Tordesillas, Phys. Rev. E 72, 041307, 2005.
std::vector<Row> chainRows(const Instant& instant, const KindOptions& options) {
  const double angle = options.number("angle");
  if (angle > 90.0) throw UsageError("--angle: expected at most 90 degrees");
  const std::vector<char> chosen = chosenBodies(instant, options);
  const std::vector<Mat3>& virials = instant.virials();
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
  // All contacts and bonds between two bodies count as one link, along the line of their centres.
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
  const double leastCosine = elementary::cos(angle * pi / 180.0);
  std::vector<BodyId> root(chosen.size());
  for (BodyId k = 0; k < root.size(); ++k) root[k] = k;
  const auto find = [&](BodyId k) {
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
  };
  std::erase_if(pairs, [&](const auto& entry) {
    const auto& [pair, p] = entry;
    const Vec3 along = p.branch.normalized();
    return std::abs(along.dot(direction[pair.first])) < leastCosine ||
           std::abs(along.dot(direction[pair.second])) < leastCosine;
  });
  for (const auto& [pair, p] : pairs) {
    const BodyId a = find(pair.first), b = find(pair.second);
    root[std::max(a, b)] = std::min(a, b);
  }
  struct Chain {
    std::int64_t bodies = 0, links = 0;
    double length = 0.0, force = 0.0, stress = 0.0;
  };
  std::map<BodyId, Chain> chains;  // by the lowest number of their bodies
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
    if (c.bodies < options.whole("least")) continue;
    const double n = static_cast<double>(c.bodies), m = static_cast<double>(c.links);
    rows.push_back(rowOf(instant.conf().t, first, c.bodies, c.links, c.length, c.force / m,
                         c.stress / n, n / static_cast<double>(loaded)));
  }
  return rows;
}

}  // namespace

std::vector<Kind> forceKinds() {
  return {
      {.name = "forces",
       .help = "distribution of contact forces or of mobilised friction",
       .options = {word("of", "fn|ft|mobilised", "what is distributed, forces over the mean of fn"),
                   whole("bins", "number of bins", "50", 1, 1e6),
                   positive("max", "X", "end of the last bin (the largest value)"), selectOption},
       .columns = "t:s bin x low high count pdf mean:N beyond",
       .rows = histogramRows,
       .needs = {.shapes = false},
       .plot = {.x = "x", .y = {"pdf"}, .by = "t"}},
      {.name = "walls",
       .help = "a row for each driven body and round wall: force, moment and pressure on it",
       .columns = "t:s wall kind points fx:N fy:N fz:N mx:N.m my:N.m mz:N.m fn:N area:m2 "
                  "pressure:Pa",
       .rows = wallRows,
       .plot = {.x = "t", .y = {"fn"}, .by = "wall"},
       .inRun = "Walls"},
      {.name = "chains",
       .help = "a row for each force chain: bodies with more than the mean stress, in line with it",
       .options = {whole("least", "bodies a chain has at least", "3", 2, 1e6),
                   positive("angle", "A", "degrees between a link and the largest stress at most",
                            "45"),
                   selectOption},
       .columns = "t:s chain bodies links length:m force:N s1:Pa share",
       .rows = chainRows,
       .plot = {.x = "bodies", .y = {"force"}, .points = true}}};
}

}  // namespace scree::sim
