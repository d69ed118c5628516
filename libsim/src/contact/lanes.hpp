// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic on several bodies or bonds at once, one a lane. Formulas are templates over the types
// of number and vector, so the same code serves a single body or bond.
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

/// SCREE_IN_LANES compiles a function twice, for processors with AVX2 and for others; the start of
/// the program chooses. A Lane is one register of AVX2, and two elsewhere. SCREE_IN_WIDE_LANES
/// compiles a function for AVX-512 alone: it may be called where lanesAreWide(), and SCREE_HAS_WIDE
/// says whether it can ever be. None of them fuses products with sums, so bits are the same.
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define SCREE_IN_LANES [[gnu::target_clones("avx2", "default"), gnu::flatten]]
#define SCREE_IN_WIDE_LANES [[gnu::target("avx512f"), gnu::flatten]]
#define SCREE_HAS_WIDE true
#define SCREE_SUPPORTS(set) __builtin_cpu_supports(set)
#else
#define SCREE_IN_LANES [[gnu::flatten]]
#define SCREE_IN_WIDE_LANES [[gnu::flatten]]
#define SCREE_HAS_WIDE false
#define SCREE_SUPPORTS(set) false
#endif

namespace scree::sim {

/// Bodies or bonds that go through a loop side by side. A step of one is a long chain of dependent
/// operations; four chains at once fill the time that one of them spends waiting.
inline constexpr std::size_t laneCount = 4;

/// Whether a lane is one register in functions with SCREE_IN_LANES. If it is two, long functions
/// are slow.
inline bool lanesAreRegisters() { return SCREE_SUPPORTS("avx2"); }
/// Whether the processor has the registers of SCREE_IN_WIDE_LANES, of eight numbers each.
inline bool lanesAreWide() { return SCREE_SUPPORTS("avx512f"); }

/// One number for each of n lanes. Each rounds as a `double` does, so bits do not depend on lanes.
template <std::size_t n>
struct LaneOf {
  using Numbers [[gnu::vector_size(n * sizeof(double))]] = double;
  using Signs [[gnu::vector_size(n * sizeof(double))]] = std::int64_t;
  struct Mask {  ///< of the lanes where a condition holds
    Signs all;
    [[gnu::always_inline]] friend Mask operator&(const Mask& a, const Mask& b) {
      return {a.all & b.all};
    }
  };
  Numbers all;

  LaneOf() = default;
  [[gnu::always_inline]] LaneOf(double x) : all(x - Numbers{}) {}  // NOLINT: implicit; all get x
  [[gnu::always_inline]] explicit LaneOf(const Numbers& numbers) : all(numbers) {}
  [[gnu::always_inline]] LaneOf(double a, double b, double c, double d) requires(n == 4)
      : all{a, b, c, d} {}

  [[gnu::always_inline]] double operator[](std::size_t k) const {
    return [k](const auto& numbers) { return numbers[k]; }(all);
  }
  [[gnu::always_inline]] LaneOf& operator+=(const LaneOf& b) {
    all += b.all;
    return *this;
  }
  [[gnu::always_inline]] LaneOf& operator-=(const LaneOf& b) {
    all -= b.all;
    return *this;
  }
  [[gnu::always_inline]] friend LaneOf operator+(const LaneOf& a, const LaneOf& b) {
    return LaneOf(a.all + b.all);
  }
  [[gnu::always_inline]] friend LaneOf operator-(const LaneOf& a, const LaneOf& b) {
    return LaneOf(a.all - b.all);
  }
  [[gnu::always_inline]] friend LaneOf operator-(const LaneOf& a) { return LaneOf(-a.all); }
  [[gnu::always_inline]] friend LaneOf operator*(const LaneOf& a, const LaneOf& b) {
    return LaneOf(a.all * b.all);
  }
  [[gnu::always_inline]] friend LaneOf operator/(const LaneOf& a, const LaneOf& b) {
    return LaneOf(a.all / b.all);
  }
  [[gnu::always_inline]] friend Mask operator<(const LaneOf& a, const LaneOf& b) {
    return {a.all < b.all};
  }
  [[gnu::always_inline]] friend Mask operator<=(const LaneOf& a, const LaneOf& b) {
    return {a.all <= b.all};
  }
  /// `a` where a condition holds, else `b`; lane by lane.
  [[gnu::always_inline]] friend LaneOf choose(const Mask& holds, const LaneOf& a, const LaneOf& b) {
    return LaneOf(holds.all ? a.all : b.all);
  }
};
using Lane = LaneOf<laneCount>;
/// The lanes where a condition holds, as bits.
[[gnu::always_inline]] inline unsigned bitsOf(const Lane::Mask& m) {
#if defined(__SSE2__) && !defined(__clang__)
  Lane::Numbers x;
  std::memcpy(&x, &m.all, sizeof x);
  return static_cast<unsigned>(__builtin_ia32_movmskpd(__builtin_shufflevector(x, x, 0, 1)) |
                               __builtin_ia32_movmskpd(__builtin_shufflevector(x, x, 2, 3)) << 2);
#else
  return static_cast<unsigned>((m.all[0] & 1) | (m.all[1] & 2) | (m.all[2] & 4) | (m.all[3] & 8));
#endif
}
[[gnu::always_inline]] inline bool any(const Lane::Mask& m) { return bitsOf(m) != 0; }
inline bool any(bool holds) { return holds; }
template <std::size_t n>
[[gnu::always_inline]] inline LaneOf<n> squareRoot(const LaneOf<n>& x) {
#if defined(__SSE2__) && !defined(__clang__)  // std::sqrt would test the sign of each lane
  if constexpr (n == 2) {
    return LaneOf<n>(__builtin_ia32_sqrtpd(x.all));
  } else {
    return [&]<std::size_t... k>(std::index_sequence<k...>) __attribute__((always_inline)) {
      using Half = LaneOf<n / 2>;
      constexpr std::size_t half = n / 2;
      return LaneOf<n>(__builtin_shufflevector(
          squareRoot(Half(__builtin_shufflevector(x.all, x.all, k...))).all,
          squareRoot(Half(__builtin_shufflevector(x.all, x.all, (half + k)...))).all, k...,
          (half + k)...));
    }
    (std::make_index_sequence<n / 2>());
  }
#else
  LaneOf<n> root;
  for (std::size_t k = 0; k < n; ++k) root.all[k] = std::sqrt(x[k]);
  return root;
#endif
}
inline double squareRoot(double x) { return std::sqrt(x); }
[[gnu::always_inline]] inline Lane magnitude(const Lane& x) {
  return Lane(x.all < 0.0 ? -x.all : x.all);
}
inline double magnitude(double x) { return std::abs(x); }

/// A vector in each lane. Operations run in the order in which the ones on Vec3 do.
template <std::size_t n>
struct Lane3Of {
  using Lane = LaneOf<n>;
  Lane x, y, z;

