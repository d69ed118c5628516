// SPDX-License-Identifier: GPL-3.0-or-later
#include "sink.hpp"

#include "ascii_grid.hpp"
#include "read_table.hpp"

namespace scree::tools {

void TableSink::take(std::vector<sim::Row> rows) {
  for (sim::Row& row : rows) {
    row = shape_(std::move(row));
    if (plot_ && !table_->goesOn()) plot_->row(row);
  }
  table_->rowsOfFile(rows);
}

void TableSink::finish(Diagnostics& diagnostics) {
  table_->finish();
  if (!plot_) return;
  // Of a table that goes on, rows are in the file that this call has not measured.
  if (table_->goesOn()) {
    const ReadTable whole = readTable(table_->path());
    for (const sim::Row& row : whole.rows) plot_->row(row);
  }
  if (const std::string warning = plot_->finish(); !warning.empty()) diagnostics.warn(warning);
}

GridSink::GridSink(std::string path, std::size_t column, double cell, Existing existing)
    : path_(std::move(path)), column_(column), cell_(cell), existing_(existing) {
  checkMayWrite(path_, existing_);
}

void GridSink::take(std::vector<sim::Row> rows) {
  rows_.insert(rows_.end(), std::make_move_iterator(rows.begin()),
               std::make_move_iterator(rows.end()));
}

void GridSink::finish(Diagnostics&) {
  writeFile(path_, asciiGrid(rows_, column_, cell_), existing_);
}

}  // namespace scree::tools
