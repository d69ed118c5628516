// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kind.hpp"
#include "plot.hpp"
#include "table_file.hpp"
#include "table_shape.hpp"

#include "scree/base/error.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// Where the rows of a kind go: file by file, in the order of the series.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void take(std::vector<sim::Row> rows) = 0;
  virtual void flush() {}  ///< what has come so far may be read now
  /// Puts all in its place. What is odd about it becomes a warning.
  virtual void finish(Diagnostics& diagnostics) = 0;
  /// With `--append` and `--follow`: the time of the last row that the output had.
  virtual std::optional<double> lastTime() const { return {}; }
};

/// A table, and a picture of it where one is wanted.
class TableSink : public Sink {
 public:
  TableSink(TableShape shape, std::unique_ptr<TableFile> table, std::unique_ptr<Plot> plot)
      : shape_(std::move(shape)), table_(std::move(table)), plot_(std::move(plot)) {}
  void take(std::vector<sim::Row> rows) override;
  void flush() override { table_->flush(); }
  void finish(Diagnostics& diagnostics) override;
  std::optional<double> lastTime() const override { return table_->lastTime(); }

 private:
  TableShape shape_;
  std::unique_ptr<TableFile> table_;
  std::unique_ptr<Plot> plot_;
};

/// One column of `reach` as an ESRI ASCII grid.
class GridSink : public Sink {
 public:
  GridSink(std::string path, std::size_t column, double cell, Existing existing);
  void take(std::vector<sim::Row> rows) override;
  void finish(Diagnostics& diagnostics) override;

 private:
  std::string path_;
  std::size_t column_;
  double cell_;
  Existing existing_;
  std::vector<sim::Row> rows_;
};

}  // namespace scree::tools
