// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// A condition on bodies, as `--select` of the tools takes it: `group == 1 && z < 0.5`.
///
/// Names: id group cluster homothety x y z vx vy vz speed mass volume, and `driven`, which is true
/// or false. `shape == NAME` and `shape != NAME` compare names of shapes; a name that is no
/// identifier stands in quotes. Operators, weakest first: || && ! (or, and, not), the comparisons
/// == != < <= > >=, + -, * / %, sign; abs(a), sqrt(a), min(a, b), max(a, b); parentheses.
/// Units are those of the file. A comparison with nan is false, but != is true.
class Selection {
 public:
  Selection() = default;  ///< every body
  /// @throws UsageError with the column of what is wrong, what was expected and what was found
  explicit Selection(std::string_view expression);

  bool all() const noexcept { return code_.empty(); }
  /// Whether it asks for mass or volume, so that the shapes must be known.
  bool needsShapes() const noexcept { return needsShapes_; }

  /// One flag for each body of `conf`: 1 where the condition holds. O(bodies x length).
  /// @param shapes  as shapesOf(conf) gives them; may be empty unless needsShapes()
  std::vector<char> of(const Conf& conf, std::span<const shape::Shape> shapes = {}) const;

 private:
  friend class SelectionParser;
  enum class Op : std::uint8_t {
    number,
    id,
    group,
    cluster,
    homothety,
    x,
    y,
    z,
    vx,
    vy,
    vz,
    speed,
    mass,
    volume,
    driven,
    shapeIs,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    negate,
    absolute,
    root,
    least,
    most,
    equal,
    unequal,
    less,
    lessEqual,
    greater,
    greaterEqual,
    both,
    either,
    negation
  };
  struct Step {
    Op op = Op::number;
    double value = 0.0;    ///< of a number
    std::size_t name = 0;  ///< of a shape, in names_
  };
  std::vector<Step> code_;  ///< in postfix order
  std::vector<std::string> names_;
  std::size_t depth_ = 0;  ///< most values on the stack at a time
  bool needsShapes_ = false;
};

}  // namespace scree::sim
