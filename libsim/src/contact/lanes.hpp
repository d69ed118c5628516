// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic on several bodies, bonds or contacts at once, one a lane. Formulas are templates over
// the types of number and vector, so the same code serves a single one.
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

/// SCREE_IN_LANES compiles a function twice, for processors with AVX2 and for others; the start of
/// the program chooses. A Lane is one register of AVX2, and two elsewhere. SCREE_IN_WIDE_LANES
/// compiles a function for AVX-512 alone: it may be called where lanesAreWide(), and SCREE_HAS_WIDE
/// says whether it can ever be. None of them fuses products with sums, so bits are the same.
/// SCREE_INLINE puts a function, SCREE_INLINE_LAMBDA a lambda, into what calls it, where it has the
/// registers of that function. What `flatten` alone inlines is slower: g++ 12 has then already made
/// it for the registers of the default.
#define SCREE_INLINE [[gnu::always_inline]] inline
#define SCREE_INLINE_LAMBDA __attribute__((always_inline))
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
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SCREE_SUPPORTS(set) true  // makes slow code, but sanitizers see what lanes read
#else
#define SCREE_SUPPORTS(set) false
#endif
#endif

namespace scree::sim {

/// Bodies, bonds or contacts that go through a loop side by side. A step of one is a long chain of
/// dependent operations; four chains at once fill the time that one of them spends waiting.
inline constexpr std::size_t laneCount = 4;

/// Whether a lane is one register in functions with SCREE_IN_LANES. If it is two, long functions
/// are slow.
inline bool lanesAreRegisters() { return SCREE_SUPPORTS("avx2"); }
/// Whether the processor has the registers of SCREE_IN_WIDE_LANES, of eight numbers each.
inline bool lanesAreWide() { return SCREE_HAS_WIDE && SCREE_SUPPORTS("avx512f"); }

/// The lanes, of n, where a condition holds.
template <std::size_t n>
struct MaskOf {
  using Signs [[gnu::vector_size(n * sizeof(double))]] = std::int64_t;
  Signs all;  ///< below 0 where it holds
  SCREE_INLINE friend MaskOf operator&(const MaskOf& a, const MaskOf& b) { return {a.all & b.all}; }
};

/// One number for each of n lanes. Each rounds as a `double` does, so bits do not depend on lanes.
template <std::size_t n>
struct LaneOf {
  using Numbers [[gnu::vector_size(n * sizeof(double))]] = double;
  using Mask = MaskOf<n>;
  Numbers all;

  LaneOf() = default;
  SCREE_INLINE LaneOf(double x) : all(x - Numbers{}) {}  // NOLINT: implicit; all get x
  SCREE_INLINE explicit LaneOf(const Numbers& numbers) : all(numbers) {}

