// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of tables that `extract` makes of conf-files; programs that link libsim call them too:
//
//     sim::Instant instant(conf, shapes);
//     const Table stress = sim::measured("stress", {{"each", "body"}}, {&instant});
//     stress.number(0, "p");
#pragma once

#include "scree/base/table.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/selection.hpp"

#include <any>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// An option of a kind, and the values it takes.
struct KindOption {
  enum class Type { flag, text, word, number, positive, whole, numbers, list };
  std::string_view name;
  std::string_view value;  ///< what stands for its value, "N"; of words all there are, "a|b"
  std::string_view help;
  Type type = Type::text;
  std::string_view otherwise = {};  ///< value where none is given; empty: none
  double least = 0.0, most = 0.0;   ///< of whole numbers and lists of them
  bool isNeeded = false;
  std::string_view goesWith = {}, excludes = {};  ///< names of other options, parted by blanks

  constexpr KindOption needed() const {
    return changed([](KindOption& o) { o.isNeeded = true; });
  }
  constexpr KindOption with(std::string_view option) const {
    return changed([&](KindOption& o) { o.goesWith = option; });
  }
  constexpr KindOption without(std::string_view options) const {
    return changed([&](KindOption& o) { o.excludes = options; });
  }

 private:
  template <class F>
  constexpr KindOption changed(F&& change) const {
    KindOption copy = *this;
    change(copy);
    return copy;
  }
};

/// The values of the options of a kind, checked by their types. Complaints are UsageErrors that
/// name the option.
class KindOptions {
 public:
  /// @param given  texts by names of options
  KindOptions(std::span<const KindOption> options, const std::map<std::string, std::string>& given);

  /// Whether it was given.
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
  /// The option --select; see chosenBodies.
  Selection selection() const;

  std::vector<std::string> columns;  ///< those wanted, for kinds that compute no others; empty: all

 private:
  struct Value {
    std::string text;
    std::vector<double> numbers;
    bool isGiven = false;
  };
  const Value& of(std::string_view name) const;

  std::map<std::string, Value, std::less<>> values_;
};

/// One record of a body: a row of TrackBody.
struct TrackRow {
  double t = 0.0;
  Vec3 pos = Vec3::Zero(), vel = Vec3::Zero();
  Quat q = Quat::Identity();
  Vec3 spin = Vec3::Zero();   ///< [1/T] global axes
  Vec3 force = Vec3::Zero();  ///< [F] as the file has it: with or without the weight
};
/// The records of one body, as TrackBody and Rockable write them.
struct Track {
  std::string source;
  std::vector<TrackRow> rows;
  std::int64_t id = -1;  ///< number of the body; -1: not known
  bool left = false;     ///< the body left the ground after the last row
};
/// Reads a track: 20 numbers a line without names (t, x v Q w, force, moment), or a table with the
/// columns of TrackBody, of which a column `id` names the body. @throws IoError; ParseError for a
/// line that holds something else
Track readTrack(const std::string& path);

/// One table of a whole series, made file after file. It keeps what the table needs, so that its
/// memory does not grow with the number of files.
class Series {
 public:
  virtual ~Series() = default;
  /// Measures one instant. Several threads call it at once.
  virtual std::any measure(const Instant& instant) const = 0;
  /// Measures the body of a track. @throws UsageError for kinds that take no tracks
  virtual std::any measure(const Track& track) const;
  /// Takes what measure() gave, in the order of the series.
  virtual void take(const std::any& measured) = 0;
  virtual std::vector<Row> table() const = 0;
  /// A sentence about what the series cannot tell; empty: none.
  virtual std::string note() const { return {}; }
  /// Begins another run, whose bodies are others.
  virtual void nextRun() {}
};

/// A kind with its options: the columns of its table, and how rows are made.
struct Measure {
  std::vector<Column> columns;
  /// The rows of one instant. Several threads call it at once. Empty for a kind that needs the
  /// whole series.
  std::function<std::vector<Row>(const Instant&)> rows = {};
  std::shared_ptr<Series> series = {};  ///< for such a kind: takes one series
  /// Whether it needs the shapes that a file names. They are read in any case where round walls or
  /// a body force make them necessary.
  bool needsShapes = true;
  /// Whether it needs the contacts of a file. Else these are passed over, which is faster.
  bool needsContacts = true;
};

/// The columns of a table that a picture shows.
struct PlotColumns {
  std::string x = {};
  std::vector<std::string> y = {};
  std::string by = {};  ///< a series for each of its values; empty: one series for each of y
  bool points = false;  ///< points, not lines
};

/// An entry of the table of kinds.
struct Kind {
  std::string_view name, help;
  std::vector<KindOption> options;
  /// Null for kinds that read tables, or compare two files.
  std::function<Measure(const KindOptions&)> make;
  PlotColumns plot = {};  ///< without x, the columns after the first over the first
};

/// All kinds: those that a run records as well, then those of files alone.
const std::vector<Kind>& kinds();
/// @throws UsageError that names the kinds there are
const Kind& kindNamed(std::string_view name);

/// An extractor of a run as a measure of files.
Measure measureOf(const Extractor& extractor);

/// The table of a kind over a series.
Table measured(std::string_view kind, const std::map<std::string, std::string>& options,
               const std::vector<const Instant*>& series);

/// Flags of the bodies that count: free ones unless `driven`, and those that `selection` holds for.
std::vector<char> chosenBodies(const Instant& instant, const Selection& selection, bool driven);

/// Heights of the upper surface of bodies on a raster across gravity, exact at the middle of each
/// cell. A height is the highest point of all spheres of vertices, cylinders of edges and offset
/// faces there. The axis nearest to gravity is up (z without gravity), the other two are u and v,
/// in the order x, y, z.
struct TopSurface {
  struct Cell {
    double u, v;    ///< [L] middle
    double height;  ///< [L] along up
    BodyId body;    ///< that reaches up to it
  };
  std::vector<Cell> cells;   ///< those with a body, by v, then u
  double lowest = notKnown;  ///< [L] point of all bodies
};
/// @param cell  [L] side of a cell; cells are numbered from the origin
/// @throws ModelError for a raster of more than 1e8 cells
/// O(cells below bodies * elements of a body)
TopSurface topSurface(const Instant& instant, const std::vector<char>& chosen, double cell);

}  // namespace scree::sim
