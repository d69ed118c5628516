// SPDX-License-Identifier: GPL-3.0-or-later
// The law and the boundaries of a file, and the forces of a step.
#include "engine/force_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace scree::sim {

ContactPower ForceField::evaluate(const World& world, const HistoryUpdate& update,
                                  const Calls& calls, Contacts& contacts, BondSystem& bonds,
                                  BoundaryContacts& atBoundaries, Bodies& bodies,
                                  StageTimes& times) {
  for (std::size_t k = 0; k < bodies.driven; ++k) bodies.force[k] = bodies.moment[k] = Vec3::Zero();
  calls.impose(bodies);
  const ContactPass pass{
      contacts, world.poses,   weights_,     update,           world.model.threads,      bodies,
      sums_,    calls.renewal, world.images, calls.afterwards, world.model.rules.byList, inLanes_};
  ContactPower power = kernel_->add(pass);
  times.reassign(StageTimes::contacts, StageTimes::detect, sums_.takeSearchTime());
  addBodyForces(world, bodies);
  bonds.addForces(world, update, bodies);
  if (!atBoundaries.empty()) {
    atBoundaries.moveTo(update.dt);
    power += kernel_->add(atBoundaries, pass, boundaryPowers_);
  }
  addJointForces(world.model.joints, bodies);
  return power;
}

void ForceField::restore(const World& world, const DriveSystem& drives, const BondSystem& bonds,
                         const Contacts& contacts, Bodies& bodies) const {
  drives.addForces(bodies);
  addRememberedForces(contacts, world.poses, world.images, world.model.rules.byList, bodies);
  addBodyForces(world, bodies);
  bonds.addRememberedForces(world, bodies);
  addJointForces(world.model.joints, bodies);
}

ContactEnergy ForceField::energy(const World& world, const Contacts& contacts,
                                 const BoundaryContacts& atBoundaries) const {
  ContactEnergy held = kernel_->energy(contacts, world.poses, weights_);
  held += kernel_->energy(atBoundaries, world.poses, weights_);
  return held;
}

void ForceField::addBodyForces(const World& world, Bodies& bodies) {
  if (!world.model.bodyForce) return;
  forFreeBodies(world, [&](std::size_t k) {
    const ForceAndMoment f =
        bodyForceOn(*world.model.bodyForce, bodies, k, bodies.dragArea[k], world.model.rules.drag);
    bodies.force[k] += f.force;
    bodies.moment[k] += f.moment;
  });
}

std::string ForceField::makeLaw(const Conf& file, const World& world, Diagnostics& diagnostics) {
  if (file.contactPartnership == "NumberWeight") weights_ = ContactWeights::number;
  if (file.contactPartnership == "OverlapWeight") weights_ = ContactWeights::overlap;
  if (file.contactPartnership == "SurfaceWeight")
    diagnostics.warn(file.errorAt(
        "ContactPartnership",
        "SurfaceWeight: has no meaning in the format; the stiffness is not shared, as with None"));
  std::string name = file.forceLaw;
  if (name.empty()) {
    name = "Avalanche";
    diagnostics.warn(
        file.errorAt("", "no forceLaw is given: Avalanche is used, as the format says"));
  }
  const LawInfo* law = nullptr;
  try {
    law = &lawNamed(name);
  } catch (const ModelError& error) {
    throw file.errorAt("forceLaw", error.what());
  }
  if (name == "Avalanches")
    diagnostics.warn(file.errorAt(
        "forceLaw", "forceLaw Avalanches: the law is now called Avalanche, which is used"));

  if (file.numericalDampingCoeff >= 1.0)
    diagnostics.warn(
        file.errorAt("numericalDampingCoeff",
                     fmt::format("numericalDampingCoeff {}: at 1 and above, accelerating "
                                 "forces change sign; usual values are 0 to 0.8",
                                 file.numericalDampingCoeff)));
  std::vector<std::uint32_t> groups(world.bodies.group.begin(), world.bodies.group.end());
  for (const Boundary& b : file.boundaries) groups.push_back(b.group);
  groups_ = PairTable<char>(groups);
  constexpr std::size_t mostGroups = 4096;
  if (groups_.groups().size() > mostGroups)
    throw ModelError(fmt::format("{} groups of bodies; the tables of parameters hold at most {}",
                                 groups_.groups().size(), mostGroups));
  kernel_ = makeKernel(*law, groups);
  inLanes_ = ContactBatch::pays(world.poses.subspan(world.bodies.driven));
  setParameters(world.parameters);
  requireRounding(file, world);
  warnOfMissing(file, world, diagnostics);
  return std::string(law->name);
}

