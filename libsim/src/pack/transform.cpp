// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/transform.hpp"

#include "base/turn.hpp"
#include "loads.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/selection.hpp"
#include "scree/sim/model/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace scree::sim {
namespace {

/// Sets one of the marks that a conf-file keeps of changes.
void mark(Conf& conf, bool EditMark::*what) {
  std::optional<EditMark>& edit = conf.makeState().edit;
  if (!edit) edit.emplace();
  (*edit).*what = true;
}

/// Ends the run of the file. @param forcesHold  those that the file has, and accelerations, stay
void endRun(Conf& conf, bool forcesHold) {
  // Without its summed clock, a state with bonds would read as one whose ft is without viscosity.
  const bool goesOn =
      forcesHold && conf.state().runState && (!conf.state().summedClock || conf.interfaces.empty());
  const bool apart = conf.state().viscosityApart() && !conf.interfaces.empty(),
             missing = conf.state().edit && conf.state().edit->contactsMissing;
  conf.saved.reset();
  if (goesOn) conf.makeState().runState = RunState{conf.t, 0};
  if (apart && !goesOn) mark(conf, &EditMark::viscosityApart);
  if (missing) mark(conf, &EditMark::contactsMissing);
  conf.particleLines = conf.interactionLines = conf.interfaceLines = {};
}

// The two bodies that a record names.
auto endsOf(InteractionRecord& r) { return std::tie(r.key.i, r.key.j); }
auto endsOf(InterfaceRecord& r) { return std::tie(r.i, r.j); }
auto endsOf(SpringJoint& r) { return std::tie(r.i, r.j); }
auto endsOf(BoundaryTouch& r) { return std::tie(r.body, r.body); }

/// Calls f with each list of both confs whose records name bodies.
template <class F>
void forLinks(Conf& a, Conf& b, const F& f) {
  f(a.interactions, b.interactions);
  f(a.interfaces, b.interfaces);
  f(a.boundaryTouches, b.boundaryTouches);
  f(a.joints, b.joints);
}

/// New numbers of bodies, by the old ones.
using BodyNumbers = std::vector<BodyId>;
constexpr BodyId noBody = UINT32_MAX;

/// Gives the records of a conf the new numbers of bodies; drops those of bodies gone.
void renumberLinks(Conf& conf, const BodyNumbers& numbers) {
  forLinks(conf, conf, [&](auto& records, auto&) {
    std::erase_if(records, [&](auto& r) {
      const auto [i, j] = endsOf(r);
      return numbers[i] == noBody || numbers[j] == noBody;
    });
    for (auto& r : records) {
      const auto [i, j] = std::tuple<BodyId, BodyId>(endsOf(r));
      endsOf(r) = std::tuple(numbers[i], numbers[j]);
    }
  });
  std::ranges::stable_sort(conf.interactions, {}, &InteractionRecord::key);
}
/// Gives bodies, and the records that name them, new numbers; drops those that are gone.
void renumber(Conf& conf, const BodyNumbers& numbers) {
  const auto gone = static_cast<std::size_t>(std::ranges::count(numbers, noBody));
  std::vector<ParticleRecord> particles(numbers.size() - gone);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (numbers[k] != noBody) particles[numbers[k]] = conf.particles[k];
  conf.particles = std::move(particles);
  renumberLinks(conf, numbers);
  endRun(conf, true);
}

/// Drops contacts and bonds of the flagged bodies, and marks the conf as missing contacts.
void detach(Conf& conf, const std::vector<char>& flags) {
  const bool listed = !missesContacts(conf);
  BodyNumbers numbers(flags.size());
  for (std::size_t k = 0; k < flags.size(); ++k)
    numbers[k] = flags[k] ? noBody : static_cast<BodyId>(k);
  const std::vector<SpringJoint> joints = conf.joints;
  renumberLinks(conf, numbers);
  conf.joints = joints;
  if (listed && std::ranges::count(flags, 1) > 0) mark(conf, &EditMark::contactsMissing);
}

/// Drops contacts but those that hold the state of bonds, which then carry no load.
void unload(Conf& conf) {
  std::set<std::pair<BodyId, BodyId>> bonded;
  for (const InterfaceRecord& face : conf.interfaces) bonded.insert(bodyPair(face.i, face.j));
  std::erase_if(conf.interactions, [&](const InteractionRecord& r) {
    return !bonded.contains(bodyPair(r.key.i, r.key.j));
  });
  std::map<ContactKey, double> gaps;  // those at rest from now on
  for (InteractionRecord& r : conf.interactions) {
    gaps.emplace(r.key, r.dn);
    r.fn = 0.0;
    r.ft = r.mom = Vec3::Zero();
  }
  for (InterfaceRecord& face : conf.interfaces) {
    std::vector<double> now;
    for (const BondRecord& b : face.bonds) {
      const auto gap = gaps.find({face.i, face.j, b.pairing, b.iSub, b.jSub});
      now.push_back(gap == gaps.end() ? face.dn0 + b.extraGap : gap->second);
    }
    if (now.empty()) continue;
    face.dn0 = std::accumulate(now.begin(), now.end(), 0.0) / static_cast<double>(now.size());
    for (std::size_t k = 0; k < now.size(); ++k) face.bonds[k].extraGap = now[k] - face.dn0;
  }
  conf.boundaryTouches.clear();
  if (conf.state().edit) conf.saved->edit->contactsMissing = false;
  endRun(conf, false);
}

/// Adds a shape unless it is there: under its name, or under NAME_2, NAME_3, ... where a shape of
/// another form has that. @returns its place
std::uint32_t addShape(Scene& scene, shape::Shape shape) {
  const std::string name = shape.name;
  for (int count = 2;; ++count) {
    const std::uint32_t place = scene.conf.internShapeName(shape.name);
    if (place == scene.shapes.size()) scene.shapes.push_back(shape);  // a new name
    if (shape::shapesText({scene.shapes[place]}) == shape::shapesText({shape})) return place;
    shape.name = fmt::format("{}_{}", name, count);
  }
}

using Groups = std::set<std::uint32_t>;

/// All parameters of two groups by name; of one group, where both are the same, also its own.
std::map<std::string, double> parametersOf(const Conf& conf, std::uint32_t g, std::uint32_t h) {
  std::map<std::string, double> found;
  const auto take = [&](const std::string& name, const auto& rows, const auto& key) {
    if (const auto row = rows.find(key); row != rows.end()) found.emplace(name, row->second);
  };
  for (const auto& [name, rows] : conf.lawParameters)
    take(name, rows, PairValues::key_type(std::minmax(g, h)));
  if (g != h) return found;
  take("density", conf.density, g);
  for (const auto& [name, rows] : conf.groupParameters) take(name, rows, g);
  return found;
}

/// Gives the groups of `other` numbers that mean the same in `conf`, which gets their parameters.
void takeGroups(Conf& conf, Conf& other, Diagnostics& diagnostics) {
  const Groups ours = groupsInUse(conf), theirs = groupsInUse(other);
  std::uint32_t last = std::max(*ours.rbegin(), *theirs.rbegin());
  std::map<std::uint32_t, std::uint32_t> numbers;
  Groups now;
  for (const std::uint32_t g : theirs) {
    numbers[g] = g;
    const auto clashes = [&](std::uint32_t h) {
      return h <= g && numbers[h] == h && (h == g || ours.contains(h)) &&
             parametersOf(conf, g, h) != parametersOf(other, g, h);
    };
    const bool isFree = !ours.contains(g) && parametersOf(conf, g, g).empty();
    if (!isFree && std::ranges::any_of(theirs, clashes)) {
      do numbers[g] = ++last;
      while (!parametersOf(conf, last, last).empty());
      diagnostics.note(fmt::format("merge: group {} of {} has other parameters: it becomes {}", g,
                                   other.source, last));
    }
    now.insert(numbers[g]);
  }
  for (ParticleRecord& p : other.particles) p.group = numbers[p.group];
  for (const auto& [g, newG] : numbers)
    for (const auto& [h, newH] : numbers)
      for (const auto& [name, value] : parametersOf(other, g, h)) {
        if (other.lawParameters.contains(name))
          conf.setLawParameter(name, newG, newH, value);
        else if (name == "density")
          conf.setDensity(newG, value);
        else
          conf.setGroupParameter(name, newG, value);
      }
  for (auto& [name, rows] : conf.lawParameters)
    for (const std::uint32_t g : ours)
      for (const std::uint32_t h : now) {
        const auto own = rows.find({g, g}), others = rows.find({h, h});
        if (now.contains(g) || ours.contains(h) || !name.ends_with("Contact") ||
            own == rows.end() || others == rows.end())
          continue;
        rows.emplace(std::minmax(g, h), std::min(own->second, others->second));
        diagnostics.note(
            fmt::format("merge: {} of groups {} and {} is the lesser of their own", name, g, h));
      }
}

/// Keywords whose values all bodies of a conf-file share.
constexpr std::string_view sharedKeywords =
    " forceLaw Integrator ContactPartnership gravity BodyForce ParamsInInterfaces h vh ah mh dh "
    "usePeriodicCell cellMomentumCorrection cellVelocityCorrection useKineticStress precision "
    "numericalDampingCoeff VelocityBarrier VelocityBarrierExponent AngularVelocityBarrier "
    "AngularVelocityBarrierExponent Tempo ";

/// @throws ModelError with both values that one file cannot have
void requireSharedValues(const Conf& conf, const Conf& other) {
  const auto require = [&](bool fits, const std::string& ours, const std::string& theirs) {
    if (!fits)
      throw ModelError(fmt::format("{} has '{}', but {} has '{}': all bodies of a file share it",
                                   conf.source, printable(ours), other.source, printable(theirs)));
  };
  for (const ConfKeyword& keyword : confKeywords()) {
    if (sharedKeywords.find(fmt::format(" {} ", keyword.name)) == std::string_view::npos) continue;
    const auto lines = [&](const Conf& of) {
      TextWriter out;
      keyword.write(out, of);
      const std::string text = out.take();
      return text.empty() ? fmt::format("no {}", keyword.name) : text.substr(0, text.size() - 1);
    };
    const std::string ours = lines(conf), theirs = lines(other);
    require(ours == theirs && (keyword.name != "Tempo" || other.tempos.empty()), ours, theirs);
  }
  require(other.boundaries.empty(), fmt::format("{} round walls", conf.boundaries.size()),
          fmt::format("{} round walls", other.boundaries.size()));
}

/// Appends parts 1, 2, ... to `all`, the part 0: clusters count on, and driven bodies go first.
void append(Conf& all, std::size_t parts, const std::function<Conf(std::size_t)>& partOf) {
  constexpr auto cluster = &ParticleRecord::cluster;
  std::int64_t last = std::ranges::max(all.particles, {}, cluster).cluster;
  bool misses = missesContacts(all);
  std::vector<char> driven(all.particles.size());
  std::fill_n(driven.begin(), all.nDriven, 1);
  for (std::size_t k = 1; k < parts; ++k) {
    Conf part = partOf(k);
    const bool partIsApart = part.state().viscosityApart() && !part.interfaces.empty();
    misses |= missesContacts(part);
    if (!part.state().runState) endRun(all, false);  // while its bonds are its own
    BodyNumbers numbers(part.particles.size());
    std::iota(numbers.begin(), numbers.end(), static_cast<BodyId>(driven.size()));
    renumberLinks(part, numbers);
    forLinks(all, part, [](auto& records, const auto& others) {
      records.insert(records.end(), others.begin(), others.end());
    });
    const std::int64_t by = last + 1 - std::ranges::min(part.particles, {}, cluster).cluster;
    last = by + std::ranges::max(part.particles, {}, cluster).cluster;
    if (last > INT32_MAX) throw ModelError("no numbers of clusters are left");
    for (ParticleRecord& p : part.particles) {
      driven.push_back(&p - part.particles.data() < part.nDriven);
      p.cluster = static_cast<std::int32_t>(p.cluster + by);
      all.particles.push_back(p);
    }
    if (partIsApart) mark(all, &EditMark::viscosityApart);
  }
  all.nDriven = static_cast<std::uint32_t>(std::ranges::count(driven, 1));
  BodyNumbers numbers;
  BodyId first = 0, free = all.nDriven;
  for (const char isDriven : driven) numbers.push_back(isDriven ? first++ : free++);
  renumber(all, numbers);
  if (misses && !missesContacts(all)) mark(all, &EditMark::contactsMissing);
  std::set<std::tuple<std::uint32_t, double, double, double, double>> places;
  for (const ParticleRecord& p : all.particles)  // a contact with walls that coincide counts twice
    if (!places.emplace(p.shapeName, p.homothety, p.pos.x(), p.pos.y(), p.pos.z()).second)
      throw ModelError(fmt::format("two bodies of the shape {} would both stand at {} {} {}",
                                   all.shapeNameOf(p), p.pos.x(), p.pos.y(), p.pos.z()));
}

}  // namespace

