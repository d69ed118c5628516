// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is read as a ShapePack or refused with an Error. What was read comes back
// the same from its own text, and its masses are computed or refused.
#include "bounds.hpp"

#include "scree/base/error.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/clump/shape_pack.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace scree;
  clump::ShapePack pack;
  try {
    const fuzz::ReadingBounds bounds(size);
    TextReader in("fuzz", std::string(reinterpret_cast<const char*>(data), size));
    Diagnostics diagnostics;
    pack = clump::readShapePack(in, diagnostics);
  } catch (const Error&) {
    return 0;
  }
  const std::string once = clump::shapePackText(pack);  // whatever was read can be written
  TextReader again("again", once);
  Diagnostics diagnostics;
  if (clump::shapePackText(clump::readShapePack(again, diagnostics)) != once) std::abort();
  if (size > 100'000) return 0;
  for (const clump::PackParticle& particle : pack.particles)
    for (const auto method :
         {clump::ClumpMassOptions::Method::exact, clump::ClumpMassOptions::Method::sum})
      try {
        clump::particleMass(particle, {.method = method});
      } catch (const Error&) {
      }
  return 0;
}
