// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/rng.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/clump/shape_pack.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace scree::testing {

/// A random pack as text: each type of shape, single or in clumps of up to four.
/// Coordinates are multiples of 2^-20 within +-reach, so that shifts by whole numbers are exact.
inline std::string randomPackText(Rng& rng, bool periodic, double reach = 8.0) {
  const auto whole = [&](double from, double to) {
    return static_cast<int>(std::floor(rng.uniform(from, to)));
  };
  const auto grid = [&](double from, double to) {
    return std::round(rng.uniform(from, to) * 0x1p20) * 0x1p-20;
  };
  const auto point = [&](double r) { return Vec3(grid(-r, r), grid(-r, r), grid(-r, r)); };
  const auto text = [](const Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); };
  std::string out;
  if (periodic) out += fmt::format("##PERIODIC:: {} {} 0\n", grid(3, 9), grid(3, 9));
  const int particles = whole(1, 6);
  for (int id = 0; id < particles; ++id) {
    const int members = rng.uniform() < 0.5 ? 1 : whole(2, 5);
    const Vec3 at = point(reach);
    for (int k = 0; k < members; ++k) {
      const Vec3 c = at + point(1.5);
      switch (whole(0, 7)) {
        case 0:
        case 1:
          out += fmt::format("{} Sphere {} {}\n", id, text(c), grid(0.2, 1));
          break;
        case 2: {
          const Vec3 half = point(1.0);
          out += fmt::format("{} Capsule {} {} {}\n", id, text(c), half.norm() + grid(0.1, 1),
                             text(half));
          break;
        }
        case 3: {
          const Vec3 axes(grid(0.2, 1), grid(0.2, 1), grid(0.2, 1));
          out += fmt::format("{} Ellipsoid {} {} {} {}\n", id, text(c), axes.maxCoeff(),
                             text(rng.uniform(0, 3) * rng.direction()), text(axes));
          break;
        }
        case 4:
        case 5: {
          out += fmt::format("{} {} {} 1 {} {} {} {}\n", id,
                             rng.uniform() < 0.5 ? "Facet" : "Membrane", text(c), text(c),
                             text(c + Vec3(grid(0.5, 1), 0, grid(-1, 1))),
                             text(c + Vec3(grid(-1, 0), grid(0.5, 1), 0)), grid(0.05, 0.3));
          break;
        }
        default:
          out += fmt::format("{} {} {} 1 {} {} {} {}\n", id, rng.uniform() < 0.5 ? "Tetra" : "Tet4",
                             text(c), text(c), text(c + Vec3(grid(0.5, 1), 0, grid(-1, 1))),
                             text(c + Vec3(grid(-1, 0), grid(0.5, 1), 0)),
                             text(c + Vec3(grid(-1, 1), grid(-1, 1), 2.5)));
      }
    }
  }
  return out;
}

/// @param warnings  gets those of the reader; may be null
inline clump::ShapePack packOf(const std::string& text,
                               std::vector<std::string>* warnings = nullptr,
                               clump::SharedNodes shared = clump::SharedNodes::particle) {
  TextReader in("pack.txt", text);
  Diagnostics diagnostics;
  clump::ShapePack pack = clump::readShapePack(in, diagnostics, shared);
  if (warnings) *warnings = diagnostics.warnings();
  return pack;
}

}  // namespace scree::testing
