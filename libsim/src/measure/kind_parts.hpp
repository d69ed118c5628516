// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that kinds share: options, splits, tensors, directions.
#pragma once

#include "scree/sim/measure/kinds.hpp"

#include <optional>

// g++ 12 sees strings that were never made in a list of variants, where a number is added (its bug
// 105562).
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
std::vector<Kind> stateKinds();
std::vector<Kind> tensorKinds();
std::vector<Kind> spaceKinds();
std::vector<Kind> fieldKinds();
std::vector<Kind> forceKinds();
std::vector<Kind> breakageKinds();
std::vector<Kind> rockfallKinds();

/// A series of records of one type.
template <class Record>
class SeriesOf : public Series {
 public:
  std::any measure(const Instant& instant) const final { return records(instant); }
  void take(const std::any& measured) final {
    for (const Record& r : std::any_cast<const std::vector<Record>&>(measured)) add(r);
  }

 protected:
  virtual std::vector<Record> records(const Instant& instant) const = 0;
  virtual void add(const Record& record) = 0;
};

/// The domain that --volume names: by default the first of cell, walls and hull.
class VolumeOption {
 public:
  explicit VolumeOption(const KindOptions& options);
  /// @throws ModelError for a file without the walls or the cell that are requested
  Domain of(const Instant& instant) const;
  bool isGiven() const { return volume_ > 0.0; }

 private:
  std::string text_;
  double volume_ = 0.0;  ///< [L³] that is given; 0: none
};

/// The parts of a table by `--each body|group|bin:AXIS,N`: the whole where it is not given.
class EachOption {
 public:
  explicit EachOption(const KindOptions& options);

  /// Columns that name a part, and then `more`: none, `id`, `group`, or `bin`, `low`, `high`.
  std::vector<Column> columns(std::string_view more) const;

  struct Part {
    Row name;             ///< cells of the columns that name it
    double volume = 0.0;  ///< [L³] of the body; of the whole for a group; of the slice for a bin
  };
  struct Parts {
    std::vector<Part> parts;
    std::vector<std::int64_t> of;  ///< part of each body; -1: none
  };
  /// @param even  bins have equal shares of the volume of the domain
  Parts split(const Instant& instant, const std::vector<char>& chosen, const Domain& domain,
              bool even) const;

 private:
  enum class By { whole, body, group, bin };
  By by_ = By::whole;
  int axis_ = 0;
  std::int64_t bins_ = 1;
};

/// Places of the option --region. @throws UsageError that names the option
Region regionOption(const std::string& text);

/// "xx:UNIT xy:UNIT ... zz:UNIT", for columnsFrom().
std::string tensorColumns(std::string_view unit);
void appendTensor(Row& row, const Mat3& tensor);
void appendNumbers(Row& row, std::initializer_list<double> numbers);

/// [L] diameter of the ball of this volume.
double ballDiameter(double volume);

/// The direction against gravity; z without gravity.
Vec3 upFrom(const Vec3& gravity);
/// The axes of a map: `up` against gravity, by the axis nearest to it (z without gravity). The
/// other two are across it, in the order x, y, z.
struct MapAxes {
  explicit MapAxes(const Vec3& gravity);
  int up = 2, u = 0, v = 1;
  double sign = 1.0;  ///< of the direction up along its axis
};

}  // namespace scree::sim
