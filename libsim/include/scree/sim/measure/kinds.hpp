// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of tables that `extract` makes of conf-files; programs that link libsim call them too:
//
//     sim::Instant instant(conf, shapes);
//     const Table stress = sim::measured("stress", {{"each", "body"}}, {&instant});
//     stress.number(0, "p");
#pragma once

#include "scree/base/table.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/selection.hpp"

#include <any>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// The parts of a text between separators: one more than there are separators.
std::vector<std::string> partsOf(std::string_view text, char separator);

struct KindOption {
  enum class Type { flag, text, word, number, positive, whole, numbers };
  std::string_view name;
  std::string_view value;  ///< name of the value in the help, "N"; for words all choices, "a|b"
  std::string_view help;
  Type type = Type::text;
  std::string_view otherwise = {};  ///< default value; empty: none (a word has its first choice)
  double least = 0.0, most = 0.0;   ///< bounds of whole numbers
  bool isNeeded = false;
  std::string_view excludes = {};  ///< name of another option

  constexpr KindOption needed() const {
    KindOption copy = *this;
    copy.isNeeded = true;
    return copy;
  }
  constexpr KindOption without(std::string_view option) const {
    KindOption copy = *this;
    copy.excludes = option;
    return copy;
  }
};

/// Values of the options of a kind, checked by their types. UsageErrors name the option.
class KindOptions {
 public:
  /// @param given  texts by names of options
  KindOptions(std::span<const KindOption> options, const std::map<std::string, std::string>& given);

  bool has(std::string_view name) const { return of(name).isGiven; }
  const std::string& text(std::string_view name) const { return of(name).text; }
  /// 0 where none is given and the option has no default.
  double number(std::string_view name) const {
    return of(name).numbers.empty() ? 0.0 : of(name).numbers.front();
  }
  std::int64_t whole(std::string_view name) const {
    return static_cast<std::int64_t>(number(name));
  }
  const std::vector<double>& numbers(std::string_view name) const { return of(name).numbers; }
  const Selection& selection() const { return selection_; }  ///< of --select

  std::vector<std::string> columns;  ///< names to compute, if a kind can omit some; empty: all

 private:
  struct Value {
    std::string text;
    std::vector<double> numbers;
    bool isGiven = false;
  };
  const Value& of(std::string_view name) const;

  std::map<std::string, Value, std::less<>> values_;
  Selection selection_;
};

/// One record of a body: a row of TrackBody.
struct TrackRow {
  double t = 0.0;                               ///< [T]
  Vec3 pos = Vec3::Zero(), vel = Vec3::Zero();  ///< [L], [L/T] of the centre of mass
  Vec3 spin = Vec3::Zero();                     ///< [1/T] global axes
  Vec3 force = Vec3::Zero();                    ///< [F] as in the file, with or without the weight
};
/// The records of one body, as TrackBody and Rockable write them.
struct Track {
  std::vector<TrackRow> rows;
  std::int64_t id = -1;  ///< number of the body; -1: not known
  bool left = false;     ///< the body left the ground after the last row
};
/// Reads a track: 20 numbers a line without names (t, x v Q w, force, moment), or a table with the
/// columns of TrackBody, whose `id` names the body. @throws IoError; ParseError for other lines
Track readTrack(const std::string& path);

/// Measures a series of files in their order. Keeps only what later rows need, so that memory does
/// not grow with the number of files.
class Series {
 public:
  virtual ~Series() = default;
  /// Measures one instant. Several threads call it at once.
  virtual std::any measure(const Instant& instant) const = 0;
  /// Measures the body of a track. @throws UsageError for kinds that take no tracks
  virtual std::any measure(const Track& track) const;
  /// Takes what measure() gave, in the order of the series. @returns the rows that are complete
  virtual std::vector<Row> take(std::any& measured) = 0;
  /// The rows that need the whole series.
  virtual std::vector<Row> finish() { return {}; }
  /// A sentence about what the series cannot tell; empty: none.
  virtual std::string note() const { return {}; }
  /// Begins another run, with other bodies.
  virtual void nextRun() {}
};

/// The columns of a table that a picture shows.
struct PlotColumns {
  std::string x = {};
  std::vector<std::string> y = {};
  std::string by = {};  ///< a series for each of its values; empty: one series for each of y
  bool points = false;  ///< points, not lines
};

/// Parts of a file that a kind needs beside its bodies. Without contacts a file is read faster;
/// shapes are read in any case where round walls or a body force make them necessary.
struct KindNeeds {
  bool shapes = true, contacts = true;
};

/// A row of the table of kinds: what is measured, with which options and columns, and how.
struct Kind {
  std::string_view name, help;
  std::vector<KindOption> options = {};
  std::string columns = {};  ///< names and units, as columnsFrom() takes them
  std::string (*columnsBy)(const KindOptions&) = nullptr;  ///< where they depend on options
  /// The rows of one instant; a value that does not exist is nan. Several threads call it at once.
  std::vector<Row> (*rows)(const Instant&, const KindOptions&) = nullptr;
  /// A kind whose rows follow from several files, in place of `rows`.
  std::shared_ptr<Series> (*series)(const KindOptions&) = nullptr;
  KindNeeds needs = {};  ///< without those of --select
  KindNeeds (*needsBy)(const KindOptions&) = nullptr;
  PlotColumns plot = {};  ///< without x: all other columns over the first
  /// Name of the extractor that records the kind during a run; empty: none. If it equals `name`,
  /// the line of the extractor gives values for `options`; else they have their defaults.
  std::string_view inRun = {};

  bool measures() const { return rows != nullptr || series != nullptr; }
  std::shared_ptr<Series> over(const KindOptions& o) const;
  std::span<const KindOption> recordedOptions() const {
    return inRun == name ? options : std::span<const KindOption>();
  }
  std::vector<Column> columnsFor(const KindOptions& o) const {
    return columnsFrom(columnsBy != nullptr ? columnsBy(o) : columns);
  }
  KindNeeds needsFor(const KindOptions& o) const {
    KindNeeds all = needsBy != nullptr ? needsBy(o) : needs;
    all.shapes = all.shapes || o.selection().needsShapes();
    return all;
  }
};

/// All kinds: those that a run records as well, then those of files alone. diff, join, quality,
/// exceedance and score read tables or compare files, and measure nothing.
const std::vector<Kind>& kinds();
/// @throws UsageError that names the kinds there are
const Kind& kindNamed(std::string_view name);

/// The table of a kind over a series.
Table measured(std::string_view kind, const std::map<std::string, std::string>& options,
               const std::vector<const Instant*>& series);

/// Heights of the upper surface of bodies on a raster across gravity, exact at the middle of each
/// cell. A height is the highest point of all spheres of vertices, cylinders of edges and offset
/// faces there. The axis nearest to gravity is up (else z), the others are u and v, in order.
struct TopSurface {
  struct Cell {
    double u, v;    ///< [L] middle
    double height;  ///< [L] along up
    BodyId body;    ///< the one that has this height
  };
  std::vector<Cell> cells;   ///< those with a body, by v, then u
  double lowest = notKnown;  ///< [L] along up, lowest point of all bodies
};
/// @param cell  [L] side of a cell; cells are numbered from the origin
/// @throws ModelError for a raster of more than 1e8 cells
/// O(cells below bodies * elements of a body)
TopSurface topSurface(const Instant& instant, const std::vector<char>& chosen, double cell);

}  // namespace scree::sim
