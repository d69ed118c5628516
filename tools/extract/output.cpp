// SPDX-License-Identifier: GPL-3.0-or-later
#include "output.hpp"

#include "plot.hpp"

#include "scree/base/files.hpp"
#include "scree/base/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// The rows of a kind as `--add`, `--columns` and `--digits` want them.
class TableShape {
 public:
  TableShape(std::vector<Column> columns, const ExtractOptions& options);

  const std::vector<Column>& columns() const { return columns_; }
  /// The columns that `--columns` names; they come first.
  std::vector<Column> named() const {
    return {columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(named_)};
  }
  /// A row of the table from one of the kind.
  Row operator()(Row row) const;

 private:
  void addColumn(const std::string& text);

  std::vector<Column> columns_;
  std::vector<Cell> added_;
  std::vector<std::size_t> order_;  ///< which cells, of the kind and then added; empty: all
  std::size_t named_ = 0;
  int digits_;
};

void TableShape::addColumn(const std::string& text) {
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto good = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  };
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (equals == std::string::npos || name.empty() || !std::ranges::all_of(name, good) ||
      std::ranges::any_of(text, control))
    throw UsageError(
        fmt::format("--add '{}': expected NAME=VALUE, NAME of letters, digits, '_' and "
                    "'.', VALUE without control characters",
                    shown(text)));
  if (std::ranges::find(columns_, name, &Column::name) != columns_.end())
    throw UsageError(fmt::format("--add {}: there is a column of this name already", name));
  const std::string value = text.substr(equals + 1);
  columns_.push_back({name, ""});
  const bool isName = value.size() > 1 && value[0] == '0' &&
                      value.find_first_not_of("0123456789") == value.npos;  // such as run 0007
  added_.push_back(isName ? Cell(value) : cellFrom(value));
}

TableShape::TableShape(std::vector<Column> columns, const ExtractOptions& options)
    : columns_(std::move(columns)), digits_(options.digits) {
  for (const std::string& text : options.add) addColumn(text);
  named_ = columns_.size();
  const std::string& wanted = options.columns;
  if (wanted.empty()) return;
  std::vector<std::string_view> names;
  for (const Column& c : columns_) names.push_back(c.name);
  for (std::size_t at = 0; at <= wanted.size();) {
    const std::size_t comma = std::min(wanted.find(',', at), wanted.size());
    const std::string name = wanted.substr(at, comma - at);
    at = comma + 1;
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      throw UsageError(fmt::format("--columns: there is no column '{}'{}; there are {}",
                                   shown(name), suggestion(name, names), fmt::join(names, ",")));
    const auto place = static_cast<std::size_t>(found - names.begin());
    if (std::ranges::find(order_, place) != order_.end())
      throw UsageError(fmt::format("--columns: '{}' is given twice", name));
    order_.push_back(place);
  }
  named_ = order_.size();
  // Columns of --add are wanted even where --columns does not name them.
  for (std::size_t k = columns_.size() - added_.size(); k < columns_.size(); ++k)
    if (std::ranges::find(order_, k) == order_.end()) order_.push_back(k);
  std::vector<Column> chosen;
  for (const std::size_t k : order_) chosen.push_back(columns_[k]);
  columns_ = std::move(chosen);
}

Row TableShape::operator()(Row row) const {
  row.insert(row.end(), added_.begin(), added_.end());
  if (!order_.empty()) {
    Row chosen;
    chosen.reserve(order_.size());
    for (const std::size_t k : order_) chosen.push_back(row[k]);
    row = std::move(chosen);
  }
  // A time keeps all digits: it tells the rows of one file from those of the next.
  for (std::size_t k = 0; digits_ > 0 && k < row.size(); ++k)
    if (auto* value = std::get_if<double>(&row[k]);
        value && std::isfinite(*value) && columns_[k].name != "t")
      *value = parseNumber(fmt::format("{:.{}e}", *value, digits_ - 1)).value_or(*value);
  return row;
}

