// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes that become one: merged() and repeat().
#include "scene_parts.hpp"

#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/model/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace scree::sim {
namespace {

/// Keywords whose values all bodies of a conf-file share.
constexpr std::string_view sharedKeywords =
    " forceLaw Integrator ContactPartnership gravity BodyForce ParamsInInterfaces h vh ah mh dh "
    "usePeriodicCell cellMomentumCorrection cellVelocityCorrection useKineticStress "
    "numericalDampingCoeff VelocityBarrier VelocityBarrierExponent AngularVelocityBarrier "
    "AngularVelocityBarrierExponent Tempo ";

/// @throws ModelError with both values of a keyword that differs
void requireSharedValues(const Conf& conf, const Conf& other) {
  const auto lineOf = [](const ConfKeyword& keyword, const Conf& of) {
    TextWriter out;
    keyword.write(out, of);
    const std::string lines = out.take();
    return lines.empty() ? fmt::format("no {}", keyword.name) : lines.substr(0, lines.size() - 1);
  };
  for (const ConfKeyword& keyword : confKeywords()) {
    if (sharedKeywords.find(fmt::format(" {} ", keyword.name)) == std::string_view::npos) continue;
    const std::string ours = lineOf(keyword, conf), theirs = lineOf(keyword, other);
    if (ours != theirs)
      throw ModelError(fmt::format("{} has '{}', but {} has '{}': all bodies of a file share it",
                                   conf.source, printable(ours), other.source, printable(theirs)));
  }
}

/// The least and the largest number of a cluster.
std::pair<std::int64_t, std::int64_t> clusterRange(const Conf& conf) {
  std::pair<std::int64_t, std::int64_t> range{INT32_MAX, INT32_MIN};
  for (const ParticleRecord& p : conf.particles)
    range = {std::min<std::int64_t>(range.first, p.cluster),
             std::max<std::int64_t>(range.second, p.cluster)};
  return range;
}
std::int32_t movedCluster(std::int64_t cluster, std::int64_t by) {
  if (cluster + by > INT32_MAX) throw ModelError("no numbers of clusters are left");
  return static_cast<std::int32_t>(cluster + by);
}

void sortLinks(Conf& conf) {
  std::ranges::stable_sort(conf.interactions, {}, &InteractionRecord::key);
  std::ranges::stable_sort(conf.boundaryTouches, {}, [](const BoundaryTouch& t) {
    return std::tuple(t.boundary, t.body, t.vertex);
  });
}

/// Gives later scenes the numbers and names of a first one, and that one what it lacks of them.
class Merger {
 public:
  Merger(Scene& first, Diagnostics& diagnostics)
      : first_(first),
        conf_(first.conf),
        diagnostics_(diagnostics),
        groups_(groupsInUse(conf_)),
        places_(namePlaces(first)) {
    dropParameters(conf_, [&](std::uint32_t group) {
      groups_.insert(group);
      return false;
    });
    for (const ParticleRecord& p : conf_.particles) {
      clusters_.insert(p.cluster);
      bodies_.insert(placeOf(p));
    }
  }

  void take(Scene& scene) {
    Conf& other = scene.conf;
    requireSharedValues(conf_, other);
    takeGroups(other);
    takeClusters(other);
    std::vector<std::uint32_t> places;
    for (const shape::Shape& shape : scene.shapes) {
      places.push_back(addShape(first_, places_, shape));
      if (const std::string& name = conf_.shapeNames[places.back()]; name != shape.name)
        note("shape {} of {} becomes {}", shape.name, other.source, name);
    }
    for (ParticleRecord& p : other.particles) {
      p.shapeName = places[p.shapeName];
      if (!bodies_.insert(placeOf(p)).second)  // contacts would not show it
        throw ModelError(fmt::format("{}: body {} stands exactly where another of its shape does",
                                     other.source, &p - other.particles.data()));
    }
    takeBoundaries(other);
    if (other.dt != conf_.dt) {
      note("dt is the lesser of {} and {}", conf_.dt, other.dt);
      conf_.dt = std::min(conf_.dt, other.dt);
    }
    const auto [fewer, more] = std::minmax({conf_.precision, other.precision});
    conf_.precision = fewer < 0 ? -1 : more;
  }

