// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tool.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <sstream>
#include <unistd.h>

namespace scree::tools {
namespace {

/// Help of a tool and of its verbs: descriptions of options are wrapped below themselves, and verbs
/// are listed by their first line, since their own help has the examples.
class HelpText : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string rest = option->get_description(), out;
    const std::size_t most = 100 - get_column_width();
    while (rest.size() > most) {
      std::size_t at = rest.rfind(' ', most);
      if (at == std::string::npos) at = rest.find(' ');  // a long word stays whole
      if (at == std::string::npos) break;
      out += rest.substr(0, at) + '\n';
      rest.erase(0, at + 1);
    }
    return out + rest;
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    const std::string text = verb->get_description();
    std::ostringstream out;
    CLI::detail::format_help(out, verb->get_display_name(true), text.substr(0, text.find('\n')),
                             get_column_width());
    return out.str();
  }
};

/// Refuses whole numbers that do not fit. The parser itself takes -1 for the largest number, and
/// too large a number for the largest that fits.
void checkWholeNumbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool hasSign = type.starts_with("INT");
    if (!hasSign && !type.starts_with("UINT")) continue;
    const auto check = [hasSign](const std::string& word) -> std::string {
      errno = 0;
      if (hasSign)
        (void)std::strtoll(word.c_str(), nullptr, 0);
      else
        (void)std::strtoull(word.c_str(), nullptr, 0);
      if (errno == 0 && (hasSign || word.find('-') == std::string::npos)) return {};
      return fmt::format("expected a whole number{} that fits in 64 bits, found '{}'",
                         hasSign ? "" : ", 0 or more,", shown(word));
    };
    option->check(check, "");
  }
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; }))
    checkWholeNumbers(*verb);
}

/// The complaint of the parser, or the word that it does not know, without which it may miss some.
std::string usageComplaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> rest = app.remaining(true);
  if (rest.empty()) return error.what();
  return fmt::format("unknown option or argument '{}'", shown(rest.front()));
}

/// @returns the exit code
int refuseUsage(const CLI::App& app, const std::string& complaint, const CommonOptions& options) {
  const auto named = app.get_subcommands();
  const bool hasHint = complaint.find("--help") != std::string::npos;
  complain(app.get_name(), "error",
           hasHint ? complaint
                   : fmt::format("{}; {}{} --help lists the options", complaint, app.get_name(),
                                 named.empty() ? "" : " " + named.front()->get_name()),
           options);
  return 2;
}

std::string versionJson(const std::string& tool, const std::vector<LibraryVersion>& more) {
  JsonWriter json;
  json.beginObject().member("schema", 1).member("name", tool).member("version", version());
  json.member("commit", revision()).member("compiler", compiler());
  json.member("architecture", architecture()).key("libraries").beginObject();
  std::vector<LibraryVersion> all = libraryVersions();
  all.push_back({"CLI11", CLI11_VERSION});
  all.insert(all.end(), more.begin(), more.end());
  for (const LibraryVersion& library : all) json.member(library.name, library.version);
  return json.end().end().take() + '\n';
}

/// Lets `app` do without what it requires.
void relax(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) option->required(false);
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) relax(*verb);
}

}  // namespace

void addCommonOptions(CLI::App& app, CommonOptions& options, const std::string& examples) {
  app.formatter(std::make_shared<HelpText>());
  app.description(app.get_description() + "\n\nExamples:\n" + examples + "\n");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_help_all_flag("--help-all", "Print the help of all commands and exit");
  app.fallthrough();
  const auto group = [](CLI::Option* o) { return o->group("Common options"); };
  group(
      app.add_option_function<int>(
             "-j,--jobs", [&options](int jobs) { useThreads(options.jobs = jobs); },
             "Number of threads (default, or 0: all available cores). Results do not depend on it")
          ->check(CLI::Range(0, 4096)));
  group(app.add_flag_callback(
      "-q,--quiet", [&options] { options.verbosity = 0; },
      "Print warnings and errors only on stderr"));
  group(app.add_flag_function(
      "-v,--verbose",
      [&options](std::int64_t n) {
        if (n > 0) options.verbosity = 1 + static_cast<int>(n);
      },
      "Print more on stderr: time and memory of each phase, each "
      "warning"));
  group(app.add_flag("--json", options.json, "Print results as JSON on standard output"));
  group(app.add_flag("--strict", options.strict, "Treat warnings as errors"));
  group(app.add_flag("--force", options.force, "Overwrite existing results"));
  group(app.add_option("--color", options.color, "Colours in messages: auto, always or never")
            ->check(CLI::IsMember({"auto", "always", "never"})));
  group(app.add_option("--progress", options.progress,
                       "Progress bar on stderr: auto, always or never")
            ->check(CLI::IsMember({"auto", "always", "never"})));
  group(app.set_config("--config", "", "Read options from a TOML file"));
  readConfigStrictly(app);
  group(app.add_flag_callback(
            "--print-config", [] {}, "Print the options in force as TOML and exit"))
      ->configurable(false);
  group(app.add_flag_callback(
            "--version", [] {}, "Print name and version and exit"))
      ->configurable(false);
}

