// SPDX-License-Identifier: GPL-3.0-or-later
// The motion of a periodic cell, and of bodies with it.
//
// A body moves by x'' = F/m + g + h'' h⁻¹ x in real coordinates: it takes part in the acceleration
// of the cell at its place, as its images do at theirs, so it makes no difference where the cell
// begins. The cell follows the stress inside, M h'' = V (σ wanted - σ) h⁻ᵀ - d h', whose force is
// the one that does work on h: energy closes. Velocity Verlet for both, of order 2. Source: M.
// Parrinello & A. Rahman, J. Appl. Phys. 52, 7182-7190, 1981, in this form for real coordinates.
#include "scree/base/parallel.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {
namespace {

/// Pairs of bodies in lists stand within this many sums of their radii: how far off the strain of
/// the cell moves them against each other.
constexpr double affineReach = 2.5;

}  // namespace

void Simulation::makeCell() {
  if (!conf_.cell.used) return;
  if (conf_.integrator != "velocityVerlet")
    throw conf_.errorAt("usePeriodicCell",
                        fmt::format("usePeriodicCell: the cell moves by velocityVerlet; Integrator "
                                    "{} cannot move it",
                                    conf_.integrator));
  if (compat_) refuseInCellAsRockable();
  const Mat3& h = conf_.cell.h;
  const double longest = h.colwise().norm().maxCoeff();
  if (!(std::abs(h.determinant()) > 1e-12 * longest * longest * longest))
    throw conf_.errorAt("h",
                        "h: the three vectors (columns) of the periodic cell enclose no volume");
  cell_.images.set(h);
  cell_.images.velocity = conf_.cell.vh;
  // The two bodies that need most room: one that moves, and the largest of all others.
  const auto radius = [this](std::size_t k) { return bodies_.reach[k] + radius_[k]; };
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    if (k >= bodies_.driven && (cell_.first == noBody || radius(k) > radius(cell_.first)))
      cell_.first = static_cast<BodyId>(k);
  }
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (k != cell_.first && (cell_.second == noBody || radius(k) > radius(cell_.second)))
      cell_.second = static_cast<BodyId>(k);
  setCellMass();
  checkCell();
}

void Simulation::setCellMass() {
  // In the order of the file, which stays while that of the run may change before it is resumed.
  double ofBodies = 0.0;
  for (std::size_t number = 0; number < bodies_.size(); ++number)
    ofBodies += bodies_.mass[order_.body(number)];
  cell_.mass = conf_.cell.mh > 0.0 ? conf_.cell.mh * ofBodies : 1.0;
}

void Simulation::checkCell() const {
  if (cell_.first == noBody) return;
  const auto radius = [this](std::size_t k) { return bodies_.reach[k] + radius_[k]; };
  const double first = radius(cell_.first),
               second = cell_.second == noBody ? first : radius(cell_.second);
  const double least = cell_.images.leastWidth();
  if (first + second < 0.5 * least) return;
  throw ModelError(fmt::format(
      "{}: at t = {} the periodic cell is {:.6g} wide, but body {} has a bounding radius of {:.6g} "
      "and body {} one of {:.6g}: together they must be below half the width, or one could touch "
      "two images of the other; take a larger cell",
      conf_.source, time(), least, order_.number(cell_.first), first,
      order_.number(cell_.second == noBody ? cell_.first : cell_.second), second));
}

void Simulation::beginCellStep() {
  PeriodicCell& cell = conf_.cell;
  const double dt = conf_.dt;
  Mat3 jump = Mat3::Zero();
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      if (drives_.cell && drives_.cell->byStress(r, c)) continue;
      const double wanted = drives_.cell ? drives_.cell->velocity(r, c, cell.h) : 0.0;
      jump(r, c) = wanted - cell.vh(r, c);
      cell.vh(r, c) = wanted;
      cell.ah(r, c) = 0.0;
    }
  if (!jump.isZero(0.0)) {  // bodies keep what they move by against the cell
    const Mat3 kick = jump * cell_.images.inverse;
    for (std::size_t k = bodies_.driven; k < bodies_.size(); ++k)
      bodies_.vel[k] += kick * bodies_.pos[k];
  }
  const Mat3 change = dt * cell.vh + (0.5 * dt * dt) * cell.ah;
  cell_.change = change;
  cell_.strain = change * cell_.images.inverse;
  liftByCell(cell_.strain);
  cell_.strainNorm = cell_.strain.norm();
  cell.h += change;
  cell.vh += (0.5 * dt) * cell.ah;
  cell_.images.set(cell.h);
  cell_.images.velocity = cell.vh;
  checkCell();
}

double Simulation::motionInCell(std::size_t k, const Vec3& moved) const {
  // Two bodies of a list come no nearer, and their images neither, than what each moves against the
  // cell, plus the strain over the distance between them.
  const Vec3 before = bodies_.pos[k] - moved;
  return (moved - cell_.strain * before).norm() +
         affineReach * cell_.strainNorm * (bodies_.reach[k] + radius_[k]);
}

