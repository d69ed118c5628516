// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "write_pack.hpp"

#include "scree/sim/pack/fill.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// Options of the verbs that fill a container: the bodies requested, and where they go.
struct RequestOptions {
  PackOptions pack;
  std::vector<std::string> shapes;  ///< FILE[:NAME][=SHARE]
  std::string container;
  std::string shareBy = "number", gradingBy = "mass", sizeBy = "volume";
  std::string grading;  ///< empty: none
  std::optional<double> solidFraction;
  std::optional<std::uint64_t> number;
  std::uint64_t seed = 1;
  std::uint32_t group = 1;
};
/// Adds them to `verb`, those that name shapes and the common ones included.
/// @param all  flag of the verb that takes the place of --solid-fraction and --number
void addRequestOptions(CLI::App& verb, RequestOptions& options, const std::string& all);

/// A request, with shapes read and surveyed and the container made.
struct Request : sim::FillRequest {
  bool unchanged = false;  ///< the shapes are as the shape-files have them
};
/// Also sets `options.pack.libraries`, and gravity to zero in a periodic cell where none is given.
/// @throws UsageError, ParseError, IoError for a request that cannot be meant
Request readRequest(RequestOptions& options, const CommonOptions& common);

/// Bodies in the container, with its walls.
MadePack packIn(const Request& request, std::vector<sim::PlacedBody> bodies);
/// A body of each shape in the middle of the container, with its walls: for checks.
MadePack samplePack(const RequestOptions& options, const Request& request);

/// The grading as bodies have it, beside its target; empty if none is requested.
std::optional<sim::RealisedGrading> gradingOf(const Request& request,
                                              const std::vector<sim::PlacedBody>& bodies,
                                              const CommonOptions& common);
/// Adds the member `grading`, if there is one.
void addGrading(JsonWriter& json, const std::optional<sim::RealisedGrading>& grading);

}  // namespace scree::tools
