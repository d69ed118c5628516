// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pack_options.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/packing.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace scree::tools {

/// What a verb knows of the packing that it hands over.
struct PackText {
  bool librariesUnchanged = false;  ///< all shapes are as the shape-files have them
  std::string source{};             ///< of bodies that may overlap, for messages; empty: none do
  std::string remark{};             ///< a comment line of the conf-file; empty: none
  /// Adds to the object that --json prints. May be empty.
  std::function<void(JsonWriter&)> extra{};
};

/// Adds the walls requested, completes the conf-file, and writes it and the shape-file beside it.
/// Prints the reasons of what was chosen. Checks everything before the first file is written.
void writePack(sim::Packing packing, const PackText& text, const PackOptions& options,
               const CommonOptions& common);

/// Refuses what writePack() would refuse of the options, before a packing is made. `sample` has the
/// walls and some body of each shape.
void checkPack(sim::Packing sample, const PackText& text, const PackOptions& options,
               const CommonOptions& common);

/// Warns of settings that are probably mistakes.
void warnOfSettings(const sim::CompletedConf& completed, const sim::PackSettings& settings,
                    Diagnostics& diagnostics);

/// Chooses friction 0 between bodies and walls that press by an isotropic or triaxial drive, unless
/// --mu names their groups. @returns the reasons to print
std::vector<std::string> smoothWalls(const sim::DrivePlan& plan, const sim::Conf& conf,
                                     std::span<const shape::Shape> shapes,
                                     sim::PackSettings& settings);
/// Warns of walls that keep friction under such a drive.
void warnOfRoughWalls(const sim::DrivePlan& plan, const sim::Conf& conf,
                      std::span<const shape::Shape> shapes, Diagnostics& diagnostics);

/// Warns of a density that is probably given in another unit.
void warnOfDensity(double density, Diagnostics& diagnostics);

/// What avoids friction between walls and bodies of these groups, for the end of a warning.
std::string smoothAdvice(std::uint32_t wall, std::uint32_t bodies);

/// The number of the conf-file `output`, from which the numbers of a run go on: conf7 and conf7.zst
/// are number 7, other names 0.
int outputNumber(const std::string& output);

/// @throws UsageError if --library is standard output: a conf-file names its shape-file
void requireLibraryName(const std::string& library);

/// @throws UsageError for a name with blanks or line ends, which no conf-file can hold
void requireNoBlanks(const std::string& shapeFile);

/// One shape for each name in the conf-file, in its order.
std::vector<shape::Shape> shapesUsed(const sim::Packing& packing, const sim::Conf& conf);

/// The text of a conf-file with a comment below its header; unchanged where that is empty.
std::string withRemark(std::string conf, const std::string& remark);

/// Refuses bodies that overlap as they stand, or are inside each other, by more than 1e-9 of
/// their size: rounding. @throws ModelError with `what` in front, which names the cause
void refuseOverlaps(const sim::Packing& packing, const PackOptions& options,
                    const std::string& what, const CommonOptions& common);

/// The shapes of all `options.libraries`, in order, as the files hold them.
std::vector<shape::Shape> libraryOf(const PackOptions& options, Diagnostics& diagnostics);

/// Reports the shapes that were surveyed on the way.
void saySurveyed(const std::vector<std::string>& names, const CommonOptions& common);

/// `1 body`, `27 bodies`.
std::string bodyCount(std::size_t n);

}  // namespace scree::tools