  SCREE_INLINE double operator[](std::size_t k) const {
    return [k](const auto& numbers) { return numbers[k]; }(all);
  }
  SCREE_INLINE LaneOf& operator+=(const LaneOf& b) {
    all += b.all;
    return *this;
  }
  SCREE_INLINE friend LaneOf operator+(const LaneOf& a, const LaneOf& b) {
    return LaneOf(a.all + b.all);
  }
  SCREE_INLINE friend LaneOf operator-(const LaneOf& a, const LaneOf& b) {
    return LaneOf(a.all - b.all);
  }
  SCREE_INLINE friend LaneOf operator-(const LaneOf& a) { return LaneOf(-a.all); }
  SCREE_INLINE friend LaneOf operator*(const LaneOf& a, const LaneOf& b) {
    return LaneOf(a.all * b.all);
  }
  SCREE_INLINE friend LaneOf operator/(const LaneOf& a, const LaneOf& b) {
    return LaneOf(a.all / b.all);
  }
  // g++ 12 compares eight numbers one by one where -1 or 0 is to be kept of each.
  SCREE_INLINE friend Mask operator<(const LaneOf& a, const LaneOf& b) {
    const typename Mask::Signs no{};
    if constexpr (n <= 4) return {a.all < b.all};
    return {a.all < b.all ? std::numeric_limits<std::int64_t>::min() - no : no};
  }
  SCREE_INLINE friend Mask operator<=(const LaneOf& a, const LaneOf& b) {
    const typename Mask::Signs no{};
    if constexpr (n <= 4) return {a.all <= b.all};
    return {a.all <= b.all ? std::numeric_limits<std::int64_t>::min() - no : no};
  }
  /// `a` where a condition holds, else `b`; lane by lane.
  SCREE_INLINE friend LaneOf choose(const Mask& holds, const LaneOf& a, const LaneOf& b) {
    return LaneOf(holds.all < 0 ? a.all : b.all);
  }
};
using Lane = LaneOf<laneCount>;
/// Lanes of f(k), k their number.
template <std::size_t n, class F>
SCREE_INLINE LaneOf<n> eachLane(F&& f) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) SCREE_INLINE_LAMBDA {
    return LaneOf<n>(typename LaneOf<n>::Numbers{f(k)...});
  }
  (std::make_index_sequence<n>());
}
/// Numbers place(0), place(1) and so on of those of a, followed by those of b.
template <auto place, std::size_t m, std::size_t n>
SCREE_INLINE LaneOf<m> shuffled(const LaneOf<n>& a, const LaneOf<n>& b) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) SCREE_INLINE_LAMBDA {
    return LaneOf<m>(__builtin_shufflevector(a.all, b.all, place(k)...));
  }
  (std::make_index_sequence<m>());
}
/// Places of shuffled() from `first` on.
template <std::size_t first>
inline constexpr auto placesFrom = [](std::size_t k) { return first + k; };
/// The lanes where a condition holds, as bits.
template <std::size_t n>
SCREE_INLINE unsigned bitsOf(const MaskOf<n>& m) {
  unsigned bits = 0;
#if defined(__SSE2__) && !defined(__clang__)
  const LaneOf<n> numbers(reinterpret_cast<typename LaneOf<n>::Numbers>(m.all));
  [&]<std::size_t... k>(std::index_sequence<k...>) SCREE_INLINE_LAMBDA {
    ((bits |= static_cast<unsigned>(
                  __builtin_ia32_movmskpd(shuffled<placesFrom<2 * k>, 2>(numbers, numbers).all))
              << 2 * k),
     ...);
  }
  (std::make_index_sequence<n / 2>());
#else
  for (std::size_t k = 0; k < n; ++k) bits |= static_cast<unsigned>(m.all[k] < 0) << k;
#endif
  return bits;
}
template <std::size_t n>
SCREE_INLINE bool any(const MaskOf<n>& m) {
  return bitsOf(m) != 0;
}
inline bool any(bool holds) { return holds; }
template <std::size_t n>
SCREE_INLINE LaneOf<n> squareRoot(const LaneOf<n>& x) {
  return eachLane<n>([&](std::size_t k) SCREE_INLINE_LAMBDA { return std::sqrt(x[k]); });
}
inline double squareRoot(double x) { return std::sqrt(x); }
template <std::size_t n>
SCREE_INLINE LaneOf<n> magnitude(const LaneOf<n>& x) {
  return choose(x < 0.0, -x, x);
}
inline double magnitude(double x) { return std::abs(x); }

/// A vector in each lane. Operations run in the order in which the ones on Vec3 do.
template <std::size_t n>
struct Lane3Of {
  using Lane = LaneOf<n>;
  Lane x, y, z;

  Lane3Of() = default;
  SCREE_INLINE Lane3Of(const Lane& a, const Lane& b, const Lane& c) : x(a), y(b), z(c) {}
  SCREE_INLINE explicit Lane3Of(const Vec3& v) : x(v.x()), y(v.y()), z(v.z()) {}

