// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/version.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::tools {

/// Options that all six tools share; each tool adds those that mean something to it.
struct CommonOptions {
  int jobs = 0;       ///< 0: all cores
  int verbosity = 1;  ///< 0 warnings and errors alone, 1 normal, 2 and more: talkative
  bool json = false;
  bool strict = false;
  bool force = false;
  std::string color = "auto", progress = "auto";
  std::string command;                    ///< as typed; runTool() sets it
  std::vector<LibraryVersion> libraries;  ///< for --version: those the tool alone is linked with

  Existing existing() const { return force ? Existing::replace : Existing::refuse; }
};

/// Adds the common options and the examples of a tool:
/// -j, -q, -v, --json, --strict, --force, --color, --progress, --config, --print-config, --version
/// and --help-all. The examples go to the end of the first paragraph of --help.
/// @param examples  one command a line, as they work when typed
void addCommonOptions(CLI::App& app, CommonOptions& options, const std::string& examples);

/// Adds a verb. Its help begins with a sentence and examples, as that of the tool, and ends with
/// notes. The help of the tool lists the sentence alone.
/// @param examples  one command a line, as they work when typed
CLI::App& addVerb(CLI::App& app, const std::string& name, const std::string& sentence,
                  const std::string& examples, const std::string& notes = {});

/// Adds an option that takes one of a few words; these stand in --help and in the refusal.
template <class Value>
CLI::Option* addChoice(CLI::App& app, const std::string& name, Value& value,
                       const std::vector<std::pair<std::string, Value>>& words,
                       const std::string& help) {
  std::vector<std::string> names;
  for (const auto& [word, meaning] : words) names.push_back(word);
  const auto take = [&value, words](const std::string& given) {
    for (const auto& [word, meaning] : words)
      if (word == given) value = meaning;
  };
  return app.add_option_function<std::string>(name, take, help)->check(CLI::IsMember(names));
}

/// Parses the command line, runs `work`, and ends in an exit code.
/// - 0 done, 1 our bug, 2 wrong usage, 3 unusable input, 4 file system.
/// - What `work` returns otherwise (75: stopped, resumable).
/// Errors are one line on stderr, with the line of the input and a caret under it on a terminal.
int runTool(CLI::App& app, int argc, char** argv, CommonOptions& options,
            const std::function<int()>& work);

/// Lets `app` read the file of `--config` as TOML: `option = value`, and `[verb]` or `verb.option`
/// for options of a verb. An option that the tool lacks is a ParseError with file, line and column.
/// Options of verbs that the command line does not name are checked by name only, and not used.
/// The command line wins; a flag that is `false` counts as not given.
void readConfigStrictly(CLI::App& app);

/// The options in force as such a file, which `--config` reads back: those of the tool and of the
/// verb that was parsed. Options that are not given stand in comments, with their defaults.
std::string optionsInForce(const CLI::App& app);

/// A verb of a tool: its part of the command line, and the function that it runs.
struct Verb {
  CLI::App* app = nullptr;
  std::function<int()> run;  ///< returns the exit code; errors are thrown
};
/// Adds a verb to the command line. Options live as long as `run` does; `common` must outlive it.
using AddVerb = Verb(CLI::App& app, const CommonOptions& common);

/// Parses the command line as runTool() does and runs the verb that it names.
/// @param noVerb  what runs without a verb; empty: the command line is refused with a list of verbs
int runVerbs(CLI::App& app, int argc, char** argv, CommonOptions& options,
             const std::vector<Verb>& verbs, const std::function<int()>& noVerb = {});

/// Parses a command line without the name of the tool. @returns its verb. @throws UsageError
const Verb& parsedVerb(CLI::App& app, std::vector<std::string> words,
                       const std::vector<Verb>& verbs);

/// Exit code of work that a signal has stopped, to be resumed.
inline constexpr int stoppedResumable = 75;
/// From here on the signals of terminals and schedulers end the program at once, with that code.
/// Nothing needs to be saved yet, and a file that is being read may never end.
/// @param quiet  no message
void endOnSignals(bool quiet);
/// From here on a first signal requests to save and stop; a second INT or TERM ends the program.
void stopOnSignals();
/// Whether a signal has come since stopOnSignals().
const std::atomic<bool>& stopRequested();

/// Prints on standard error, behind an open progress bar. A terminal that has gone is no failure.
void talk(const std::string& text);

/// Text for a terminal, with characters spelt out that would move its cursor or colour it.
std::string harmless(std::string_view text);

/// A value for people; "nan" where it is null.
std::string textOf(const nlohmann::ordered_json& value);
/// The members of an object for people, a line each with name and value; none for null.
std::string listText(const nlohmann::ordered_json& object);

/// Prints an error in one line.
void complain(const std::string& tool, const std::string& kind, const std::string& message,
              const CommonOptions& options);

/// Prints collected warnings on stderr, once with a count, or with -v each; notes unless quiet.
void printWarnings(const Diagnostics& diagnostics, const CommonOptions& options);

/// Prints errors that did not end the tool on stderr, one line each.
void printErrors(const std::string& tool, const std::vector<std::string>& errors,
                 const CommonOptions& options);

/// One line on stderr, unless quiet.
void say(const CommonOptions& options, const std::string& line);

/// With -v, a line on stderr behind the time and the peak memory so far: for the end of a phase.
void sayDetail(const CommonOptions& options, const std::string& line);

/// Refuses --json where -o sends the result to standard output, too.
/// @throws UsageError
void checkReportGoesElsewhere(bool json, const std::string& output);

/// Refuses to replace what a command reads, even with `--force`.
/// @param written  files that it is to write
/// @throws UsageError if one of them is one of those `read`, by whatever path or link
void checkNotInputs(const std::vector<std::string>& written, const std::vector<std::string>& read);

/// A check of an option: a number from `least` to `most`, not NaN.
std::function<std::string(const std::string&)> numberFrom(double least, double most);
/// A check of an option: any text but an empty one, such as an unset variable of a script.
std::string notEmpty(const std::string& text);
/// As numberFrom() for factors, sizes and densities: moments are fifth powers of sizes.
std::function<std::string(const std::string&)> positiveNumber();

/// Warns of a density that no solid has in kg/m³: below 100 or above 25,000.
void warnOfDensity(double density, Diagnostics& diagnostics);

/// Refuses, before anything is read, what one verb may not do with its files: read standard input
/// twice, write two results to one file, replace an input, or replace a file without --force.
/// @param outputs  "" is none
/// @throws UsageError, IoError
void checkFiles(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                const CommonOptions& common);

/// Writes a result to standard output. @throws IoError where that fails: a full disk, a closed pipe
void printResult(const std::string& text);

/// A progress bar on stderr where that is a terminal, nothing in a pipe (`--progress` decides). Any
/// message ends the line of an open bar. With -v the end of the work, 1.0, is a line of its own.
Progress progressBar(const CommonOptions& options, const std::string& what);

/// "1 conf-file", "3 conf-files".
std::string counted(std::size_t count, const std::string& what);

/// The words of a command line as a shell takes them, the program without its folder.
std::string commandLine(int argc, const char* const* argv);
/// `text` as one word of a shell, for commands that a tool prints to be typed. It is quoted unless
/// all its characters are plain, so a shell runs nothing in it.
std::string shellWord(std::string_view text);
/// The same for the path of a file, which may begin with '-': that is then no option. "-" stays.
std::string shellFile(std::string_view path);

}  // namespace scree::tools
