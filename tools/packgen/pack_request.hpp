// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pack_options.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/sim/pack/body_plan.hpp"
#include "scree/sim/pack/container.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// What the verbs that fill a container have in common: the bodies requested, and where they go.
struct PackRequest {
  PackOptions pack;
  std::vector<std::string> shapes;  ///< FILE[:NAME][=SHARE]
  std::string container;
  std::string shareBy = "number", gradingBy = "mass";
  std::string grading;  ///< empty: none
  std::optional<double> solidFraction;
  std::optional<std::uint64_t> number;
  std::uint64_t seed = 1;
  std::uint32_t group = 1;
};

/// Adds their options to `verb`, those that name shapes and the common ones included.
void addRequestOptions(CLI::App& verb, PackRequest& request);

/// The request, with shapes read and surveyed and the container made.
struct ReadRequest {
  std::vector<shape::Shape> shapes;
  bool unchanged = false;  ///< the shapes are as the shape-files have them
  sim::PlanOptions plan;
  sim::Container container;
};
/// Also sets `request.pack.libraries`, and gravity to zero in a periodic cell where none is given.
/// @throws UsageError, ParseError, IoError for a request that cannot be meant
ReadRequest readRequest(PackRequest& request, const CommonOptions& common);

/// The container with a body of each shape in its middle.
sim::Packing samplePacking(const PackRequest& request, const ReadRequest& read);
/// Refuses, before the bodies are packed, what writePack() would refuse of the options.
void checkRequest(const PackRequest& request, const ReadRequest& read, const CommonOptions& common);

/// The bodies requested by number or by solid fraction; `ofFraction` is used where neither is.
std::vector<sim::PlannedBody> plannedBodies(const PackRequest& request, const ReadRequest& read,
                                            std::optional<double> ofFraction = {});

/// A grading as bodies have it, beside its target. Shares are cumulated, in the measure of the
/// target.
struct RealisedGrading {
  struct Row {
    double size = 0.0;  ///< [L] diameter of the ball of equal volume
    double target = 0.0, realised = 0.0;
  };
  std::string target;        ///< as requested
  bool byNumber = false;     ///< else by mass
  std::vector<Row> rows;     ///< at the deciles of the target; last the largest body
  double distance = 0.0;     ///< largest between both curves
  double halfLargest = 0.0;  ///< half the share of the largest body: its bound
};
/// Empty if no grading is requested.
std::optional<RealisedGrading> realisedGrading(const ReadRequest& read,
                                               const std::vector<sim::PlannedBody>& bodies);
void sayGrading(const std::optional<RealisedGrading>& grading, const CommonOptions& common);
/// Adds the member `grading`, if there is one.
void addGrading(JsonWriter& json, const std::optional<RealisedGrading>& grading);

}  // namespace scree::tools
