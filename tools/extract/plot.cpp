// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot.hpp"

#include "gnuplot.hpp"
#include "read_table.hpp"
#include "run_tool.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// Columns that name what a row belongs to.
bool namesSeries(const std::string& name) {
  static constexpr std::string_view names[] = {"id",   "cluster", "group", "wall", "bin",  "body",
                                               "type", "kind",    "part",  "run",  "shape"};
  return std::ranges::find(names, name) != std::end(names);
}

std::string withUnit(const sim::Column& c) {
  return c.unit.empty() || c.unit == "-" ? c.name : fmt::format("{} ({})", c.name, c.unit);
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

PlotColumns plotColumns(const PlotColumns& wanted, const std::vector<sim::Column>& columns,
                        bool chosen) {
  const auto isMissing = [&](const std::string& name) {
    return std::ranges::find(columns, name, &sim::Column::name) == columns.end();
  };
  PlotColumns show = wanted;
  if (!chosen) {
    std::erase_if(show.y, isMissing);
    std::erase_if(show.otherwise, isMissing);
    for (std::string* name : {&show.x, &show.xEnd, &show.by, &show.colour, &show.error})
      if (isMissing(*name)) name->clear();
    // Parts of the whole have a series each.
    for (const sim::Column& c : columns)
      if (show.by.empty() && !show.points && c.name != show.x && namesSeries(c.name))
        show.by = c.name;
    if (!show.x.empty() && !show.y.empty()) return show;
  }
  show = {};
  for (const sim::Column& c : columns) {
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

std::vector<std::string> Plot::filesOf(const std::string& picture) {
  return {picture, fs::path(picture).replace_extension(".gp").string()};
}

Plot::Plot(PlotOptions options, std::vector<sim::Column> columns)
    : options_(std::move(options)),
      columns_(std::move(columns)),
      show_(plotColumns(options_.show, columns_, options_.chosen)) {
  const std::string ending = fs::path(options_.file).extension().string();
  if (ending != ".svg" && ending != ".png")
    throw UsageError(fmt::format("--plot: expected a name that ends in .svg or .png, found '{}'",
                                 shown(options_.file)));
  for (const std::string& file : filesOf(options_.file)) checkMayWrite(file, options_.existing);
}

std::size_t Plot::placeOf(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::find(columns_, name, &sim::Column::name) -
                                  columns_.begin());
}

bool Plot::hasNumbers(const std::vector<std::string>& names) const {
  return std::ranges::any_of(names, [&](const std::string& name) {
    const std::size_t k = placeOf(name);
    return std::ranges::any_of(
        rows_, [k](const sim::Row& row) { return std::isfinite(numberOf(row[k])); });
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
  for (const sim::Row& row : rows_) {
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

std::string Plot::script(const std::string& output) const {
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
                         "\nset terminal {} size 800,560 {}noenhanced\n{}"
                         "set datafile missing \"nan\"\nset grid\n",
                         svg ? "svg" : "pngcairo", svg ? "background \"white\" " : "",
                         output.empty() ? "" : fmt::format("set output {}\n", gnuplotFile(output)));
  if (!options_.title.empty()) text += fmt::format("set title {}\n", gnuplotLabel(options_.title));
  sim::Column across = columns_[placeOf(show_.x)];
  if (!show_.xEnd.empty()) across.name = fmt::format("middle of {} and {}", show_.x, show_.xEnd);
  text += fmt::format("set xlabel {}\n", gnuplotLabel(withUnit(across)));
  if (drawing.oneUnit) {
    sim::Column label = columns_[placeOf(drawing.y.front())];
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
  const fs::path path(options_.file);
  const std::string scriptFile = filesOf(options_.file).back();
  writeFile(scriptFile, script(path.filename().string()), options_.existing);
  const std::string program = gnuplotProgram();
  if (program.empty())
    throw UsageError(
        fmt::format("--plot: gnuplot is not installed (Debian: gnuplot-nox); the script {} holds "
                    "the data: install gnuplot and run it on the script",
                    scriptFile));
  const std::optional<std::string> picture = drawnBy(program, script(""));
  if (!picture || picture->empty())
    throw ModelError(fmt::format("--plot: gnuplot cannot draw {}", scriptFile));
  writeFile(options_.file, *picture, options_.existing);
  if (rows_.empty() || !drawing().series.empty()) return {};
  return fmt::format(
      "--plot: {} is empty: the columns {} have no numbers; choose others with --columns",
      options_.file, fmt::join(show_.y, ","));
}

}  // namespace scree::tools
