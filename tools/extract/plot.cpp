// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot.hpp"

#include "run_tool.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

bool isControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

std::string withoutControls(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (isControl(c)) c = ' ';
  return out;
}

/// `text` as a string of a gnuplot script, with the same bytes.
///
/// gnuplot runs text between backticks inside double quotes, and expands `@NAME`. So these
/// characters, quotes, backslashes and control characters become octal escapes. Single quotes are
/// no way out: gnuplot 5.4 reads '''a' as two strings.
std::string gnuplotString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text)
    if (isControl(c) || std::string_view("\"\\`@").find(c) != std::string_view::npos)
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      out += c;
  return out + '"';
}

std::string gnuplotLabel(std::string_view text) { return gnuplotString(withoutControls(text)); }

std::string gnuplotComment(std::string_view text) {
  // A backslash at the end would make the next line a part of the comment.
  return "# " + withoutControls(text) + (text.ends_with('\\') ? " " : "");
}

/// The name of a file in the folder of a script, as a string. A name that begins with `|` would be
/// a command for gnuplot, so that such names begin with `./`.
std::string gnuplotFile(std::string_view name) {
  const char first = name.empty() ? '.' : name.front();
  const bool plain = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                     (first >= '0' && first <= '9');
  return gnuplotString(plain ? std::string(name) : "./" + std::string(name));
}

