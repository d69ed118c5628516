// SPDX-License-Identifier: GPL-3.0-or-later
#include "sink.hpp"

#include "ascii_grid.hpp"

namespace scree::tools {

void TableSink::take(std::vector<sim::Row> rows) {
  for (sim::Row& row : rows) {
    row = shape_(std::move(row));
    table_->row(row);
    if (plot_) plot_->row(row);
  }
}

void TableSink::finish() {
  table_->finish();
  if (plot_) plot_->finish();
}

GridSink::GridSink(std::string path, std::size_t column, double cell, Existing existing)
    : path_(std::move(path)), column_(column), cell_(cell), existing_(existing) {
  checkMayWrite(path_, existing_);
}

void GridSink::take(std::vector<sim::Row> rows) {
  rows_.insert(rows_.end(), std::make_move_iterator(rows.begin()),
               std::make_move_iterator(rows.end()));
}

void GridSink::finish() { writeFile(path_, asciiGrid(rows_, column_, cell_), existing_); }

}  // namespace scree::tools