CLI::App& addVerb(CLI::App& app, const std::string& name, const std::string& sentence,
                  const std::string& examples, const std::string& notes) {
  CLI::App& verb = *app.add_subcommand(name, sentence + "\n\nExamples:\n" + examples + "\n");
  verb.footer(notes);
  return verb;
}

int runTool(CLI::App& app, int argc, char** argv, CommonOptions& options,
            const std::function<int()>& work) {
  const std::string tool = app.get_name();
  options.command = commandLine(argc, argv);
  // Standard streams that are closed become /dev/null, opened so that their use still fails. The
  // next file would otherwise get their number, and messages would go into it.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)
      (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  (void)std::signal(SIGXFSZ, SIG_IGN);  // a file above the limit of its size is an error of writing
  const auto has = [&](std::string_view word) {
    return std::any_of(argv + 1, argv + argc, [&](const char* w) { return w == word; });
  };
  const bool printsConfig = has("--print-config");
  try {
    if (has("--version")) {  // needs nothing else to be right
      printResult(has("--json") ? versionJson(tool, options.libraries)
                                : fmt::format("{} {} (Scree)\n", tool, version()));
      return 0;
    }
    checkWholeNumbers(app);
    if (printsConfig) relax(app);  // a file to fill in needs no input yet
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      printResult(app.help());  // of the verb that was named, with its full name
      return 0;
    } catch (const CLI::CallForAllHelp&) {
      printResult(app.help("", CLI::AppFormatMode::All));
      return 0;
    } catch (const CLI::FileError&) {
      const std::string file = app.get_config_ptr()->as<std::string>();
      (void)readFile(file);  // reports why it cannot
      throw IoError(fmt::format("{}: expected a file of options", file));
    } catch (const CLI::ParseError& error) {
      return refuseUsage(app, usageComplaint(app, error), options);
    }
    if (printsConfig) {
      printResult(optionsInForce(app));
      return 0;
    }
    const int code = work();
    if (std::fflush(stdout) != 0) throw IoError("standard output: cannot write");
    talk("");  // ends an open bar
    sayDetail(options, "done");
    return code;
  } catch (const UsageError& error) {
    return refuseUsage(app, error.what(), options);
  } catch (const Error& error) {
    complain(tool, "error", error.what(), options);
    const auto* const parse = dynamic_cast<const ParseError*>(&error);
    if (parse && isatty(STDERR_FILENO) && !parse->excerpt().empty() && parse->where().column <= 200)
      talk(fmt::format("{}\n{:>{}}\n", harmless(parse->excerpt().substr(0, 240)), "^",
                       parse->where().column));
    return dynamic_cast<const IoError*>(&error) ? 4 : 3;
  } catch (const std::filesystem::filesystem_error& error) {
    complain(tool, "error", fmt::format("{}: {}", error.path1().string(), error.code().message()),
             options);
    return 4;
  } catch (const std::bad_alloc&) {
    complain(tool, "error", "not enough memory for this input", options);
    return 4;
  } catch (const std::exception& error) {
    complain(tool, "internal error", fmt::format("{}; please report it", error.what()), options);
    return 1;
  }
}

int runVerbs(CLI::App& app, int argc, char** argv, CommonOptions& options,
             const std::vector<Verb>& verbs, const std::function<int()>& noVerb) {
  app.require_subcommand(0, 1);
  return runTool(app, argc, argv, options, [&] {
    for (const Verb& verb : verbs)
      if (verb.app->parsed()) return verb.run();
    if (noVerb) return noVerb();
    std::string names;
    for (const CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; }))
      names += (names.empty() ? "" : ", ") + verb->get_name();
    throw UsageError(
        fmt::format("expected a verb: {}; {} --help describes them", names, app.get_name()));
  });
}

const Verb& parsedVerb(CLI::App& app, std::vector<std::string> words,
                       const std::vector<Verb>& verbs) {
  checkWholeNumbers(app);
  std::ranges::reverse(words);  // as CLI11 takes them
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    throw UsageError("--help stands on the command line");
  } catch (const CLI::ParseError& error) {
    throw UsageError(usageComplaint(app, error));
  }
  return *std::ranges::find_if(verbs, [](const Verb& verb) { return verb.app->parsed(); });
}

}  // namespace scree::tools
