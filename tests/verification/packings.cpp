// SPDX-License-Identifier: GPL-3.0-or-later
// Section 5, packgen and extract: lattices, what stands in them, and how bodies are turned.
#include "scenes.hpp"
#include "table.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

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

/// How many bodies stand at d √1, d √2, d √3, d √4 from one, images counted.
void shells(Report& report) {
  const std::pair<const char*, std::array<std::size_t, 4>> kinds[] = {{"sc", {6, 12, 8, 6}},
                                                                      {"fcc", {12, 6, 24, 12}}};
  const double d = 2 * ballRadius;
  for (const auto& [name, expected] : kinds) {
    const auto lattice = latticeOf(sim::latticeType(name), d);
    const auto& bodies = lattice.packing.bodies;
    for (std::size_t shell = 0; shell < expected.size(); ++shell) {
      const double wanted = d * std::sqrt(static_cast<double>(shell + 1));
      std::size_t found = 0;
      for (const sim::PlacedBody& b : bodies)
        for (int m = 0; m < 27; ++m) {
          const Vec3 image = Vec3(m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1);
          const Vec3 apart = b.pos - bodies[0].pos + 3.0 * image.cwiseProduct(lattice.cell.size);
          found += std::abs(apart.norm() - wanted) < 1e-9;
        }
      report.count(fmt::format("{}: neighbours at d √{}", name, shell + 1), found, expected[shell]);
    }
  }
}

/// Stress of a ball between two plates, from its contacts: force times arm over its volume.
void squeezedBall(Report& report) {
  const double r = ballRadius, overlap = 1e-7, kn = 1e6, force = kn * overlap;
  Scene scene;
  scene.conf.nDriven = 2;
  for (const double side : {-1.0, 1.0})
    scene.add(plate("plate", 1, 0.05), Vec3(0, side * (r + 0.05 - overlap), 0));
  scene.add(ball("ball", r), Vec3::Zero(), 1);
  scene.conf.setDensity(1, 2500);
  scene.law(0, 1, kn, 1.0, 0, 0);
  const auto s = scene.start();
  const auto stress = [&](const Vec3& origin) {
    Mat3 sum = Mat3::Zero();
    for (const auto& c : s->interactions()) {
      const Vec3 onBall = (c.key.i == 2 ? 1.0 : -1.0) * (c.fn * c.n + c.ft);
      sum -= onBall * (c.pos - origin).transpose();
    }
    return Mat3(sum / (4.0 / 3.0 * pi * r * r * r));
  };
  const Mat3 sigma = stress(Vec3::Zero());
  const double expected = 3 * force / (2 * pi * r * r);
  report.count("contacts", s->interactions().size(), 2);
  // The points of contact stand half an overlap inside; overlaps carry 1e-16 of places.
  report.relative("along the axis: 3F/(2πR²), compression positive [Pa]", sigma(1, 1), expected,
                  overlap / r);
  report.atMost("across it, of that",
                (sigma - Mat3(Vec3(0, sigma(1, 1), 0).asDiagonal())).norm() / expected, 1e-12);
  report.atMost("about another origin, off by", (stress(Vec3(3, -2, 1)) - sigma).norm() / expected,
                1e-7);
}

void orientations(Report& report) {
  const int n = 20000;
  Rng rng(1);
  Mat3 mean = Mat3::Zero();
  std::vector<double> heights;
  for (int k = 0; k < n; ++k) {
    const Vec3 u = rotated(rng.orientation(), Vec3::UnitX());
    mean += u * u.transpose() / n;
    heights.push_back(u.z());
  }
  // Standard deviation of ⟨u_i u_j⟩: at most √(4/45/n).
  report.atMost("⟨u uᵀ⟩, off I/3", (mean - Mat3::Identity() / 3).cwiseAbs().maxCoeff(),
                4 * std::sqrt(4.0 / 45 / n));
  std::ranges::sort(heights);
  double distance = 0.0;
  for (int k = 0; k < n; ++k) {
    const double uniform = 0.5 * (heights[static_cast<std::size_t>(k)] + 1);
    distance = std::max({distance, std::abs(uniform - static_cast<double>(k) / n),
                         std::abs(uniform - static_cast<double>(k + 1) / n)});
  }
  report.atMost("Kolmogorov-Smirnov distance of cos θ times √n (1.63: p = 0.01)",
                distance * std::sqrt(n), 1.63);
}

}  // namespace

std::vector<Problem> packingProblems() {
  return {
      {"5", "lattices (packgen)", "π/6, π√3/8, π/(3√2)", false, solidFractions},
      {"5", "lattices in a periodic cell",
       "6, 8, 12 neighbours; fabric I/3; Love-Weber, compression negative", false, coordination},
      {"5", "neighbours in a lattice", "shells of the lattices at d √1 to d √4", false, shells},
      {"5", "stress of one ball", "Love-Weber, 3F/(2πR²)", false, squeezedBall},
      {"5", "random orientations", "moments and distribution of uniform rotations", false,
       orientations},
  };
}

}  // namespace scree::verification
