// SPDX-License-Identifier: GPL-3.0-or-later
// Conf-files of a ball between two plates, as a run would write them.
#pragma once

#include "command.hpp"
#include "measured_models.hpp"

#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"

namespace scree::testing {

/// `run/conf<k>` at time t, where body 2 moves along x at k/3.
inline void writeSqueezed(const Folder& folder, int k, double t, double tmax) {
  scenes::Model m = scenes::squeezedBall(0.1, 50.0);
  m.conf.shapeFile = "shapes.shp";
  m.conf.t = t;
  m.conf.tmax = tmax;
  m.conf.iconf = k;
  m.conf.particles[2].vel.x() = k / 3.0;
  folder.write("run/shapes.shp", shape::shapesText(m.shapes));
  folder.write("run/conf" + std::to_string(k), sim::confText(m.conf));
}

}  // namespace scree::testing
