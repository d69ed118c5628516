// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pack_options.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/sim/pack/packing.hpp"

#include <functional>
#include <string>
#include <vector>

namespace scree::tools {

/// The files of a packing.
struct PackOutput {
  std::string conf, library;  ///< library: empty where a shape-file that is there has all shapes
  std::string shapeFile;      ///< as the conf-file names it
  sim::DriveFiles drive;      ///< written beside the conf-file; empty texts are not
};
/// The shape-file `source` is used as it is where it stands in the folder of the conf-file.
/// @param source  file that holds all shapes, unchanged; empty: none does
/// @throws UsageError for -o - without a place for the shapes, or a name that no conf-file can hold
PackOutput packOutput(const std::string& output, const std::string& library,
                      const std::string& source);
/// Refuses outputs that cannot be written, are one file, or are `inputs`; also files of another
/// packing that a run would obey, without --force.
void checkOutput(const PackOutput& out, const std::vector<std::string>& inputs,
                 const CommonOptions& common);
/// Writes all files, or none that was not there. @returns their names
std::vector<std::string> writeOutput(const PackOutput& out, const sim::Conf& conf,
                                     const std::vector<shape::Shape>& shapes,
                                     const std::string& remark, const CommonOptions& common);

/// A packing that a verb hands over, with its report.
struct MadePack {
  sim::Packing packing;
  bool unchanged = false;     ///< all shapes are as the shape-files have them
  std::string source{};       ///< of bodies that may overlap, for messages; empty: none do
  double mostOverlap = 0.01;  ///< [-] of the size of a body: more is refused
  std::string remark{};       ///< a comment line of the conf-file; empty: none
  std::function<void(JsonWriter&)> extra{};  ///< adds to the object of --json; may be empty
};
/// Adds the walls requested, completes the conf-file, and writes it, its shapes and its drive.
/// Prints the reasons of what was chosen.
void writePack(MadePack made, const PackOptions& options, const CommonOptions& common);
/// Refuses all that writePack() would refuse of the options, before a packing is made.
/// @param sample  has the walls and some body of each shape
void checkPack(MadePack sample, const PackOptions& options, const CommonOptions& common);

/// Warns of settings that are probably mistakes.
void warnOfSettings(const sim::CompletedConf& completed, const sim::PackSettings& settings,
                    Diagnostics& diagnostics);
void warnOfDensity(double density, Diagnostics& diagnostics);

/// The shapes of all `options.libraries`, in order, as the files hold them.
std::vector<shape::Shape> libraryOf(const PackOptions& options, Diagnostics& diagnostics);
/// Reports the shapes that were surveyed on the way.
void saySurveyed(const std::vector<std::string>& names, const CommonOptions& common);
/// `1 body`, `27 bodies`.
std::string bodyCount(std::size_t n);

}  // namespace scree::tools
