// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is read as a run.json or refused with an Error.
#include "bounds.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/run.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace scree;
  try {
    const fuzz::ReadingBounds bounds(size);
    sim::runRecord(std::string(reinterpret_cast<const char*>(data), size), "out/run.json");
  } catch (const Error&) {
  }
  return 0;
}
