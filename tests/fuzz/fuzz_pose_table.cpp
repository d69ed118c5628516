// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is read as a table of poses, with two shapes to choose from, or refused
// with an Error. What was read stands somewhere, and its boxes can be taken.
#include "bounds.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace scree;

std::vector<shape::Shape> library() {
  shape::Shape ball, rod;
  ball.name = "Ball";
  rod.name = "Rod";
  ball.radius = rod.radius = 0.1;
  ball.volume = rod.volume = 0.004;
  ball.inertiaPerMass = rod.inertiaPerMass = Vec3::Constant(0.004);
  ball.vertices = {Vec3::Zero()};
  rod.vertices = {{-0.2, 0, 0}, {0.2, 0, 0}};
  rod.edges = {{0, 1}};
  ball.preCompDone = rod.preCompDone = true;
  return {ball, rod};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    sim::PoseTable table;
    {
      const fuzz::ReadingBounds bounds(size);
      TextReader in("fuzz", std::string(reinterpret_cast<const char*>(data), size));
      Diagnostics diagnostics;
      table = sim::readPoseTable(std::move(in), library(), diagnostics);
    }
    for (const sim::PlacedBody& body : table.packing.bodies) {
      if (body.shape >= table.packing.shapes.size()) std::abort();
      if (!body.pos.allFinite() || !body.vel.allFinite() || !body.q.coeffs().allFinite())
        std::abort();
    }
    sim::boundingBox(table.packing);
  } catch (const Error&) {
  }
  return 0;
}
