// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is read as a table of spheres or refused. A refusal is an Error. Radii are
// positive and finite, and what was read comes back the same from a CSV table.
#include "bounds.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/clump/formats.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace scree;

std::string csvOf(const clump::ShapePack& pack) {
  std::string text = "id,x,y,z,r\n";
  for (const clump::PackParticle& particle : pack.particles)
    for (const clump::PackMember& m : particle.members) {
      if (!(m.radius > 0.0) || !std::isfinite(m.radius) || !m.centre.allFinite()) std::abort();
      text += std::to_string(particle.id);
      for (const double x : {m.centre.x(), m.centre.y(), m.centre.z(), m.radius})
        text += ',' + shortest(x);
      text += '\n';
    }
  return text;
}

template <class Read>
void tryReading(const std::string& text, Read&& read) {
  clump::ShapePack pack;
  try {
    const fuzz::ReadingBounds bounds(text.size());
    TextReader in("fuzz", text);
    pack = read(in);
  } catch (const Error&) {
    return;
  }
  if (pack.particles.empty() || text.size() > 100'000) return;
  const std::string once = csvOf(pack);
  TextReader in("again", once);
  Diagnostics quiet;
  if (csvOf(clump::readSphereTable(in, quiet)) != once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const bool apart : {false, true})
    tryReading(text, [apart](TextReader& in) {
      Diagnostics quiet;
      clump::isSphereTable(in);
      return clump::readSphereTable(in, quiet, apart);
    });
  return 0;
}