/// Path of the program gnuplot; empty where it is not installed. Only absolute folders of PATH
/// count, so that no program in the current folder runs.
std::string gnuplotProgram() {
  const char* path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "" : path;
  for (std::size_t at = 0; at < folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    std::string file = folders.substr(at, end - at) + "/gnuplot";
    at = end + 1;
    if (file.front() == '/' && file != "/gnuplot" && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

/// Runs gnuplot on a script, with `picture` for the name of its output, without a shell and without
/// the settings of the user; its warnings, such as of a single value along an axis, are not shown.
/// @returns whether it ended with 0
bool runGnuplot(const std::string& program, const std::string& script, const std::string& picture) {
  std::string name = "gnuplot", settings = "--default-settings", option = "-e",
              variable = "picture = " + gnuplotString(picture), file = script;
  char* const words[] = {name.data(),     settings.data(), option.data(),
                         variable.data(), file.data(),     nullptr};
  pid_t child = 0;
  int status = 0;
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int failed = ::posix_spawn(&child, program.c_str(), &files, nullptr, words, environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (failed != 0) return false;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Columns that name what a row belongs to.
bool namesSeries(const std::string& name) {
  static constexpr std::string_view names[] = {"id",   "cluster", "group", "wall", "bin",  "body",
                                               "type", "kind",    "part",  "run",  "shape"};
  return std::ranges::find(names, name) != std::end(names);
}

std::string withUnit(const Column& c) {
  return c.unit.empty() || c.unit == "-" ? c.name : fmt::format("{} ({})", c.name, c.unit);
}

/// The columns that a picture shows of a table.
sim::PlotColumns shownColumns(const PlotOptions& options, const std::vector<Column>& columns) {
  const auto isMissing = [&](const std::string& name) {
    return std::ranges::find(columns, name, &Column::name) == columns.end();
  };
  sim::PlotColumns show = options.show;
  if (!options.chosen) {
    std::erase_if(show.y, isMissing);
    for (std::string* name : {&show.x, &show.by})
      if (isMissing(*name)) name->clear();
    // Parts of the whole have a series each.
    for (const Column& c : columns)
      if (show.by.empty() && !show.points && c.name != show.x && namesSeries(c.name))
        show.by = c.name;
    if (!show.x.empty() && !show.y.empty()) return show;
  }
  show = {};
  for (const Column& c : columns) {
    if (show.by.empty() && namesSeries(c.name) && (!show.x.empty() || c.name == "run"))
      show.by = c.name;
    else if (show.x.empty())
      show.x = c.name;
    else if (show.y.size() < (options.chosen ? 100u : 4u))
      show.y.push_back(c.name);
  }
  if (show.x.empty()) show.x = show.by;
  if (show.y.empty()) show.y.push_back(show.x);
  return show;
}

struct Series {
  std::string title, data;
};

/// The script of a picture. `series` takes what it shows.
std::string scriptOf(const PlotOptions& options, const std::vector<Column>& columns,
                     const std::vector<Row>& rows, const sim::PlotColumns& show,
                     std::vector<Series>& series) {
  const auto placeOf = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(columns, name, &Column::name) -
                                    columns.begin());
  };
  const std::size_t x = placeOf(show.x), by = placeOf(show.by);
  Column up = columns[placeOf(show.y.front())];
  const bool oneUnit = std::ranges::all_of(
      show.y, [&](const std::string& name) { return columns[placeOf(name)].unit == up.unit; });
  std::map<std::pair<std::string, std::string>, std::size_t> seriesOf;  // by group and column
  for (const Row& row : rows) {
    const std::string group = by < columns.size() ? keyOf(row[by]) : "";
    for (const std::string& name : show.y) {
      const double across = numberOf(row[x]), value = numberOf(row[placeOf(name)]);
      if (!std::isfinite(across) || !std::isfinite(value)) continue;
      const auto [place, isNew] = seriesOf.emplace(std::pair(group, name), series.size());
      if (isNew) {
        std::string title = oneUnit ? name : withUnit(columns[placeOf(name)]);
        if (!group.empty()) {
          const std::string part = fmt::format("{} {}", show.by, group);
          title = show.y.size() > 1 ? fmt::format("{}, {}", title, part) : part;
        }
        series.push_back({title, ""});
      }
      series[place->second].data += fmt::format("{} {}\n", across, value);
    }
  }
  const fs::path path(options.file);
  const bool svg = path.extension() == ".svg";
  std::string text =
      gnuplotComment(options.command) + '\n' +
      gnuplotComment(fmt::format("To draw {} again: gnuplot {}",
                                 shellWord(path.filename().string()),
                                 shellFile(path.filename().replace_extension(".gp").string()))) +
      fmt::format(
          "\nif (!exists(\"picture\")) picture = {}\n"
          "set terminal {} size 800,560 {}noenhanced\nset output picture\nset grid\n",
          gnuplotFile(path.filename().string()), svg ? "svg" : "pngcairo",
          svg ? "background \"white\" " : "");
  if (!options.title.empty()) text += fmt::format("set title {}\n", gnuplotLabel(options.title));
  text += fmt::format("set xlabel {}\n", gnuplotLabel(withUnit(columns[x])));
  if (show.y.size() > 1) up.name = fmt::format("{}", fmt::join(show.y, ", "));
  if (oneUnit) text += fmt::format("set ylabel {}\n", gnuplotLabel(withUnit(up)));
  text += series.size() < 2 || series.size() > 24 ? "unset key\n" : "set key outside right\n";
  for (std::size_t k = 0; k < series.size(); ++k)
    text += fmt::format("$series{} << END\n{}END\n", k, series[k].data);
  const bool dense = rows.size() > 60 * series.size();
  const char* style = show.points ? "points pointtype 7"
                      : dense     ? "lines"
                                  : "linespoints pointsize 0.4";
  text += series.empty() ? "plot -10 notitle  # there are no numbers to show" : "plot";
  for (std::size_t k = 0; k < series.size(); ++k)
    text += fmt::format("{} $series{} using 1:2 with {} title {}", k == 0 ? "" : ", \\\n    ", k,
                        style, gnuplotLabel(series[k].title));
  return text + "\nunset output\n";
}

}  // namespace

std::vector<std::string> plotFiles(const std::string& picture) {
  return {picture, fs::path(picture).replace_extension(".gp").string()};
}

void checkPlot(const PlotOptions& options) {
  const std::string ending = fs::path(options.file).extension().string();
  if (ending != ".svg" && ending != ".png")
    throw UsageError(fmt::format("--plot: expected a name that ends in .svg or .png, found '{}'",
                                 shown(options.file)));
  for (const std::string& file : plotFiles(options.file)) checkMayWrite(file, options.existing);
}

std::string plotTable(const PlotOptions& options, const std::vector<Column>& columns,
                      const std::vector<Row>& rows) {
  const std::string scriptFile = plotFiles(options.file).back();
  const sim::PlotColumns show = shownColumns(options, columns);
  std::vector<Series> series;
  writeFile(scriptFile, scriptOf(options, columns, rows, show, series), options.existing);
  const std::string program = gnuplotProgram();
  if (program.empty())
    throw UsageError(
        fmt::format("--plot: gnuplot is not installed (Debian: gnuplot-nox); the script {} holds "
                    "the data: install gnuplot and run it on the script",
                    scriptFile));
  // Drawn under another name, so that no half of a picture takes the place of an older one.
  const std::string drawn =
      fs::absolute(fmt::format("{}.tmp-{}", options.file, ::getpid())).string();
  std::error_code code;
  const bool ran = runGnuplot(program, fs::absolute(scriptFile).string(), drawn);
  const std::string picture = fs::exists(drawn, code) ? readFile(drawn) : std::string();
  fs::remove(drawn, code);
  if (!ran || !(picture.ends_with("</svg>\n\n") || picture.ends_with("</svg>\n") ||
                picture.ends_with("IEND\xae\x42\x60\x82")))
    throw IoError(fmt::format("{}: gnuplot cannot draw it, see {}", options.file, scriptFile));
  writeFile(options.file, picture, options.existing);
  if (rows.empty() || !series.empty()) return {};
  return fmt::format(
      "--plot: {} is empty: the columns {} have no numbers; choose others with --columns",
      options.file, fmt::join(show.y, ","));
}

}  // namespace scree::tools