/// A table to which `--append` and `--follow` add rows.
struct OldTable {
  std::string text;      ///< its whole lines up to the last time; empty where there is no table yet
  std::string lastRows;  ///< its lines of the last time, of which some may be missing
  std::optional<double> lastTime;  ///< none where there are no rows
};

/// Reads the table at `path`, whose first column is the time.
/// @param head  the lines above the rows of a new table, the last one with the names
/// @throws UsageError for a file that has other names; IoError
OldTable oldTable(const std::string& path, const std::string& head) {
  OldTable table;
  std::error_code code;
  if (!fs::exists(path, code)) return table;
  const std::string all = readFile(path);
  table.text = wholeLines(all);
  const std::string names = head.substr(head.rfind('\n', head.size() - 2) + 1);
  const std::size_t at = table.text.starts_with(names) ? 0 : table.text.find('\n' + names) + 1;
  if (at == 0 && !table.text.starts_with(names)) {
    // A program that was killed while it wrote the first lines left a part of them.
    if (!head.starts_with(all.substr(0, all.find('\n'))))
      throw UsageError(fmt::format("--append: {} is no table of extract with the columns {}", path,
                                   shown(names)));
    table.text.clear();
    return table;
  }
  // From the last row back to the first of the same time.
  const std::size_t begin = at + names.size();
  std::size_t from = table.text.size();
  while (from > begin) {
    const std::size_t line = table.text.rfind('\n', from - 2) + 1;
    const std::string cell =
        table.text.substr(line, table.text.find_first_of(",\t \n", line) - line);
    const auto time = parseNumber(cell);
    if (!time) throw UsageError(fmt::format("--append: {}: a row without a time", path));
    if (table.lastTime && *time != *table.lastTime) break;
    table.lastTime = time;
    from = line;
  }
  table.lastRows = table.text.substr(from);
  table.text.resize(from);
  return table;
}

