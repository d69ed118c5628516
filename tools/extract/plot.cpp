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
/// the settings of the user. @returns whether it ended with 0
bool runGnuplot(const std::string& program, const std::string& script, const std::string& picture) {
  std::string name = "gnuplot", settings = "--default-settings", option = "-e",
              variable = "picture = " + gnuplotString(picture), file = script;
  char* const words[] = {name.data(),     settings.data(), option.data(),
                         variable.data(), file.data(),     nullptr};
  pid_t child = 0;
  int status = 0;
  if (::posix_spawn(&child, program.c_str(), nullptr, nullptr, words, environ) != 0) return false;
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
sim::PlotColumns shownColumns(const sim::PlotColumns& wanted, const std::vector<Column>& columns,
                              bool chosen) {
  const auto isMissing = [&](const std::string& name) {
    return std::ranges::find(columns, name, &Column::name) == columns.end();
  };
  sim::PlotColumns show = wanted;
  if (!chosen) {
    std::erase_if(show.y, isMissing);
    std::erase_if(show.otherwise, isMissing);
    for (std::string* name : {&show.x, &show.xEnd, &show.by, &show.colour, &show.error})
      if (isMissing(*name)) name->clear();
    // Parts of the whole have a series each.
    for (const Column& c : columns)
      if (show.by.empty() && !show.points && c.name != show.x && namesSeries(c.name))
        show.by = c.name;
    if (!show.x.empty() && !show.y.empty()) return show;
  }
  show = {};
  for (const Column& c : columns) {
    if (show.x.empty())
      show.x = c.name;
    else if (show.by.empty() && namesSeries(c.name))
      show.by = c.name;
    else if (show.y.size() < (chosen ? 100u : 4u))
      show.y.push_back(c.name);
  }
  if (show.y.empty()) show.y.push_back(show.x);
  return show;
}

}  // namespace

/// The finite values along an axis.
struct Plot::Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool isEmpty() const { return !(low <= high); }
  /// The line of a script where gnuplot finds no range by itself: for one value, or none.
  std::string text(const char* axis) const {
    if (low < high) return {};
    const double middle = isEmpty() ? 0.0 : low, half = middle == 0.0 ? 1.0 : std::abs(middle);
    return fmt::format("set {}range [{}:{}]\n", axis, middle - half, middle + half);
  }
};

std::vector<std::string> plotFiles(const std::string& picture) {
  return {picture, fs::path(picture).replace_extension(".gp").string()};
}

Plot::Plot(PlotOptions options, std::vector<Column> columns)
    : options_(std::move(options)),
      columns_(std::move(columns)),
      show_(shownColumns(options_.show, columns_, options_.chosen)) {
  const std::string ending = fs::path(options_.file).extension().string();
  if (ending != ".svg" && ending != ".png")
    throw UsageError(fmt::format("--plot: expected a name that ends in .svg or .png, found '{}'",
                                 shown(options_.file)));
  for (const std::string& file : plotFiles(options_.file)) checkMayWrite(file, options_.existing);
}

std::size_t Plot::placeOf(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::find(columns_, name, &Column::name) -
                                  columns_.begin());
}

bool Plot::hasNumbers(const std::vector<std::string>& names) const {
  return std::ranges::any_of(names, [&](const std::string& name) {
    const std::size_t k = placeOf(name);
    return std::ranges::any_of(rows_,
                               [k](const Row& row) { return std::isfinite(numberOf(row[k])); });
  });
}

/// The series of a picture, and what is around them.
struct Plot::Drawing {
  struct Series {
    std::string title, data;
  };
  std::vector<std::string> y;
  std::vector<Series> series;
  Range xRange, yRange, colourRange;
  bool oneUnit = true;
};

Plot::Drawing Plot::drawing() const {
  const std::size_t x = placeOf(show_.x), xEnd = placeOf(show_.xEnd), by = placeOf(show_.by),
                    colour = placeOf(show_.colour), error = placeOf(show_.error);
  Drawing out;
  out.y = hasNumbers(show_.y) || !hasNumbers(show_.otherwise) ? show_.y : show_.otherwise;
  for (const std::string& name : out.y)
    out.oneUnit &= columns_[placeOf(name)].unit == columns_[placeOf(out.y.front())].unit;
  std::map<std::string, std::size_t> seriesOf;  // by group and column
  for (const Row& row : rows_) {
    const std::string group = by < columns_.size() ? keyOf(row[by]) : "";
    const double across =
        xEnd < columns_.size() ? 0.5 * (numberOf(row[x]) + numberOf(row[xEnd])) : numberOf(row[x]);
    for (const std::string& name : out.y) {
      const double up = numberOf(row[placeOf(name)]);
      if (!std::isfinite(across) || !std::isfinite(up)) continue;  // gnuplot warns of such series
      out.xRange.add(across);
      out.yRange.add(up);
      if (colour < columns_.size()) out.colourRange.add(numberOf(row[colour]));
      std::string key = group;
      key += '\n';
      key += name;
      const auto [place, isNew] = seriesOf.emplace(std::move(key), out.series.size());
      if (isNew) {
        std::string title = out.oneUnit ? name : withUnit(columns_[placeOf(name)]);
        if (!group.empty()) {
          const std::string part = fmt::format("{} {}", show_.by, group);
          title = out.y.size() > 1 ? fmt::format("{}, {}", title, part) : part;
        }
        out.series.push_back({title, ""});
      }
      std::string& data = out.series[place->second].data;
      data += fmt::format("{} {}", across, up);
      if (colour < columns_.size()) data += fmt::format(" {}", numberOf(row[colour]));
      if (error < columns_.size()) data += fmt::format(" {}", numberOf(row[error]));
      data += '\n';
    }
  }
  return out;
}

