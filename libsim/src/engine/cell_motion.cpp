// SPDX-License-Identifier: GPL-3.0-or-later
// The motion of a periodic cell, and of bodies with it.
//
// A body moves by x'' = F/m + g + h'' h⁻¹ x in real coordinates. It follows the acceleration of the
// cell at its place, as its images do at theirs. So the place of the cell's origin does not matter.
// The cell follows the stress inside, M h'' = V (σ wanted - σ) h⁻ᵀ - d h'. The force of that stress
// is the one that does work on h, so the energy budget closes. Velocity Verlet for both, of order
// 2.
// Source: M. Parrinello & A. Rahman, J. Appl. Phys. 52, 7182-7190, 1981, in this form for real
// coordinates.
#include "engine/cell_motion.hpp"

#include "engine/contact_sums.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::sim {

CellMotion::CellMotion(const PeriodicCell& ofFile) : cell(ofFile) {
  if (!cell.used) return;
  images.set(cell.h);
  images.velocity = cell.vh;
}

void CellMotion::start(const Conf& file, const World& world) {
  if (!used()) return;
  if (file.integrator != "velocityVerlet")
    throw file.errorAt("usePeriodicCell",
                       fmt::format("usePeriodicCell: the cell moves by velocityVerlet; Integrator "
                                   "{} cannot move it",
                                   file.integrator));
  const double longest = cell.h.colwise().norm().maxCoeff();
  if (!(std::abs(cell.h.determinant()) > 1e-12 * longest * longest * longest))
    throw file.errorAt("h",
                       "h: the three vectors (columns) of the periodic cell enclose no volume");
  requireBoundariesFit(file);
  // The two bodies that need most room: one that moves, and the largest of all others.
  const Bodies& bodies = world.bodies;
  const auto radius = [&](std::size_t k) { return bodies.boundingRadius[k] + bodies.radius[k]; };
  for (std::size_t k = bodies.driven; k < bodies.size(); ++k)
    if (first == noBody || radius(k) > radius(first)) first = static_cast<BodyId>(k);
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (k != first && (second == noBody || radius(k) > radius(second)))
      second = static_cast<BodyId>(k);
  setMass(world);
  requireRoom(world);
}

/// Bodies that leave the cell come back on its other side. There a plane must be the same and at
/// rest, and no ball or cylinder around them may reach so far.
void CellMotion::requireBoundariesFit(const Conf& file) const {
  for (std::size_t b = 0; b < file.boundaries.size(); ++b) {
    const Boundary& boundary = file.boundaries[b];
    const bool ball = boundary.kind == Boundary::Kind::ball;
    const Mat3 inverse = cell.h.inverse();
    for (int c = 0; c < 3 && (ball || boundary.kind == Boundary::Kind::cylinder); ++c) {
      const bool along =
          !ball && std::abs(inverse.row(c).dot(boundary.axis)) > 1e-9 * inverse.row(c).norm();
      const double place = inverse.row(c).dot(boundary.centre) - 0.5,
                   reach = boundary.radius * inverse.row(c).norm();
      if (!along && std::abs(place) + reach > 0.5 + 1e-9)
        throw file.errorAt("h", fmt::format("boundary {}: it reaches out of the periodic cell", b));
    }
    if (boundary.kind != Boundary::Kind::plane) continue;
    int within = 0;
    for (int c = 0; c < 3; ++c)
      within += std::abs(cell.h.col(c).dot(boundary.axis)) < 1e-9 * cell.h.col(c).norm();
    if (within != 2 || loading)
      throw file.errorAt("h", fmt::format("boundary {}: a plane in a periodic cell needs two "
                                          "vectors of the cell that lie in it, and a cell that "
                                          "does not move",
                                          b));
  }
}

void CellMotion::setMass(const World& world) {
  // In the order of the file, which stays while that of the run may change before it is resumed.
  double ofBodies = 0.0;
  for (std::size_t number = 0; number < world.bodies.size(); ++number)
    ofBodies += world.bodies.mass[world.order.body(number)];
  mass = cell.mh > 0.0 ? cell.mh * ofBodies : 1.0;
}

void CellMotion::requireRoom(const World& world) const {
  if (first == noBody) return;
  const auto radius = [&](std::size_t k) {
    return world.bodies.boundingRadius[k] + world.bodies.radius[k];
  };
  const double ofFirst = radius(first), ofSecond = second == noBody ? ofFirst : radius(second);
  const double least = images.leastWidth();
  if (ofFirst + ofSecond < 0.5 * least) return;
  if (second == noBody)
    throw ModelError(fmt::format(
        "{}: at t = {} the periodic cell is {:.6g} wide, but its only body has a bounding radius "
        "of {:.6g}: twice the radius must be below half the width, or the body could touch its own "
        "images; use a larger cell",
        world.model.source, world.time, least, ofFirst));
  throw ModelError(fmt::format(
      "{}: at t = {} the periodic cell is {:.6g} wide, but body {} has a bounding radius of {:.6g} "
      "and body {} one of {:.6g}: their sum must be below half the width, or one could touch two "
      "images of the other; use a larger cell",
      world.model.source, world.time, least, world.order.number(first), ofFirst,
      world.order.number(second), ofSecond));
}

