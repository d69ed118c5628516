// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace scree::sim {

/// The next step after `step` at which an output of period `period` is due. That is the first step
/// within dt/2 of a multiple of the period, counted from the start of the run. With a period of one
/// step or less, each step. Takes the same time whatever the numbers.
std::uint64_t nextOutputStep(std::uint64_t step, double period, double dt);

}  // namespace scree::sim