bool ForceField::knows(std::uint32_t g1, std::uint32_t g2) const {
  const auto& groups = groups_.groups();
  return std::binary_search(groups.begin(), groups.end(), g1) &&
         std::binary_search(groups.begin(), groups.end(), g2);
}

void ForceField::warnOfMissing(const Conf& file, const World& world,
                               Diagnostics& diagnostics) const {
  // Groups that can meet without a stiffness pass through each other: most likely a line is
  // missing.
  std::map<std::uint32_t, std::size_t> free, all;  // members of each group
  for (std::size_t k = 0; k < world.bodies.size(); ++k) {
    ++all[world.bodies.group[k]];
    free[world.bodies.group[k]] += k >= world.bodies.driven;
  }
  for (const Boundary& b : file.boundaries) ++all[b.group];
  std::vector<std::string> missing, zeros;
  for (const auto& [g1, members] : all)
    for (const auto& [g2, others] : all) {
      if (g1 > g2 || free[g1] + free[g2] == 0 || (g1 == g2 && members < 2)) continue;
      const std::string keyword(kernel_->missing(groups_.index(g1, g2)));
      if (!keyword.empty())
        (file.findLawParameter(keyword, g1, g2) ? zeros : missing)
            .push_back(fmt::format("{} {} {}", keyword, g1, g2));
    }
  for (const auto& [pairs, what] : {std::pair(&missing, "is missing"), {&zeros, "is 0"}})
    if (!pairs->empty())
      diagnostics.warn(file.errorAt(
          pairs->front(),
          fmt::format(
              "{} {}{}: bodies of these groups pass through each other", pairs->front(), what,
              pairs->size() > 1 ? fmt::format(", as for {} more pairs of groups", pairs->size() - 1)
                                : "")));
}

void ForceField::requireRounding(const Conf& file, const World& world) const {
  if (!kernel_->law().needsRadius) return;
  for (std::size_t k = 0; k < world.bodies.size(); ++k)
    if (!(world.bodies.radius[k] > 0.0))
      throw file.errorAtParticle(
          world.order.number(k),
          fmt::format("body {} (shape '{}') has radius 0, but forceLaw {} needs the curvature "
                      "at contacts; give the shape a radius above 0, or choose another law",
                      world.order.number(k), world.model.shapes[world.bodies.shape[k]].name,
                      kernel_->law().name));
}

void ForceField::setParameters(const Parameters& values) {
  for (const std::uint32_t g1 : groups_.groups())
    for (const std::uint32_t g2 : groups_.groups())
      if (g1 <= g2) setParameters(values, g1, g2);
}

void ForceField::setParameters(const Parameters& values, std::uint32_t g1, std::uint32_t g2) {
  const auto ofPair = [&](std::string_view keyword) {
    return values.lawParameter(std::string(keyword), g1, g2);
  };
  const auto ofGroup = [&](std::string_view keyword, bool first) {
    return values.groupParameter(keyword, first ? g1 : g2);
  };
  kernel_->setParameters(kernel_->index(g1, g2), ParameterSource(ofPair, ofGroup));
}

void ForceField::setUp(const Bodies& bodies, NeighbourPair& nearPair) const {
  const BodyId a = nearPair.a, b = nearPair.b;
  nearPair.parameters = groups_.index(bodies.group[a], bodies.group[b]);
  nearPair.damp = kernel_->damping(nearPair.parameters, effectiveMass(bodies, a, b));
}