  Lane3Of() = default;
  [[gnu::always_inline]] Lane3Of(const Lane& a, const Lane& b, const Lane& c) : x(a), y(b), z(c) {}
  [[gnu::always_inline]] explicit Lane3Of(const Vec3& v) : x(v.x()), y(v.y()), z(v.z()) {}

  [[gnu::always_inline]] Lane& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  [[gnu::always_inline]] const Lane& operator[](int axis) const {
    return axis == 0 ? x : axis == 1 ? y : z;
  }
  [[gnu::always_inline]] Vec3 of(std::size_t k) const { return {x[k], y[k], z[k]}; }
  [[gnu::always_inline]] Lane3Of& operator+=(const Lane3Of& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  [[gnu::always_inline]] Lane3Of cwiseProduct(const Lane3Of& b) const {
    return {x * b.x, y * b.y, z * b.z};
  }
  [[gnu::always_inline]] Lane3Of cwiseInverse() const { return {1.0 / x, 1.0 / y, 1.0 / z}; }
  [[gnu::always_inline]] Lane3Of cross(const Lane3Of& b) const {
    return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
  }
  [[gnu::always_inline]] Lane dot(const Lane3Of& b) const { return (x * b.x + y * b.y) + z * b.z; }
  [[gnu::always_inline]] Lane squaredNorm() const { return dot(*this); }
  [[gnu::always_inline]] Lane norm() const { return squareRoot(squaredNorm()); }
  [[gnu::always_inline]] friend Lane3Of operator+(const Lane3Of& a, const Lane3Of& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  [[gnu::always_inline]] friend Lane3Of operator-(const Lane3Of& a, const Lane3Of& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  [[gnu::always_inline]] friend Lane3Of operator*(const Lane& s, const Lane3Of& a) {
    return {s * a.x, s * a.y, s * a.z};
  }
  [[gnu::always_inline]] friend Lane3Of operator/(const Lane3Of& a, const Lane& s) {
    return {a.x / s, a.y / s, a.z / s};
  }
  [[gnu::always_inline]] friend Lane3Of operator-(const Lane3Of& a) { return {-a.x, -a.y, -a.z}; }
};
using Lane3 = Lane3Of<laneCount>;

/// `a` where a condition holds, else `b`; lane by lane.
[[gnu::always_inline]] inline Lane3 choose(const Lane::Mask& holds, const Lane3& a,
                                           const Lane3& b) {
  return {choose(holds, a.x, b.x), choose(holds, a.y, b.y), choose(holds, a.z, b.z)};
}
template <class T>
const T& choose(bool holds, const T& a, const T& b) {
  return holds ? a : b;
}
/// Calls `a` where a condition holds, else `b`; for lanes both. @returns what that returns
template <class A, class B>
[[gnu::always_inline]] inline Lane either(const Lane::Mask& holds, A&& a, B&& b) {
  return choose(holds, a(), b());
}
template <class A, class B>
[[gnu::always_inline]] inline double either(bool holds, A&& a, B&& b) {
  return holds ? a() : b();
}
template <class Vector>
[[gnu::always_inline]] inline Vector zeroVector() {
  return Vector(0.0, 0.0, 0.0);
}
[[gnu::always_inline]] inline Lane::Mask isZero(const Lane3& a) {
  return {(a.x.all == 0.0) & (a.y.all == 0.0) & (a.z.all == 0.0)};
}
inline bool isZero(const Vec3& a) { return a == Vec3::Zero(); }

/// Numbers of all lanes in memory; an array of three stands for a vector.
using LaneNumbers = std::array<double, laneCount>;
template <std::size_t n>
[[gnu::always_inline]] inline LaneOf<n> loaded(const double* from) {
  LaneOf<n> lane;
  std::memcpy(&lane.all, from, sizeof lane.all);
  return lane;
}
[[gnu::always_inline]] inline Lane loaded(const LaneNumbers& from) {
  return loaded<laneCount>(from.data());
}
[[gnu::always_inline]] inline Lane3 loaded(const std::array<LaneNumbers, 3>& from) {
  return {loaded(from[0]), loaded(from[1]), loaded(from[2])};
}
template <std::size_t n>
[[gnu::always_inline]] inline void store(const LaneOf<n>& lane, double* to) {
  std::memcpy(to, &lane.all, sizeof lane.all);
}
[[gnu::always_inline]] inline void store(const Lane& lane, LaneNumbers& to) {
  store(lane, to.data());
}
[[gnu::always_inline]] inline void store(const Lane3& lanes, std::array<LaneNumbers, 3>& to) {
  store(lanes.x, to[0]);
  store(lanes.y, to[1]);
  store(lanes.z, to[2]);
}

/// f(k) for each lane k.
template <std::size_t n, class F>
[[gnu::always_inline]] inline LaneOf<n> eachLane(F&& f) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) __attribute__((always_inline)) {
    return LaneOf<n>(typename LaneOf<n>::Numbers{f(k)...});
  }
  (std::make_index_sequence<n>());
}
/// The first n vectors of an array, one a lane.
template <std::size_t n = laneCount>
[[gnu::always_inline]] inline Lane3Of<n> gather(const Vec3* a) {
  return {eachLane<n>([a](std::size_t k) { return a[k].x(); }),
          eachLane<n>([a](std::size_t k) { return a[k].y(); }),
          eachLane<n>([a](std::size_t k) { return a[k].z(); })};
}
template <std::size_t n>
[[gnu::always_inline]] inline void scatter(const Lane3Of<n>& lanes, Vec3* a) {
  for (std::size_t k = 0; k < n; ++k) a[k] = lanes.of(k);
}

/// Numbers in memory of which each lane has its own.
template <class T>
using Places = std::array<T*, laneCount>;
/// Numbers `at` and `at` + 1 of each place, loaded in pairs.
[[gnu::always_inline]] inline void gatherTwo(const Places<const double>& from, std::size_t at,
                                             Lane& a, Lane& b) {
  using Pair = double __attribute__((vector_size(2 * sizeof(double))));
  const auto pair = [&](std::size_t lane) {
    Pair p;
    std::memcpy(&p, from[lane] + at, sizeof p);
    return p;
  };
  const Lane::Numbers even = __builtin_shufflevector(pair(0), pair(2), 0, 1, 2, 3),
                      odd = __builtin_shufflevector(pair(1), pair(3), 0, 1, 2, 3);
  a.all = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
  b.all = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
}
[[gnu::always_inline]] inline void gatherFour(const Places<const double>& from, std::size_t at,
                                              Lane* to) {
  gatherTwo(from, at, to[0], to[1]);
  gatherTwo(from, at + 2, to[2], to[3]);
}
[[gnu::always_inline]] inline Lane gather(const Places<const double>& from, std::size_t at) {
  return {from[0][at], from[1][at], from[2][at], from[3][at]};
}
[[gnu::always_inline]] inline Lane3 gatherVector(const Places<const double>& from) {
  Lane3 v;
  gatherTwo(from, 0, v.x, v.y);
  v.z = gather(from, 2);
  return v;
}
/// Stores a, b, c, d as numbers `at` to `at` + 3 of each place.
[[gnu::always_inline]] inline void scatterFour(const Lane& a, const Lane& b, const Lane& c,
                                               const Lane& d, const Places<double>& to,
                                               std::size_t at) {
  const auto two = [&](const Lane& x, const Lane& y, std::size_t k) {
    const Lane::Numbers even = __builtin_shufflevector(x.all, y.all, 0, 4, 2, 6),
                        odd = __builtin_shufflevector(x.all, y.all, 1, 5, 3, 7);
    const auto put = [&](auto pair, std::size_t lane) {
      std::memcpy(to[lane] + k, &pair, sizeof pair);
    };
    put(__builtin_shufflevector(even, even, 0, 1), 0);
    put(__builtin_shufflevector(odd, odd, 0, 1), 1);
    put(__builtin_shufflevector(even, even, 2, 3), 2);
    put(__builtin_shufflevector(odd, odd, 2, 3), 3);
  };
  two(a, b, at);
  two(c, d, at + 2);
}

}  // namespace scree::sim
