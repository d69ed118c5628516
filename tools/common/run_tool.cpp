// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tool.hpp"

#include "command_line.hpp"
#include "config_file.hpp"
#include "help.hpp"
#include "messages.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/base/version.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <unistd.h>

/// Of GNU MP, where a tool is linked with it (CGAL is); else null.
// NOLINTNEXTLINE(bugprone-reserved-identifier): GNU MP chose this name.
extern "C" __attribute__((weak)) void __gmp_set_memory_functions(
    void* (*allocate)(std::size_t), void* (*reallocate)(void*, std::size_t, std::size_t),
    void (*release)(void*, std::size_t)) noexcept;

namespace scree::tools {
namespace {

/// One line without a byte of new memory. @returns the exit code
int outOfMemory() noexcept {
  const char* const parts[] = {program_invocation_short_name,
                               ": error: not enough memory for this input\n"};
  for (const char* part : parts)
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  return 4;
}

std::atomic<bool> memoryGaveOut{false};

/// Called by `new` where there is no memory.
void onNoMemory() {
  memoryGaveOut.store(true);
  throw std::bad_alloc();
}

/// Memory may give out where nothing can catch it: before runTool(), in a thread, in a destructor.
[[noreturn]] void onTerminate() noexcept {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    ::_exit(outOfMemory());
  } catch (...) {
    std::abort();
  }
  // An exception that leaves a function that throws none is not known here. Some functions of the
  // standard library, for folders for one, do so without memory.
  if (memoryGaveOut.load()) ::_exit(outOfMemory());
  std::abort();
}

[[noreturn]] void refuse() { throw std::bad_alloc(); }

/// That library would abort. No exception may pass through it, so these end in onTerminate().
void* exactMemory(std::size_t size) noexcept {
  void* p = std::malloc(size);
  if (!p) refuse();
  return p;
}
void* moreExactMemory(void* old, std::size_t, std::size_t size) noexcept {
  void* p = std::realloc(old, size);
  if (!p) refuse();
  return p;
}
void releaseExactMemory(void* p, std::size_t) noexcept { std::free(p); }

/// Before main() begins.
[[maybe_unused]] const bool prepared = [] {
  std::set_terminate(onTerminate);
  std::set_new_handler(onNoMemory);
  if (__gmp_set_memory_functions)
    __gmp_set_memory_functions(exactMemory, moreExactMemory, releaseExactMemory);
  return true;
}();

std::string versionJson(const std::string& tool, const std::vector<LibraryVersion>& more) {
  JsonWriter json;
  json.beginObject().key("schema").value(1).key("name").value(tool).key("version").value(version());
  json.key("commit")
      .value(revision())
      .key("compiler")
      .value(compiler())
      .key("architecture")
      .value(architecture());
  json.key("libraries").beginObject();
  const auto add = [&](const LibraryVersion& library) {
    json.key(library.name).value(library.version);
  };
  for (const LibraryVersion& library : libraryVersions()) add(library);
  add({"CLI11", CLI11_VERSION});
  for (const LibraryVersion& library : more) add(library);
  return json.end().end().take() + '\n';
}

/// Lets `app` do without what it requires.
void relax(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) option->required(false);
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) relax(*verb);
}

/// A complaint about an option that the file of --config sets, with the place there and without
/// advice for a command line.
std::optional<ParseError> refusalOfConfig(const CLI::App& app, std::string complaint) {
  const auto place = placeInConfig(app, complaint);
  if (!place) return std::nullopt;
  if (const std::string advice = "; " + helpHint(app); complaint.ends_with(advice))
    complaint.resize(complaint.size() - advice.size());
  return ParseError(*place, complaint);
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
      app.add_option(
             "-j,--jobs", options.jobs,
             "Number of threads (default, or 0: all available cores). Results do not depend on it")
          ->check(CLI::Range(0, 4096)));
  group(app.add_flag_callback(
      "-q,--quiet", [&options] { options.verbosity = 0; }, "Print errors only on stderr"));
  group(app.add_flag_function(
      "-v,--verbose",
      [&options](std::int64_t n) {
        if (n > 0) options.verbosity = 1 + static_cast<int>(n);
      },
      "Print more on stderr: versions, threads, files, time and memory of each phase, each "
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
  CLI::App& verb = *app.add_subcommand(name, sentence + "\n\nExamples:\n" + examples);
  verb.footer(notes);
  return verb;
}

int runTool(CLI::App& app, int argc, char** argv, CommonOptions& options,
            const std::function<int()>& work) {
  const std::string tool = app.get_name();
  (void)std::signal(SIGXFSZ, SIG_IGN);  // a file above the limit of its size is an error of writing
  // --version needs nothing else to be right.
  bool versionAsked = false, jsonAsked = false, printsConfig = false;
  for (int k = 1; k < argc; ++k) {
    versionAsked |= std::string(argv[k]) == "--version";
    jsonAsked |= std::string(argv[k]) == "--json";
    printsConfig |= std::string(argv[k]) == "--print-config";
  }
  try {
    if (versionAsked) {
      printResult(jsonAsked ? versionJson(tool, options.libraries)
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
      (void)readFile(file);  // says why it cannot
      throw IoError(fmt::format("{}: expected a file of options", file));
    } catch (const CLI::ParseError& error) {
      const std::string complaint = usageComplaint(app, error, argc, argv);
      if (const auto refusal = refusalOfConfig(app, complaint)) throw ParseError(*refusal);
      complain(tool, "error", complaint, options);
      return 2;
    }
    if (printsConfig) {
      printResult(optionsInForce(app));
      return 0;
    }
    sayStart(app, options);
    const int code = work();
    if (std::fflush(stdout) != 0) throw IoError("standard output: cannot write");
    talk("");  // ends an open bar
    sayEnd(options);
    return code;
  } catch (const UsageError& error) {
    const std::string message = error.what();
    if (const auto refusal = refusalOfConfig(app, message)) {
      complain(tool, "error", refusal->what(), options);
      return 3;
    }
    complain(tool, "error",
             message.find("--help") != std::string::npos
                 ? message
                 : fmt::format("{}; {}", message, helpHint(app)),
             options);
    return 2;
  } catch (const IoError& error) {
    complain(tool, "error", error.what(), options);
    return 4;
  } catch (const ParseError& error) {
    complain(tool, "error", error.what(), options);
    if (isatty(STDERR_FILENO) && !error.excerpt().empty() && error.where().column <= 200)
      talk(fmt::format("{}\n{:>{}}\n", harmless(error.excerpt().substr(0, 240)), "^",
                       error.where().column));
    return 3;
  } catch (const Error& error) {
    complain(tool, "error", error.what(), options);
    return 3;
  } catch (const std::filesystem::filesystem_error& error) {
    complain(tool, "error", fmt::format("{}: {}", error.path1().string(), error.code().message()),
             options);
    return 4;
  } catch (const std::bad_alloc&) {
    return outOfMemory();
  } catch (const std::exception& error) {
    complain(tool, "internal error", fmt::format("{}; please report it", error.what()), options);
    return 1;
  }
}

}  // namespace scree::tools
