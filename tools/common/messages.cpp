// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.hpp"

#include "error_lines.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace scree::tools {
namespace {

std::atomic<bool> barOpen{false};

const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

double secondsSinceStart() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool colorWanted(const CommonOptions& options) {
  if (options.color != "auto") return options.color == "always";
  const char* no = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) && !(no && *no) && !(term && std::string(term) == "dumb");
}

double mostMegabytes() {
  struct rusage used {};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024.0;
}

/// In use now; where the system does not tell, the most so far.
double megabytes() {
  double pages = 0.0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    std::array<char, 256> line{};
    const char* const text = std::fgets(line.data(), static_cast<int>(line.size()), file);
    (void)std::fclose(file);
    std::string_view words = text ? text : "";
    words.remove_prefix(std::min(words.find(' '), words.size()));  // the second is what is in use
    words.remove_prefix(words.empty() ? 0 : 1);
    pages = parseNumber(words.substr(0, words.find(' '))).value_or(0.0);
  }
  return pages > 0.0 ? pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576.0
                     : mostMegabytes();
}

/// The words of the command line that name files to read.
std::vector<std::string> inputWords(const CLI::App& app) {
  constexpr std::array<const char*, 9> readers{"shape",   "shapes", "config", "script", "postpro",
                                               "grading", "replay", "runs",   "inputs"};
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    const bool reads = option->get_lnames().empty()
                           ? option->get_positional()
                           : std::find(readers.begin(), readers.end(),
                                       option->get_lnames().front()) != readers.end();
    if (reads) words.insert(words.end(), option->results().begin(), option->results().end());
  }
  for (const CLI::App* verb : app.get_subcommands())
    for (std::string& word : inputWords(*verb)) words.push_back(std::move(word));
  return words;
}

void sayFiles(const CLI::App& app) {
  constexpr std::size_t most = 20;
  std::size_t count = 0;
  for (const std::string& word : inputWords(app)) {
    std::error_code code;
    std::string name = word;
    if (!std::filesystem::exists(name, code)) name.resize(std::min(name.find(':'), name.size()));
    const auto bytes = std::filesystem::file_size(name, code);  // fails for folders
    if (code || ++count > most) continue;
    talk(fmt::format("{}: {} bytes\n", harmless(name), bytes));
  }
  if (count > most) talk(fmt::format("and {} more files\n", count - most));
}

void sayTimed(const std::string& line) {
  talk(fmt::format("{:.3f} s, {:.0f} MB: {}\n", secondsSinceStart(), megabytes(), harmless(line)));
}

}  // namespace

void talk(const std::string& text) {
  const std::string line = barOpen.exchange(false) ? "\n" + text : text;
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string harmless(std::string_view text) { return printable(text, "\n\t"); }

void complain(const std::string& tool, const std::string& kind, const std::string& message,
              const CommonOptions& options) {
  const bool color = colorWanted(options);
  // One error, one line: line ends inside a message (of another library) become blanks.
  std::string line = message;
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  talk(fmt::format("{}: {}{}:{} {}\n", tool, color ? "\x1b[31m" : "", kind, color ? "\x1b[0m" : "",
                   harmless(line)));
}

void sayStart(const CLI::App& app, const CommonOptions& options) {
  if (options.verbosity < 2) return;
  talk(fmt::format("{} {}, commit {}, {}, {}\n", app.get_name(), version(), revision(), compiler(),
                   architecture()));
  std::string libraries = "CLI11 " CLI11_VERSION;
  for (const LibraryVersion& library : libraryVersions())
    libraries += fmt::format(", {} {}", library.name, library.version);
  for (const LibraryVersion& library : options.libraries)
    libraries += fmt::format(", {} {}", library.name, library.version);
  const int threads = threadCount(options.jobs), cores = availableThreads();
  talk(fmt::format("{}\n{} thread{} on {} core{}\n", libraries, threads, threads == 1 ? "" : "s",
                   cores, cores == 1 ? "" : "s"));
  sayFiles(app);
}

void sayEnd(const CommonOptions& options) {
  if (options.verbosity < 2) return;
  talk(fmt::format(
      "{:.3f} s in all, {:.3f} s of processor time, at most {:.0f} MB\n", secondsSinceStart(),
      static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC), mostMegabytes()));
}

void printWarnings(const Diagnostics& diagnostics, const CommonOptions& options) {
  if (options.verbosity == 0) return;
  const bool color = colorWanted(options);
  for (const std::string& warning :
       options.verbosity > 1 ? diagnostics.warnings() : onceEach(diagnostics.warnings()))
    talk(fmt::format("{}warning:{} {}\n", color ? "\x1b[33m" : "", color ? "\x1b[0m" : "",
                     harmless(warning)));
  for (const std::string& note : diagnostics.notes()) talk(harmless(note) + "\n");
}

void printErrors(const std::string& tool, const std::vector<std::string>& errors,
                 const CommonOptions& options) {
  for (const std::string& error : errors) complain(tool, "error", error, options);
}

void say(const CommonOptions& options, const std::string& line) {
  if (options.verbosity > 0) talk(harmless(line) + "\n");
}

void sayDetail(const CommonOptions& options, const std::string& line) {
  if (options.verbosity > 1) sayTimed(line);
}

void checkReportGoesElsewhere(bool json, const std::string& output) {
  if (json && (output == "-" || output == "/dev/stdout"))
    throw UsageError("--json and -o - both want standard output: give -o FILE for the result");
}

void printResult(const std::string& text) { writeFile("-", text, Existing::replace); }

Progress progressBar(const CommonOptions& options, const std::string& what) {
  const bool talks = options.verbosity > 1;
  const bool draws = options.verbosity > 0 && options.progress != "never" &&
                     (options.progress != "auto" || isatty(STDERR_FILENO));
  if (!draws && !talks) return {};
  struct State {
    int percent = -1;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  };
  return [what, draws, talks, state = std::make_shared<State>()](double done) {
    const int percent = std::clamp(static_cast<int>(100.0 * done), 0, 100);
    if (percent == state->percent) return;
    state->percent = percent;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - state->begin;
    if (draws) {
      // Work that ends late passes 1 a little.
      const double left = done > 0.0 ? passed.count() * std::max(0.0, 1.0 - done) / done : 0.0;
      const auto filled = static_cast<std::size_t>(30 * percent / 100);
      barOpen.store(false);
      talk(fmt::format("\r{} [{}{}] {:3d} %  {:.0f} s left \x1b[K{}", what,
                       std::string(filled, '#'), std::string(30 - filled, ' '), percent, left,
                       percent == 100 ? "\n" : ""));
      barOpen.store(percent < 100);
      (void)std::fflush(stderr);
    }
    if (talks && percent == 100) sayTimed(fmt::format("{} took {:.3f} s", what, passed.count()));
  };
}

}  // namespace scree::tools
