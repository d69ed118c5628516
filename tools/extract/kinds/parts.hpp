// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kind.hpp"

#include "scree/sim/measure/stress.hpp"

#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// What `--volume V|hull|walls|cell` says divides; by default the first of cell, walls and hull
/// that there is.
class VolumeOption {
 public:
  explicit VolumeOption(const KindOptions& options);
  /// @throws ModelError for a file without walls around a space, or without a cell, where these are
  /// requested
  sim::Domain of(const sim::Instant& instant) const;

 private:
  enum class From { automatic, number, hull, walls, cell };
  From from_ = From::automatic;
  double volume_ = 0.0;
};
inline constexpr KindOption volumeOption{"volume", "V|hull|walls|cell",
                                         "what divides (default: cell, else walls, else hull)"};

/// How `--each body|group|bin:AXIS,N` splits a table: the whole where it is not given.
class EachOption {
 public:
  explicit EachOption(const KindOptions& options);

  /// Columns that name a part: none, `id`, `group`, or `bin` and the bounds `low`, `high` of it.
  std::vector<sim::Column> columns() const;

  struct Part {
    sim::Row name;        ///< cells of columns()
    double volume = 0.0;  ///< [L³] of the body; of the whole for a group; an equal share for a bin
  };
  struct Parts {
    std::vector<Part> parts;
    std::vector<std::int64_t> of;  ///< part of each body; -1: none
  };
  Parts split(const sim::Instant& instant, const std::vector<char>& chosen,
              const sim::Domain& domain) const;

 private:
  enum class By { whole, body, group, bin };
  By by_ = By::whole;
  int axis_ = 0;
  std::int64_t bins_ = 1;
};
inline constexpr KindOption eachOption{"each", "body|group|bin:AXIS,N",
                                       "a row for each of them instead of one for the whole"};

/// xx xy xz yx yy yz zx zy zz, and their cells.
std::vector<sim::Column> tensorColumns(const std::string& unit);
void appendTensor(sim::Row& row, const Mat3& tensor);

}  // namespace scree::tools
