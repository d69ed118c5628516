// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/math.hpp"
#include "scree/sim/model/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace scree::sim {
namespace {

/// Fewer bodies than that are never shared out among threads, and fit any cache.
constexpr std::size_t fewest = 128;

/// Width of an even distribution of which nine tenths in the middle are as wide, so that bodies
/// that have flown off do not count.
Vec3 extents(std::span<const Vec3> places) {
  Vec3 wide;
  std::vector<double> x(places.size());
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t k = 0; k < places.size(); ++k) x[k] = places[k][axis];
    const auto quantile = [&x](std::size_t twentieths) {
      const auto at = x.begin() + static_cast<std::ptrdiff_t>((x.size() - 1) * twentieths / 20);
      std::nth_element(x.begin(), at, x.end());
      return *at;
    };
    const double low = quantile(1);
    wide[axis] = (quantile(19) - low) / 0.9;
  }
  return wide;
}

/// Distance of neighbours in a packing of n bodies of these extents.
double spacing(double n, double longest, double middle, double shortest) {
  const double volume = longest * middle * shortest;
  const double inSpace = volume > 0.0 ? portablePow(volume / n, 1.0 / 3.0) : 0.0;
  if (inSpace > 0.0 && inSpace < shortest) return inSpace;
  const double inPlane = std::sqrt(longest * middle / n);
  return inPlane > 0.0 && inPlane < middle ? inPlane : longest / n;
}

/// Sorts bodies along an axis, and cuts them into `parts` of the same size.
template <class F>
void sortAndCut(std::span<BodyId> bodies, std::span<const Vec3> places, int axis, std::size_t parts,
                F&& ofPart) {
  // Ties, as on a lattice, go by the other coordinates: the order must not depend on numbers.
  const auto key = [&](BodyId k) {
    const Vec3& p = places[k];
    return std::tuple(p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3], k);
  };
  std::sort(bodies.begin(), bodies.end(), [&](BodyId a, BodyId b) { return key(a) < key(b); });
  const std::size_t n = bodies.size();
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = n * part / parts, end = n * (part + 1) / parts;
    ofPart(bodies.subspan(begin, end - begin));
  }
}

}  // namespace

BodyOrder::BodyOrder(std::vector<BodyId> numbers, std::uint32_t driven)
    : numbers_(std::move(numbers)) {
  constexpr BodyId none = UINT32_MAX;
  bodies_.assign(numbers_.size(), none);
  for (std::size_t k = 0; k < numbers_.size(); ++k) {
    const BodyId number = numbers_[k];
    if (number >= numbers_.size() || bodies_[number] != none)
      throw ModelError(fmt::format("expected each of the numbers 0 to {} once, found {}{}",
                                   numbers_.size() - 1, number,
                                   number < numbers_.size() ? " twice" : ""));
    if (k < driven && number != k)
      throw ModelError(fmt::format("expected driven body {} at its place, found {}", k, number));
    bodies_[number] = static_cast<BodyId>(k);
  }
}

void BodyOrder::renumber(std::span<InteractionRecord> contacts, const std::vector<BodyId>& to) {
  if (to.empty()) return;
  for (InteractionRecord& r : contacts) {
    for (BodyId* body : {&r.key.i, &r.key.j})
      if (*body < to.size()) *body = to[*body];
    r.putLowerFirst();
  }
}

std::vector<BodyId> orderByPlace(std::span<const Vec3> places, std::uint32_t driven) {
  if (places.size() < driven + fewest) return {};
  const std::size_t free = places.size() - driven;
  if (!std::all_of(places.begin(), places.end(), [](const Vec3& p) { return p.allFinite(); }))
    return {};
  const Vec3 wide = extents(places.subspan(driven));
  std::array<int, 3> axes{0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return wide[a] > wide[b]; });
  const double apart =
      spacing(static_cast<double>(free), wide[axes[0]], wide[axes[1]], wide[axes[2]]);
  if (!(apart > 0.0)) return {};  // all at one place
  const auto layers = [&](int axis) {
    return static_cast<std::size_t>(
        std::clamp(std::round(wide[axis] / apart), 1.0, static_cast<double>(free)));
  };
  std::vector<BodyId> numbers(places.size());
  std::iota(numbers.begin(), numbers.end(), BodyId{0});
  sortAndCut(std::span(numbers).subspan(driven), places, axes[0], layers(axes[0]),
             [&](std::span<BodyId> slab) {
               sortAndCut(slab, places, axes[1], layers(axes[1]), [&](std::span<BodyId> row) {
                 sortAndCut(row, places, axes[2], 1, [](std::span<BodyId>) {});
               });
             });
  if (std::is_sorted(numbers.begin(), numbers.end())) return {};
  return numbers;
}

}  // namespace scree::sim
