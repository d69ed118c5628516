// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is read as drivingSystem.txt and as dataExtractors.txt, or refused with an
// Error.
#include "bounds.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/extractors.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace scree;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const fuzz::ReadingBounds bounds(size);
    TextReader in("fuzz", text);
    Diagnostics diagnostics;
    for (const sim::Control& c : sim::readDriving(in, 6, 8, diagnostics).controls)
      if (c.body >= 6) std::abort();
  } catch (const Error&) {
  }
  try {
    const fuzz::ReadingBounds bounds(size);
    TextReader in("fuzz", text);
    Diagnostics diagnostics;
    for (const sim::ScriptedExtractor& e : sim::readDataExtractors(in, diagnostics))
      if (e.period == 0) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
