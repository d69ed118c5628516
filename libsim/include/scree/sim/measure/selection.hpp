// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/condition.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace scree::sim {

/// A condition on bodies, as `--select` of the tools takes it: `group == 1 && z < 0.5`.
///
/// A formula of scree/base/condition.hpp over numbers and text of a body, in units of the file.
/// - Numbers: id group cluster x y z vx vy vz wx wy wz speed mass volume homothety driven (1 or 0).
/// - Text: `shape`.
class Selection {
 public:
  Selection() = default;  ///< every body
  /// @throws UsageError with the column of what is wrong, what was expected and what was found
  explicit Selection(std::string_view expression);

  bool all() const noexcept { return !condition_; }
  /// Whether it uses mass or volume, so that the shapes must be known.
  bool needsShapes() const;

  /// One flag for each body of `conf`: 1 where the condition holds. O(bodies x length).
  /// @param shapes  as shapesOf(conf) gives them; without them mass and volume are nan
  std::vector<char> of(const Conf& conf, std::span<const shape::Shape> shapes = {}) const;
  /// Value of the formula for each body of `conf`; 1 where there is none.
  std::vector<double> values(const Conf& conf, std::span<const shape::Shape> shapes = {}) const;

 private:
  std::optional<Condition> condition_;
};

}  // namespace scree::sim