BoundaryContacts ForceField::makeBoundaries(const Conf& file, const World& world,
                                            const std::vector<BoundaryTouch>& touches) const {
  // In a state that a run has left, a hard impact may have taken a vertex beyond the boundary,
  // which pushes it back.
  const bool begins = !file.state().runState || file.state().runState->step == 0;
  for (std::size_t b = 0; begins && b < file.boundaries.size(); ++b)
    for (std::size_t k = world.bodies.driven; k < world.bodies.size(); ++k)
      for (const Vec3& v : world.poses[k].shape->vertices) {
        Boundary boundary = file.boundaries[b];
        if (world.images && boundary.kind == Boundary::Kind::plane)
          boundary = BoundaryContacts::planeBelow(boundary, world.poses[k].pos, *world.images);
        const Vec3 vertex = world.poses[k].pos + world.poses[k].arm(v);
        Vec3 inwards;
        const double depth = boundary.distance(vertex, inwards);
        if (depth >= 0.0) continue;
        const std::string where =
            boundary.kind == Boundary::Kind::cone || boundary.kind == Boundary::Kind::plane
                ? fmt::format("{:.6g} beyond it", -depth)
                : fmt::format(
                      "{:.6g} from its {}, the radius is {:.6g}", boundary.outwards(vertex).norm(),
                      boundary.kind == Boundary::Kind::ball ? "centre" : "axis", boundary.radius);
        throw file.errorAtParticle(world.order.number(k),
                                   fmt::format("body {} is outside boundary {}: a vertex is {}",
                                               world.order.number(k), b, where));
      }
  return placeBoundaries(file, world, file.boundaries, touches);
}

BoundaryContacts ForceField::placeBoundaries(const Conf& file, const World& world,
                                             std::vector<Boundary> boundaries,
                                             const std::vector<BoundaryTouch>& touches) const {
  BoundaryContacts atBoundaries;
  atBoundaries.make(std::move(boundaries), world.bodies.size());
  setUpBoundaries(world.bodies, atBoundaries);
  for (const BoundaryTouch& t : touches) {
    const auto isCone = [&] {
      return atBoundaries.boundaries()[t.boundary].kind == Boundary::Kind::cone;
    };
    if (t.boundary >= atBoundaries.boundaries().size() || t.body >= world.bodies.size() ||
        t.vertex >= world.poses[t.body].shape->vertices.size() * (isCone() ? 2 : 1) ||
        !(t.dn < 0.0))
      throw file.errorAt("", fmt::format("#scree touch {} {} {}: no such boundary, body or vertex, "
                                         "or no overlap",
                                         t.boundary, world.order.number(t.body), t.vertex));
    auto& touching = atBoundaries.slot(t.boundary, t.body).touching;
    if (!touching.empty() && touching.back().vertex >= t.vertex)
      throw file.errorAt("", "#scree touch: expected lines in the order of vertices");
    touching.push_back({t.vertex, Touch(), ContactState{t.dn, t.fn, t.ft, t.mom}, t.vel});
  }
  return atBoundaries;
}

void ForceField::setUpBoundaries(const Bodies& bodies, BoundaryContacts& atBoundaries) const {
  for (std::size_t b = 0; b < atBoundaries.boundaries().size(); ++b)
    for (std::size_t k = bodies.driven; k < bodies.size(); ++k) {
      auto& slot = atBoundaries.slot(b, k);
      slot.parameters = groups_.index(atBoundaries.boundaries()[b].group, bodies.group[k]);
      slot.damp = kernel_->damping(slot.parameters, bodies.mass[k]);
    }
}

std::vector<BoundaryTouch> touchesOf(const World& world, const BoundaryContacts& atBoundaries) {
  std::vector<BoundaryTouch> touches;
  for (std::uint32_t b = 0; b < atBoundaries.boundaries().size(); ++b)
    for (BodyId k = world.bodies.driven; k < world.bodies.size(); ++k)
      for (const auto& t : atBoundaries.slot(b, k).touching)
        touches.push_back({b, world.order.number(k), t.vertex, t.state.dn, t.state.fn, t.state.ft,
                           t.state.mom, t.vel});
  if (!world.order.ofFile())
    std::ranges::sort(touches, {}, [](const BoundaryTouch& t) {
      return std::tuple(t.boundary, t.body, t.vertex);
    });
  return touches;
}

}  // namespace scree::sim