void Simulation::wrapBodies() {
  // Driven bodies stand where their controls put them; their images are found all the same.
  const std::size_t driven = bodies_.driven;
  liftByCell(cell_.change * cell_.images.inverse);
  cell_.leaves.assign(bodies_.size(), 0);
  parallelFor(
      threads_, bodies_.size() - driven,
      [&](std::size_t m) {
        cell_.leaves[driven + m] = !cell_.images.cellsOff(bodies_.pos[driven + m]).isZero();
      },
      bodyGrain);
  for (std::size_t k = driven; k < bodies_.size(); ++k) {
    if (!cell_.leaves[k]) continue;
    const CellShift n = cell_.images.cellsOff(bodies_.pos[k]);
    bodies_.pos[k] -= cell_.images.offset(n);
    bodies_.vel[k] -= conf_.cell.vh * n.cast<double>();
    ledger_.cell += bodies_.mass[k] * conf_.gravity.dot(cell_.images.offset(n));
    lists_.contacts.shiftRows(static_cast<BodyId>(k), n);
  }
}

Mat3 Simulation::pullInCell() const {
  const Contacts& contacts = lists_.contacts;
  // Each body adds its rows in their order, so that rows that do not act leave no trace.
  Mat3 sum = orderedSum(threads_, bodies_.size(), Mat3(Mat3::Zero()), [&](std::size_t k) {
    Mat3 own = Mat3::Zero();
    for (std::uint32_t r = contacts.firstStart[k]; r < contacts.firstStart[k + 1]; ++r) {
      const PairRow& row = contacts.rows[r];
      if (!contactSums_.acts[r]) continue;
      const Vec3 branch =
          (placed_[row.b].pos + cell_.images.offset(contacts.shifts[r])) - placed_[row.a].pos;
      own -= contactSums_.onSecond[r].force * branch.transpose();
    }
    return own;
  });
  if (!bonds_.empty()) sum += cell_.bondStress;
  return sum;
}

Mat3 Simulation::pressOfFlow() const {
  const Mat3 flow = cellFlow();
  return orderedSum(threads_, bodies_.size() - bodies_.driven, Mat3(Mat3::Zero()),
                    [&](std::size_t m) {
                      const std::size_t k = bodies_.driven + m;
                      const Vec3 w = bodies_.vel[k] - flow * bodies_.pos[k];
                      return Mat3(bodies_.mass[k] * w * w.transpose());
                    });
}

void Simulation::finishCellStep(double dt) {
  PeriodicCell& cell = conf_.cell;
  // Bodies have had the kick of their forces, and the cell half of its own: the difference is the
  // fluctuation of the whole step already, since both lack the same acceleration.
  Mat3 pull = pullInCell();
  const Mat3 press = pressOfFlow();  // of fluctuations: compression
  cell_.stress = (conf_.cell.kineticStress ? Mat3(pull - press) : pull) / cell_.images.volume();
  pull -= press;
  const Mat3 accBefore = cell.ah;
  if (drives_.cell) {
    const Mat3 wanted = -drives_.cell->pressure * Mat3::Identity();
    const Mat3 push =
        cell_.images.volume() * (wanted - cell_.stress) * cell_.images.inverse.transpose() -
        cell.dh * cell.vh;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        cell.ah(r, c) = drives_.cell->byStress(r, c) ? push(r, c) / cell_.mass : 0.0;
    cell.vh += (0.5 * dt) * cell.ah;
    cell_.images.velocity = cell.vh;
    const Mat3 affine = cell.ah * cell_.images.inverse;
    parallelFor(
        threads_, bodies_.size() - bodies_.driven,
        [&](std::size_t m) {
          const std::size_t k = bodies_.driven + m;
          const Vec3 a = affine * bodies_.pos[k];
          bodies_.acc[k] += a;
          bodies_.vel[k] += (0.5 * dt) * a;
        },
        bodyGrain);
  }
  addCellToLedger(dt, accBefore, pull, press);
  const auto due = [&](double period) {
    return dt > 0.0 && period > 0.0 && nextOutputStep(step_ - 1, period, conf_.dt) == step_;
  };
  if (due(cell.momentumCorrection)) removeMeanMotion(true);
  if (due(cell.velocityCorrection)) removeMeanMotion(false);
}

void Simulation::removeMeanMotion(bool byMass) {
  const std::size_t free = bodies_.size() - bodies_.driven;
  if (free == 0) return;
  const Mat3 flow = cell_.images.velocity * cell_.images.inverse;
  const auto weight = [&](std::size_t k) { return byMass ? bodies_.mass[k] : 1.0; };
  const Eigen::Vector4d sum =
      orderedSum(threads_, free, Eigen::Vector4d(Eigen::Vector4d::Zero()), [&](std::size_t m) {
        const std::size_t k = bodies_.driven + m;
        const Vec3 w = weight(k) * (bodies_.vel[k] - flow * bodies_.pos[k]);
        return Eigen::Vector4d(w.x(), w.y(), w.z(), weight(k));
      });
  const Vec3 mean = sum.head<3>() / sum[3];
  const double before = fluctuationEnergy();
  for (std::size_t k = bodies_.driven; k < bodies_.size(); ++k) bodies_.vel[k] -= mean;
  ledger_.damping += before - fluctuationEnergy();
}

}  // namespace scree::sim
