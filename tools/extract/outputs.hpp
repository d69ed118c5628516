// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "extract.hpp"
#include "sink.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace scree::tools {

/// The format that `--format` and `--json` name. @throws UsageError where they contradict
sim::TableFormat formatOf(const ExtractOptions& options, const CommonOptions& common);
sim::TableHeader headerOf(const TableShape& shape, const ExtractOptions& options);

/// The table of `-o` for these columns, with the picture of `--plot`.
std::unique_ptr<TableSink> tableFor(std::string_view kind, std::vector<sim::Column> columns,
                                    const ExtractOptions& options, const CommonOptions& common);

/// Where the rows of a kind go: a grid for `reach -o FILE.asc`, image data for
/// `field -o FILE.vti`, else a table.
std::unique_ptr<Sink> sinkFor(const KindEntry& entry, const Kind& kind,
                              const ExtractOptions& options, const CommonOptions& common);

}  // namespace scree::tools