bool isStandardOutput(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

/// A table as it goes to a file or to standard output, row by row, whatever its length. Beyond some
/// MB it is written to a temporary file beside the output, which takes the name at the end.
class TableOutput : public Output {
 public:
  TableOutput(const std::string& path, TableFormat format, TableShape shape,
              const ExtractOptions& options, const CommonOptions& common,
              std::optional<PlotOptions> plot)
      : path_(isStandardOutput(path) ? "-" : path),
        shape_(std::move(shape)),
        plot_(std::move(plot)),
        existing_(options.append ? Existing::replace : common.existing()),
        live_(options.follow),
        writer_(format, {programText(), options.command, shape_.columns()}) {
    if (!options.goesOn()) {
      checkMayWrite(path_, existing_);
      return;
    }
    const char* option = live_ ? "--follow" : "--append";
    if (format == TableFormat::json)
      throw UsageError(fmt::format("{}: a json table is one object and cannot grow", option));
    if (path_ == "-" && options.append)
      throw UsageError("--append needs -o FILE, the table to continue");
    if (live_ && namesCompressed(path_))
      throw UsageError(fmt::format(
          "--follow: {} would be compressed, and cannot grow; leave the ending .zst out", path_));
    if (isStream()) return;
    if (shape_.columns().front().name != "t" || format == TableFormat::jsonl)
      throw UsageError(fmt::format(
          "{}: expected a csv, tsv or txt table whose first column is t, by which it goes on",
          option));
    const std::string head = writer_.take();
    OldTable old = oldTable(path_, head);
    lastTime_ = old.lastTime;
    lastRows_ = std::move(old.lastRows);
    text_ = old.text.empty() && lastRows_.empty() ? head : std::move(old.text);
  }

  std::optional<double> lastTime() const override { return lastTime_; }

  void take(std::vector<Row> rows) override {
    for (Row& row : rows) row = shape_(std::move(row));
    if (rows.empty()) return;
    if (lastTime_) {
      const double time = tableTime(numberOf(rows.front().front()));
      if (!(time >= *lastTime_)) return;
      if (time > *lastTime_) text_ += lastRows_;
      lastRows_.clear();
    }
    for (const Row& row : rows) {
      if (plot_) drawn_.push_back(row);
      writer_.row(row);
      if (!live_ && writer_.size() >= (std::size_t{1} << (path_ == "-" ? 20 : 22))) spill();
    }
  }

  void flush() override {
    if (!lastRows_.empty()) return;  // the file has them
    text_ += writer_.take();
    if (path_ == "-" || !(isInPlace_ || isStream()))
      writeFile(path_, text_, Existing::replace);
    else if (!text_.empty())
      appendLines(path_, text_);
    isInPlace_ = true;
    text_.clear();
  }

  void finish(Diagnostics& diagnostics) override {
    writer_.finish();
    text_ += std::exchange(lastRows_, {});
    if (live_) {
      flush();
    } else {
      text_ += writer_.take();
      if (spilled_) {
        spilled_->append(text_);
        checkMayWrite(path_, existing_);
        spilled_->finish();
      } else {
        writeFile(path_, text_, existing_);
      }
    }
    if (!plot_) return;
    const std::string warning = plotTable(*plot_, shape_.named(), drawn_);
    if (!warning.empty()) diagnostics.warn(warning);
  }

 private:
  /// A pipe or a device, which has no rows.
  bool isStream() const {
    std::error_code code;
    return path_ == "-" || (fs::exists(path_, code) && !fs::is_regular_file(path_, code));
  }
  void spill() {
    text_ += writer_.take();
    if (path_ == "-") {
      writeFile("-", text_, Existing::replace);
    } else {
      // A pipe takes everything at once, and so does the compressor.
      if (namesCompressed(path_) || (!spilled_ && isStream())) return;
      if (!spilled_) spilled_.emplace(path_);
      spilled_->append(text_);
    }
    text_.clear();
  }

  std::string path_;
  TableShape shape_;
  std::optional<PlotOptions> plot_;
  std::vector<Row> drawn_;  ///< for the picture
  Existing existing_;
  bool live_;
  TableWriter writer_;
  std::string text_;                      ///< not yet written
  std::optional<PiecewiseFile> spilled_;  ///< the rows before, of a large table
  std::optional<double> lastTime_;
  std::string lastRows_;    ///< of the last time that the file had, until rows of it come
  bool isInPlace_ = false;  ///< of a live table: rows may be appended to the file
};

/// One column of `reach` as an ESRI ASCII grid: six lines of head, then the values row by row, the
/// row of the largest v first. Cells without a row hold -9999.
class GridOutput : public Output {
 public:
  GridOutput(std::string path, std::vector<Column> columns, const std::string& value, double cell,
             Existing existing)
      : path_(std::move(path)), cell_(cell), existing_(existing) {
    table_.columns = std::move(columns);
    if (!table_.has(value) || value == "u" || value == "v")
      throw UsageError(fmt::format(
          "--columns: expected one column of reach, such as frequency, for -o FILE.asc, found '{}'",
          shown(value)));
    value_ = table_.column(value);
    checkMayWrite(path_, existing_);
  }
  void take(std::vector<Row> rows) override {
    std::ranges::move(rows, std::back_inserter(table_.rows));
  }
  void finish(Diagnostics&) override { writeFile(path_, text(), existing_); }

 private:
  std::string text() const;

  std::string path_;
  Table table_;
  std::size_t value_ = 0;
  double cell_;
  Existing existing_;
};

std::string GridOutput::text() const {
  const std::size_t u = table_.column("u"), v = table_.column("v");
  struct Place {
    std::int64_t u, v;
  };
  std::vector<Place> places;
  for (const Row& row : table_.rows)
    places.push_back({static_cast<std::int64_t>(std::floor(numberOf(row[u]) / cell_)),
                      static_cast<std::int64_t>(std::floor(numberOf(row[v]) / cell_))});
  Place low{0, 0}, high{-1, -1};
  if (!places.empty()) {
    const auto [lowU, highU] = std::ranges::minmax(places, {}, &Place::u);
    const auto [lowV, highV] = std::ranges::minmax(places, {}, &Place::v);
    low = {lowU.u, lowV.v};
    high = {highU.u, highV.v};
  }
  const std::int64_t columns = high.u - low.u + 1, lines = high.v - low.v + 1;
  if (static_cast<double>(columns) * static_cast<double>(lines) > 1e8)
    throw ModelError(fmt::format(
        "reach: a raster of {} by {} cells is too large; use a larger --cell", columns, lines));
  constexpr double empty = -9999.0;
  std::vector<double> values(static_cast<std::size_t>(columns * lines), empty);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double number = numberOf(table_.rows[k][value_]);
    if (std::isnan(number)) continue;
    values[static_cast<std::size_t>((high.v - places[k].v) * columns + places[k].u - low.u)] =
        number;
  }
  std::string text = fmt::format(
      "ncols {}\nnrows {}\nxllcorner {}\nyllcorner {}\ncellsize {}\nNODATA_value -9999\n", columns,
      lines, static_cast<double>(low.u) * cell_, static_cast<double>(low.v) * cell_, cell_);
  for (std::size_t k = 0; k < values.size(); ++k) {
    text += fmt::format("{}", values[k]);
    text += (k + 1) % static_cast<std::size_t>(columns) == 0 ? '\n' : ' ';
  }
  return text;
}

