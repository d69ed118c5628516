// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/sim/measure/kinds.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// The options that all kinds share.
struct ExtractOptions {
  std::vector<std::string> inputs;  ///< conf-files or tables
  std::vector<std::string> add;     ///< NAME=VALUE
  std::string columns;              ///< names with commas; empty: all
  int digits = 0;                   ///< significant digits; 0: shortest exact text
  std::string output, format, script, postpro, plot;
  bool list = false, append = false, follow = false;
  bool oneSeries = false;  ///< files of several folders are one series
  std::string command;     ///< as typed, for the head of tables

  bool goesOn() const { return append || follow; }
  /// The files of `-o` and `--plot`, which must be no inputs.
  std::vector<std::string> written() const;
};

struct KindCall {
  const sim::Kind& kind;
  std::map<std::string, std::string> given;  ///< options by name

  sim::KindOptions options() const { return sim::KindOptions(kind.options, given); }
};

struct TablePlan {
  std::string path;  ///< "-": standard output
  TableFormat format = TableFormat::csv;
  std::vector<Column> columns;
  double gridCell = 0.0;     ///< [L] above 0: an ESRI ASCII grid of `reach`, with this side
  std::string picture = {};  ///< file of --plot; empty: none
  std::string title = {};
  sim::PlotColumns show = {};  ///< columns of the picture
};

/// A table as it goes to a file or to standard output, file by file in the order of the series,
/// whatever its length: beyond some MB it is written in parts.
class Output {
 public:
  /// @throws IoError where the file may not be written
  /// @throws UsageError for --columns and --add that do not fit, and for a table that is to go on,
  /// but has other columns, none that begins with t, or a format that does not go on
  Output(TablePlan plan, const ExtractOptions& options, const CommonOptions& common);

  /// With `--append` and `--follow`: the time of the last row that the output had.
  std::optional<double> lastTime() const { return lastTime_; }
  /// Takes the rows of one file. Of a table that goes on, those of times before its last row are
  /// left out, and those of its last time take the place of those it has.
  void take(std::vector<Row> rows);
  void flush();  ///< shows the rows so far, whole lines at once
  /// Puts all in its place. Odd results become warnings and notes.
  void finish(Diagnostics& diagnostics);

 private:
  void addColumn(const std::string& text);
  void chooseColumns(const std::string& names);
  void shape(Row& row) const;
  void readOldTable();
  bool isStream() const;
  void spill();

  TablePlan plan_;
  const ExtractOptions& options_;
  Existing existing_;
  std::vector<Cell> added_;
  std::vector<std::size_t> order_;  ///< cells by --columns, of the kind and then added; empty: all
  std::size_t named_ = 0;           ///< columns that a picture may show: without those of --add
  std::vector<char> known_;         ///< by column: whether a row has a value
  std::vector<Row> kept_;           ///< for a picture or a grid
  std::optional<TableWriter> writer_;
  std::string text_;                      ///< not yet written
  std::optional<PiecewiseFile> spilled_;  ///< has the text before it
  std::optional<double> lastTime_;
  std::string lastRows_;    ///< of the last time that the file had, until rows of it come
  bool isInPlace_ = false;  ///< of a live table: rows may be appended to the file
};

/// The table of `-o`, with the picture of `--plot`.
/// @param title  of the picture; empty: none
TablePlan planOf(const sim::Kind& kind, std::vector<Column> columns, const ExtractOptions& options,
                 const CommonOptions& common);

/// The format that `--format` and `--json` name, else `otherwise`.
/// @throws UsageError where they contradict
TableFormat formatOf(const ExtractOptions& options, const CommonOptions& common,
                     TableFormat otherwise);

/// Name and version of this program, for the head of tables.
std::string programText();

/// Checks the name of the picture of a plan. @throws UsageError for another ending; IoError where a
/// file exists and may not be replaced
void checkPlot(const TablePlan& plan, Existing existing);
/// Draws a table by gnuplot, from a script that stands beside the picture and holds the data.
/// Columns that are not in the table are left out; where nothing remains, the first column is x and
/// those after it are y. With --columns, the first column is x and the others are y.
/// @returns a warning where there are rows, but no number to show; else an empty text
/// @throws UsageError where gnuplot is not installed: the script is written even then
std::string plotTable(const TablePlan& plan, const std::vector<Row>& rows,
                      const ExtractOptions& options, Existing existing);

/// Names of runs by their first files: the first of these that tells them apart. Names of their
/// folders, names of the files where all stand in one folder, names of folders above, paths.
std::vector<std::string> runNames(const std::vector<std::string>& firstFiles);

// Each returns the exit code.

/// @throws UsageError where the conf-files that these words name now belong to several runs
void requireOneRun(const std::vector<std::string>& inputs, const char* option);
/// Measures conf-files, or tracks with `--track`.
int measureKind(const KindCall& call, const ExtractOptions& options, const CommonOptions& common);
/// `--script dataExtractors.txt CONF...`
int measureScript(const ExtractOptions& options, const CommonOptions& common);
/// A kind that reads tables or compares files. `diff A B` gives 3 where they differ, as `rockable
/// --replay`.
int runTables(const KindCall& call, const ExtractOptions& options, const CommonOptions& common);
/// `--postpro commands.txt CONF...`
int runPostpro(const ExtractOptions& options, const CommonOptions& common);

}  // namespace scree::tools
