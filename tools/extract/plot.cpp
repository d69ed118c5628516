// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of tables, drawn by gnuplot.
#include "extract.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
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

std::string withoutControls(std::string text) {
  std::ranges::replace_if(text, isControl, ' ');
  return text;
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

/// Path of the program gnuplot; empty where it is not installed. Only absolute folders of PATH
/// count, so that no program in the current folder runs.
std::string gnuplotProgram() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (folder.starts_with('/') && ::access((folder + "/gnuplot").c_str(), X_OK) == 0)
      return folder + "/gnuplot";
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

std::string scriptOf(const std::string& picture) {
  return fs::path(picture).replace_extension(".gp").string();
}

std::string withUnit(const Column& c) {
  return c.unit.empty() || c.unit == "-" ? c.name : fmt::format("{} ({})", c.name, c.unit);
}

/// The columns that a picture shows of a table.
/// @param chosen  by the user: the first is x, the others are y, and one that names series does so
sim::PlotColumns shownColumns(const TablePlan& plan, bool chosen) {
  const auto isMissing = [&](const std::string& name) {
    return std::ranges::find(plan.columns, name, &Column::name) == plan.columns.end();
  };
  sim::PlotColumns show = plan.show;
  if (!chosen) {
    std::erase_if(show.y, isMissing);
    for (std::string* name : {&show.x, &show.by})
      if (isMissing(*name)) name->clear();
    // Parts of the whole have a series each.
    for (const Column& c : plan.columns)
      if (show.by.empty() && !show.points && c.name != show.x && namesSeries(c.name))
        show.by = c.name;
    if (!show.x.empty() && !show.y.empty()) return show;
  }
  show = {};
  for (const Column& c : plan.columns) {
    if (show.by.empty() && namesSeries(c.name) && (!show.x.empty() || c.name == "run"))
      show.by = c.name;
    else if (show.x.empty())
      show.x = c.name;
    else if (show.y.size() < (chosen ? 100u : 4u))
      show.y.push_back(c.name);
  }
  if (show.x.empty()) show.x = show.by;
  if (show.y.empty()) show.y.push_back(show.x);
  return show;
}

struct Series {
  std::string title, data;
};

/// The lines of a picture, by group and column.
std::vector<Series> seriesOf(const TablePlan& plan, const std::vector<Row>& rows,
                             const sim::PlotColumns& show, bool oneUnit) {
  const Table names{"", plan.columns, {}};
  std::map<std::pair<std::string, std::string>, std::size_t> placeOf;
  std::vector<Series> series;
  for (const Row& row : rows) {
    const std::string group = show.by.empty() ? "" : keyOf(row[names.column(show.by)]);
    for (const std::string& name : show.y) {
      const std::size_t y = names.column(name);
      const double across = numberOf(row[names.column(show.x)]), value = numberOf(row[y]);
      if (!std::isfinite(across) || !std::isfinite(value)) continue;
      const auto [place, isNew] = placeOf.emplace(std::pair(group, name), series.size());
      if (isNew) {
        std::string title = oneUnit ? name : withUnit(plan.columns[y]);
        if (!group.empty()) {
          const std::string part = fmt::format("{} {}", show.by, group);
          title = show.y.size() > 1 ? fmt::format("{}, {}", title, part) : part;
        }
        series.push_back({title, ""});
      }
      series[place->second].data += fmt::format("{} {}\n", across, value);
    }
  }
  return series;
}

}  // namespace

std::vector<std::string> ExtractOptions::written() const {
  std::vector<std::string> files;
  if (!output.empty() && output != "-") files.push_back(output);
  if (!plot.empty()) files.insert(files.end(), {plot, scriptOf(plot)});
  return files;
}

void checkPlot(const TablePlan& plan, Existing existing) {
  const std::string ending = fs::path(plan.picture).extension().string();
  if (ending != ".svg" && ending != ".png")
    throw UsageError(fmt::format("--plot: expected a name that ends in .svg or .png, found '{}'",
                                 shown(plan.picture)));
  for (const std::string& file : {plan.picture, scriptOf(plan.picture)})
    checkMayWrite(file, existing);
}

std::string plotTable(const TablePlan& plan, const std::vector<Row>& rows,
                      const ExtractOptions& options, Existing existing) {
  const fs::path path(plan.picture);
  const std::string script = scriptOf(plan.picture);
  const sim::PlotColumns show = shownColumns(plan, !options.columns.empty());
  const Table names{"", plan.columns, {}};
  const auto columnOf = [&](const std::string& name) { return plan.columns[names.column(name)]; };
  Column up = columnOf(show.y.front());
  const bool oneUnit = std::ranges::all_of(
      show.y, [&](const std::string& name) { return columnOf(name).unit == up.unit; });
  const std::vector<Series> series = seriesOf(plan, rows, show, oneUnit);
  const bool svg = path.extension() == ".svg";
  // A backslash would make the next line a part of a comment, a | at the start a name a command.
  const std::string name = path.filename().string();
  std::string text = fmt::format(
      "# {} \n# To draw {} again: gnuplot {} \nif (!exists(\"picture\")) picture = {}\n"
      "set terminal {} size 800,560 {}noenhanced\nset output picture\nset grid\n",
      withoutControls(options.command), withoutControls(shellWord(name)),
      withoutControls(shellFile(fs::path(script).filename().string())), gnuplotString("./" + name),
      svg ? "svg" : "pngcairo", svg ? "background \"white\" " : "");
  const auto label = [&](const char* what, const std::string& words) {
    text += fmt::format("set {} {}\n", what, gnuplotString(withoutControls(words)));
  };
  if (!plan.title.empty()) label("title", plan.title);
  label("xlabel", withUnit(columnOf(show.x)));
  if (show.y.size() > 1) up.name = fmt::format("{}", fmt::join(show.y, ", "));
  if (oneUnit) label("ylabel", withUnit(up));
  text += series.size() < 2 || series.size() > 24 ? "unset key\n" : "set key outside right\n";
  for (std::size_t k = 0; k < series.size(); ++k)
    text += fmt::format("$series{} << END\n{}END\n", k, series[k].data);
  const char* style = show.points                        ? "points pointtype 7"
                      : rows.size() > 60 * series.size() ? "lines"
                                                         : "linespoints pointsize 0.4";
  text += series.empty() ? "plot -10 notitle  # there are no numbers to show" : "plot";
  for (std::size_t k = 0; k < series.size(); ++k)
    text += fmt::format("{} $series{} using 1:2 with {} title {}", k == 0 ? "" : ", \\\n    ", k,
                        style, gnuplotString(withoutControls(series[k].title)));
  writeFile(script, text + "\nunset output\n", existing);
  const std::string program = gnuplotProgram();
  if (program.empty())
    throw UsageError(fmt::format(
        "--plot: gnuplot is not installed (Debian: gnuplot-nox); it draws the script {}", script));
  // Drawn under another name, so that no half of a picture takes the place of an older one.
  const std::string drawn = fs::absolute(plan.picture + ".tmp").string();
  std::error_code failed;
  const bool ran = runGnuplot(program, fs::absolute(script).string(), drawn);
  if (ran) fs::rename(drawn, plan.picture, failed);
  if (!ran || failed) {
    fs::remove(drawn, failed);
    throw IoError(fmt::format("{}: gnuplot cannot draw it, see {}", plan.picture, script));
  }
  if (rows.empty() || !series.empty()) return {};
  return fmt::format(
      "--plot: {} is empty: the columns {} have no numbers; choose others with --columns",
      plan.picture, fmt::join(show.y, ","));
}

}  // namespace scree::tools
