// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/function_ref.hpp"
#include "candidate_pool.hpp"
#include "fit_cover.hpp"
#include "inside_cover.hpp"
#include "orbit_ladder.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace scree::clump::detail {

/// What searches for covers of one solid share.
struct CoverSearch {
  const SolidDistance& solid;
  const DepthField* depth = nullptr;    ///< for a best fit
  double size = 0.0, volume = 0.0;      ///< [L], [L³] of the solid
  double margin = 0.0;                  ///< [L] of grids beyond the box of the solid
  double leastRadius = 0.0;             ///< [L]
  double rounds = 0.0;                  ///< of a longer search, for each orbit
  double raySpacing = 0.0, edge = 0.0;  ///< [L] between rays; of the cubes that choose candidates
  std::uint64_t seed = 1;
  int threads = 1;
};

/// Symmetric covers that fit a solid best, from one ball on. The worth of a set is its ratio of
/// volumes (IoU).
class FitLadder {
 public:
  /// @param equal  whether all balls have one radius
  FitLadder(const CoverSearch& search, const SymmetryGroup& group, std::vector<Orbit> candidates,
            bool equal);
  FitLadder(const FitLadder&) = delete;
  FitLadder& operator=(const FitLadder&) = delete;
  OrbitSet best(std::size_t count, FunctionRef<void(double)> progress) {
    return ladder_.best(count, progress);
  }

 private:
  OrbitSet extended(const OrbitSet& from, std::uint32_t kind);
  OrbitSet refined(const OrbitSet& set, std::size_t count);

  CoverSearch search_;
  SymmetryGroup group_;
  std::vector<Orbit> candidates_;
  std::vector<std::uint32_t> kinds_;
  bool equal_;
  Occupancy grid_;
  RayVolumes rays_;
  FitCover cover_;
  OrbitLadder ladder_;
};

/// Symmetric covers within a solid, from one ball on. The worth of a set is its volume.
class InsideLadder {
 public:
  /// @param goal  [L³] of volume, which ends a search
  InsideLadder(const CoverSearch& search, const SymmetryGroup& group, CandidatePool pool,
               const InsideAscent::Limits& limits, double effort, double goal);
  InsideLadder(const InsideLadder&) = delete;
  InsideLadder& operator=(const InsideLadder&) = delete;
  OrbitSet best(std::size_t count, FunctionRef<void(double)> progress) {
    return ladder_.best(count, progress);
  }

 private:
  OrbitSet extended(const OrbitSet& from, std::uint32_t kind);
  OrbitSet refined(const OrbitSet& set, std::size_t count);

  CoverSearch search_;
  SymmetryGroup group_;
  CandidatePool pool_;
  std::vector<std::uint32_t> kinds_;
  InsideAscent::Limits limits_;
  double effort_, goal_;
  InsideAscent ascent_;
  InsideCover cover_;
  OrbitLadder ladder_;
};

}  // namespace scree::clump::detail