void keepBodies(Scene& scene, std::span<const char> stays) {
  if (std::ranges::find(stays, 0) == stays.end()) return;
  Conf& conf = scene.conf;
  Groups lost = groupsInUse(conf);
  BodyNumbers numbers;
  BodyId kept = 0;
  for (const char flag : stays) numbers.push_back(flag ? kept++ : noBody);
  conf.nDriven = static_cast<std::uint32_t>(std::ranges::count(stays.first(conf.nDriven), 1));
  renumber(conf, numbers);
  for (const std::uint32_t group : groupsInUse(conf)) lost.erase(group);
  const auto ofLost = [&](const auto& row) { return lost.contains(row.first); };
  std::erase_if(conf.density, ofLost);
  for (auto& [name, rows] : conf.groupParameters) std::erase_if(rows, ofLost);
  for (auto& [name, rows] : conf.lawParameters)
    std::erase_if(rows, [&](const auto& row) {
      return lost.contains(row.first.first) || lost.contains(row.first.second);
    });
}

Scene merged(std::vector<Scene> scenes, Diagnostics& diagnostics) {
  Scene& first = scenes.front();
  Conf& conf = first.conf;
  append(conf, scenes.size(), [&](std::size_t k) {
    Conf& other = scenes[k].conf;
    requireSharedValues(conf, other);
    takeGroups(conf, other, diagnostics);
    std::vector<std::uint32_t> places;
    for (const shape::Shape& shape : scenes[k].shapes) {
      places.push_back(addShape(first, shape));
      if (const std::string& name = conf.shapeNames[places.back()]; name != shape.name)
        diagnostics.note(
            fmt::format("merge: shape {} of {} becomes {}", shape.name, other.source, name));
    }
    for (ParticleRecord& p : other.particles) p.shapeName = places[p.shapeName];
    if (other.dt != conf.dt)
      diagnostics.note(fmt::format("merge: dt is the lesser of {} and {}", conf.dt, other.dt));
    conf.dt = std::min(conf.dt, other.dt);
    return std::move(other);
  });
  return std::move(first);
}