void CellMotion::flip(Contacts& contacts, EnergyLedger& ledger) {
  if (!loading || loading->kind != CellLoading::Kind::simpleShear) return;
  const int r = loading->row, c = loading->column;
  // Exact for one width, so that the places of images keep their bits.
  const double widths = std::floor(cell.h(r, c) / cell.h(r, r) + 0.5);
  if (widths == 0.0) return;
  for (Mat3* m : {&cell.h, &cell.vh, &cell.ah, &cell.flips, &velocityOfContacts})
    m->col(c) -= widths * m->col(r);
  for (CellShift& n : contacts.shifts) n[r] += static_cast<int>(widths) * n[c];
  ledger.cellVirial.col(r) += widths * ledger.cellVirial.col(c);
  images.set(cell.h);
  images.velocity = cell.vh;
}

void CellMotion::begin(const World& world, Bodies& bodies, Contacts& contacts,
                       EnergyLedger& ledger) {
  flip(contacts, ledger);
  const double dt = world.model.dt;
  Mat3 jump = Mat3::Zero();
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      if (byStress(r, c)) continue;
      const double wanted = loading ? loading->velocity(r, c, cell.h) : 0.0;
      jump(r, c) = wanted - cell.vh(r, c);
      cell.vh(r, c) = wanted;
      cell.ah(r, c) = 0.0;
    }
  if (!jump.isZero(0.0)) {  // bodies keep what they move by against the cell
    const Mat3 kick = jump * images.inverse;
    for (std::size_t k = bodies.driven; k < bodies.size(); ++k)
      bodies.vel[k] += kick * bodies.pos[k];
  }
  change = dt * cell.vh + (0.5 * dt * dt) * cell.ah;
  strain = change * images.inverse;
  lift(world, strain, ledger);
  strainNorm = strain.norm();
  cell.h += change;
  cell.vh += (0.5 * dt) * cell.ah;
  images.set(cell.h);
  images.velocity = cell.vh;
  requireRoom(world);
}

void CellMotion::wrap(const World& world, Bodies& bodies, Contacts& contacts,
                      EnergyLedger& ledger) {
  // Driven bodies stand where their controls put them; their images are found all the same.
  lift(world, change * images.inverse, ledger);
  leaves_.assign(bodies.size(), 0);
  forFreeBodies(world,
                [&](std::size_t k) { leaves_[k] = !images.cellsOff(bodies.pos[k]).isZero(); });
  for (std::size_t k = bodies.driven; k < bodies.size(); ++k) {
    if (!leaves_[k]) continue;
    const CellShift n = images.cellsOff(bodies.pos[k]);
    bodies.pos[k] -= images.offset(n);
    bodies.vel[k] -= cell.vh * n.cast<double>();
    ledger.cell += bodies.mass[k] * world.model.gravity.dot(images.offset(n));
    contacts.shiftPairs(static_cast<BodyId>(k), n);
  }
}

Mat3 CellMotion::virial(const World& world, const Contacts& contacts, const ContactSums& sums,
                        const std::optional<Mat3>& bondVirial) const {
  // Each body adds its pairs in their order, so that pairs that do not act leave no trace.
  Mat3 sum =
      orderedSum(world.model.threads, world.bodies.size(), Mat3(Mat3::Zero()), [&](std::size_t k) {
        Mat3 own = Mat3::Zero();
        for (std::uint32_t r = contacts.firstStart[k]; r < contacts.firstStart[k + 1]; ++r) {
          const NeighbourPair& pair = contacts.pairs[r];
          if (!sums.acts[r]) continue;
          const Vec3 branch = (world.poses[pair.b].pos + images.offset(contacts.shifts[r])) -
                              world.poses[pair.a].pos;
          own -= sums.onSecond[r].force * branch.transpose();
        }
        return own;
      });
  if (bondVirial) sum += *bondVirial;
  return sum;
}

Mat3 CellMotion::fluctuationPressure(const World& world) const {
  const Bodies& bodies = world.bodies;
  const Mat3 gradient = flow();
  return sumOverFreeBodies(world, Mat3(Mat3::Zero()), [&](std::size_t k) {
    const Vec3 w = bodies.vel[k] - gradient * bodies.pos[k];
    return Mat3(bodies.mass[k] * w * w.transpose());
  });
}

bool CellMotion::isDue(const World& world, double period) {
  return period > 0.0 && nextOutputStep(world.step - 1, period, world.model.dt) == world.step;
}

