// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is read as a shape-file or refused with an Error; what was read comes back
// the same from its own text.
#include "bounds.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/shape_file.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace scree;
  std::vector<shape::Shape> shapes;
  try {
    const fuzz::ReadingBounds bounds(size);
    TextReader in("fuzz", std::string(reinterpret_cast<const char*>(data), size));
    Diagnostics diagnostics;
    shapes = shape::readShapes(in, diagnostics);
  } catch (const Error&) {
    return 0;
  }
  const std::string once = shape::shapesText(shapes);
  TextReader again("again", once);
  Diagnostics diagnostics;
  if (shape::shapesText(shape::readShapes(again, diagnostics)) != once) std::abort();
  return 0;
}
