// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is read as a conf-file or refused with an Error. What was read comes back
// the same from its own text. It makes a simulation that steps, or is refused with an Error.
#include "bounds.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/simulation.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace scree;

/// Two shapes for whatever names the file uses: a ball and a tetrahedron.
std::vector<shape::Shape> shapesFor(const sim::Conf& conf) {
  shape::Shape ball, tetrahedron;
  ball.radius = tetrahedron.radius = 0.1;
  ball.volume = tetrahedron.volume = 0.004;
  ball.inertiaPerMass = tetrahedron.inertiaPerMass = Vec3::Constant(0.004);
  ball.vertices = {Vec3::Zero()};
  tetrahedron.vertices = {{0.1, 0.1, 0.1}, {0.1, -0.1, -0.1}, {-0.1, 0.1, -0.1}, {-0.1, -0.1, 0.1}};
  tetrahedron.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (const auto& f : {std::array{0u, 1u, 2u}, {0u, 1u, 3u}, {0u, 2u, 3u}, {1u, 2u, 3u}})
    tetrahedron.faces.add(f);
  std::vector<shape::Shape> shapes;
  for (std::size_t k = 0; k < conf.shapeNames.size(); ++k)
    shapes.push_back(k % 2 ? tetrahedron : ball);
  return shapes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sim::Conf conf;
  try {
    const fuzz::ReadingBounds bounds(size);
    TextReader in("fuzz", std::string(reinterpret_cast<const char*>(data), size));
    Diagnostics diagnostics;
    conf = sim::readConf(in, diagnostics);
  } catch (const Error&) {
    return 0;
  }
  const std::string once = sim::confText(conf);
  {
    TextReader again("again", once);
    Diagnostics diagnostics;
    if (sim::confText(sim::readConf(again, diagnostics)) != once) std::abort();
  }
  if (conf.particles.size() > 1000) return 0;
  try {
    Diagnostics diagnostics;
    sim::Simulation simulation(conf, shapesFor(conf), {}, 1, diagnostics);
    for (int k = 0; k < 3; ++k) simulation.step();
    static_cast<void>(simulation.stateHash());
  } catch (const Error&) {
  }
  return 0;
}