/// The format that the name of a table says.
TableFormat formatOfName(const std::string& path) {
  const std::string ending = fs::path(std::string(withoutZst(path))).extension().string();
  for (const char* format : {"tsv", "txt", "json", "jsonl"})
    if (ending == fmt::format(".{}", format)) return tableFormat(format);
  return TableFormat::csv;
}

}  // namespace

TableFormat formatOf(const ExtractOptions& options, const CommonOptions& common,
                     TableFormat otherwise) {
  if (common.json && !options.format.empty() && options.format != "json")
    throw UsageError("--json and --format exclude each other");
  if (!options.format.empty()) return tableFormat(options.format);
  return common.json ? TableFormat::json : otherwise;
}

std::string programText() { return fmt::format("extract {} (Scree)", version()); }

std::unique_ptr<Output> tableAt(const std::string& path, TableFormat format,
                                std::vector<Column> columns, const ExtractOptions& options,
                                const CommonOptions& common) {
  return std::make_unique<TableOutput>(path, format, TableShape(std::move(columns), options),
                                       options, common, std::nullopt);
}

std::unique_ptr<Output> tableFor(std::string_view title, const sim::PlotColumns& show,
                                 std::vector<Column> columns, const ExtractOptions& options,
                                 const CommonOptions& common) {
  const auto format = formatOf(options, common, formatOfName(options.output));
  std::optional<PlotOptions> plot;
  if (!options.plot.empty()) {
    plot = PlotOptions{options.plot,    std::string(title), show, !options.columns.empty(),
                       options.command, common.existing()};
    checkPlot(*plot);
  }
  return std::make_unique<TableOutput>(options.output.empty() ? "-" : options.output, format,
                                       TableShape(std::move(columns), options), options, common,
                                       std::move(plot));
}

std::unique_ptr<Output> outputFor(const sim::Kind& kind, const sim::KindOptions& values,
                                  const std::vector<Column>& columns, const ExtractOptions& options,
                                  const CommonOptions& common) {
  if (kind.name != "reach" || !options.output.ends_with(".asc"))
    return tableFor(kind.name, kind.plot, columns, options, common);
  if (!options.plot.empty() || !options.add.empty() || !options.format.empty())
    throw UsageError("--plot, --add and --format go with a table, not with -o FILE.asc");
  return std::make_unique<GridOutput>(options.output, columns,
                                      options.columns.empty() ? "frequency" : options.columns,
                                      values.number("cell"), common.existing());
}

}  // namespace scree::tools
