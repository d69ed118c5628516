// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is read as a .pvd of ours or passed over; what was read comes back the same
// from its own text.
#include "bounds.hpp"
#include "vtk/collection.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace scree::tools::vtp;
  std::optional<Collection> collection;
  {
    const scree::fuzz::ReadingBounds bounds(size);
    collection = collectionFrom({reinterpret_cast<const char*>(data), size});
  }
  if (!collection) return 0;
  const std::string once = collectionText(*collection);
  const auto again = collectionFrom(once);
  if (!again || collectionText(*again) != once) std::abort();
  return 0;
}
