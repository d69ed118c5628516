// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/fabric.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace scree::sim {

std::vector<ContactCounts> contactCounts(const Instant& instant) {
  std::vector<ContactCounts> counts(instant.bodyCount());
  std::vector<std::pair<BodyId, BodyId>> pairs;
  pairs.reserve(instant.links().size());
  for (const Link& link : instant.links()) {
    if (!link.touches() && link.kind != Link::Kind::bond) continue;
    const auto add = [&](ContactCounts& body) {
      ++body.points;
      body.overlap = std::max(body.overlap, -link.dn);
    };
    add(counts[link.i]);
    if (link.j != Link::none) add(counts[link.j]);
    pairs.push_back(link.pair());  // files keep contacts of one pair under (i, j) and (j, i)
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [i, j] : pairs) {
    ++counts[i].partners;
    if (j < counts.size()) ++counts[j].partners;
  }
  return counts;
}

ForceBalance forceBalance(const Instant& instant, const std::vector<char>& chosen) {
  std::vector<double> largest(chosen.size(), 0.0);
  std::vector<int> count(chosen.size(), 0);
  double forces = 0.0, squares = 0.0, normal = 0.0;
  std::size_t links = 0;
  for (const Link& c : instant.links()) {
    const bool wall = c.j == Link::none;
    if (!chosen[c.i] && (wall || !chosen[c.j])) continue;
    const double f = c.force().norm();
    forces += f;
    squares += f * f;
    normal += c.fn;
    ++links;
    for (const BodyId k : {c.i, wall ? c.i : c.j}) {
      largest[k] = std::max(largest[k], c.fn);
      ++count[k];
      if (wall) break;
    }
  }
  ForceBalance balance;
  double resultants = 0.0, resultantSquares = 0.0, most = 0.0;
  bool known = false;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    ++balance.bodies;
    const Vec3 f = instant.actions()[k].force + instant.masses()[k] * instant.conf().gravity;
    const double size = f.norm();
    balance.sum += f;
    resultants += size;
    resultantSquares += size * size;
    if (count[k] < 2 || !(largest[k] > 0.0)) continue;
    most = std::max(most, size);
    balance.worst = std::max(balance.worst, size / largest[k]);
    known = normal > 0.0;
  }
  const double n = static_cast<double>(balance.bodies), m = static_cast<double>(links);
  balance.resultant = balance.bodies > 0 ? resultants / n : notKnown;
  balance.force = links > 0 ? forces / m : notKnown;
  balance.rms = links > 0 && balance.bodies > 0 ? std::sqrt((resultantSquares / n) / (squares / m))
                                                : notKnown;
  if (!known) balance.worst = notKnown;
  balance.worstOverMean = known ? most / (normal / m) : notKnown;
  return balance;
}

std::vector<Touching> touchingOf(const Instant& instant, bool byPairs) {
  struct Sum {
    bool atWall = false;
    Vec3 force = Vec3::Zero(), normals = Vec3::Zero();
  };
  std::vector<Touching> out;
  std::map<std::pair<BodyId, BodyId>, Sum> pairs;
  for (const Link& c : instant.links()) {
    if (!c.touches() && c.kind != Link::Kind::bond) continue;
    if (!byPairs) {
      out.push_back({c.i, c.j, c.n, c.fn, c.ft});
      continue;
    }
    const auto pair = c.pair();
    Sum& sum = pairs[pair];
    const double sign = c.i == pair.first ? 1.0 : -1.0;
    sum.atWall = c.j == Link::none;
    sum.force += sign * (c.fn * c.n + c.ft);
    sum.normals += sign * c.n;
  }
  for (const auto& [pair, sum] : pairs) {
    Touching t{pair.first, sum.atWall ? Link::none : pair.second};
    // A pair that pulls has its normal from j to i all the same.
    if (sum.force.norm() > 0.0)
      t.n = (sum.force.dot(sum.normals) < 0.0 ? -1.0 : 1.0) * sum.force.normalized();
    else if (sum.normals.norm() > 0.0)
      t.n = sum.normals.normalized();
    t.fn = sum.force.dot(t.n);
    t.ft = sum.force - t.fn * t.n;
    out.push_back(t);
  }
  return out;
}

Mat3 fabricOf(const std::vector<Touching>& contacts) {
  Mat3 sum = Mat3::Zero();
  for (const Touching& c : contacts) sum += c.n * c.n.transpose();
  return contacts.empty() ? Mat3(Mat3::Constant(std::nan("")))
                          : Mat3(sum / static_cast<double>(contacts.size()));
}

