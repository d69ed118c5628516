// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "write_pack.hpp"

#include "scree/sim/pack/settle.hpp"

#include <functional>
#include <string>
#include <vector>

namespace scree::tools {

/// A packing that is brought to rest and written, with its report.
struct PressRequest {
  sim::PressOptions press;
  PackOutput out;
  std::string remark;                        ///< a comment line of the result; empty: chosen
  std::function<void(JsonWriter&)> extra{};  ///< adds to the object of --json; may be empty
};
/// Refuses drives that the scene cannot have and outputs that cannot be written. Sets the drive of
/// `request.out`; texts that are there stay where `request.press` has none.
void checkPress(PressRequest& request, const sim::Conf& conf, std::span<const shape::Shape> shapes,
                const std::vector<std::string>& inputs, const char* verb,
                const CommonOptions& common);
/// Runs the packing until it is done and writes it, its shape-file, and the drives that hold it.
int pressAndWrite(sim::RunInput input, PressRequest& request, const char* verb,
                  const CommonOptions& common);

}  // namespace scree::tools
