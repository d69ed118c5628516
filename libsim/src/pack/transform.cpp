// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/transform.hpp"

#include "base/turn.hpp"
#include "loads.hpp"
#include "scene_parts.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scree::sim {
namespace {

/// Leaves the shapes that bodies have, in the order of their first bodies.
void keepUsedShapes(Scene& scene) {
  std::vector<shape::Shape> shapes = std::exchange(scene.shapes, {});
  scene.conf.shapeNames.clear();
  std::map<std::uint32_t, std::uint32_t> places;
  for (ParticleRecord& p : scene.conf.particles) {
    const auto [place, isNew] =
        places.emplace(p.shapeName, static_cast<std::uint32_t>(places.size()));
    if (isNew) {
      scene.conf.shapeNames.push_back(shapes[p.shapeName].name);
      scene.shapes.push_back(std::move(shapes[p.shapeName]));
    }
    p.shapeName = place->second;
  }
}

/// Drops contacts and bonds of the bodies whose flag is set.
void detach(Conf& conf, const std::vector<char>& flags) {
  BodyNumbers numbers(flags.size());
  for (std::size_t k = 0; k < flags.size(); ++k)
    numbers[k] = flags[k] ? noBody : static_cast<BodyId>(k);
  renumber(conf.interactions, numbers);
  renumber(conf.interfaces, numbers);
  renumber(conf.boundaryTouches, numbers);
}

/// Drops contacts but those that hold the state of bonds, which then carry no load.
void unload(Conf& conf) {
  const auto bonded = bondedPairs(conf);
  std::erase_if(conf.interactions, [&](const InteractionRecord& r) {
    return !std::ranges::binary_search(bonded, bodyPair(r.key.i, r.key.j));
  });
  for (InteractionRecord& r : conf.interactions) {
    r.fn = 0.0;
    r.ft = r.mom = Vec3::Zero();
  }
  conf.boundaryTouches.clear();
}

/// Adds a shift; a component that does not move keeps its bits, a -0, too.
void shift(Vec3& x, const Vec3& by) {
  for (Eigen::Index c = 0; c < 3; ++c)
    if (by[c] != 0.0) x[c] += by[c];
}

}  // namespace

void endRun(Conf& conf, bool goesOn) {
  goesOn = goesOn && conf.state().runState;
  conf.saved.reset();
  if (goesOn) conf.makeState().runState = RunState{conf.t, 0};
  conf.places.clear();
  for (auto* lines : {&conf.particleLines, &conf.interactionLines, &conf.interfaceLines})
    lines->clear();
}

void endNumbers(Conf& conf) {
  std::erase_if(conf.others, [](const OtherLine& o) { return o.keyword == "DataExtractor"; });
  endRun(conf, true);
}

std::vector<std::pair<BodyId, BodyId>> bondedPairs(const Conf& conf) {
  std::vector<std::pair<BodyId, BodyId>> pairs;
  for (const InterfaceRecord& face : conf.interfaces) pairs.push_back(bodyPair(face.i, face.j));
  std::ranges::sort(pairs);
  return pairs;
}

std::set<std::uint32_t> groupsInUse(const Conf& conf) {
  std::set<std::uint32_t> groups;
  for (const ParticleRecord& p : conf.particles) groups.insert(p.group);
  for (const Boundary& b : conf.boundaries) groups.insert(b.group);
  return groups;
}

void dropParameters(Conf& conf, const std::function<bool(std::uint32_t)>& drops) {
  const auto ofGroup = [&](const auto& row) { return drops(row.first); };
  std::erase_if(conf.density, ofGroup);
  for (auto& [name, values] : conf.groupParameters) std::erase_if(values, ofGroup);
  for (auto& [name, values] : conf.lawParameters)
    std::erase_if(
        values, [&](const auto& row) { return drops(row.first.first) || drops(row.first.second); });
  std::erase_if(conf.tempos, [&](const Tempo& tempo) {
    return (tempo.what != Tempo::What::damping && drops(tempo.group1)) ||
           (tempo.what == Tempo::What::pair && drops(tempo.group2));
  });
}

