// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

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

  std::vector<double> mass;          ///< [M] > 0 for bodies that are not driven
  std::vector<Vec3> inertia;         ///< [M L²] principal, body frame
  std::vector<double> homothety;     ///< scale of the shape
  std::vector<std::uint32_t> shape;  ///< index into the geometries
  std::vector<std::uint32_t> group;  ///< as in the file
  std::vector<double> reach;         ///< [L] farthest skeleton vertex from the centre
  std::vector<double> radius;        ///< [L] rounding
  std::vector<double> dragArea;      ///< [L²] V^(2/3), for a viscous fluid; 0 without one

  /// [L] bound on how far any skeleton point has moved so far: the sum over steps of |Δx| plus
  /// 2|Δq| reach, which bounds the chord of a turn. Never falls.
  std::vector<double> path;
  std::vector<double> lastMove;  ///< [L] what the last step added to `path`

  std::size_t size() const noexcept { return pos.size(); }
  void resize(std::size_t n);
  /// Whether one of the bodies from `begin` on, before `end`, has moved further than `most` of it
  /// in the last step.
  bool movedFurther(std::span<const double> most, std::size_t begin, std::size_t end) const;
  /// Calls f(array) for each of them.
  template <class F>
  void forEachArray(F&& f) {
    for (auto* v : {&pos, &vel, &acc, &spin, &spinAcc, &force, &moment, &inertia}) f(*v);
    for (auto* v : {&mass, &homothety, &reach, &radius, &dragArea, &path, &lastMove}) f(*v);
    for (auto* v : {&shape, &group}) f(*v);
    f(q);
  }
};

}  // namespace scree::sim
