// SPDX-License-Identifier: GPL-3.0-or-later
// Section 4: bonds.
#include "bond_scenes.hpp"
#include "table.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace scree;
using namespace scree::scenes;

namespace scree::verification {
namespace {

void strengths(Report& report) {
  const double kn = 1e6, kt = 5e6, fn0 = 2000, ft0 = 1500;
  const double step = 0.1 * 1e-5;  // displacement of one step
  for (const double power : {1.0, 2.0, 3.5}) {
    const Rupture r = pulledApart(gluedPair(kn, kt, fn0, ft0, power), Vec3::UnitX());
    const std::string say = fmt::format("traction, power {}: ", power);
    report.relative(say + "stiffness before rupture, 4 kn [N/m]", r.stiffness, 4 * kn, 1e-2);
    report.absolute(say + "breaks at fn0/kn [m]", r.at, fn0 / kn, 1.5 * step);
    report.absolute(say + "peak 4 fn0 [N]", r.peak, 4 * fn0, 1.5 * 4 * kn * step);
    report.count(say + "bonds broken at once", r.bonds, 4);
    report.count(say + "interfaces left", r.left, 0);
    report.relative(say + "energy of the broken bonds [J]", r.lost, 2 * fn0 * fn0 / kn,
                    2 * 1.5 * step * kn / fn0);
  }
  const Rupture r = pulledApart(gluedPair(kn, kt, fn0, ft0, 2), Vec3::UnitY());
  // Bonds that slip lengthen by s²/(2 × 0.2), so their normal force takes a share of the strength.
  report.absolute("shear: breaks at ft0/kt [m]", r.at, ft0 / kt, 1.5 * step);
  report.absolute("shear: peak 4 ft0 [N]", r.peak, 4 * ft0, 1.5 * 4 * kt * step);
  report.count("shear: bonds broken at once", r.bonds, 4);
}

void fractureEnergy(Report& report) {
  const std::pair<double, double> published[] = {{5e-3, 2.236e-3}, {1e-2, 3.162e-3},
                                                 {2e-2, 4.472e-3}, {4e-2, 6.325e-3},
                                                 {8e-2, 8.944e-3}, {1e-1, 1.0e-2}};
  for (const auto& [gc, stretch] : published) {
    const std::string say = fmt::format("Gc = {:.0e}: ", gc);
    const Rupture right = pulledApart(cellPair(gc), Vec3::UnitX());
    report.relative(say + "stiffness before rupture, kn [N/m]", right.stiffness, 1e3, 1e-2);
    report.relative(say + "stretch at rupture 2√(A Gc/kn) [m]", right.at, 2 * std::sqrt(gc / 1e3),
                    1.5e-6 / stretch);
    report.relative(say + "energy of the broken bonds 2 A Gc [J]", right.lost, 2 * gc,
                    2 * 1.5e-6 / stretch);
    report.relative(say + "stretch with --compat rockable, published [m]",
                    pulledApart(cellPair(gc), Vec3::UnitX(), true).at, stretch,
                    5e-4 + 1.5e-6 / stretch);
  }
}

void cantilever(Report& report) {
  const Cantilever beam;
  struct Run {
    double dt, en2, damping;
  };
  for (const Run& run :
       {Run{2e-4, 0.1, 0.0}, Run{1e-4, 0.1, 0.0}, Run{2e-4, 0.0, 0.0}, Run{2e-4, 0.5, 0.1},
        Run{2e-4, 0.1, 0.03}, Run{2e-4, 0.1, 0.3}, Run{2e-4, 0.1, 0.5}}) {
    auto s = beam.scene(run.dt, run.en2, run.damping).start();
    while (s->time() < 14.0) s->step();
    const Quat& q = s->bodies().q[4];
    const std::string say =
        fmt::format("dt {:.0e}, en2 {}, damping {}: ", run.dt, run.en2, run.damping);
    report.relative(say + "tip [m]", -s->bodies().pos[4].y(), beam.tip(), 5e-3);
    report.relative(say + "slope", -2 * q.z() / q.w(), beam.slope(), 5e-3);
  }
}

void firstToFail(Report& report) {
  const Cantilever beam;
  auto s = beam.scene(2e-4, 0.0, 0.1).start();
  while (s->time() < 14.0) s->step();
  const double expected = beam.moment(1) / (4 * beam.c);
  double most = 0.0, height = 0.0;
  std::size_t interface = 0;
  for (std::size_t k = 0; k < s->bonds().interfaces.size(); ++k) {
    const sim::Interface& f = s->bonds().interfaces[k];
    s->bonds().forEachOf(f, [&](const sim::Bond& b) {
      if (-b.fn <= most) return;
      most = -b.fn;
      height = b.arm.y();
      interface = k;
    });
  }
  report.relative("largest pull on a bond, M1/(4c) [N]", most, expected, 5e-3);
  report.count("it stands in the interface (0: at the clamp)", interface, 0);
  report.absolute("and above the axis at [m]", height, beam.c, 5e-3);
  for (const auto& [share, breaks] : {std::pair(1.01, false), std::pair(0.99, true)}) {
    Scene scene = beam.scene(2e-4, 0.0, 0.1);
    scene.conf = s->conf();
    scene.conf.commands.clear();
    scene.conf.setLawParameter("fn0InnerBond", 0, 0, share * expected);
    auto loaded = scene.start();
    for (int k = 0; k < 100; ++k) loaded->step();
    report.count(fmt::format("strength {} of that: interfaces broken in 100 steps", share),
                 loaded->bonds().brokenInterfaces, breaks ? 1 : 0);
  }
}

void turning(Report& report) {
  for (const bool across : {true, false}) {
    const char* axis = across ? "across the row" : "along the row";
    const SpinningPair coarse = spinningPair(across, 2e-4), fine = spinningPair(across, 1e-4);
    report.atMost(fmt::format("spin {}: shear over the pull of one bond", axis), fine.worstShear,
                  1e-3);
    report.atMost(fmt::format("spin {}: moment over the pull of one bond [m]", axis),
                  fine.worstMoment, 1e-3);
    if (across)
      report.relative("spin across the row: pull m ω² L/2 [N]", fine.pull, fine.owed, 1e-3);
    report.atMost(
        fmt::format("spin {}: shear at dt over a quarter of that at 2 dt, beyond 1", axis),
        std::max(0.0, 4 * fine.worstShear - coarse.worstShear), 1e-4);
  }
  const auto coarse = turnedLoadedPair(500), fine = turnedLoadedPair(1000);
  report.atMost("loaded pair turned by 1 rad: ft of 50 N, off [N]", fine.first, 0.2);
  report.absolute("its order", std::log2(coarse.first / fine.first), 2.0, 0.1);
  report.atMost("loaded pair turned by 1 rad: mom of 3.7 N m, off [N m]", fine.second, 1e-6);
}

}  // namespace

std::vector<Problem> bondProblems() {
  return {
      {"4.1", "strength of an interface", "4 fn0 at fn0/kn, 4 ft0 at ft0/kt; one step of the pull",
       false, strengths},
      {"4.1", "energy of an interface",
       "Σ of the bonds' energy = 2 A Gc with the stiffnesses of the forces; published figures "
       "count "
       "the stiffness of all bonds in each, see laws/bcm.md",
       true, fractureEnergy},
      {"4.2", "bonded cantilever", "beam of springs; 0.5 %", true, cantilever},
      {"4.2", "first bond to fail", "outermost at the clamp, M1/(4c)", false, firstToFail},
      {"4.3", "objectivity of bonds", "a rigid turn loads nothing but by its own pull; order dt²",
       false, turning},
  };
}

}  // namespace scree::verification