ForceAnisotropies forceAnisotropies(const std::vector<Touching>& contacts, const Mat3& a) {
  Mat3 normal = Mat3::Zero(), tangential = Mat3::Zero();
  for (const Touching& c : contacts) {
    const double density = 1.0 + c.n.dot(a * c.n);
    if (!(density > 0.0)) {
      const Mat3 unknown = Mat3::Constant(std::nan(""));
      return {unknown, unknown};
    }
    normal += (c.fn / density) * c.n * c.n.transpose();
    tangential += c.ft * c.n.transpose() / density;
  }
  const double f0 = normal.trace();
  const auto deviator = [](const Mat3& m) {
    const Mat3 symmetric = 0.5 * (m + m.transpose());
    return Mat3(symmetric - symmetric.trace() / 3.0 * Mat3::Identity());
  };
  return {7.5 * deviator(normal) / f0, 5.0 * deviator(tangential) / f0};
}

BondedParts bondedParts(const Conf& conf, std::span<const char> chosen) {
  std::vector<std::vector<BodyId>> bonded(chosen.size());
  for (const InterfaceRecord& face : conf.interfaces) {
    if (face.i >= chosen.size() || face.j >= chosen.size()) continue;
    if (!chosen[face.i] || !chosen[face.j]) continue;
    bonded[face.i].push_back(face.j);
    bonded[face.j].push_back(face.i);
  }
  const Lattice lattice(conf.cell.used ? conf.cell.h : Mat3(Mat3::Identity()));
  BondedParts parts;
  parts.shift.assign(chosen.size(), Vec3::Zero());
  std::vector<char> met(chosen.size(), 0);
  for (BodyId first = 0; first < chosen.size(); ++first) {
    if (!chosen[first] || met[first]) continue;
    std::vector<BodyId> part{first};
    met[first] = 1;
    for (std::size_t at = 0; at < part.size(); ++at) {
      const BodyId k = part[at];
      for (const BodyId other : bonded[k]) {
        if (met[other]) continue;
        met[other] = 1;
        if (conf.cell.used)
          parts.shift[other] =
              lattice.nearest(conf.particles[k].pos + parts.shift[k] - conf.particles[other].pos);
        part.push_back(other);
      }
    }
    std::ranges::sort(part);
    parts.bodies.push_back(std::move(part));
  }
  return parts;
}

std::vector<BodyId> fragmentLabels(const Conf& conf) {
  const std::vector<char> all(conf.particles.size(), 1);
  std::vector<BodyId> labels(all.size(), 0);
  for (const std::vector<BodyId>& part : bondedParts(conf, all).bodies)
    for (const BodyId body : part) labels[body] = part.front();
  return labels;
}

WallLoads wallLoads(const Instant& instant) {
  const Conf& conf = instant.conf();
  WallLoads loads;
  loads.driven.resize(conf.nDriven);
  loads.round.resize(conf.boundaries.size());
  for (const Link& link : instant.links()) {
    if (link.j == Link::none) {
      const Vec3 f = link.force();
      WallLoad& load = loads.round[link.jSub];
      load.points += 1;
      load.fn += link.fn;
      load.force -= f;
      load.moment -= (link.pos - conf.boundaries[link.jSub].centre).cross(f) + link.mom;
      continue;
    }
    for (const BodyId body : {link.i, link.j}) {
      if (body >= conf.nDriven) continue;
      loads.driven[body].points += link.touches() || link.kind == Link::Kind::bond;
      loads.driven[body].fn += link.fn;
    }
  }
  for (std::size_t k = 0; k < loads.driven.size(); ++k) {
    loads.driven[k].force = instant.actions()[k].force;
    loads.driven[k].moment = instant.actions()[k].moment;
  }
  const std::optional<Domain> domain = conf.cell.used ? cellDomain(instant) : wallDomain(instant);
  for (const WallSide& side : domain ? domain->sides : std::vector<WallSide>()) {
    if (side.body == WallSide::plane) {
      loads.round[side.face].area = side.area;
      continue;
    }
    WallLoad& wall = loads.driven[side.body];
    if (wall.area > 0.0) continue;  // one body on two sides: the first counts
    wall.area = side.area;
    // The sum turns -0 into 0.
    wall.pressure = side.space.normal.dot(wall.force) / wall.area + 0.0;
  }
  for (std::size_t k = 0; k < loads.round.size(); ++k) {
    const Boundary& b = conf.boundaries[k];
    const auto ends = domain ? domain->squareEnds() : std::nullopt;
    WallLoad& wall = loads.round[k];
    if (b.kind == Boundary::Kind::ball)
      wall.area = 4.0 * pi * b.radius * b.radius;
    else if (b.kind == Boundary::Kind::cylinder && ends)
      wall.area = 2.0 * pi * b.radius * (ends->second - ends->first);
    wall.pressure = wall.fn / wall.area;
  }
  return loads;
}

}  // namespace scree::sim
