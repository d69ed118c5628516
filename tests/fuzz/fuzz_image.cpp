// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes are read as a labelled image or refused with an Error. Memory is bounded
// by what the format allows to be compressed. Small images become grains, whose shapes have
// volumes.
#include "bounds.hpp"
#include "read_image.hpp"

#include "scree/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace scree;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("fuzz", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  for (const bool raw : {false, true}) {
    std::optional<tools::RawForm> form;
    if (raw) form = tools::RawForm{{size / 12, 3, 2}, "uint16be"};
    try {
      Diagnostics diagnostics;
      scan::LabelVolume volume = tools::readLabels(path, Vec3::Ones(), form, diagnostics);
      if (volume.labels.size() != volume.size[0] * volume.size[1] * volume.size[2]) std::abort();
      if (volume.labels.size() > 2000) continue;
      scan::GrainOptions options;
      options.leastVoxels = 8;
      options.keepBorder = true;
      options.faces = 30;
      for (const scan::Grain& grain : scan::grainsOf(volume, options))
        if (grain.refusal.empty() && !(grain.volume > 0.0)) std::abort();
    } catch (const Error&) {
    }
  }
  return 0;
}
