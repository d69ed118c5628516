// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tool.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace scree::tools {
namespace {

std::atomic<bool> barOpen{false};

const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

bool colorWanted(const CommonOptions& options) {
  if (options.color != "auto") return options.color == "always";
  const char* no = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) && !(no && *no) && !(term && std::string(term) == "dumb");
}

/// A line behind the time since the start and the peak memory.
void sayTimed(const std::string& line) {
  struct rusage used {};
  ::getrusage(RUSAGE_SELF, &used);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  talk(fmt::format("{:.3f} s, {:.0f} MB: {}\n", passed.count(),
                   static_cast<double>(used.ru_maxrss) / 1024.0, harmless(line)));
}

}  // namespace

void talk(const std::string& text) {
  const std::string line = barOpen.exchange(false) ? "\n" + text : text;
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string harmless(std::string_view text) { return printable(text, "\n\t"); }

std::string textOf(const nlohmann::ordered_json& value) {
  if (value.is_null()) return "nan";
  if (value.is_string()) return harmless(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{:.12g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> items;
  for (const auto& item : value) items.push_back(textOf(item));
  return fmt::format("{}", fmt::join(items, " "));
}

std::string listText(const nlohmann::ordered_json& object) {
  std::string out;
  const auto addLine = [&](const std::string& name, const nlohmann::ordered_json& value) {
    if (!value.is_null()) out += fmt::format("{:<21} {}\n", name, textOf(value));
  };
  for (const auto& [name, value] : object.items()) {
    if (!value.is_object()) addLine(name, value);
    if (value.is_object())
      for (const auto& [member, inner] : value.items()) addLine(name + " " + member, inner);
  }
  return out;
}

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

void printWarnings(const Diagnostics& diagnostics, const CommonOptions& options) {
  const bool color = colorWanted(options);
  for (const std::string& warning :
       options.verbosity > 1 ? diagnostics.warnings() : onceEach(diagnostics.warnings()))
    talk(fmt::format("{}warning:{} {}\n", color ? "\x1b[33m" : "", color ? "\x1b[0m" : "",
                     harmless(warning)));
  for (const std::string& note : diagnostics.notes()) say(options, note);
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
  if (json && isStandardOutput(output))
    throw UsageError("--json and -o - both want standard output: give -o FILE for the result");
}

void checkNotInputs(const std::vector<std::string>& written, const std::vector<std::string>& read) {
  using Identity = std::pair<dev_t, ino_t>;
  const auto identityOf = [](const std::string& path) -> std::optional<Identity> {
    struct stat info {};
    if (path == "-" || ::stat(path.c_str(), &info) != 0) return {};
    return Identity(info.st_dev, info.st_ino);
  };
  std::set<Identity> inputs;
  for (const std::string& path : read)
    if (const auto own = identityOf(path)) inputs.insert(*own);
  for (const std::string& path : written)
    if (const auto own = identityOf(path); own && inputs.contains(*own))
      throw UsageError(
          fmt::format("{}: this file is an input; choose another name for the output", path));
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

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string commandLine(int argc, const char* const* argv) {
  std::string line;
  for (int k = 0; k < argc; ++k) {
    const std::string word = k == 0 ? std::filesystem::path(argv[0]).filename().string() : argv[k];
    line += (k > 0 ? " " : "") + shellWord(word);
  }
  return line;
}

std::string shellWord(std::string_view text) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:,=+@%-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos)
    return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + '\'';
}

std::string shellFile(std::string_view path) {
  const bool isOption = path.size() > 1 && path.front() == '-';
  return shellWord(isOption ? "./" + std::string(path) : std::string(path));
}

void checkFiles(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                const CommonOptions& common) {
  if (std::ranges::count(inputs, std::string("-")) > 1)
    throw UsageError("-: standard input can be read only once");
  std::vector<std::string> named;
  for (const std::string& file : outputs)
    if (!file.empty())
      named.push_back(
          isStandardOutput(file) ? "-" : std::filesystem::path(file).lexically_normal().string());
  std::sort(named.begin(), named.end());
  if (const auto twice = std::adjacent_find(named.begin(), named.end()); twice != named.end())
    throw UsageError(fmt::format("two results would go to {}; name another file for one",
                                 *twice == "-" ? "standard output" : shown(*twice)));
  checkNotInputs(named, inputs);
  for (const std::string& file : named) checkMayWrite(file, common.existing());
}

void warnOfDensity(double density, Diagnostics& diagnostics) {
  if (density >= 100.0 && density <= 25000.0) return;
  diagnostics.warn(
      fmt::format("--density {:g} is outside 100 to 25000, where solids are in kg/m3: water has "
                  "1000, rock 2700",
                  density));
}

std::function<std::string(const std::string&)> numberFrom(double least, double most) {
  return [least, most](const std::string& text) {
    const std::optional<double> x = parseNumber(text);
    if (x && *x >= least && *x <= most) return std::string();
    return fmt::format("expected a number from {:g} to {:g}, found '{}'", least, most, shown(text));
  };
}

std::string notEmpty(const std::string& text) {
  return text.empty() ? "expected a value, found ''" : "";
}

std::function<std::string(const std::string&)> positiveNumber() { return numberFrom(1e-50, 1e50); }

}  // namespace scree::tools
