// SPDX-License-Identifier: GPL-3.0-or-later
// Forces of bonds, and what files hold of bonds.
#include "bond_system.hpp"

namespace scree::sim {
namespace {

/// Calls f(number of lane m, number of a bond) for all numbers that both have.
template <class Lanes, class B, class F>
void forNumbers(Lanes& l, std::size_t m, B& b, F&& f) {
  f(l.dn0[m], b.dn0);
  f(l.dn[m], b.dn);
  f(l.fn[m], b.fn);
  const auto vector = [&](auto& lanes, auto& of) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      f(lanes[axis][m], of[static_cast<Eigen::Index>(axis)]);
  };
  vector(l.n, b.n);
  vector(l.arm, b.arm);
  vector(l.ft, b.ft);
  vector(l.mom, b.mom);
  vector(l.vel, b.vel);
  vector(l.slip, b.slip);
}

}  // namespace

Bond BondLanes::bond(std::size_t lane) const {
  Bond b{iSub[lane], jSub[lane], pairing[lane]};
  forNumbers(*this, lane, b, [](double from, double& to) { to = from; });
  return b;
}

void BondLanes::set(std::size_t lane, const Bond& b) {
  iSub[lane] = b.iSub;
  jSub[lane] = b.jSub;
  pairing[lane] = b.pairing;
  forNumbers(*this, lane, b, [](double& to, double from) { to = from; });
}

std::vector<Bond> Bonds::all() const {
  std::vector<Bond> bonds;
  for (const Interface& face : interfaces)
    forEachOf(face, [&](const Bond& bond) { bonds.push_back(bond); });
  return bonds;
}

void Bonds::add(Interface face, std::span<const Bond> bonds) {
  face.first = static_cast<std::uint32_t>(lanes.size());
  face.count = static_cast<std::uint32_t>(bonds.size());
  lanes.resize(face.end());
  for (std::size_t k = 0; face.first + k / BondLanes::count < face.end(); ++k)
    lanes[face.first + k / BondLanes::count].set(k % BondLanes::count,
                                                 bonds[std::min(k, bonds.size() - 1)]);
  interfaces.push_back(face);
}

std::vector<std::pair<BodyId, BodyId>> BondSystem::pairs() const {
  std::vector<std::pair<BodyId, BodyId>> pairs;
  for (const Interface& face : bonds_.interfaces) pairs.push_back(face.pair());
  return pairs;
}

void BondSystem::addForces(const World& world, const HistoryUpdate& update, Bodies& bodies) {
  if (empty()) {
    bonds_.energies = {};  // those of the last ones are accounted for
    return;
  }
  const BondSums sums = addForces_(bonds_, world.poses, update, world.images, world.model.threads,
                                   bodies, forces_, sums_);
  if (world.images)
    virial_ = orderedSum(
        world.model.threads, bonds_.interfaces.size(), Mat3(Mat3::Zero()), [&](std::size_t m) {
          const Interface& face = bonds_.interfaces[m];
          const Vec3 branch =
              besideFirst(face, world.poses, world.images).pos - world.poses[face.i].pos;
          return Mat3(forces_[m].force * branch.transpose());
        });
  if (!update.keep) return;
  const double before = bonds_.energies.elastic;
  bonds_.energies = sums.energies;
  bonds_.energies.absorbed =
      sums.energies.elastic + sums.energies.broken + sums.energies.pressed - before;
  bonds_.breaking = sums.breaking;
}

double BondSystem::held() const {
  // In the order in which forces are summed, so that a run that is resumed has the same bits.
  return orderedSum(1, bonds_.interfaces.size(), 0.0, [&](std::size_t m) {
    const Interface& face = bonds_.interfaces[m];
    double sum = 0.0;
    bonds_.forEachOf(face, [&](const Bond& bond) { sum += heldBy(bond, face); });
    return sum;
  });
}

void BondSystem::addRememberedForces(const World& world, Bodies& bodies) const {
  std::vector<PairForce> forces(bonds_.interfaces.size());
  for (std::size_t m = 0; m < forces.size(); ++m) {
    const Interface& face = bonds_.interfaces[m];
    const BodyPose &i = world.poses[face.i], j = besideFirst(face, world.poses, world.images);
    bonds_.forEachOf(face, [&](const Bond& bond) {
      const Vec3 branch = i.pos - j.pos;
      const Touch touch = bondGeometry(bond.pairing, i, j, branch, bond.iSub, bond.jSub);
      const Vec3 sliding = bond.vel - bond.vel.dot(touch.n) * touch.n;
      Vec3 force = bond.fn * touch.n + bond.ft;
      if (world.model.rules.bonds.turningSprings)
        force += face.damp * sliding;  // else it stands in ft
      forces[m].force += force;
      forces[m].momentA += touch.arm.cross(force) + bond.mom;
      forces[m].momentB -= (touch.arm + branch).cross(force) + bond.mom;
    });
  }
  for (std::size_t k = 0; k < bodies.size() && !forces.empty(); ++k)
    gatherBondForces(bonds_, forces, k, bodies);
}

std::vector<InterfaceRecord> BondSystem::records() const {
  std::vector<InterfaceRecord> records = records_;
  for (std::size_t m = 0; m < records.size(); ++m) {
    std::size_t k = 0;
    bonds_.forEachOf(bonds_.interfaces[m],
                     [&](const Bond& bond) { records[m].bonds[k++].slip = bond.slip; });
  }
  return records;
}

std::optional<BondedArea> BondSystem::area() const {
  return bonds_.area.all > 0.0 ? std::optional<BondedArea>(bonds_.area) : std::nullopt;
}

}  // namespace scree::sim