void repeat(Scene& scene, const std::array<std::int64_t, 3>& counts,
            const std::optional<Vec3>& step) {
  Conf& conf = scene.conf;
  PeriodicCell& cell = conf.cell;
  const Vec3 n = Eigen::Matrix<std::int64_t, 3, 1>(counts[0], counts[1], counts[2]).cast<double>();
  if (n.prod() * static_cast<double>(conf.particles.size()) > 5e7)
    throw ModelError("more than 50 million bodies");
  const Mat3 steps = step ? Mat3(step->asDiagonal()) : cell.h;
  if (cell.used ? step || !conf.interfaces.empty() || !conf.joints.empty() : !step)
    throw ModelError(
        "copies need a step; those of a periodic cell have its vectors, and must be without bonds "
        "and joints, which may cross its sides");
  if (n.prod() == 1.0) return;
  // A contact across the sides of the cell goes on with another copy of its second body.
  std::vector<std::pair<InteractionRecord, Vec3>> across;
  Images images;
  if (cell.used) images.set(cell.h);
  if (cell.used)
    std::erase_if(conf.interactions, [&](const InteractionRecord& r) {
      const CellShift by =
          images.nearest(conf.particles[r.key.i].pos - conf.particles[r.key.j].pos);
      if (!by.isZero()) across.emplace_back(r, by.cast<double>());
      return !by.isZero();
    });
  const Conf given = conf;
  const auto placeOf = [&](std::size_t copy) {
    const auto n1 = static_cast<std::size_t>(n[1]), n2 = static_cast<std::size_t>(n[2]);
    return Vec3(double(copy / n2 / n1), double(copy / n2 % n1), double(copy % n2));
  };
  const auto copies = static_cast<std::size_t>(n.prod());
  append(conf, copies, [&](std::size_t copy) {
    const Vec3 at = placeOf(copy);
    Conf part = given;
    for (ParticleRecord& p : part.particles) {
      p.pos += steps * at;
      if (cell.used) p.vel += cell.vh * at;
      if (cell.used) p.acc += cell.ah * at;
    }
    for (InteractionRecord& r : part.interactions) r.pos += steps * at;
    part.boundaryTouches.clear();
    return part;
  });
  // Copies stand on an endless plane, too.
  const auto isPlane = [](const Boundary& b) { return b.kind == Boundary::Kind::plane; };
  if (!given.boundaryTouches.empty() && std::ranges::any_of(conf.boundaries, isPlane))
    mark(conf, &EditMark::contactsMissing);
  if (!cell.used) return;
  const auto numberOf = [&](const Vec3& at, BodyId k) {
    const auto copy = static_cast<std::size_t>((at[0] * n[1] + at[1]) * n[2] + at[2]);
    const std::size_t driven = given.nDriven, free = given.particles.size() - driven;
    return static_cast<BodyId>(k < driven ? copy * driven + k
                                          : (copies - 1) * driven + copy * free + k);
  };
  for (std::size_t copy = 0; copy < copies; ++copy)
    for (auto [r, by] : across) {
      const Vec3 at = placeOf(copy);
      for (int axis = 0; axis < 3; ++axis) {
        const double to = at[axis] + by[axis];
        by[axis] = to - n[axis] * std::floor(to / n[axis]);
      }
      r.key.i = numberOf(at, r.key.i);
      r.key.j = numberOf(by, r.key.j);
      r.pos += steps * at;
      r.putLowerFirst();
      conf.interactions.push_back(r);
    }
  std::ranges::sort(conf.interactions, {}, &InteractionRecord::key);
  for (Mat3* vectors : {&cell.h, &cell.vh, &cell.ah}) *vectors *= n.asDiagonal();
  cell.flips.setIdentity();
}

