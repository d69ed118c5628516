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

Vec3 direction(In& in, std::string_view what) {
  const Vec3 v = in.vec3(what);
  if (!(v.norm() > 0.0)) throw in.error(fmt::format("{}: expected a direction, found 0 0 0", what));
  return v;
}

void readBodyForce(In& in, Conf& c, D&) {
  const std::string name =
      choice(in, "BodyForce", {"AttractingPoint", "PreferredDirection", "ViscousFluid"});
  if (name == "AttractingPoint") {
    AttractingPoint f;
    f.point = in.vec3("AttractingPoint");
    f.acceleration = scalar(in, "AttractingPoint");
    c.bodyForce = f;
  } else if (name == "PreferredDirection") {
    PreferredDirection f;
    f.bodyAxis = direction(in, "PreferredDirection: axis of the body");
    f.axis = direction(in, "PreferredDirection: axis in space");
    f.maxMoment = scalar(in, "PreferredDirection");
    c.bodyForce = f;
  } else {
    c.bodyForce = ViscousFluid{notNegativeScalar(in, "ViscousFluid")};
  }
}

struct WriteBodyForce {
  Out& o;
  void operator()(const AttractingPoint& f) const {
    o.line("BodyForce", "AttractingPoint", f.point, f.acceleration);
  }
  void operator()(const PreferredDirection& f) const {
    o.line("BodyForce", "PreferredDirection", f.bodyAxis, f.axis, f.maxMoment);
  }
  void operator()(const ViscousFluid& f) const { o.line("BodyForce", "ViscousFluid", f.density); }
};

void readJoint(In& in, Conf& c, D&) {
  SpringJoint s;
  s.i = static_cast<std::uint32_t>(in.integer("initSpringJoint: first body", 0, UINT32_MAX - 1));
  s.onI = in.vec3("initSpringJoint");
  s.j = static_cast<std::uint32_t>(in.integer("initSpringJoint: second body", 0, UINT32_MAX - 1));
  s.onJ = in.vec3("initSpringJoint");
  s.stiffness = std::abs(scalar(in, "initSpringJoint"));
  if (s.i == s.j)
    throw in.error(fmt::format("initSpringJoint: expected two bodies, found {} twice", s.i));
  c.joints.push_back(s);
}

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
       "acceleration of gravity, on free bodies",
       [](In& in, Conf& c, D&) { c.gravity = in.vec3("gravity"); },
       [](Out& o, const Conf& c) { o.line("gravity", c.gravity); }},
      {"BodyForce",
       {},
       "name parameters",
       "",
       "",
       "a force on all free bodies: AttractingPoint x y z acceleration, PreferredDirection (axis "
       "of the body) (axis in space) largest_moment, or ViscousFluid density; the last one acts",
       readBodyForce,
       [](Out& o, const Conf& c) {
         if (c.bodyForce) std::visit(WriteBodyForce{o}, *c.bodyForce);
       }},
      {"numericalDampingCoeff",
       {},
       "c",
       "",
       "0",
       "damping in proportion to the unbalanced force, weight included (Cundall); no effect at "
       "rest",
       [](In& in, Conf& c, D&) {
         c.numericalDampingCoeff = notNegativeScalar(in, "numericalDampingCoeff");
       },
       [](Out& o, const Conf& c) { o.line("numericalDampingCoeff", c.numericalDampingCoeff); }},
      {"VelocityBarrier",
       {"velocityBarrier"},
       "v",
       "L/T",
       "0",
       "velocity B that components hardly exceed: acceleration a (1 - r)/(1 + r), r = (v/B)^e; 0: "
       "none",
       [](In& in, Conf& c, D&) { c.velocityBarrier = notNegativeScalar(in, "VelocityBarrier"); },
       [](Out& o, const Conf& c) { o.line("VelocityBarrier", c.velocityBarrier); }},
      {"AngularVelocityBarrier",
       {"angularVelocityBarrier"},
       "w",
       "1/T",
       "0",
       "the same for components of spin; 0: none",
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
       "a spring between points given in the frames of two bodies, initially unloaded",
       readJoint,
       [](Out& o, const Conf& c) {
         for (const SpringJoint& s : c.joints)
           o.line("initSpringJoint", s.i, s.onI, s.j, s.onJ, s.stiffness);
       }},
  };
}

}  // namespace scree::sim
