// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/selection.hpp"
#include "scree/sim/measure/table.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

inline constexpr double notKnown = std::numeric_limits<double>::quiet_NaN();

/// An option of a kind, as the command line and `--list` show it.
struct KindOption {
  std::string_view name;
  std::string_view value;  ///< what stands for its value, "N"; empty for a flag
  std::string_view help;
  bool needed = false;
};

/// The options that a command line gives a kind. Complaints are UsageErrors that name the option.
class KindOptions {
 public:
  KindOptions() = default;
  explicit KindOptions(std::map<std::string, std::string> values) : values_(std::move(values)) {}

  bool has(const std::string& name) const { return values_.contains(name); }
  std::string text(const std::string& name, const std::string& otherwise) const;
  /// One of `words`, the first of them where the option is not given.
  std::string oneOf(const std::string& name, const std::vector<std::string_view>& words) const;
  double number(const std::string& name, double otherwise) const;
  double positive(const std::string& name, double otherwise) const;  ///< > 0
  std::vector<double> numbers(const std::string& name, std::size_t count) const;
  std::int64_t integer(const std::string& name, std::int64_t otherwise, std::int64_t least,
                       std::int64_t most) const;
  /// Whole numbers and ranges, `3,4,7-9`, in the order given, each once.
  std::vector<std::int64_t> list(const std::string& name, std::int64_t least,
                                 std::int64_t most) const;
  sim::Selection selection() const;  ///< of `--select`
  const std::map<std::string, std::string>& all() const { return values_; }

 private:
  std::map<std::string, std::string> values_;
};

/// Makes one table of the raw rows of a whole series, file after file. It keeps what the table
/// needs, not the rows, so that its memory does not grow with the number of files.
class Joiner {
 public:
  virtual ~Joiner() = default;
  /// @param raw  of the next file of the series
  virtual void take(const std::vector<sim::Row>& raw) = 0;
  virtual std::vector<sim::Row> table() const = 0;
};

/// What a table holds: its columns, and the rows that one conf-file gives.
///
/// Files are measured on several threads at once, so rows() changes nothing. A kind that needs the
/// whole series (a runout, a strain) returns raw rows, of whatever columns. Its Joiner makes the
/// table of them.
class Kind {
 public:
  virtual ~Kind() = default;
  virtual std::vector<sim::Column> columns() const = 0;
  virtual std::vector<sim::Row> rows(const sim::Instant& instant) const = 0;
  /// A new one for each series; null where the rows of each file are rows of the table. The kind
  /// must outlive it.
  virtual std::unique_ptr<Joiner> joiner() const { return nullptr; }
  /// Whether it needs the shapes that this file names. They are read in any case where round walls
  /// or a body force make them necessary.
  virtual bool needsShapes() const { return true; }
  /// Whether it needs the contacts of a file. Else these are passed over, which is faster.
  virtual bool needsContacts() const { return true; }
};

/// Which columns of a table a picture shows.
struct PlotColumns {
  std::string x = {};
  std::string xEnd = {};  ///< x is the middle between these two columns; empty: x itself
  std::vector<std::string> y = {};
  std::vector<std::string> otherwise = {};  ///< in place of y where these have no number
  std::string by = {};      ///< a series for each of its values; empty: one series for each of y
  std::string colour = {};  ///< a third quantity, as the colour of points; empty: none
  std::string error = {};   ///< standard error of y, as bars; empty: none
  bool points = false;      ///< points, not lines
};

/// An entry of the table of kinds.
struct KindEntry {
  std::string_view name, help;
  std::vector<KindOption> options;
  /// Null for kinds that read no series of conf-files, such as `diff`.
  std::unique_ptr<Kind> (*make)(const KindOptions&);
  PlotColumns plot = {};  ///< of `--plot`; without x, the columns after the first over the first
};

/// All kinds: those that a run records as well, then those of files alone.
const std::vector<KindEntry>& allKinds();

inline constexpr KindOption selectOption{"select", "EXPR",
                                         "Only bodies for which EXPR holds, e.g. 'z < 0.5'"};
inline constexpr KindOption drivenOption{"driven", "", "Include driven bodies"};

/// Which bodies count: free ones unless `driven`, and those that `selection` holds for.
std::vector<char> chosenBodies(const sim::Instant& instant, const sim::Selection& selection,
                               bool driven);

}  // namespace scree::tools