NamePlaces namePlaces(const Scene& scene) {
  NamePlaces places;
  for (const shape::Shape& shape : scene.shapes)
    places.emplace(shape.name, static_cast<std::uint32_t>(places.size()));
  return places;
}

std::uint32_t addShape(Scene& scene, NamePlaces& places, shape::Shape shape) {
  const std::string name = shape.name;
  for (int count = 2;; ++count) {
    const auto next = static_cast<std::uint32_t>(scene.shapes.size());
    const auto [place, isNew] = places.emplace(shape.name, next);
    if (isNew) {
      scene.conf.shapeNames.push_back(shape.name);
      scene.shapes.push_back(std::move(shape));
      return next;
    }
    // Compared as they would be written.
    if (shape::shapesText({scene.shapes[place->second]}) == shape::shapesText({shape}))
      return place->second;
    shape.name = fmt::format("{}_{}", name, count);
  }
}

void keepBodies(Scene& scene, std::span<const char> stays) {
  if (std::ranges::find(stays, 0) == stays.end()) return;
  Conf& conf = scene.conf;
  std::set<std::uint32_t> lost = groupsInUse(conf);
  BodyNumbers numbers(stays.size(), noBody);
  BodyId kept = 0, driven = 0;
  for (std::size_t k = 0; k < stays.size(); ++k) {
    if (!stays[k]) continue;
    driven += k < conf.nDriven;
    conf.particles[kept] = conf.particles[k];
    numbers[k] = kept++;
  }
  conf.particles.resize(kept);
  conf.nDriven = driven;
  forLists(conf, conf, [&](auto& records, auto&) { renumber(records, numbers); });
  for (const std::uint32_t group : groupsInUse(conf)) lost.erase(group);
  dropParameters(conf, [&](std::uint32_t group) { return lost.contains(group); });
  keepUsedShapes(scene);
  endNumbers(conf);
}

void translate(Scene& scene, const Vec3& by) {
  if (by.isZero(0.0)) return;
  for (ParticleRecord& p : scene.conf.particles) shift(p.pos, by);
  for (InteractionRecord& r : scene.conf.interactions) shift(r.pos, by);
  for (Boundary& b : scene.conf.boundaries) shift(b.centre, by);
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
  const auto turned = [&](const Mat3& m) {
    return turn.quarter() ? turn.tensor(m) : turn.columns(m);
  };
  PeriodicCell& cell = conf.cell;
  for (Mat3* vectors : {&cell.h, &cell.vh, &cell.ah}) *vectors = turned(*vectors);
  if (turn.quarter()) cell.flips = turn.tensor(cell.flips);
  endRun(conf, false);
}

void scale(Scene& scene, double factor) {
  if (factor == 1.0) return;
  Conf& conf = scene.conf;
  unload(conf);
  for (ParticleRecord& p : conf.particles) {
    p.homothety *= factor;
    p.pos *= factor;
  }
  for (InteractionRecord& r : conf.interactions) {
    r.dn *= factor;
    r.pos *= factor;
  }
  for (InterfaceRecord& face : conf.interfaces) {
    face.dn0 *= factor;
    if (face.area) *face.area *= factor * factor;
    for (BondRecord& bond : face.bonds) {
      bond.slip *= factor;
      bond.extraGap *= factor;
    }
  }
  for (SpringJoint& joint : conf.joints)
    if (joint.restLength >= 0.0) joint.restLength *= factor;
  for (Boundary& b : conf.boundaries) {
    b.centre *= factor;
    b.radius *= factor;
  }
  conf.cell.h *= factor;
  conf.DVerlet *= factor;
  conf.dVerlet *= factor;
  if (conf.dynamicUpdateNL != 0) conf.dispUpdateNL *= factor;
  endRun(conf, false);
  if (factor < 1.0) conf.dt = roundedDown(conf.dt * factor * std::sqrt(factor));
}

