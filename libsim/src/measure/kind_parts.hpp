// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that kinds share: options, splits, tensors, directions.
#pragma once

#include "scree/sim/measure/kinds.hpp"

#include <span>
#include <string>
#include <type_traits>

// g++ 12 sees strings that were never made in a list of variants (its bug 105562).
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace scree::sim {

// Options by type.
constexpr KindOption flag(std::string_view name, std::string_view help) {
  return {name, {}, help, KindOption::Type::flag};
}
constexpr KindOption text(std::string_view name, std::string_view value, std::string_view help) {
  return {name, value, help};
}
/// One of several words; the first where none is given.
constexpr KindOption word(std::string_view name, std::string_view words, std::string_view help) {
  return {name, words, help, KindOption::Type::word};
}
constexpr KindOption whole(std::string_view name, std::string_view help, std::string_view otherwise,
                           double least, double most) {
  return {name, "N", help, KindOption::Type::whole, otherwise, least, most};
}
constexpr KindOption positive(std::string_view name, std::string_view value, std::string_view help,
                              std::string_view otherwise = {}) {
  return {name, value, help, KindOption::Type::positive, otherwise};
}
/// As many numbers as `value` has, any number of them where it ends in dots.
constexpr KindOption numbers(std::string_view name, std::string_view value, std::string_view help,
                             std::string_view otherwise = {}) {
  return {name, value, help, KindOption::Type::numbers, otherwise};
}
inline constexpr KindOption selectOption =
    text("select", "EXPR", "only bodies for which EXPR holds, e.g. 'z < 0.5'");
inline constexpr KindOption drivenOption = flag("driven", "include driven bodies");
inline constexpr KindOption volumeOption =
    text("volume", "V|hull|walls|cell", "what divides (default: cell, else walls, else hull)");
inline constexpr KindOption eachOption =
    text("each", "body|group|bin:AXIS,N", "a row for each of them instead of one for the whole");

// Kinds by the file they stand in.
std::vector<Kind> runKinds();
std::vector<Kind> stateKinds();
std::vector<Kind> tensorKinds();
std::vector<Kind> spaceKinds();
std::vector<Kind> fieldKinds();
std::vector<Kind> forceKinds();
std::vector<Kind> breakageKinds();
std::vector<Kind> rockfallKinds();

/// Flags of the bodies that count: free ones, with --driven all; of these what --select keeps.
std::vector<char> chosenBodies(const Instant& instant, const KindOptions& options);
std::vector<char> freeBodies(const Instant& instant);

/// Whether a link touches or is a bond, and one of its bodies is chosen.
bool actsOn(const Link& link, const std::vector<char>& chosen);

/// A series of records of one type, some for each file.
template <class Record>
class SeriesOf : public Series {
 public:
  using Series::measure;
  std::any measure(const Instant& instant) const final { return records(instant); }
  std::vector<Row> take(std::any& measured) final {
    std::vector<Row> rows;
    for (const Record& r : std::any_cast<std::vector<Record>&>(measured)) add(r, rows);
    return rows;
  }

 protected:
  virtual std::vector<Record> records(const Instant& instant) const = 0;
  /// @param rows  takes those that are complete
  virtual void add(const Record& record, std::vector<Row>& rows) = 0;
};
/// A series as the table of kinds names it.
template <class S>
std::shared_ptr<Series> seriesOf(const KindOptions& options) {
  return std::make_shared<S>(options);
}

/// The domain that --volume names: by default the first of cell, walls and hull.
/// @throws ModelError for a file without the walls or the cell that are requested
Domain domainOf(const Instant& instant, const KindOptions& options);

/// "xx:UNIT xy:UNIT ... zz:UNIT", for columnsFrom().
std::string tensorColumns(std::string_view unit);

/// Appends cells to a row: a number, a text, the components of a vector, of a quaternion (w first)
/// or of a tensor (row by row), or the cells of another row.
template <class T>
void put(Row& row, const T& x) {
  if constexpr (std::is_same_v<T, Row>) {
    row.insert(row.end(), x.begin(), x.end());
  } else if constexpr (std::is_same_v<T, Quat>) {
    row.emplace_back(x.w());
    put(row, Vec3(x.vec()));
  } else if constexpr (std::is_integral_v<T>) {
    row.emplace_back(static_cast<std::int64_t>(x));
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Cell>) {
    row.emplace_back(x);
  } else if constexpr (std::is_convertible_v<T, std::string_view>) {
    row.emplace_back(std::string(std::string_view(x)));
  } else {
    for (int r = 0; r < x.rows(); ++r)
      for (int c = 0; c < x.cols(); ++c) row.emplace_back(x(r, c));
  }
}
template <class... T>
Row rowOf(const T&... cells) {
  Row row;
  (put(row, cells), ...);
  return row;
}

/// [L] diameter of the ball of this volume.
double ballDiameter(double volume);
/// [L] mean of ballDiameter over the chosen bodies; nan without any.
double meanDiameter(const Instant& instant, const std::vector<char>& chosen);

/// The direction against gravity; z without gravity.
Vec3 upFrom(const Vec3& gravity);
/// The axes of a map: `up` against gravity, by the axis nearest to it (z without gravity). The
/// other two are across it, in the order x, y, z.
struct MapAxes {
  explicit MapAxes(const Vec3& gravity);
  int up = 2, u = 0, v = 1;
  double sign = 1.0;   ///< of the direction up along its axis
  double north = 1.0;  ///< of v on a map seen from above: -1 where y is up
};

/// [L] The highest y at which the y axis is within `reach` of a flat convex polygon, a segment or a
/// point; -infinity where it is nowhere, or not above `least`.
double topOver(std::span<const Vec3> p, double reach, double least);

}  // namespace scree::sim