void translate(Scene& scene, const Vec3& by) {
  if (by.isZero(0.0)) return;
  const PeriodicCell& cell = scene.conf.cell;
  const Vec3 cells = cell.used ? Vec3(cell.h.inverse() * by) : Vec3::Zero();
  for (ParticleRecord& p : scene.conf.particles) {
    p.pos += by;
    p.vel += cell.vh * cells;  // bodies follow the flow of the cell
    p.acc += cell.ah * cells;
  }
  for (InteractionRecord& r : scene.conf.interactions) r.pos += by;
  for (Boundary& b : scene.conf.boundaries) b.centre += by;
  endRun(scene.conf, true);
}

void rotate(Scene& scene, int axis, double degrees) {
  const Turn turn(axis, degrees);
  if (turn.identity()) return;
  const auto turnAll = [&turn](auto&... vectors) { ((vectors = turn(vectors)), ...); };
  Conf& conf = scene.conf;
  for (ParticleRecord& p : conf.particles) {
    turnAll(p.pos, p.vel, p.acc, p.vrot, p.arot);
    p.q = (turn.orientation() * p.q).normalized();
  }
  for (InteractionRecord& r : conf.interactions) turnAll(r.n, r.pos, r.vel, r.ft, r.mom);
  for (InterfaceRecord& face : conf.interfaces)
    for (BondRecord& bond : face.bonds) turnAll(bond.slip);
  for (Boundary& b : conf.boundaries) turnAll(b.centre, b.axis, b.vel, b.spin);
  for (BoundaryTouch& t : conf.boundaryTouches) turnAll(t.ft, t.mom, t.vel);
  // After a quarter turn the lattice also has vectors in the order of the axes.
  PeriodicCell& cell = conf.cell;
  for (Mat3* vectors : {&cell.h, &cell.vh, &cell.ah})
    *vectors = turn.quarter() ? turn.tensor(*vectors) : turn.columns(*vectors);
  if (turn.quarter()) cell.flips = turn.tensor(cell.flips);
  endRun(conf, false);
}

