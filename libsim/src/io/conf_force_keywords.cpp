// SPDX-License-Identifier: GPL-3.0-or-later
// Keywords of what acts on all bodies: gravity, body forces, damping, barriers, joints.
#include "conf_values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::sim {
namespace {

using In = TextReader;
using Out = TextWriter;
using D = Diagnostics;

}  // namespace

std::vector<ConfKeyword> forceKeywords() {
  return {
      {"density",
       {},
       "group value",
       "M/L³",
       "0",
       "density of the bodies of a group",
       [](In& in, Conf& c, D& d) {
         const std::uint32_t g = group(in);
         const double value = in.positive("density"), first = c.densityOf(g);
         if (first > 0.0 && first != value)
           d.warn(in.error(
               fmt::format("density {}: given twice, first as {}; the last one counts", g, first)));
         c.setDensity(g, value);
       },
       [](Out& o, const Conf& c) {
         for (const GroupValue& d : c.density) o.line("density", d.group, d.value);
       }},
      {"gravity",
       {},
       "x y z",
       "L/T²",
       "0 -9.81 0",
       "acceleration of gravity, on bodies that are not driven",
       [](In& in, Conf& c, D&) { c.gravity = in.vec3("gravity"); },
       [](Out& o, const Conf& c) { o.line("gravity", c.gravity); }},
      {"BodyForce",
       {},
       "name parameters",
       "",
       "",
       "a force on all bodies that are not driven",
       keepLine<true>,
       nullptr},
      {"numericalDampingCoeff",
       {},
       "c",
       "",
       "0",
       "damping in proportion to force (Cundall)",
       [](In& in, Conf& c, D&) {
         c.numericalDampingCoeff = notNegativeScalar(in, "numericalDampingCoeff");
       },
       [](Out& o, const Conf& c) { o.line("numericalDampingCoeff", c.numericalDampingCoeff); }},
      {"VelocityBarrier",
       {"velocityBarrier"},
       "v",
       "L/T",
       "0",
       "velocity that bodies cannot pass; 0: none",
       [](In& in, Conf& c, D&) { c.velocityBarrier = notNegativeScalar(in, "VelocityBarrier"); },
       [](Out& o, const Conf& c) { o.line("VelocityBarrier", c.velocityBarrier); }},
      {"AngularVelocityBarrier",
       {"angularVelocityBarrier"},
       "w",
       "1/T",
       "0",
       "spin that bodies cannot pass; 0: none",
       [](In& in, Conf& c, D&) {
         c.angularVelocityBarrier = notNegativeScalar(in, "AngularVelocityBarrier");
       },
       [](Out& o, const Conf& c) { o.line("AngularVelocityBarrier", c.angularVelocityBarrier); }},
      {"VelocityBarrierExponent",
       {"velocityBarrierExponent"},
       "e",
       "",
       "1",
       "sharpness of VelocityBarrier",
       [](In& in, Conf& c, D&) {
         c.velocityBarrierExponent = scalar(in, "VelocityBarrierExponent");
       },
       [](Out& o, const Conf& c) { o.line("VelocityBarrierExponent", c.velocityBarrierExponent); }},
      {"AngularVelocityBarrierExponent",
       {"angularVelocityBarrierExponent"},
       "e",
       "",
       "1",
       "sharpness of AngularVelocityBarrier",
       [](In& in, Conf& c, D&) {
         c.angularVelocityBarrierExponent = scalar(in, "AngularVelocityBarrierExponent");
       },
       [](Out& o, const Conf& c) {
         o.line("AngularVelocityBarrierExponent", c.angularVelocityBarrierExponent);
       }},
      {"initSpringJoint",
       {},
       "i pos_i j pos_j K",
       "",
       "",
       "a spring between two points of two bodies",
       keepLine<true>,
       nullptr},
  };
}

}  // namespace scree::sim