 private:
  using Groups = std::map<std::uint32_t, std::uint32_t>;  ///< new numbers by old ones

  template <class... Values>
  void note(fmt::format_string<const Values&...> text, const Values&... values) {
    diagnostics_.note("merge: " + fmt::format(text, values...));
  }

  using Place = std::tuple<std::uint32_t, double, double, double, double>;
  static Place placeOf(const ParticleRecord& p) {
    return {p.shapeName, p.homothety, p.pos.x(), p.pos.y(), p.pos.z()};
  }

  /// Whether parameters of two groups, or of one given twice, are the same in both scenes.
  bool agree(const Conf& other, std::uint32_t group, std::uint32_t with) const {
    for (const Conf* conf : std::array<const Conf*, 2>{&conf_, &other}) {
      for (const auto& [name, values] : conf->lawParameters)
        if (conf_.lawParameter(name, group, with) != other.lawParameter(name, group, with))
          return false;
      for (const auto& [name, values] : conf->groupParameters)
        if (conf_.groupParameter(name, group) != other.groupParameter(name, group)) return false;
    }
    return conf_.densityOf(group) == other.densityOf(group);
  }

  void takeGroups(Conf& other) {
    const std::set<std::uint32_t> used = groupsInUse(other);
    Groups numbers;
    std::uint32_t last = std::max(*groups_.rbegin(), *used.rbegin());
    for (const std::uint32_t group : used) {
      numbers[group] = group;
      const bool clashes = std::ranges::any_of(used, [&](std::uint32_t with) {
        return with <= group && groups_.contains(with) && numbers[with] == with &&
               !agree(other, group, with);
      });
      if (!groups_.contains(group) || !clashes) continue;
      numbers[group] = ++last;
      note("group {} of {} has other parameters than that of {}: it becomes {}", group,
           other.source, conf_.source, last);
      if (!conf_.tempos.empty())
        throw ModelError(fmt::format("a Tempo of {} would not follow group {} of {} to {}",
                                     conf_.source, group, other.source, last));
    }
    for (ParticleRecord& p : other.particles) p.group = numbers[p.group];
    for (Boundary& b : other.boundaries) b.group = numbers[b.group];
    dropParameters(other, [&](std::uint32_t group) { return !used.contains(group); });
    takeParameters(other, numbers);
    for (const auto& [group, number] : numbers) groups_.insert(number);
  }

  void takeParameters(const Conf& other, Groups& numbers) {
    const auto isNew = [&](std::uint32_t group) { return !groups_.contains(numbers[group]); };
    for (const auto& [group, value] : other.density)
      if (isNew(group)) conf_.setDensity(numbers[group], value);
    for (const auto& [name, values] : other.groupParameters)
      for (const auto& [group, value] : values)
        if (isNew(group)) conf_.setGroupParameter(name, numbers[group], value);
    for (const auto& [name, values] : other.lawParameters)
      for (const auto& [pair, value] : values)
        if (isNew(pair.first) || isNew(pair.second))
          conf_.setLawParameter(name, numbers[pair.first], numbers[pair.second], value);
    std::set<std::uint32_t> alone = groups_;  // groups of the first scene that this one has not
    for (const auto& [group, number] : numbers) alone.erase(number);
    for (const auto& [group, number] : numbers)
      for (const std::uint32_t ours : alone)
        if (isNew(group)) completePair(ours, number);
  }

