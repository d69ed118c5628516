// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tool.hpp"

#include "config_file.hpp"
#include "error_lines.hpp"

#include "scree/base/error.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/version.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <set>
#include <unistd.h>
#include <utility>

/// Of GNU MP, where a tool is linked with it (CGAL is); else null.
// NOLINTNEXTLINE(bugprone-reserved-identifier): GNU MP chose this name.
extern "C" __attribute__((weak)) void __gmp_set_memory_functions(
    void* (*allocate)(std::size_t), void* (*reallocate)(void*, std::size_t, std::size_t),
    void (*release)(void*, std::size_t)) noexcept;

namespace scree::tools {
namespace {

/// To standard error. A terminal that has gone is no reason to fail.
template <class... Args>
void talk(fmt::format_string<Args...> text, Args&&... args) {
  const std::string line = fmt::format(text, std::forward<Args>(args)...);
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

/// Text with names from files in it, for a terminal: what would move its cursor or colour it is
/// spelt out.
std::string harmless(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out;
}

bool colorWanted(const CommonOptions& options) {
  if (options.color != "auto") return options.color == "always";
  const char* no = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) && !(no && *no) && !(term && std::string(term) == "dumb");
}

void complain(const std::string& tool, const std::string& kind, const std::string& message,
              bool color) {
  // One error, one line: line ends inside a message (of another library) become blanks.
  std::string line = message;
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  talk("{}: {}{}:{} {}\n", tool, color ? "\x1b[31m" : "", kind, color ? "\x1b[0m" : "",
       harmless(line));
}

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

/// The first word that stands where a subcommand is expected and names none; empty otherwise.
std::string unknownVerb(CLI::App& app, int argc, char** argv) {
  const auto verbs = app.get_subcommands([](CLI::App*) { return true; });
  if (verbs.empty() || argc < 2 || argv[1][0] == '-') return {};
  for (const CLI::App* verb : verbs)
    if (verb->check_name(argv[1])) return {};
  return argv[1];
}

/// The first word of the command line that looks like an option and is none. It is named even where
/// arguments are missing too.
std::string unknownOption(CLI::App& app, int argc, char** argv) {
  std::set<std::string> known;
  const std::function<void(CLI::App&)> collect = [&](CLI::App& a) {
    for (const CLI::Option* o : a.get_options()) {
      for (const auto& name : o->get_lnames()) known.insert("--" + name);
      for (const auto& name : o->get_snames()) known.insert("-" + name);
    }
    for (CLI::App* sub : a.get_subcommands(nullptr)) collect(*sub);
  };
  collect(app);
  for (int k = 1; k < argc; ++k) {
    std::string word = argv[k];
    if (word == "--") break;
    if (word.size() < 3 || word.compare(0, 2, "--") != 0) continue;
    word = word.substr(0, word.find('='));
    if (!known.contains(word)) {
      return word;
    }
  }
  return {};
}

/// The verb that the command line names, to point at its help; the tool itself without one.
std::string helpOf(const CLI::App& app, int argc, char** argv) {
  for (int k = 1; k < argc; ++k)
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
      if (verb->check_name(argv[k]))
        return fmt::format("{} {} --help", app.get_name(), verb->get_name());
  return app.get_name() + " --help";
}

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

/// Why `word` is no value of an option for whole numbers; empty where it is one. The parser takes
/// -1 for the largest number, and too large a number for the largest that fits.
std::string wrongNumber(const std::string& word, bool mayBeNegative) {
  const std::string expected =
      mayBeNegative ? "expected a whole number" : "expected a whole number, 0 or more";
  if (!mayBeNegative && word.find('-') != std::string::npos)
    return fmt::format("{}, found {}", expected, shown(word));
  errno = 0;
  if (mayBeNegative)
    (void)std::strtoll(word.c_str(), nullptr, 0);
  else
    (void)std::strtoull(word.c_str(), nullptr, 0);
  const auto most = mayBeNegative ? static_cast<std::uint64_t>(INT64_MAX) : UINT64_MAX;
  return errno == ERANGE ? fmt::format("{}, {} at most, found {}", expected, most, shown(word))
                         : std::string();
}

/// The message of the parser for text instead of a number, with what the option takes.
std::string wrongWord(CLI::App& app, const std::string& message) {
  constexpr std::string_view start = "Could not convert: ";
  const auto equals = message.find(" = ");
  if (!message.starts_with(start) || equals == std::string::npos) return message;
  const std::string name = message.substr(start.size(), equals - start.size());
  std::string type;
  const std::function<void(CLI::App&)> search = [&](CLI::App& a) {
    if (const CLI::Option* o = a.get_option_no_throw(name); o && (type.empty() || a.parsed()))
      type = o->get_type_name();
    for (CLI::App* sub : a.get_subcommands(nullptr)) search(*sub);
  };
  search(app);
  const bool whole = type.starts_with("INT") || type.starts_with("UINT");
  if (!whole && !type.starts_with("FLOAT")) return message;
  return fmt::format("{}: expected a {}number, found '{}'", name, whole ? "whole " : "",
                     message.substr(equals + 3));
}

/// Checks the values of all options for whole numbers, of all verbs.
void checkWholeNumbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool isSigned = type.starts_with("INT");
    if (isSigned || type.starts_with("UINT"))
      option->check([isSigned](const std::string& word) { return wrongNumber(word, isSigned); },
                    "");
  }
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; }))
    checkWholeNumbers(*verb);
}

}  // namespace