std::string Plot::script() const {
  const Drawing drawing = this->drawing();
  const auto& series = drawing.series;
  const std::size_t colour = placeOf(show_.colour), error = placeOf(show_.error);
  const fs::path path(options_.file);
  const bool svg = path.extension() == ".svg";
  std::string text = gnuplotComment(options_.command) + '\n' +
                     gnuplotComment(fmt::format(
                         "To draw {} again: gnuplot {}", shellWord(path.filename().string()),
                         shellFile(fs::path(path).replace_extension(".gp").filename().string()))) +
                     fmt::format(
                         "\nif (!exists(\"picture\")) picture = {}\n"
                         "set terminal {} size 800,560 {}noenhanced\nset output picture\n"
                         "set datafile missing \"nan\"\nset grid\n",
                         gnuplotFile(path.filename().string()), svg ? "svg" : "pngcairo",
                         svg ? "background \"white\" " : "");
  if (!options_.title.empty()) text += fmt::format("set title {}\n", gnuplotLabel(options_.title));
  Column across = columns_[placeOf(show_.x)];
  if (!show_.xEnd.empty()) across.name = fmt::format("middle of {} and {}", show_.x, show_.xEnd);
  text += fmt::format("set xlabel {}\n", gnuplotLabel(withUnit(across)));
  if (drawing.oneUnit) {
    Column label = columns_[placeOf(drawing.y.front())];
    if (drawing.y.size() > 1) label.name = fmt::format("{}", fmt::join(drawing.y, ", "));
    text += fmt::format("set ylabel {}\n", gnuplotLabel(withUnit(label)));
  }
  if (colour < columns_.size())
    text += fmt::format("set cblabel {}\n", gnuplotLabel(withUnit(columns_[colour])));
  if (series.size() < 2 || series.size() > 24)
    text += "unset key\n";
  else
    text += "set key outside right\n";
  text += drawing.xRange.text("x") + drawing.yRange.text("y");
  if (colour < columns_.size()) text += drawing.colourRange.text("cb");
  for (std::size_t k = 0; k < series.size(); ++k)
    text += fmt::format("$series{} << END\n{}END\n", k, series[k].data);
  const bool coloured = colour < columns_.size(), bars = error < columns_.size();
  const bool dense = rows_.size() > 60 * series.size();
  const std::string style = coloured       ? "using 1:2:3 with points pointtype 7 palette"
                            : bars         ? "using 1:2:3 with yerrorlines"
                            : show_.points ? "using 1:2 with points pointtype 7"
                            : dense        ? "using 1:2 with lines"
                                           : "using 1:2 with linespoints pointsize 0.4";
  if (series.empty()) {
    text += "plot -10 notitle  # there are no numbers to show\n";
  } else {
    text += "plot";
    for (std::size_t k = 0; k < series.size(); ++k)
      text += fmt::format("{} $series{} {} title {}", k == 0 ? "" : ", \\\n    ", k, style,
                          gnuplotLabel(series[k].title));
    text += '\n';
  }
  return text + "unset output\n";
}

std::string Plot::finish() const {
  const std::string scriptFile = plotFiles(options_.file).back();
  writeFile(scriptFile, script(), options_.existing);
  const std::string program = gnuplotProgram();
  if (program.empty())
    throw UsageError(
        fmt::format("--plot: gnuplot is not installed (Debian: gnuplot-nox); the script {} holds "
                    "the data: install gnuplot and run it on the script",
                    scriptFile));
  // Drawn under another name, so that no half of a picture takes the place of an older one.
  const std::string drawn =
      fs::absolute(fmt::format("{}.tmp-{}", options_.file, ::getpid())).string();
  std::error_code code;
  const bool ran = runGnuplot(program, fs::absolute(scriptFile).string(), drawn);
  const std::string picture = fs::exists(drawn, code) ? readFile(drawn) : std::string();
  fs::remove(drawn, code);
  if (!ran || !(picture.ends_with("</svg>\n\n") || picture.ends_with("</svg>\n") ||
                picture.ends_with("IEND\xae\x42\x60\x82")))
    throw IoError(fmt::format("{}: gnuplot cannot draw it, see {}", options_.file, scriptFile));
  writeFile(options_.file, picture, options_.existing);
  if (rows_.empty() || !drawing().series.empty()) return {};
  return fmt::format(
      "--plot: {} is empty: the columns {} have no numbers; choose others with --columns",
      options_.file, fmt::join(show_.y, ","));
}

}  // namespace scree::tools
