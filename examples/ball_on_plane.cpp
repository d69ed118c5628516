// SPDX-License-Identifier: GPL-3.0-or-later
// A ball falls on a plane and comes to rest. Prints its height over time, and the last height with
// the one that theory gives: the radius, less the overlap m g / kn.
#include <cstdio>
#include <scree/shape/make.hpp>
#include <scree/sim/model_builder.hpp>

int main() {
  using namespace scree;
  const double radius = 0.05, kn = 1e5, thickness = 0.01;  // [m], [N/m], [m]

  shape::Shape ball = shape::makeSphere(2.0 * radius);
  ball.name = "ball";
  shape::Shape plane = shape::makeBox({2.0, thickness, 2.0}, 0.25 * thickness);
  plane.name = "plane";

  sim::ModelBuilder model;
  model.conf.dt = 1e-5;  // [s]
  model.density(0, 2600.0);
  model.law(0, 0, kn, 0.25, 0.8 * kn, 0.5);
  model.addDriven(plane, {0.0, -0.5 * thickness, 0.0});  // its upper side is at y = 0
  const sim::BodyId falling = model.add(ball, {0.0, 0.1, 0.0});

  const auto run = model.start();
  for (int k = 0; k <= 10; ++k) {
    std::printf("t = %.2f s   height %.6f m\n", run->time(), run->bodies().pos[falling].y());
    run->steps(10000);
  }
  run->steps(400000);
  const double weight = run->bodies().mass[falling] * 9.81;
  std::printf("at rest: height %.9f m, theory %.9f m; state %016llx\n",
              run->bodies().pos[falling].y(), radius - weight / kn,
              static_cast<unsigned long long>(run->stateHash()));
}