void addCommonOptions(CLI::App& app, CommonOptions& options, const std::string& examples) {
  app.description(app.get_description() + "\n\nExamples:\n" + examples + "\n");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_help_all_flag("--help-all", "Print the help of all commands and exit");
  app.fallthrough();
  const auto group = [](CLI::Option* o) { return o->group("Common options"); };
  group(app.add_option("-j,--jobs", options.jobs,
                       "Number of threads (default: all cores). Results do not depend on it")
            ->check(CLI::Range(0, 4096)));
  group(app.add_flag_callback(
      "-q,--quiet", [&options] { options.verbosity = 0; }, "Print errors only on stderr"));
  group(app.add_flag_function(
      "-v,--verbose", [&options](std::int64_t n) { options.verbosity = 1 + static_cast<int>(n); },
      "Print more on stderr"));
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
      "--print-config", [] {}, "Print the options in force as TOML and exit"));
  group(app.add_flag_callback(
      "--version", [] {}, "Print name and version and exit"));
}

int runTool(CLI::App& app, int argc, char** argv, CommonOptions& options,
            const std::function<int()>& work) {
  const std::string tool = app.get_name();
  (void)std::signal(SIGXFSZ, SIG_IGN);  // a file above the limit of its size is an error of writing
  // --version needs nothing else to be right.
  bool versionAsked = false, jsonAsked = false;
  for (int k = 1; k < argc; ++k) {
    versionAsked |= std::string(argv[k]) == "--version";
    jsonAsked |= std::string(argv[k]) == "--json";
  }
  try {
    if (versionAsked) {
      printResult(jsonAsked ? versionJson(tool, options.libraries)
                            : fmt::format("{} {} (Scree)\n", tool, version()));
      return 0;
    }
    checkWholeNumbers(app);
    try {
      app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      printResult(app.help());  // of the verb that was named, with its full name
      return 0;
    } catch (const CLI::CallForAllHelp&) {
      printResult(app.help("", CLI::AppFormatMode::All));
      return 0;
    } catch (const CLI::FileError& error) {
      complain(tool, "error", error.what(), colorWanted(options));
      return 4;
    } catch (const CLI::ParseError& error) {
      const std::string unknown = unknownOption(app, argc, argv);
      const std::string verb = unknownVerb(app, argc, argv);
      // A file to fill in needs no input yet.
      if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && unknown.empty() &&
          verb.empty() && app.count("--print-config") > 0) {
        printResult(optionsInForce(app));
        return 0;
      }
      const std::string what = !unknown.empty() ? "unknown option " + unknown
                               : !verb.empty()  ? fmt::format("unknown verb '{}'", verb)
                                                : wrongWord(app, error.what());
      complain(tool, "error",
               fmt::format("{}; {} lists the options", what,
                           verb.empty() ? helpOf(app, argc, argv) : tool + " --help"),
               colorWanted(options));
      return 2;
    }
    if (app.count("--print-config")) {
      printResult(optionsInForce(app));
      return 0;
    }
    const int code = work();
    if (std::fflush(stdout) != 0) throw IoError("standard output: cannot write");
    return code;
  } catch (const UsageError& error) {
    complain(tool, "error", error.what(), colorWanted(options));
    return 2;
  } catch (const IoError& error) {
    complain(tool, "error", error.what(), colorWanted(options));
    return 4;
  } catch (const ParseError& error) {
    complain(tool, "error", error.what(), colorWanted(options));
    if (isatty(STDERR_FILENO) && !error.excerpt().empty() && error.where().column <= 200)
      talk("{}\n{:>{}}\n", harmless(error.excerpt().substr(0, 240)), "^", error.where().column);
    return 3;
  } catch (const Error& error) {
    complain(tool, "error", error.what(), colorWanted(options));
    return 3;
  } catch (const std::filesystem::filesystem_error& error) {
    complain(tool, "error", fmt::format("{}: {}", error.path1().string(), error.code().message()),
             colorWanted(options));
    return 4;
  } catch (const std::bad_alloc&) {
    return outOfMemory();
  } catch (const std::exception& error) {
    complain(tool, "internal error", fmt::format("{}; please report it", error.what()),
             colorWanted(options));
    return 1;
  }
}

void printWarnings(const Diagnostics& diagnostics, const CommonOptions& options) {
  if (options.verbosity == 0) return;
  const bool color = colorWanted(options);
  for (const std::string& warning : onceEach(diagnostics.warnings()))
    talk("{}warning:{} {}\n", color ? "\x1b[33m" : "", color ? "\x1b[0m" : "", harmless(warning));
  for (const std::string& note : diagnostics.notes()) talk("{}\n", harmless(note));
}

void printErrors(const std::string& tool, const std::vector<std::string>& errors,
                 const CommonOptions& options) {
  for (const std::string& error : errors) complain(tool, "error", error, colorWanted(options));
}

void say(const CommonOptions& options, const std::string& line) {
  if (options.verbosity > 0) talk("{}\n", harmless(line));
}

void printResult(const std::string& text) { writeFile("-", text, Existing::replace); }

Progress progressBar(const CommonOptions& options, const std::string& what) {
  if (options.verbosity == 0 || options.progress == "never") return {};
  if (options.progress == "auto" && !isatty(STDERR_FILENO)) return {};
  struct State {
    int percent = -1;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  };
  return [what, state = std::make_shared<State>()](double done) {
    const int percent = std::clamp(static_cast<int>(100.0 * done), 0, 100);
    if (percent == state->percent) return;
    state->percent = percent;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - state->begin;
    // Work that ends late passes 1 a little.
    const double left = done > 0.0 ? passed.count() * std::max(0.0, 1.0 - done) / done : 0.0;
    const auto filled = static_cast<std::size_t>(30 * percent / 100);
    talk("\r{} [{}{}] {:3d} %  {:.0f} s left \x1b[K{}", what, std::string(filled, '#'),
         std::string(30 - filled, ' '), percent, left, percent == 100 ? "\n" : "");
    (void)std::fflush(stderr);
  };
}

}  // namespace scree::tools
