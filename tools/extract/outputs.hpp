// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "extract.hpp"
#include "sink.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// The format that `--format` and `--json` name, else `otherwise`.
/// @throws UsageError where they contradict
sim::TableFormat formatOf(const ExtractOptions& options, const CommonOptions& common,
                          sim::TableFormat otherwise);
sim::TableHeader headerOf(const TableShape& shape, const ExtractOptions& options);

/// A table at `path`, which may go on (`--append`, `--follow`).
std::unique_ptr<TableSink> tableIn(const std::string& path, sim::TableFormat format,
                                   TableShape shape, std::unique_ptr<Plot> plot,
                                   const ExtractOptions& options, const CommonOptions& common);

/// What a picture needs to know of a kind.
struct TableKind {
  std::string_view title;
  PlotColumns plot;
};
/// The table of `-o` for these columns, with the picture of `--plot`.
std::unique_ptr<TableSink> tableFor(const TableKind& kind, std::vector<sim::Column> columns,
                                    const ExtractOptions& options, const CommonOptions& common);

/// The files of `-o` and `--plot`, which must be no inputs.
std::vector<std::string> filesWritten(const ExtractOptions& options);

/// Where the rows of a kind go: a grid for `reach -o FILE.asc`, image data for
/// `field -o FILE.vti`, else a table.
std::unique_ptr<Sink> sinkFor(const KindEntry& entry, const Kind& kind,
                              const ExtractOptions& options, const CommonOptions& common);

}  // namespace scree::tools
