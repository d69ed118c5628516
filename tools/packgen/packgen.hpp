// SPDX-License-Identifier: GPL-3.0-or-later
// Options, reports and files that the verbs of packgen share.
#pragma once

#include "verb.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/sim/pack/settle.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::tools {

/// The files of a packing.
struct PackOutput {
  std::string conf = "conf0";       ///< value of -o
  std::string library;              ///< value of --library; see nameShapeFile()
  std::string shapeFile;            ///< as the conf-file names it
  sim::DriveFiles drive;            ///< written beside the conf-file; empty texts are not
  std::vector<std::string> inputs;  ///< files that are read
};
/// Chooses the shape-file that the conf-file names, and the one to write as `out.library`: none
/// where `source` stands in the folder of the conf-file.
/// @param source  file that holds all shapes, unchanged; empty: none does
/// @throws UsageError for -o - without a place for the shapes, or a name that no conf-file can hold
void nameShapeFile(PackOutput& out, const std::string& source);
/// Refuses outputs that cannot be written, are one file, or are inputs; also files of another
/// packing that a run would obey, without --force.
void checkOutput(const PackOutput& out, const CommonOptions& common);
/// Writes all files, the conf-file last, which gets its number and its shape-file.
/// @returns their names
std::vector<std::string> writeOutput(const PackOutput& out, sim::Conf& conf,
                                     const std::vector<shape::Shape>& shapes,
                                     const std::string& remark, const CommonOptions& common);
/// Begins the object of --json with the members that all verbs have which write a conf-file.
JsonWriter reportOf(const PackOutput& out, const sim::Conf& conf);

/// Options that all verbs share which place bodies.
struct PackOptions {
  PackOutput out;
  std::vector<std::string> libraries;  ///< FILE or FILE:NAME
  std::optional<double> wallMargin;    ///< [L] set: walls around all bodies
  sim::PackSettings settings;
  bool allowOverlap = false;
};
/// Adds them to the command line of `verb`, except the one that names the shapes.
/// @param placed  bodies stand where the user puts them: with options for walls around them all,
///                and for bodies that overlap
void addPackOptions(CLI::App& verb, PackOptions& options, bool placed = true);
/// -o, --library and --drive.
void addOutputOptions(CLI::App& verb, PackOutput& out, std::optional<sim::DrivePlan>& drive);
/// --mu, --en2, --kr and --mur of a packing that is there, by keyword.
void addContactOptions(CLI::App& verb, std::map<std::string, sim::PairSetting>& contacts);
/// --gravity of a verb.
CLI::Option* addGravityOption(CLI::App& verb, std::optional<Vec3>& gravity,
                              const std::string& byDefault);
/// FILE[:NAME], several times.
void addShapeOption(CLI::App& verb, const std::string& names, std::vector<std::string>& files,
                    const std::string& help, const std::string& form = "FILE[:NAME]...");

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

/// A packing that is brought to rest and written, with its report.
struct PressRequest {
  sim::PressOptions press;
  PackOutput out;
  std::string remark;                        ///< a comment line of the result; empty: chosen
  std::function<void(JsonWriter&)> extra{};  ///< adds to the object of --json; may be empty
};
/// Refuses drives that the scene cannot have and outputs that cannot be written. Sets the drive of
/// `request.out`; texts that are there stay where `request.press` has none.
void checkPress(PressRequest& request, const sim::Conf& conf, std::span<const shape::Shape> shapes,
                const char* verb, const CommonOptions& common);
/// Runs the packing until it is done and writes it, its shape-file, and the drives that hold it.
int pressAndWrite(sim::RunInput input, PressRequest& request, const char* verb,
                  const CommonOptions& common);

/// Warns of settings that are probably mistakes.
void warnOfDensity(double density, Diagnostics& diagnostics);
void warnOfSettings(const sim::CompletedConf& completed, const sim::PackSettings& settings,
                    Diagnostics& diagnostics);
/// The shapes of all `options.libraries`, in order, as the files hold them.
std::vector<shape::Shape> libraryOf(const PackOptions& options, Diagnostics& diagnostics);
/// Reports the shapes that were surveyed on the way.
void saySurveyed(const std::vector<std::string>& names, const CommonOptions& common);
/// `1 body`, `27 bodies`.
std::string bodyCount(std::size_t n);

// Each adds its verb to the command line. Options live as long as `run` does; `common` must outlive
// it.
Verb addLatticeVerb(CLI::App& app, const CommonOptions& common);
Verb addFromVerb(CLI::App& app, const CommonOptions& common);
Verb addScatterVerb(CLI::App& app, const CommonOptions& common);
Verb addFillVerb(CLI::App& app, const CommonOptions& common);
Verb addSettleVerb(CLI::App& app, const CommonOptions& common);
Verb addCompactVerb(CLI::App& app, const CommonOptions& common);
Verb addInfoVerb(CLI::App& app, const CommonOptions& common);
Verb addMaterialVerb(CLI::App& app, const CommonOptions& common);

}  // namespace scree::tools
