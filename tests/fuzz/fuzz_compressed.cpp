// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes are decompressed or refused with an Error, within bounds; any bytes come
// back the same from their compressed form.
#include "bounds.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace scree;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr std::size_t most = std::size_t{1} << 22;
  // How much text is in it is known afterwards: the bound is for that much.
  std::size_t text = most;
  try {
    text = decompressed(bytes, "fuzz", most).size();
    if (text > most) std::abort();
  } catch (const Error&) {
  }
  try {
    const fuzz::ReadingBounds bounds(size + text);
    decompressed(bytes, "fuzz", most);
  } catch (const Error&) {
  }
  if (decompressed(compressed(bytes), "fuzz") != bytes) std::abort();
  return 0;
}