void scale(Scene& scene, double factor) {
  if (factor == 1.0) return;
  Conf& conf = scene.conf;
  unload(conf);
  const auto stretch = [factor](auto&... lengths) { ((lengths *= factor), ...); };
  for (ParticleRecord& p : conf.particles) stretch(p.homothety, p.pos);
  for (InteractionRecord& r : conf.interactions) stretch(r.dn, r.pos);
  for (InterfaceRecord& face : conf.interfaces) {
    stretch(face.dn0);
    if (face.area) *face.area *= factor * factor;
    for (BondRecord& bond : face.bonds) stretch(bond.slip, bond.extraGap);
  }
  for (SpringJoint& joint : conf.joints) {
    stretch(joint.onI, joint.onJ);
    if (joint.restLength >= 0.0) stretch(joint.restLength);
  }
  for (Boundary& b : conf.boundaries) stretch(b.centre, b.radius);
  stretch(conf.cell.h);
  if (factor < 1.0) conf.dt = roundedDown(conf.dt * factor * std::sqrt(factor));
}

std::size_t setValues(Scene& scene, const std::string& text) {
  constexpr std::array<std::string_view, 12> names{
      "group", "cluster", "homothety", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
  const std::size_t equals = std::min(text.find('='), text.size());
  std::string_view name = std::string_view(text).substr(0, equals);
  while (name.ends_with(' ')) name.remove_suffix(1);
  const auto value = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  if (equals == text.size() || value == names.size())
    throw UsageError(fmt::format("expected NAME=EXPR with a NAME of {}; found '{}'",
                                 fmt::join(names, " "), shown(text)));
  Conf& conf = scene.conf;
  const std::vector<double> values =
      Selection(std::string_view(text).substr(equals + 1)).values(conf, scene.shapes);
  const bool whole = value < 2;
  const double most = value == 0 ? 1e6 : whole ? INT32_MAX : 1e50;
  const double least = value == 0 ? 0.0 : value == 2 ? 1e-50 : -most;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!(values[k] >= least && values[k] <= most) || (whole && values[k] != std::floor(values[k])))
      throw ModelError(
          fmt::format("{} of body {} would be {}: expected a {}number from {:g} to {:g}", name, k,
                      values[k], whole ? "whole " : "", least, most));
  const auto replaced = [&](ParticleRecord& p, double v) -> double {
    if (value == 0) return std::exchange(p.group, static_cast<std::uint32_t>(v));
    if (value == 1) return std::exchange(p.cluster, static_cast<std::int32_t>(v));
    if (value == 2) return std::exchange(p.homothety, v);
    Vec3& vector = value < 6 ? p.pos : value < 9 ? p.vel : p.vrot;
    return std::exchange(vector[static_cast<Eigen::Index>(value % 3)], v);
  };
  std::vector<char> changed;
  for (std::size_t k = 0; k < values.size(); ++k)
    changed.push_back(replaced(conf.particles[k], values[k]) != values[k]);
  endRun(conf, false);
  if (value >= 2 && value < 6) detach(conf, changed);  // homothety x y z
  return static_cast<std::size_t>(std::ranges::count(changed, 1));
}

