// SPDX-License-Identifier: GPL-3.0-or-later
// Options, reports and files that the verbs of packgen share.
#pragma once

#include "run_tool.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/sim/pack/body_plan.hpp"
#include "scree/sim/pack/settle.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
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

/// Words that go with a conf-file.
struct Report {
  std::string remark{};                      ///< a comment line of the conf-file; empty: none
  std::vector<std::string> reasons{};        ///< of what was chosen, a line each
  std::function<void(JsonWriter&)> extra{};  ///< adds to the object of --json; may be empty
};
/// Writes all files, the conf-file last, which gets its number and its shape-file, and reports.
void writeProduct(const PackOutput& out, sim::Conf conf, const std::vector<shape::Shape>& shapes,
                  const Report& report, const CommonOptions& common);

/// Options that all verbs share which place bodies.
struct PackOptions {
  PackOutput out;
  std::vector<std::string> libraries;  ///< FILE[:NAME][=SHARE]
  std::set<std::string> asInFile;      ///< names of shapes as the only library has them
  std::optional<double> wallMargin;    ///< [L] set: walls around all bodies
  sim::PackSettings settings;
  bool allowOverlap = false;
  /// Takes a word of --bond that is no parameter of a table; returns whether it did. May be empty.
  std::function<bool(const std::string&)> takeBond{};
};
/// Adds an option to the command line of `verb`. @param form  of its value, for the help
template <class T>
CLI::Option* addOption(CLI::App& verb, const std::string& name, T& value, const std::string& form,
                       const std::string& help,
                       const std::function<std::string(const std::string&)>& check = {}) {
  CLI::Option* option = verb.add_option(name, value, help)->option_text(form);
  return check ? option->check(check) : option;
}
/// Adds an option whose value T::parse() reads. What stands behind its colon, or all of it, may be
/// a file, and is added to `inputs`.
template <class T, class Value>
CLI::Option* addParsed(CLI::App& verb, const std::string& name, Value& value,
                       std::vector<std::string>& inputs, const std::string& form,
                       const std::string& help) {
  const auto take = [&](const std::string& text) {
    inputs.push_back(text.substr(text.find(':') + 1));
    value = T::parse(text);
  };
  return verb.add_option_function<std::string>(name, take, help)->option_text(form);
}
/// Adds an option that may be repeated. @param take  called with each word
CLI::Option* addRepeated(CLI::App& verb, const std::string& name, const std::string& help,
                         const std::string& form,
                         const std::function<void(const std::string&)>& take);
/// Adds the options of a packing to the command line of `verb`.
/// @param placed  bodies stand where the user puts them: with options for walls around them all,
///                and for bodies that overlap
/// @param shapes  help of --shapes; empty: there is no such option
void addPackOptions(CLI::App& verb, PackOptions& options, bool placed, const std::string& shapes);
/// Adds the options that choose the law, its parameters, gravity, time and time step.
void addPhysicsOptions(CLI::App& verb, PackOptions& options);
/// Adds -o and --library; also --drive, unless `drive` is null.
void addOutputOptions(CLI::App& verb, PackOutput& out, std::optional<sim::DrivePlan>* drive);
void addLawOption(CLI::App& verb, const sim::LawOption& option, const std::string& help,
                  std::map<std::string, sim::PairSetting>& parameters);
CLI::Option* addVector(CLI::App& verb, const std::string& name, std::optional<Vec3>& value,
                       const std::string& form, const std::string& help);
/// Reads the shapes of `options.libraries`. @param survey  into their body frames
sim::ShapeLibrary libraryOf(PackOptions& options, bool survey, const CommonOptions& common);
void saySurveyed(const std::vector<std::string>& names, const CommonOptions& common);

/// A packing that a verb hands over, with its report.
struct MadePack {
  sim::Packing packing;
  Report report{};
};
/// Completes a packing and its drive, and checks its outputs: refuses all that writePack() would
/// refuse of the options, so that it may be called with a sample before a packing is made.
/// @param sample  has the walls and some body of each shape
sim::CompletedConf prepared(MadePack& sample, const PackOptions& options, PackOutput& out,
                            Diagnostics& diagnostics, const CommonOptions& common);
/// Adds the walls requested, completes the conf-file, and writes it, its shapes and its drive.
/// Warns as a run of it would at its start; refuses deep overlaps unless they are allowed.
void writePack(MadePack made, const PackOptions& options, const CommonOptions& common);

/// Warns as a run would at its start. @throws ModelError for bodies that overlap deeply, or are
/// inside others, unless that is allowed
void checkPlaces(const sim::Simulation& simulation, const std::string& name, bool allowOverlap,
                 Diagnostics& diagnostics);
/// Reads a conf-file and the files that belong to it.
sim::RunInput inputFrom(const std::string& path, Diagnostics& diagnostics);
/// Text of the first file of `input` with a role; empty where there is none.
std::string textOf(const sim::RunInput& input, const std::string& role);

/// A packing that is brought to rest and written, with its report.
struct PressRequest {
  sim::PressOptions press;
  PackOutput out;
  Report report;  ///< an empty remark is chosen
};
/// Refuses drives that the scene cannot have and outputs that cannot be written. Sets the drive of
/// `request.out`; texts that are there stay where `request.press` has none.
void checkPress(PressRequest& request, const sim::Conf& conf, std::span<const shape::Shape> shapes,
                const char* verb, const CommonOptions& common);
/// Runs the packing until it is done and writes it, its shape-file, and the drives that hold it.
int pressAndWrite(sim::RunInput input, PressRequest& request, const char* verb,
                  const CommonOptions& common);

/// Refuses -o - of a verb that writes several files.
void requireFolder(const std::string& folder);
/// `1 body`, `27 bodies`.
std::string bodyCount(std::size_t n);

AddVerb addLatticeVerb, addFromVerb, addScatterVerb, addFillVerb, addSettleVerb, addCompactVerb;
AddVerb addVoronoiVerb, addCutVerb, addTerrainVerb, addTransformVerb, addInfoVerb, addMaterialVerb;
AddVerb addExportVerb, addImportVerb, addEnsembleVerb, addReleaseVerb, addRunVerb;
/// Adds all verbs but run: those that a recipe may have.
std::vector<Verb> addVerbs(CLI::App& app, const CommonOptions& common);

}  // namespace scree::tools