namespace {

/// A value of bodies that formulas may set, and what they may set it to.
struct Settable {
  std::string_view name;
  double least = -1e300, most = 1e300;
  bool whole = false;
};
constexpr std::array<Settable, 12> settable{{{"group", 0, 1e6, true},
                                             {"cluster", INT32_MIN, INT32_MAX, true},
                                             {"homothety", 1e-50, 1e50},
                                             {"x"},
                                             {"y"},
                                             {"z"},
                                             {"vx"},
                                             {"vy"},
                                             {"vz"},
                                             {"wx"},
                                             {"wy"},
                                             {"wz"}}};
/// Sets a value of a body, by its index in `settable`. @returns the one before
double replaced(ParticleRecord& p, std::size_t value, double v) {
  if (value == 0) return std::exchange(p.group, static_cast<std::uint32_t>(v));
  if (value == 1) return std::exchange(p.cluster, static_cast<std::int32_t>(v));
  if (value == 2) return std::exchange(p.homothety, v);
  Vec3& vector = value < 6 ? p.pos : value < 9 ? p.vel : p.vrot;
  return std::exchange(vector[static_cast<Eigen::Index>(value % 3)], v);
}

}  // namespace

BodySetting::BodySetting(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  std::string_view name = std::string_view(text).substr(0, equals);
  while (name.ends_with(' ')) name.remove_suffix(1);
  const auto found = std::ranges::find(settable, name, &Settable::name);
  std::vector<std::string_view> names;
  for (const Settable& s : settable) names.push_back(s.name);
  if (equals == text.size() || found == settable.end())
    throw UsageError(fmt::format("expected NAME=EXPR with a NAME of {}; found '{}'{}",
                                 fmt::join(names, " "), shown(text), suggestion(name, names)));
  value_ = static_cast<std::size_t>(found - settable.begin());
  formula_ = Selection(std::string_view(text).substr(equals + 1));
}

std::size_t BodySetting::apply(Scene& scene) const {
  Conf& conf = scene.conf;
  const auto& [name, least, most, whole] = settable[value_];
  const std::vector<double> values = formula_.values(conf, scene.shapes);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!(values[k] >= least && values[k] <= most) || (whole && values[k] != std::floor(values[k])))
      throw ModelError(
          fmt::format("{} of body {} would be {}: expected a {}number from {:g} to {:g}", name, k,
                      values[k], whole ? "whole " : "", least, most));
  std::vector<char> changed;
  for (std::size_t k = 0; k < values.size(); ++k)
    changed.push_back(replaced(conf.particles[k], value_, values[k]) != values[k]);
  const auto count = static_cast<std::size_t>(std::ranges::count(changed, 1));
  const bool places = value_ >= 2 && value_ < 6;  // homothety x y z
  if (count > 0 && places) detach(conf, changed);
  if (count > 0) endRun(conf, false);
  return count;
}

std::size_t replaceShape(Scene& scene, const std::string& name, const shape::Shape& shape) {
  Conf& conf = scene.conf;
  const auto found = std::ranges::find(conf.shapeNames, name);
  if (found == conf.shapeNames.end()) {
    const std::vector<std::string_view> names(conf.shapeNames.begin(), conf.shapeNames.end());
    throw ModelError(
        fmt::format("no body has the shape '{}'{}", shown(name), suggestion(name, names)));
  }
  const auto old = static_cast<std::uint32_t>(found - conf.shapeNames.begin());
  NamePlaces places = namePlaces(scene);
  const std::uint32_t now = addShape(scene, places, shape);
  if (now == old) return 0;
  std::vector<char> changed;
  for (ParticleRecord& p : conf.particles) {
    changed.push_back(p.shapeName == old);
    if (changed.back()) p.shapeName = now;
  }
  detach(conf, changed);
  keepUsedShapes(scene);
  endRun(conf, false);
  return static_cast<std::size_t>(std::ranges::count(changed, 1));
}

void renumberClusters(Scene& scene) {
  std::map<std::int32_t, std::int32_t> numbers;
  for (ParticleRecord& p : scene.conf.particles)
    p.cluster = numbers.emplace(p.cluster, static_cast<std::int32_t>(numbers.size())).first->second;
}

void dropHistory(Scene& scene) {
  Conf& conf = scene.conf;
  unload(conf);
  for (InterfaceRecord& face : conf.interfaces)
    for (BondRecord& bond : face.bonds) bond.slip = Vec3::Zero();
  for (Boundary& b : conf.boundaries) b.power = 0.0;
  conf.t = 0.0;
  conf.iconf = 0;
  endRun(conf, false);
}

}  // namespace scree::sim