std::size_t replaceShape(Scene& scene, const std::string& name, const shape::Shape& shape) {
  Conf& conf = scene.conf;
  const auto found = std::ranges::find(conf.shapeNames, name);
  if (found == conf.shapeNames.end())
    throw ModelError(fmt::format("no body has the shape '{}'", shown(name)));
  const auto old = static_cast<std::uint32_t>(found - conf.shapeNames.begin());
  const std::uint32_t now = addShape(scene, shape);
  std::vector<char> changed;
  for (ParticleRecord& p : conf.particles) {
    changed.push_back(p.shapeName == old && now != old);
    if (changed.back()) p.shapeName = now;
  }
  endRun(conf, false);
  detach(conf, changed);
  return static_cast<std::size_t>(std::ranges::count(changed, 1));
}

void renumberClusters(Scene& scene) {
  std::map<std::int32_t, std::int32_t> numbers;
  for (ParticleRecord& p : scene.conf.particles)
    p.cluster = numbers.emplace(p.cluster, static_cast<std::int32_t>(numbers.size())).first->second;
}

void dropHistory(Scene& scene) {
  unload(scene.conf);
  for (InterfaceRecord& face : scene.conf.interfaces)
    for (BondRecord& bond : face.bonds) bond.slip = Vec3::Zero();
  for (Boundary& b : scene.conf.boundaries) b.power = 0.0;
  scene.conf.t = 0.0;
}

}  // namespace scree::sim
