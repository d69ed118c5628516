// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/clump/clump_mass.hpp"
#include "scree/clump/cover.hpp"
#include "scree/clump/formats.hpp"
#include "scree/clump/shape_pack.hpp"
#include "scree/clump/solid_distance.hpp"
#include "scree/mass/moments.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

// Options that verbs share.
void addOutput(CLI::App& verb, std::string& output);
void addFromNan(CLI::App& verb, clump::SharedNodes& shared);

/// Returns the result of `work`; a solid that it refuses is named with the file it is from.
template <class Work>
auto inFile(const std::string& path, Work&& work) {
  try {
    return work();
  } catch (const GeometryError& error) {
    throw GeometryError(inputName(path) + ": " + error.what());
  }
}

/// The particles of a file of any format that convert reads, "-": standard input.
clump::ShapePack packFrom(const std::string& path, clump::SharedNodes shared,
                          Diagnostics& diagnostics);

/// Values of a formula over the particles of a pack, one a particle.
/// @throws UsageError naming `option` for a formula that is wrong
std::vector<double> particleValues(const clump::ShapePack& pack, std::string_view option,
                                   const std::string& formula, int threads);

/// Writes files beside each other, their names beginning with `output`.
/// @throws UsageError where several would go to standard output; IoError where one is in the way
void writeFiles(const std::vector<clump::FormatFile>& files, const std::string& output,
                const clump::WriteOptions& options, Existing existing);
/// Names the output in the options. @throws UsageError as checkWriteOptions, and where a format of
/// several files would go to standard output
void nameFiles(clump::WriteOptions& options, const std::string& output);

struct SolidInput {
  std::string name;  ///< of the shape, or of the file
  clump::SolidDistance solid;
  mass::SolidProperties body;  ///< unit density, frame of the file
};

/// A mesh (STL, OBJ, PLY, OFF) or one shape of a shape-file, where its pose places it.
/// @param path   "-": a shape-file on standard input
/// @param shape  the name of a shape; empty where the file holds one alone
/// @throws GeometryError, ParseError or ModelError naming the file; UsageError for several shapes
SolidInput solidFrom(const std::string& path, const std::string& shape, int threads,
                     Diagnostics& diagnostics);

/// Properties of particles as `mass --json` prints them (docs/tools/clumpify.md).
/// @param density  of particles that carry none
std::string massJson(const std::vector<clump::ParticleMass>& particles, double density);

/// `{"schema":1,"spheres":...}` (docs/tools/clumpify.md).
/// @param seed  of the search that made the clump, if any
std::string qualityJson(const clump::CoverQuality& quality, std::optional<std::uint64_t> seed = {});
/// One line: spheres, IoU, volume ratio and largest gap.
std::string qualityLine(const clump::CoverQuality& quality);

// One file a verb: NAME.cpp.
AddVerb addMassVerb, addConvertVerb, addTransformVerb, addCoverVerb, addQualityVerb, addLumpVerb;
AddVerb addCreateVerb, addAddVerb;

}  // namespace scree::tools
