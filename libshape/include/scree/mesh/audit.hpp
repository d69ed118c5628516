// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/shape.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::mesh {

enum class Severity { note, warning, error };

/// One thing that a shape states and that is not so, or that its skeleton lacks.
struct Finding {
  Severity severity = Severity::note;
  std::string_view what;                       ///< its name for scripts: "volume", "open", ...
  std::string message;                         ///< a sentence
  std::string_view where;                      ///< keyword of the file that states it
  std::optional<double> stated, truth, error;  ///< error: relative; of lengths in units of the size
  std::vector<std::uint32_t> elements;  ///< first vertices (nv), edges (ne) or faces (nf), from 0
  bool mendable = true;                 ///< whether `repaired` mends it
};

/// All that is wrong with one shape, topology first. O(n log n); exact numbers where the method of
/// mass::massReport is exact, and what is known of them elsewhere. Values of a shape with `ofBody`
/// are notes, and are not mended.
std::vector<Finding> audited(const shape::Shape& shape);

/// The shape with every mendable finding mended, name and order kept. A shape without one is
/// returned as it is, to the bit; what comes back has none, so repairing twice changes nothing.
shape::Shape repaired(const shape::Shape& shape);

}  // namespace scree::mesh
