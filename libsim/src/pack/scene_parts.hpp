// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a scene that its transformations share.
#pragma once

#include "scree/sim/pack/transform.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace scree::sim {

/// Ends the run that the file holds. @param goesOn  accelerations and forces of the file still hold
void endRun(Conf& conf, bool goesOn);
/// The same where bodies have got other numbers.
void endNumbers(Conf& conf);

/// New numbers of bodies, by the old ones.
using BodyNumbers = std::vector<BodyId>;
constexpr BodyId noBody = UINT32_MAX;

// The two bodies that a record names.
inline auto endsOf(InteractionRecord& r) { return std::tie(r.key.i, r.key.j); }
inline auto endsOf(InterfaceRecord& r) { return std::tie(r.i, r.j); }
inline auto endsOf(SpringJoint& r) { return std::tie(r.i, r.j); }
inline auto endsOf(BoundaryTouch& r) { return std::tie(r.body, r.body); }

/// Gives records the new numbers of their bodies; drops those of a body that is gone.
template <class Record>
void renumber(std::vector<Record>& records, const BodyNumbers& numbers) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < records.size(); ++k) {
    const auto [i, j] = endsOf(records[k]);
    const BodyId first = numbers[i], second = numbers[j];
    if (first == noBody || second == noBody) continue;
    if (k != kept) records[kept] = std::move(records[k]);
    endsOf(records[kept++]) = std::tuple(first, second);
  }
  records.resize(kept);
}
/// Calls f with each list of both confs whose records name bodies.
template <class F>
void forLists(Conf& a, Conf& b, const F& f) {
  f(a.interactions, b.interactions);
  f(a.interfaces, b.interfaces);
  f(a.boundaryTouches, b.boundaryTouches);
  f(a.joints, b.joints);
}
/// Pairs of bodies that bonds glue, sorted.
std::vector<std::pair<BodyId, BodyId>> bondedPairs(const Conf& conf);

/// Groups that bodies and boundaries have.
std::set<std::uint32_t> groupsInUse(const Conf& conf);
/// Drops the parameters of groups for which `drops` is true, and their courses in time.
void dropParameters(Conf& conf, const std::function<bool(std::uint32_t)>& drops);

/// Places of shapes in a scene, by name.
using NamePlaces = std::map<std::string, std::uint32_t>;
NamePlaces namePlaces(const Scene& scene);
/// Adds a shape unless it is there: under its name, or under NAME_2, NAME_3, ... where a shape of
/// another form has that. @returns its place
std::uint32_t addShape(Scene& scene, NamePlaces& places, shape::Shape shape);

}  // namespace scree::sim
