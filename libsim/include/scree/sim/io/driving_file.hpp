// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/sim/model/drives.hpp"

namespace scree::sim {

/// A drivingSystem.txt (docs/formats/driving.md): lines `Control mode body value` and
/// `Servo name parameters`; several servos act at once.
/// @param nDriven  bodies that may be driven, @param nBodies  bodies there are
/// Unknown keywords warn; unknown modes and servos, bad values and bodies that are not driven are
/// refused with a ParseError.
Drives readDriving(TextReader& in, std::uint32_t nDriven, std::size_t nBodies,
                   Diagnostics& diagnostics);

struct ServoInfo {
  std::string_view name, arguments, help;
};
const std::vector<ServoInfo>& allServos();

}  // namespace scree::sim
