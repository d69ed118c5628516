// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/function_ref.hpp"
#include "depth_field.hpp"
#include "occupancy.hpp"
#include "orbit.hpp"
#include "ray_volumes.hpp"

#include "scree/base/rng.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump::detail {

/// A set of balls whose union is as close to a solid as it can be. The measure is the ratio of the
/// volumes of intersection and union (IoU). Balls may leave the solid.
///
/// The ratio grows where a ball grows over the solid. It falls where the ball grows beyond the
/// solid, by one over the ratio more. Its change with a centre or a radius is an integral over the
/// part of the sphere that no other ball covers. That gives the slope for a descent (Adam, D. P.
/// Kingma & J. Ba, ICLR 2015). Each step uses other directions, so that what a finite set of them
/// misses averages out. Between descents a few neighbours are placed again where most is missing.
/// Or one ball is added somewhere and the least useful one removed.
class FitCover {
 public:
  struct Options {
    double leastRadius = 0.0;  ///< [L]
    double size = 0.0;         ///< [L] of the solid: cube root of its volume
    double radius = 0.0;       ///< [L] of all balls at first, which stay equal; 0: each its own
  };
  /// @param grid  without balls. All references are used as long as this lives
  FitCover(const DepthField& depth, const std::vector<Orbit>& candidates,
           const SymmetryGroup& group, Occupancy& grid, const RayVolumes& rays,
           const Options& options);

  const std::vector<Orbit>& orbits() const { return orbits_; }
  std::size_t count() const { return count_; }
  double iou() const { return rays_.iou(imagesOf(group_, orbits_)); }

  /// Adds the candidate, as large as inside or a little larger, that gains most and leaves at most
  /// `count` balls. Of the candidates, only every `stride`-th is tried.
  /// @returns false where none gains
  bool addBest(std::size_t count) { return addBest(count, 1, nullptr); }
  /// Moves the orbits that are `active`, or all, to a better place; with `ranked`, what comes by
  /// may be the best set so far.
  void descend(int steps, double firstStep, const std::vector<char>& active = {},
               bool ranked = true);
  /// Changes a few balls and descends, `rounds` times. Early rounds may keep what is a little
  /// worse; the best set found is what remains.
  void exchange(std::size_t count, int rounds, Rng& random, FunctionRef<void(double)> progress);
  /// Takes all balls away, for a search from the start.
  void restart();
  /// Begins again from these balls. What follows does not depend on what was searched before.
  /// @param radius  [L] of all balls where they stay equal
  void begin(std::vector<Orbit> orbits, double radius);
  /// Adds the candidate of a kind that gains most for each of its balls.
  /// @param kinds  of all candidates. @returns false where none gains
  bool addBestOf(std::span<const std::uint32_t> kinds, std::uint32_t kind);
  /// Joins a part of one set with the rest of another, `rounds` times, and descends. What is better
  /// than one of the two takes the place of that one. The best set is what remains.
  /// @param sets  of several searches, two or more, each of `count` orbits at most
  void recombine(std::vector<std::vector<Orbit>> sets, std::size_t count, int rounds, Rng& random,
                 FunctionRef<void(double)> progress);
  /// Goes back to the best balls found so far.
  void settle();
  /// Moves all balls a last time, in ever smaller steps, with exact distances and twice as many
  /// directions. The table of depths no longer distinguishes what is better here.
  void polish(const SolidDistance& solid);

 private:
  struct Slope {
    Vec3 centre = Vec3::Zero();
    double radius = 0.0;
  };
  template <class Depth>
  void slopes(double blur, const std::vector<char>& active, Depth&& depth, std::vector<Slope>& out);
  /// How steps and blur of a descent shrink, relative to the size.
  struct Pace {
    int steps;
    double firstStep, leastBlur;
    double lastShare = 0.0;  ///< of the first step; 0: evenly down to a twentieth
  };
  template <class Depth>
  void follow(const Pace& pace, const std::vector<char>& active, Depth&& depth, bool ranked);
  double value(const Occupancy::Count& count) const;
  double gain(const Orbit& orbit);
  double loss(const Orbit& orbit);
  /// With `random`, each gain loses a random share before gains are compared.
  bool addBest(std::size_t count, std::size_t stride, Rng* random);
  template <class Allowed>
  bool addFirst(Allowed&& allowed);
  Orbit sized(Orbit orbit) const;
  void add(const Orbit& orbit);
  void remove(std::size_t which);
  void hideDirections(std::span<const Ball> balls, std::size_t which);
  std::vector<char> nearTo(const Vec3& place) const;
  std::vector<char> placeAgain(std::size_t count, std::size_t group, Rng& random);
  bool tradeOne(std::size_t count, Rng& random, std::vector<char>& active);
  std::vector<Orbit> joined(const std::vector<Orbit>& a, const std::vector<Orbit>& b,
                            Rng& random) const;
  void replaceAll(std::vector<Orbit> orbits);
  void remember();

  const DepthField& depth_;
  const std::vector<Orbit>& candidates_;
  const SymmetryGroup& group_;
  Occupancy& grid_;
  const RayVolumes& rays_;
  Options options_;
  std::vector<Vec3> directions_, turned_;    ///< the same in the turn of the present step
  std::array<std::vector<float>, 3> lanes_;  ///< coordinates of turned_
  std::vector<std::int32_t> hidden_;         ///< whether a ball covers the point there
  Rng turns_{1};
  std::vector<Orbit> orbits_, best_;
  std::size_t count_ = 0;  ///< balls in the orbits
  bool varied_ = false;    ///< whether places are chosen by chance among good ones
  double bestIou_ = 0.0;
};

}  // namespace scree::clump::detail
