// SPDX-License-Identifier: GPL-3.0-or-later
// Section 5: lattices of packgen, and the contacts and stress of what stands in them.
#include "scenes.hpp"
#include "table.hpp"

#include "scree/sim/pack/lattice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

using namespace scree;
using namespace scree::scenes;

namespace scree::verification {
namespace {

constexpr double ballRadius = 0.1;

sim::LatticeResult latticeOf(sim::LatticeType type, double spacing) {
  sim::LatticeOptions options;
  options.type = type;
  options.cells = {3, 3, 3};
  options.spacing = spacing;
  return sim::lattice({ball("ball", ballRadius)}, options);
}

void solidFractions(Report& report) {
  const std::pair<const char*, double> kinds[] = {{"sc", pi / 6},
                                                  {"bcc", pi * std::sqrt(3.0) / 8},
                                                  {"fcc", pi / (3 * std::sqrt(2.0))},
                                                  {"hcp", pi / (3 * std::sqrt(2.0))}};
  for (const auto& [name, expected] : kinds) {
    const auto lattice = latticeOf(sim::latticeType(name), 2 * ballRadius);
    report.relative(fmt::format("{}: solid fraction", name), lattice.solidFraction, expected,
                    1e-12);
  }
}

/// Balls of a lattice in a periodic cell, each pressed by `overlap` against its neighbours.
void coordination(Report& report) {
  const double overlap = 1e-4, kn = 1e6, force = kn * overlap;
  const std::pair<const char*, double> kinds[] = {{"sc", 6}, {"bcc", 8}, {"fcc", 12}, {"hcp", 12}};
  for (const auto& [name, neighbours] : kinds) {
    const auto lattice = latticeOf(sim::latticeType(name), 2 * ballRadius - overlap);
    Scene scene;
    scene.conf.cell.used = true;
    scene.conf.cell.h = (3.0 * lattice.cell.size).asDiagonal();
    scene.conf.cell.kineticStress = false;
    for (const sim::PlacedBody& b : lattice.packing.bodies)
      scene.add(ball("ball", ballRadius), b.pos);
    scene.conf.setDensity(0, 2500);
    scene.law(0, 0, kn, 1.0, 0, 0);
    scene.conf.dt = 1e-9;
    auto s = scene.start();
    s->step();
    const auto contacts = s->interactions();
    const auto n = static_cast<double>(s->bodies().size());
    report.absolute(fmt::format("{}: contacts of a body", name),
                    2 * static_cast<double>(contacts.size()) / n, neighbours, 0.0);
    Mat3 fabric = Mat3::Zero();
    for (const auto& c : contacts) fabric += c.n * c.n.transpose();
    fabric /= static_cast<double>(contacts.size());
    report.atMost(fmt::format("{}: fabric, off I/3", name),
                  (fabric - Mat3::Identity() / 3).cwiseAbs().maxCoeff(), 1e-12);
    // Love-Weber: half the neighbours times force times distance over the volume of a body, a
    // third of it on each axis. Overlaps carry the rounding of places: 1e-16 × 0.6/1e-4.
    const double a = 2 * ballRadius - overlap, volume = scene.conf.cell.h.determinant() / n;
    const Mat3 expected = -neighbours / 6 * force * a / volume * Mat3::Identity();
    report.relative(fmt::format("{}: stress in the cell [Pa]", name), s->cellStress()(0, 0),
                    expected(0, 0), 1e-11);
    if (neighbours == 6)
      report.relative("sc: F/a² [Pa]", -s->cellStress()(1, 1), force / (a * a), 1e-11);
    report.atMost(fmt::format("{}: stress off that on each axis, of itself", name),
                  (s->cellStress() - expected).cwiseAbs().maxCoeff() / std::abs(expected(0, 0)),
                  1e-11);
  }
}

}  // namespace

std::vector<Problem> packingProblems() {
  return {
      {"5", "lattices (packgen)", "π/6, π√3/8, π/(3√2)", false, solidFractions},
      {"5", "lattices in a periodic cell",
       "6, 8, 12 neighbours; fabric I/3; Love-Weber, compression negative", false, coordination},
  };
}

}  // namespace scree::verification
