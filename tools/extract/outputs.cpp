// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs.hpp"

#include "image_data.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace scree::tools {

sim::TableFormat formatOf(const ExtractOptions& options, const CommonOptions& common,
                          sim::TableFormat otherwise) {
  if (common.json && !options.format.empty() && options.format != "json")
    throw UsageError("--json and --format exclude each other");
  if (!options.format.empty()) return sim::tableFormat(options.format);
  return common.json ? sim::TableFormat::json : otherwise;
}

namespace {

/// What the name of a table says.
sim::TableFormat formatOfName(const std::string& path) {
  const std::filesystem::path name(std::string(withoutZst(path)));
  const std::string ending = name.extension().string();
  for (const char* format : {"tsv", "txt", "json", "jsonl"})
    if (ending == fmt::format(".{}", format)) return sim::tableFormat(format);
  return sim::TableFormat::csv;
}

}  // namespace

sim::TableHeader headerOf(const TableShape& shape, const ExtractOptions& options) {
  return {fmt::format("extract {} (Scree)", version()), options.command, shape.columns()};
}

std::unique_ptr<TableSink> tableIn(const std::string& path, sim::TableFormat format,
                                   TableShape shape, std::unique_ptr<Plot> plot,
                                   const ExtractOptions& options, const CommonOptions& common) {
  auto table = std::make_unique<TableFile>(
      path, headerOf(shape, options),
      TableFile::Options{format, common.existing(), options.append, options.follow});
  if (table->wasCut())
    say(common, fmt::format("{}: its last line was cut short and is left out", path));
  return std::make_unique<TableSink>(std::move(shape), std::move(table), std::move(plot));
}

std::unique_ptr<TableSink> tableFor(const TableKind& kind, std::vector<sim::Column> columns,
                                    const ExtractOptions& options, const CommonOptions& common) {
  TableShape shape(std::move(columns), options.add, options.columns, options.digits);
  const auto format = formatOf(options, common, formatOfName(options.output));
  std::unique_ptr<Plot> plot;
  if (!options.plot.empty()) {
    if ((options.append || options.follow) && format == sim::TableFormat::jsonl)
      throw UsageError("--plot: the rows of a jsonl table that goes on cannot be drawn; csv can");
    plot = std::make_unique<Plot>(
        PlotOptions{options.plot, std::string(kind.title), kind.plot, !options.columns.empty(),
                    options.command, common.existing()},
        shape.named());
  }
  return tableIn(options.output.empty() ? "-" : options.output, format, std::move(shape),
                 std::move(plot), options, common);
}

std::vector<std::string> filesWritten(const ExtractOptions& options) {
  std::vector<std::string> files;
  if (!options.output.empty() && options.output != "-") files.push_back(options.output);
  if (!options.plot.empty())
    for (std::string& file : Plot::filesOf(options.plot)) files.push_back(std::move(file));
  return files;
}

std::unique_ptr<Sink> sinkFor(const KindEntry& entry, const Kind& kind,
                              const ExtractOptions& options, const CommonOptions& common) {
  const std::string ending = std::filesystem::path(options.output).extension().string();
  if (entry.name == "reach" && ending == ".asc") {
    if (!options.plot.empty() || !options.add.empty() || !options.format.empty())
      throw UsageError("--plot, --add and --format go with a table, not with a grid (-o FILE.asc)");
    const std::string wanted = options.columns.empty() ? "frequency" : options.columns;
    const auto columns = kind.columns();
    const auto found = std::ranges::find(columns, wanted, &sim::Column::name);
    if (found == columns.end() || found - columns.begin() < 2)
      throw UsageError(fmt::format(
          "--columns: expected one column of reach, such as frequency, for -o FILE.asc, found '{}'",
          shown(wanted)));
    return std::make_unique<GridSink>(
        options.output, static_cast<std::size_t>(found - columns.begin()),
        KindOptions(options.parameters).positive("cell", 1.0), common.existing());
  }
  if (entry.name == "field" && ending == ".vti") {
    if (!options.plot.empty() || !options.add.empty() || !options.format.empty() ||
        !options.columns.empty())
      throw UsageError(
          "--plot, --add, --format and --columns go with a table, not with -o FILE.vti");
    std::array<std::int64_t, 3> count{};
    const auto counts = KindOptions(options.parameters).numbers("grid", 3);
    for (std::size_t k = 0; k < 3; ++k) count[k] = static_cast<std::int64_t>(counts[k]);
    return std::make_unique<ImageSink>(options.output, count, common.existing());
  }
  return tableFor({entry.name, entry.plot}, kind.columns(), options, common);
}

}  // namespace scree::tools
