// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solid_input.hpp"

#include "scree/clump/cover.hpp"

#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// What `clumpify cover` is given.
struct CoverRequest {
  std::string input, shape;
  std::string objective;      ///< empty: volume inside, else iou
  std::string mass = "body";  ///< whose mass properties the file carries: body or union
  std::string format;         ///< shapepack or csv; empty: by the name of the output
  std::string curve;          ///< CSV file of number against quality; empty: none
  clump::CoverOptions cover;
};

/// A clump and the solid it stands for.
struct CoverResult {
  SolidInput solid;
  std::vector<clump::Ball> balls;
};

/// @throws UsageError for options that do not go together, before anything is read
void checkRequest(const CoverRequest& request, const std::string& output);
CoverResult cover(const CoverRequest& request, Diagnostics& diagnostics);

/// A ShapePack of one clump, whose `#@` line carries volume, centre and inertia, at density 1, of
/// the body or of the union; or a table x,y,z,r.
std::string coverText(const CoverResult& result, const CoverRequest& request,
                      const std::string& output);

/// CSV: for the n largest-gain balls, n from 1 to all, the quality of their union.
std::string curveText(const CoverResult& result, int threads);

}  // namespace scree::tools
