// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "convert.hpp"
#include "solid_input.hpp"

#include "scree/clump/cover.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// What `clumpify cover` is given.
struct CoverRequest {
  std::string input, shape;
  std::string objective;      ///< volume, iou, hausdorff, inertia; empty: what the goal suggests
  std::string mass = "body";  ///< whose mass properties the file carries: body or union
  std::string format;         ///< of the output, as convert has them; empty: by its name
  std::string curve;          ///< CSV file of number against quality; empty: none
  std::optional<double> bondStrength;  ///< [F/L²] of bonds between balls that do not overlap
  clump::CoverOptions cover;
};

/// A clump and the solid it stands for.
struct CoverResult {
  SolidInput solid;
  std::vector<mass::Ball> balls;
  std::string unreached;  ///< what they reach of a goal that they do not reach; else empty
};

/// The number of spheres that an option gives. @throws UsageError where it is out of range
std::size_t spheresFrom(std::int64_t number);
/// @param output  its name may choose the format
/// @throws UsageError for options that do not go together, before anything is read
void checkRequest(const CoverRequest& request, const std::string& output = "-");
/// What is made as good as possible, from the words of a checked request.
clump::CoverObjective objectiveOf(const CoverRequest& request);
CoverResult cover(const CoverRequest& request, Diagnostics& diagnostics);

/// The balls as one clump. With `--mass body` it carries volume, centre and inertia of the body, at
/// density 1; else nothing, and readers take those of the union.
clump::ShapePack clumpOf(const CoverResult& result, const CoverRequest& request);
/// The clump in the requested format. A format that cannot hold the clump is refused; one
/// without mass gets a warning.
std::vector<ConvertedFile> coverFiles(const CoverResult& result, const CoverRequest& request,
                                      const std::string& output, Diagnostics& diagnostics);

/// CSV: the quality of the union of the n largest balls, for n from 1 to all. Lengths in the unit
/// of the file; distances are those that a point reaches, within 1e-3 of the cube root of the
/// volume. IoU, inside and outside have an error of 1e-4 at most.
std::string curveText(const CoverResult& result, int threads);

}  // namespace scree::tools
