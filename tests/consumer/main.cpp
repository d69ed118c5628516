// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <scree/mass/shape_mass.hpp>
#include <scree/sim/law/law_info.hpp>

int main() {
  scree::shape::Shape ball;
  ball.radius = 1.0;
  ball.vertices = {scree::Vec3::Zero()};
  scree::mass::survey(ball);
  std::printf("%zu laws, a ball of volume %.6f\n", scree::sim::allLaws().size(), ball.volume);
}
