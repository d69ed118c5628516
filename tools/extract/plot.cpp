// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot.hpp"

#include "read_table.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

struct KindPlot {
  std::string_view kind;
  PlotColumns show;
};

/// What is worth seeing of each kind; kinds without an entry show the columns after the first.
const std::vector<KindPlot>& kindPlots() {
  static const std::vector<KindPlot> plots{
      {"TrackBody", {"t", {"x", "y", "z"}, "id", "", "", false}},
      {"TrackRockfall", {"t", {"x", "y", "z"}, "id", "", "", false}},
      {"ClusterAABB",
       {"t", {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"}, "cluster", "", "", false}},
      {"dnStat", {"t", {"dnMin", "dnMeanOverlap"}, "", "", "", false}},
      {"DuoBalance", {"t", {"fn"}, "type", "", "", true}},
      {"bodies", {"x", {"z"}, "", "speed", "", true}},
      {"contacts", {"dn", {"fn"}, "kind", "", "", true}},
      {"energy",
       {"t",
        {"kinetic", "potential", "elastic.normal", "lost.friction", "lost.viscosity"},
        "",
        "",
        "",
        false}},
      {"balance", {"t", {"unbalanced", "rms"}, "", "", "", false}},
      {"coordination", {"t", {"Z", "Zpoints", "Zmechanical"}, "", "", "", false}},
      {"overlaps", {"t", {"relMean", "rel95", "relMax"}, "", "", "", false}},
      {"sliding", {"t", {"share", "mobilised"}, "", "", "", false}},
      {"stress", {"t", {"p", "q", "s1", "s2", "s3"}, "", "", "", false}},
      {"fabric", {"t", {"ac", "an", "at"}, "", "", "", false}},
      {"macro", {"t", {"sxx", "syy", "szz", "p", "q"}, "", "", "", false}},
      {"porosity", {"t", {"porosity"}, "", "", "", false}},
      {"profile", {"low", {"phi"}, "t", "", "", false}},
      {"gr", {"r", {"g"}, "t", "", "", false}},
      {"forces", {"x", {"pdf"}, "t", "", "", false}},
      {"walls", {"t", {"fn"}, "wall", "", "", false}},
      {"chains", {"bodies", {"force"}, "", "", "", true}},
      {"fragments", {"diameter", {"mass"}, "", "", "", true}},
      {"sieve", {"size", {"passing"}, "t", "", "", false}},
      {"damage", {"t", {"damage"}, "", "", "", false}},
      {"runout", {"reach", {"drop"}, "", "vMax", "", true}},
      {"impacts", {"t", {"vIn", "vOut"}, "", "", "", true}},
      {"reach", {"u", {"v"}, "", "frequency", "", true}},
      {"surface", {"distance", {"height"}, "t", "", "", false}},
      {"field", {"x", {"z"}, "", "phi", "", true}},
      {"exceedance", {"level", {"p"}, "", "", "error", false}},
      {"diff", {"body", {"difference"}, "", "", "", true}},
  };
  return plots;
}

/// Columns that name what a row belongs to.
bool namesSeries(const std::string& name) {
  static constexpr std::string_view names[] = {"id",   "cluster", "group", "wall", "bin",  "body",
                                               "type", "kind",    "part",  "run",  "shape"};
  return std::ranges::find(names, name) != std::end(names);
}

std::string withUnit(const sim::Column& c) {
  return c.unit.empty() || c.unit == "-" ? c.name : fmt::format("{} ({})", c.name, c.unit);
}

/// As text between double quotes of gnuplot.
std::string inQuotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

/// The finite values along an axis.
struct Range {
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

bool isInstalled(const std::string& program) {
  const char* path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "" : path;
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string file = folders.substr(at, end - at) + '/' + program;
    at = end + 1;
    if (::access(file.c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// Hands a script to gnuplot in a folder; what it complains about goes to standard error.
bool runGnuplot(const std::string& folder, const std::string& script) {
  std::string where = "'";
  for (const char c : folder) where += c == '\'' ? std::string("'\\''") : std::string(1, c);
  std::FILE* pipe = ::popen(fmt::format("cd {}' && exec gnuplot -", where).c_str(), "w");
  if (pipe == nullptr) return false;
  const bool written = std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
  const int status = ::pclose(pipe);
  return written && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

PlotColumns plotColumns(std::string_view kind, const std::vector<sim::Column>& columns,
                        bool chosen) {
  const auto there = [&](const std::string& name) {
    return std::ranges::find(columns, name, &sim::Column::name) != columns.end();
  };
  PlotColumns show;
  const auto entry = std::ranges::find(kindPlots(), kind, &KindPlot::kind);
  if (!chosen && entry != kindPlots().end()) {
    show = entry->show;
    std::erase_if(show.y, [&](const std::string& name) { return !there(name); });
    for (std::string* name : {&show.x, &show.by, &show.colour, &show.error})
      if (!there(*name)) name->clear();
    // Parts of the whole have a series each.
    for (const sim::Column& c : columns)
      if (show.by.empty() && !show.points && c.name != show.x && namesSeries(c.name))
        show.by = c.name;
    // The first column of an exceedance curve names it.
    if (kind == "exceedance" && columns.front().name != "level") show.by = columns.front().name;
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

Plot::Plot(std::string file, std::string_view kind, std::vector<sim::Column> columns, bool chosen,
           std::string command, Existing existing)
    : file_(std::move(file)),
      command_(std::move(command)),
      kind_(kind),
      columns_(std::move(columns)),
      show_(plotColumns(kind, columns_, chosen)),
      existing_(existing) {
  const fs::path path(file_);
  if (path.extension() != ".svg" && path.extension() != ".png")
    throw UsageError(
        fmt::format("--plot: expected a name that ends in .svg or .png, found '{}'", shown(file_)));
  scriptFile_ = fs::path(path).replace_extension(".gp").string();
  checkMayWrite(file_, existing_);
  checkMayWrite(scriptFile_, existing_);
}

std::string Plot::script(const std::string& output) const {
  const auto placeOf = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(columns_, name, &sim::Column::name) -
                                    columns_.begin());
  };
  const std::size_t x = placeOf(show_.x), by = placeOf(show_.by), colour = placeOf(show_.colour),
                    error = placeOf(show_.error);
  struct Series {
    std::string title, data;
  };
  std::vector<Series> series;
  std::map<std::string, std::size_t> seriesOf;  // by group and column
  Range xRange, yRange, colourRange;
  bool oneUnit = true;
  for (const std::string& name : show_.y)
    oneUnit &= columns_[placeOf(name)].unit == columns_[placeOf(show_.y.front())].unit;
  for (const sim::Row& row : rows_) {
    const std::string group = by < columns_.size() ? keyOf(row[by]) : "";
    for (const std::string& name : show_.y) {
      const double across = numberOf(row[x]), up = numberOf(row[placeOf(name)]);
      if (!std::isfinite(across) || !std::isfinite(up)) continue;  // gnuplot warns of such series
      xRange.add(across);
      yRange.add(up);
      if (colour < columns_.size()) colourRange.add(numberOf(row[colour]));
      const sim::Column& column = columns_[placeOf(name)];
      std::string key = group;
      key += '\n';
      key += name;
      const auto [place, isNew] = seriesOf.emplace(std::move(key), series.size());
      if (isNew) {
        std::string title = oneUnit ? name : withUnit(column);
        if (!group.empty()) {
          const std::string part = fmt::format("{} {}", show_.by, group);
          title = show_.y.size() > 1 ? fmt::format("{}, {}", title, part) : part;
        }
        series.push_back({title, ""});
      }
      std::string& data = series[place->second].data;
      data += fmt::format("{} {}", across, up);
      if (colour < columns_.size()) data += fmt::format(" {}", numberOf(row[colour]));
      if (error < columns_.size()) data += fmt::format(" {}", numberOf(row[error]));
      data += '\n';
    }
  }
  const bool svg = fs::path(file_).extension() == ".svg";
  std::string text = fmt::format(
      "# {}\n# To draw {} again: gnuplot {}\nset terminal {} size 800,560 {}noenhanced\n"
      "set output {}\nset datafile missing \"nan\"\nset grid\n",
      command_, fs::path(file_).filename().string(), fs::path(scriptFile_).filename().string(),
      svg ? "svg" : "pngcairo", svg ? "background \"white\" " : "", inQuotes(output));
  if (kind_ != "join") text += fmt::format("set title {}\n", inQuotes(kind_));
  text += fmt::format("set xlabel {}\n", inQuotes(withUnit(columns_[x])));
  if (oneUnit) {
    sim::Column label = columns_[placeOf(show_.y.front())];
    if (show_.y.size() > 1) label.name = fmt::format("{}", fmt::join(show_.y, ", "));
    text += fmt::format("set ylabel {}\n", inQuotes(withUnit(label)));
  }
  if (colour < columns_.size())
    text += fmt::format("set cblabel {}\n", inQuotes(withUnit(columns_[colour])));
  if (series.size() < 2 || series.size() > 24)
    text += "unset key\n";
  else
    text += "set key outside right\n";
  text += xRange.text("x") + yRange.text("y");
  if (colour < columns_.size()) text += colourRange.text("cb");
  for (std::size_t k = 0; k < series.size(); ++k)
    text += fmt::format("$series{} << END\n{}END\n", k, series[k].data);
  const bool coloured = colour < columns_.size(), bars = error < columns_.size();
  const bool dense = rows_.size() > 60 * series.size();
  const std::string style = coloured       ? "using 1:2:3 with points pointtype 7 palette"
                            : bars         ? "using 1:2:3 with yerrorlines"
                            : show_.points ? "using 1:2 with points pointtype 7"
                            : dense        ? "using 1:2 with lines"
                                           : "using 1:2 with linespoints pointsize 0.4";
  if (xRange.isEmpty() || yRange.isEmpty()) {
    text += "plot -10 notitle  # there are no numbers to show\n";
  } else {
    text += "plot";
    for (std::size_t k = 0; k < series.size(); ++k)
      text += fmt::format("{} $series{} {} title {}", k == 0 ? "" : ", \\\n    ", k, style,
                          inQuotes(series[k].title));
    text += '\n';
  }
  return text + "unset output\n";
}

void Plot::finish() const {
  const fs::path path(file_);
  writeFile(scriptFile_, script(path.filename().string()), existing_);
  if (!isInstalled("gnuplot"))
    throw UsageError(
        fmt::format("--plot: gnuplot is not installed (Debian: gnuplot-nox); the script {} holds "
                    "the data: install gnuplot and run it on the script",
                    scriptFile_));
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  const std::string part = fmt::format("{}.part{}", path.filename().string(), ::getpid());
  std::error_code code;
  if (!runGnuplot(folder, script(part)) || !fs::exists(fs::path(folder) / part, code)) {
    fs::remove(fs::path(folder) / part, code);
    throw ModelError(fmt::format("--plot: gnuplot cannot draw {}", scriptFile_));
  }
  fs::rename(fs::path(folder) / part, path, code);
  if (code) throw IoError(fmt::format("{}: {}", file_, code.message()));
}

}  // namespace scree::tools