  /// Gives contacts of two groups the lesser of the values that both have with themselves.
  void completePair(std::uint32_t group, std::uint32_t with) {
    for (const auto& [name, values] : conf_.lawParameters) {
      const double *own = conf_.findLawParameter(name, group, group),
                   *others = conf_.findLawParameter(name, with, with);
      if (!name.ends_with("Contact") || !own || !others) continue;
      conf_.setLawParameter(name, group, with, std::min(*own, *others));
      note("{} of groups {} and {} is the lesser of their own", name, group, with);
    }
  }

  void takeClusters(Conf& other) {
    if (std::ranges::any_of(other.particles,
                            [&](const auto& p) { return clusters_.contains(p.cluster); })) {
      const std::int64_t by = *clusters_.rbegin() + 1 - clusterRange(other).first;
      for (ParticleRecord& p : other.particles) p.cluster = movedCluster(p.cluster, by);
      note("clusters of {} are those of its file plus {}", other.source, by);
    }
    for (const ParticleRecord& p : other.particles) clusters_.insert(p.cluster);
  }

  void takeBoundaries(Conf& other) {
    const auto valuesOf = [](const Boundary& b) {
      return std::tie(b.kind, b.centre, b.axis, b.radius, b.group, b.angle, b.vel, b.spin);
    };
    std::vector<std::uint32_t> numbers;
    for (const Boundary& boundary : other.boundaries) {
      const auto same = std::ranges::find_if(
          conf_.boundaries, [&](const auto& b) { return valuesOf(b) == valuesOf(boundary); });
      numbers.push_back(static_cast<std::uint32_t>(same - conf_.boundaries.begin()));
      if (same == conf_.boundaries.end()) conf_.boundaries.push_back(boundary);
    }
    for (BoundaryTouch& touch : other.boundaryTouches) touch.boundary = numbers[touch.boundary];
  }

  Scene& first_;
  Conf& conf_;
  Diagnostics& diagnostics_;
  std::set<std::uint32_t> groups_;  ///< numbers that are taken, as are these
  std::set<std::int64_t> clusters_;
  std::set<Place> bodies_;
  NamePlaces places_;
};

}  // namespace

Scene merged(std::vector<Scene> scenes, Diagnostics& diagnostics) {
  Merger merger(scenes.front(), diagnostics);
  for (std::size_t k = 1; k < scenes.size(); ++k) merger.take(scenes[k]);
  Conf& conf = scenes.front().conf;
  std::uint32_t nDriven = 0;
  for (const Scene& scene : scenes) nDriven += scene.conf.nDriven;
  bool goesOn = true;
  std::vector<ParticleRecord> driven, free;
  for (Scene& scene : scenes) {
    Conf& part = scene.conf;
    goesOn = goesOn && part.state().runState;
    BodyNumbers numbers;
    for (const ParticleRecord& p : part.particles) {
      const bool isDriven = numbers.size() < part.nDriven;
      numbers.push_back(static_cast<BodyId>(isDriven ? driven.size() : nDriven + free.size()));
      (isDriven ? driven : free).push_back(p);
    }
    forLists(conf, part, [&](auto& all, auto& records) {
      renumber(records, numbers);
      if (&all == &records) return;
      all.insert(all.end(), std::make_move_iterator(records.begin()),
                 std::make_move_iterator(records.end()));
    });
  }
  driven.insert(driven.end(), free.begin(), free.end());
  conf.particles = std::move(driven);
  conf.nDriven = nDriven;
  sortLinks(conf);
  if (!goesOn) endRun(conf, false);
  endNumbers(conf);
  return std::move(scenes.front());
}

