// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes are decompressed or refused with an Error, within bounds; any bytes come
// back the same from their compressed form.
#include "scree/base/compression.hpp"
#include "scree/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace scree;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr std::size_t most = std::size_t{1} << 22;
  try {
    if (decompressed(bytes, "fuzz", most).size() > most) std::abort();
  } catch (const Error&) {
  }
  if (decompressed(compressed(bytes), "fuzz") != bytes) std::abort();
  return 0;
}
