// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "convert.hpp"

#include "scree/mass/unions.hpp"

#include <span>
#include <string>
#include <vector>

namespace scree::tools {

struct AggregateOptions {
  double density = 1.0;   ///< [M/L³] of each ball
  double strength = 0.0;  ///< [F/L²] of a bond over the section of a ball; 0: bonds do not break
  std::string name = "pack";
};

/// Equal balls as a conf-file, and the shape-file beside it. The balls are bodies of one cluster,
/// at rest, with an interface of one bond between each two that touch (law StickedLinks).
///
/// A bond is as stiff as a contact, along and, with ratio 0.8, across. A bond of strength S breaks
/// at the forces S π r² and the moment S π r³/4 of a beam of that section.
std::vector<ConvertedFile> aggregateConf(std::span<const mass::Ball> balls,
                                         const AggregateOptions& options, Diagnostics& diagnostics);

}  // namespace scree::tools