namespace {

/// @throws ModelError where copies cannot stand so; see repeat()
void requireRoom(const Conf& conf, const std::array<std::int64_t, 3>& counts, const Mat3& steps) {
  constexpr std::int64_t most = 50'000'000;
  std::int64_t room = most / static_cast<std::int64_t>(conf.particles.size());
  for (Eigen::Index c = 0; c < 3; ++c) {
    const std::int64_t count = counts[static_cast<std::size_t>(c)];
    room /= count;
    if (count > 1 && steps.col(c).isZero(0.0)) throw ModelError("copies would coincide: step 0");
    const auto text = [c](const Mat3& m) {
      return fmt::format("({} {} {})", m(0, c), m(1, c), m(2, c));
    };
    if (count > 1 && conf.cell.used && !steps.col(c).isApprox(conf.cell.h.col(c), 1e-12))
      throw ModelError(fmt::format("the step {} is not the vector {} of the periodic cell",
                                   text(steps), text(conf.cell.h)));
  }
  if (room == 0) throw ModelError(fmt::format("more than {} bodies", most));
}

}  // namespace

void repeat(Scene& scene, const std::array<std::int64_t, 3>& counts, const Mat3& steps) {
  Conf &conf = scene.conf, given = conf;
  requireRoom(given, counts, steps);
  const Vec3 growth(static_cast<double>(counts[0]), static_cast<double>(counts[1]),
                    static_cast<double>(counts[2]));
  const auto copies = static_cast<BodyId>(growth.prod());
  if (copies == 1) return;
  const BodyId driven = given.nDriven, free = static_cast<BodyId>(given.particles.size()) - driven;
  const auto numberOf = [=](BodyId copy, BodyId k) {
    return k < driven ? copy * driven + k : copies * driven + copy * free + (k - driven);
  };
  Images images;
  if (given.cell.used) images.set(given.cell.h);
  const auto bonded = bondedPairs(given);
  const auto [least, most] = clusterRange(given);
  conf.particles.resize(copies * given.particles.size());
  forLists(conf, conf, [](auto& records, auto&) { records.clear(); });
  for (BodyId copy = 0; copy < copies; ++copy) {
    const auto n1 = static_cast<BodyId>(counts[1]), n2 = static_cast<BodyId>(counts[2]);
    const Vec3 at =
        Eigen::Matrix<BodyId, 3, 1>(copy / n2 / n1, copy / n2 % n1, copy % n2).cast<double>();
    for (BodyId k = 0; k < driven + free; ++k) {
      ParticleRecord& p = conf.particles[numberOf(copy, k)] = given.particles[k];
      if (copy == 0) continue;
      p.cluster = movedCluster(p.cluster, copy * (most - least + 1));
      p.pos += steps * at;
      if (!given.cell.used) continue;
      p.vel += given.cell.vh * at;
      p.acc += given.cell.ah * at;
    }
    // Number of the body j that body i of this copy meets: across a side of the cell, one of the
    // copy that stands there.
    const auto partner = [&](BodyId i, BodyId j) {
      if (!given.cell.used) return numberOf(copy, j);
      const Vec3 n =
          at + images.nearest(given.particles[i].pos - given.particles[j].pos).cast<double>();
      const Vec3 to = n.array() - growth.array() * (n.array() / growth.array()).floor();
      return numberOf(static_cast<BodyId>((to[0] * growth[1] + to[1]) * growth[2] + to[2]), j);
    };
    forLists(conf, given, [&](auto& all, auto& records) {
      for (auto record : records) {
        const auto [i, j] = std::tuple<BodyId, BodyId>(endsOf(record));
        endsOf(record) = std::tuple(numberOf(copy, i), partner(i, j));
        if constexpr (std::is_same_v<decltype(record), InteractionRecord>) {
          if (copy > 0) record.pos += steps * at;
          // An interface finds the state of its bonds as it names them.
          if (!std::ranges::binary_search(bonded, bodyPair(i, j))) record.putLowerFirst();
        }
        all.push_back(std::move(record));
      }
    });
  }
  conf.nDriven *= copies;
  sortLinks(conf);
  endNumbers(conf);
  if (!given.cell.used) return;
  for (Mat3* vectors : {&conf.cell.h, &conf.cell.vh, &conf.cell.ah})
    *vectors *= growth.asDiagonal();
  conf.cell.flips.setIdentity();
}

}  // namespace scree::sim