void CellMotion::finish(const World& world, const Contacts& contacts, const ContactSums& sums,
                        const std::optional<Mat3>& bondVirial, double dt, Bodies& bodies,
                        EnergyLedger& ledger) {
  // Bodies have had the kick of their forces, and the cell half of its own. Both lack the same
  // acceleration, so the difference is already the fluctuation of the whole step.
  Mat3 ofContacts = virial(world, contacts, sums, bondVirial);
  const Mat3 pressure = fluctuationPressure(world);  // of fluctuations: compression
  stress = (cell.kineticStress ? Mat3(ofContacts - pressure) : ofContacts) / images.volume();
  ofContacts -= pressure;
  const Mat3 accBefore = cell.ah;
  if (loading) {
    const Mat3 wanted = -loading->pressure * Mat3::Identity();
    const Mat3 push =
        images.volume() * (wanted - stress) * images.inverse.transpose() - cell.dh * cell.vh;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) cell.ah(r, c) = byStress(r, c) ? push(r, c) / mass : 0.0;
    cell.vh += (0.5 * dt) * cell.ah;
    images.velocity = cell.vh;
    const Mat3 affine = cell.ah * images.inverse;
    forFreeBodies(world, [&](std::size_t k) {
      const Vec3 a = affine * bodies.pos[k];
      bodies.acc[k] += a;
      bodies.vel[k] += (0.5 * dt) * a;
    });
  }
  account(dt, accBefore, ofContacts, pressure, ledger);
  if (!(dt > 0.0)) return;
  if (isDue(world, cell.momentumCorrection)) removeMeanMotion(world, true, bodies, ledger);
  if (isDue(world, cell.velocityCorrection)) removeMeanMotion(world, false, bodies, ledger);
}

void CellMotion::removeMeanMotion(const World& world, bool byMass, Bodies& bodies,
                                  EnergyLedger& ledger) {
  if (world.freeBodies() == 0) return;
  const Mat3 gradient = flow();
  const auto weight = [&](std::size_t k) { return byMass ? bodies.mass[k] : 1.0; };
  const Eigen::Vector4d sum =
      sumOverFreeBodies(world, Eigen::Vector4d(Eigen::Vector4d::Zero()), [&](std::size_t k) {
        const Vec3 w = weight(k) * (bodies.vel[k] - gradient * bodies.pos[k]);
        return Eigen::Vector4d(w.x(), w.y(), w.z(), weight(k));
      });
  const Vec3 mean = sum.head<3>() / sum[3];
  const double before = fluctuationEnergy(world);
  for (std::size_t k = bodies.driven; k < bodies.size(); ++k) bodies.vel[k] -= mean;
  ledger.damping += before - fluctuationEnergy(world);
}

double CellMotion::fluctuationEnergy(const World& world) const {
  const Bodies& bodies = world.bodies;
  const Mat3 gradient = flow();
  return sumOverFreeBodies(world, 0.0, [&](std::size_t k) {
    return 0.5 * bodies.mass[k] * (bodies.vel[k] - gradient * bodies.pos[k]).squaredNorm();
  });
}

double CellMotion::energy() const {
  if (!used() || !loading) return 0.0;
  double sum = 0.0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      if (byStress(r, c)) sum += cell.vh(r, c) * cell.vh(r, c);
  return 0.5 * mass * sum;
}

void CellMotion::lift(const World& world, const Mat3& strainOfStep, EnergyLedger& ledger) const {
  const Bodies& bodies = world.bodies;
  const Vec3& gravity = world.model.gravity;
  if (gravity.isZero(0.0) || strainOfStep.isZero(0.0)) return;
  const Vec3 moment = sumOverFreeBodies(world, Vec3(Vec3::Zero()), [&](std::size_t k) {
    return Vec3(bodies.mass[k] * bodies.pos[k]);
  });
  ledger.cell -= 0.5 * gravity.dot(strainOfStep * moment);
}

/// @param accBefore  of the cell over the first half of the step
/// @param virialNow  V σ, fluctuations counted
void CellMotion::account(double dt, const Mat3& accBefore, const Mat3& virialNow,
                         const Mat3& pressure, EnergyLedger& ledger) const {
  const Mat3 inverse = images.inverse.transpose();
  const Mat3 virial = virialNow * inverse, twiceVirial = ledger.cellVirial + virial;
  ledger.cellVirial = virial;
  if (!(dt > 0.0)) return;
  // The mean over the step, from the velocity at its end.
  const Mat3 velocity = cell.vh - (0.5 * dt) * cell.ah;
  const Mat3 hBefore = cell.h - dt * velocity;
  Mat3 wanted = Mat3::Zero(), unfelt = Mat3::Zero();
  if (loading)
    wanted = -loading->pressure *
             (std::abs(cell.h.determinant()) * inverse +
              std::abs(hBefore.determinant()) * Mat3(hBefore.inverse().transpose()));
  if (!cell.kineticStress) unfelt = -2.0 * pressure * inverse;
  double work = 0.0, lost = 0.0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      const double v = velocity(r, c);
      if (!byStress(r, c)) {
        work += 0.5 * dt * twiceVirial(r, c) * v;
        continue;
      }
      work += 0.5 * dt * (wanted(r, c) + unfelt(r, c)) * v;
      // As bodies feel damping: that of the velocity of the half step before.
      lost += 0.5 * dt * cell.dh * (v + v - dt * accBefore(r, c)) * v;
    }
  ledger.cell += work;
  ledger.damping += lost;
  ledger.exchanged += std::abs(work);
}

}  // namespace scree::sim