  SCREE_INLINE Lane& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  SCREE_INLINE const Lane& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  SCREE_INLINE Vec3 of(std::size_t k) const { return {x[k], y[k], z[k]}; }
  SCREE_INLINE Lane3Of& operator+=(const Lane3Of& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  SCREE_INLINE Lane3Of cwiseProduct(const Lane3Of& b) const { return {x * b.x, y * b.y, z * b.z}; }
  SCREE_INLINE Lane3Of cwiseInverse() const { return {1.0 / x, 1.0 / y, 1.0 / z}; }
  SCREE_INLINE Lane3Of cross(const Lane3Of& b) const {
    return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
  }
  SCREE_INLINE Lane dot(const Lane3Of& b) const { return (x * b.x + y * b.y) + z * b.z; }
  SCREE_INLINE Lane squaredNorm() const { return dot(*this); }
  SCREE_INLINE Lane norm() const { return squareRoot(squaredNorm()); }
  SCREE_INLINE friend Lane3Of operator+(const Lane3Of& a, const Lane3Of& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  SCREE_INLINE friend Lane3Of operator-(const Lane3Of& a, const Lane3Of& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  SCREE_INLINE friend Lane3Of operator*(const Lane& s, const Lane3Of& a) {
    return {s * a.x, s * a.y, s * a.z};
  }
  SCREE_INLINE friend Lane3Of operator/(const Lane3Of& a, const Lane& s) {
    return {a.x / s, a.y / s, a.z / s};
  }
  SCREE_INLINE friend Lane3Of operator-(const Lane3Of& a) { return {-a.x, -a.y, -a.z}; }
};
using Lane3 = Lane3Of<laneCount>;

/// `a` where a condition holds, else `b`; lane by lane.
template <std::size_t n>
SCREE_INLINE Lane3Of<n> choose(const MaskOf<n>& holds, const Lane3Of<n>& a, const Lane3Of<n>& b) {
  return {choose(holds, a.x, b.x), choose(holds, a.y, b.y), choose(holds, a.z, b.z)};
}
template <class T>
const T& choose(bool holds, const T& a, const T& b) {
  return holds ? a : b;
}
/// Calls `a` where a condition holds, else `b`; for lanes both. @returns what that returns
template <std::size_t n, class A, class B>
SCREE_INLINE LaneOf<n> either(const MaskOf<n>& holds, A&& a, B&& b) {
  return choose(holds, a(), b());
}
template <class A, class B>
SCREE_INLINE double either(bool holds, A&& a, B&& b) {
  return holds ? a() : b();
}
template <class Vector>
SCREE_INLINE Vector zeroVector() {
  return Vector(0.0, 0.0, 0.0);
}
SCREE_INLINE Lane::Mask isZero(const Lane3& a) {
  return {(a.x.all == 0.0) & (a.y.all == 0.0) & (a.z.all == 0.0)};
}
inline bool isZero(const Vec3& a) { return a == Vec3::Zero(); }

/// Numbers of all lanes in memory; an array of three stands for a vector.
using LaneNumbers = std::array<double, laneCount>;
template <std::size_t n>
SCREE_INLINE LaneOf<n> loaded(const double* from) {
  LaneOf<n> lane;
  std::memcpy(&lane.all, from, sizeof lane.all);
  return lane;
}
SCREE_INLINE Lane loaded(const LaneNumbers& from) { return loaded<laneCount>(from.data()); }
SCREE_INLINE Lane3 loaded(const std::array<LaneNumbers, 3>& from) {
  return {loaded(from[0]), loaded(from[1]), loaded(from[2])};
}
template <std::size_t n>
SCREE_INLINE void store(const LaneOf<n>& lane, double* to) {
  std::memcpy(to, &lane.all, sizeof lane.all);
}
SCREE_INLINE void store(const Lane& lane, LaneNumbers& to) { store(lane, to.data()); }
SCREE_INLINE void store(const Lane3& lanes, std::array<LaneNumbers, 3>& to) {
  store(lanes.x, to[0]);
  store(lanes.y, to[1]);
  store(lanes.z, to[2]);
}

/// The first n vectors of an array, one a lane.
template <std::size_t n = laneCount>
SCREE_INLINE Lane3Of<n> gather(const Vec3* a) {
  return {eachLane<n>([a](std::size_t k) { return a[k].x(); }),
          eachLane<n>([a](std::size_t k) { return a[k].y(); }),
          eachLane<n>([a](std::size_t k) { return a[k].z(); })};
}
template <std::size_t n>
SCREE_INLINE void scatter(const Lane3Of<n>& lanes, Vec3* a) {
  for (std::size_t k = 0; k < n; ++k) a[k] = lanes.of(k);
}

/// Even or odd places of two registers in turns, for shuffled().
template <bool odd, std::size_t n>
inline constexpr auto inTurns = [](std::size_t k) { return k / 2 * 2 + odd + k % 2 * n; };
/// Pairs of numbers at even or odd places of one register, then of the other.
template <bool odd>
inline constexpr auto everyOtherPair = [](std::size_t k) { return k / 2 * 4 + 2 * odd + k % 2; };

/// Numbers in memory of which each lane has its own.
template <class T, std::size_t n>
using Places = std::array<T*, n>;
/// Numbers `at` to `at` + 3 of each place.
template <std::size_t n>
SCREE_INLINE void gatherFour(const Places<const double, n>& from, std::size_t at, LaneOf<n>* to) {
  const auto row = [&](std::size_t k) SCREE_INLINE_LAMBDA {
    if constexpr (n == 4)
      return loaded<4>(from[k] + at);
    else
      return shuffled<placesFrom<0>, n>(loaded<4>(from[k] + at), loaded<4>(from[k + 2] + at));
  };
  const LaneOf<n> a = row(0), b = row(1), c = row(n / 2), d = row(n / 2 + 1);
  const LaneOf<n> evenAB = shuffled<inTurns<false, n>, n>(a, b),
                  evenCD = shuffled<inTurns<false, n>, n>(c, d),
                  oddAB = shuffled<inTurns<true, n>, n>(a, b),
                  oddCD = shuffled<inTurns<true, n>, n>(c, d);
  to[0] = shuffled<everyOtherPair<false>, n>(evenAB, evenCD);
  to[1] = shuffled<everyOtherPair<false>, n>(oddAB, oddCD);
  to[2] = shuffled<everyOtherPair<true>, n>(evenAB, evenCD);
  to[3] = shuffled<everyOtherPair<true>, n>(oddAB, oddCD);
}
/// Vectors with room for a number behind each.
template <std::size_t n>
SCREE_INLINE Lane3Of<n> gatherVector(const Places<const double, n>& from) {
  LaneOf<n> v[4];
  gatherFour(from, 0, v);
  return {v[0], v[1], v[2]};
}
/// Stores a, b, c, d as numbers `at` to `at` + 3 of each place.
template <std::size_t n>
SCREE_INLINE void scatterFour(const LaneOf<n>& a, const LaneOf<n>& b, const LaneOf<n>& c,
                              const LaneOf<n>& d, const Places<double, n>& to, std::size_t at) {
  [&]<std::size_t... k>(std::index_sequence<k...>) SCREE_INLINE_LAMBDA {
    const auto put = [&]<bool odd, std::size_t lane>() SCREE_INLINE_LAMBDA {
      constexpr auto row = [](std::size_t m) { return m / 2 * n + lane / 2 * 2 + m % 2; };
      store(
          shuffled<row, 4>(shuffled<inTurns<odd, n>, n>(a, b), shuffled<inTurns<odd, n>, n>(c, d)),
          to[lane] + at);
    };
    (put.template operator()<k % 2 != 0, k>(), ...);
  }
  (std::make_index_sequence<n>());
}

}  // namespace scree::sim
