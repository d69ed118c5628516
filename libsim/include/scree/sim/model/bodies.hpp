// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/sim/model/conf.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::sim {

/// Bodies are shared out among threads in blocks of so many.
inline constexpr std::size_t bodyBlock = 8;

/// Hot state of all bodies, one array a quantity, in the order of a BodyOrder. Driven bodies come
/// first. Vectors are global. What is cold (names, clusters) stays in the Conf.
struct Bodies {
  std::uint32_t driven = 0;  ///< the first so many are driven, or fixed

  std::vector<Vec3> pos, vel, acc;  ///< [L], [L/T], [L/T²] of the centre of mass
  std::vector<Quat> q;              ///< body frame -> global frame, unit
  std::vector<Vec3> spin, spinAcc;  ///< [1/T], [1/T²]
  std::vector<Vec3> force, moment;  ///< [F], [F L] of contacts and body forces, without gravity

  std::vector<double> mass;            ///< [M] > 0 for bodies that are not driven
  std::vector<Vec3> inertia;           ///< [M L²] principal, body frame
  std::vector<double> homothety;       ///< scale of the shape
  std::vector<std::uint32_t> shape;    ///< index into the geometries
  std::vector<std::uint32_t> group;    ///< as in the file
  std::vector<double> boundingRadius;  ///< [L] farthest skeleton vertex from the centre
  std::vector<double> radius;          ///< [L] rounding
  std::vector<double> dragArea;        ///< [L²] V^(2/3), for a viscous fluid; 0 without one

  /// [L] Accumulated displacement: bound on how far any skeleton point has moved so far. The sum
  /// over steps of |Δx| plus 2|Δq| boundingRadius, which bounds the chord of a turn.
  std::vector<double> displacement;
  std::vector<double> lastMove;  ///< [L] what the last step added to `displacement`

  std::size_t size() const noexcept { return pos.size(); }
  void resize(std::size_t n);
  /// Whether a body from `begin` on, before `end`, moved further than its `most` in the last step.
  bool movedFurther(std::span<const double> most, std::size_t begin, std::size_t end) const;
  /// Calls f(array) for each of them.
  template <class F>
  void forEachArray(F&& f) {
    for (auto* v : {&pos, &vel, &acc, &spin, &spinAcc, &force, &moment, &inertia}) f(*v);
    for (auto* v :
         {&mass, &homothety, &boundingRadius, &radius, &dragArea, &displacement, &lastMove})
      f(*v);
    for (auto* v : {&shape, &group}) f(*v);
    f(q);
  }
};

// The order in which a run keeps its bodies, and the numbers that files give them.

/// Bodies that touch stand near each other in memory, and each thread has one slab of the packing,
/// however a file numbers them. Users see the numbers of the file.
class BodyOrder {
 public:
  BodyOrder() = default;  ///< that of the file
  /// @param numbers  of each body of the run its number in the file; empty: the order of the file.
  /// @throws ModelError unless each number from 0 on is there once, driven bodies at their places
  BodyOrder(std::vector<BodyId> numbers, std::uint32_t driven);

  bool ofFile() const { return numbers_.empty(); }
  BodyId number(std::size_t body) const {  ///< in the file
    return ofFile() || body >= numbers_.size() ? static_cast<BodyId>(body) : numbers_[body];
  }
  BodyId body(std::size_t number) const {  ///< that has this number in the file
    return ofFile() || number >= bodies_.size() ? static_cast<BodyId>(number) : bodies_[number];
  }
  const std::vector<BodyId>& numbers() const { return numbers_; }

  /// One value for each body of the file, in the order of the run, and back.
  template <class T>
  [[nodiscard]] std::vector<T> toRun(const std::vector<T>& ofFile) const {
    return picked(ofFile, numbers_);
  }
  template <class T>
  [[nodiscard]] std::vector<T> toFile(const std::vector<T>& ofRun) const {
    return picked(ofRun, bodies_);
  }
  /// Contacts between bodies of the file as contacts between those of the run, and back: exact.
  /// Bodies that do not exist keep their number.
  void renumberForRun(std::span<InteractionRecord> contacts) const { renumber(contacts, bodies_); }
  void renumberForFile(std::span<InteractionRecord> contacts) const {
    renumber(contacts, numbers_);
  }

 private:
  template <class T>
  static std::vector<T> picked(const std::vector<T>& from, const std::vector<BodyId>& order) {
    if (order.empty() || from.size() != order.size()) return from;
    std::vector<T> to;
    to.reserve(order.size());
    for (const BodyId k : order) to.push_back(from[k]);
    return to;
  }
  static void renumber(std::span<InteractionRecord> contacts, const std::vector<BodyId>& to);

  std::vector<BodyId> numbers_, bodies_;  ///< both ways; empty: the same
};

/// Number in the file of each body, so that bodies near each other in space are near each other in
/// memory. Slabs lie across the longest extent of the packing, lines across the next one, and
/// bodies follow the shortest in each line. Driven bodies stay at their places. Empty where the
/// order of the file is kept: there are few bodies, or they have this order. Extents are those of
/// nine tenths, so that a body that has flown off does not matter. O(n log n).
std::vector<BodyId> orderByPlace(std::span<const Vec3> places, std::uint32_t driven);

}  // namespace scree::sim
