// SPDX-License-Identifier: GPL-3.0-or-later
// The largest time step that is stable: by one contact of two bodies, and by all of one body.
#include "engine/contact_kernel.hpp"
#include "engine/engine.hpp"
#include "engine/rigid_motion.hpp"
#include "law/all_laws.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/check/diagnosis.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::sim {

double shortestContactTime(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Least {
    double first = infinity, second = infinity;  // masses of the two lightest
    double radius = 0.0;                         // the largest rounding
    std::size_t bodies = 0;
  };
  std::map<std::uint32_t, Least> groups;
  for (std::size_t k = 0; k < b.size(); ++k) {
    Least& least = groups[b.group[k]];
    const double mass = k < b.driven ? infinity : b.mass[k];
    ++least.bodies;
    least.second = std::min(least.second, std::max(mass, least.first));
    least.first = std::min(least.first, mass);
    least.radius = std::max(least.radius, b.homothety[k] * simulation.shapes()[b.shape[k]].radius);
  }
  for (const Boundary& wall : simulation.input().boundaries) groups[wall.group].bodies += 2;
  const ContactKernel& kernel = engineOf(simulation).kernel();
  double shortest = infinity;
  for (const auto& [g1, a] : groups)
    for (const auto& [g2, c] : groups) {
      if (g1 == g2 && a.bodies < 2) continue;
      const double inverse = 1.0 / a.first + 1.0 / (g1 == g2 ? a.second : c.first);
      // A vertex on a face has the radius of its body; no other contact is flatter.
      if (inverse > 0.0)
        shortest = std::min(shortest, kernel.contactTime(kernel.index(g1, g2), 1.0 / inverse,
                                                         std::max(a.radius, c.radius)));
    }
  return shortest;
}

namespace {

/// Springs of one contact with the whole stiffness of its pair, at the overlap it has now.
struct Stiffness {
  double kn = 0.0;  ///< [F/L] along n
  double kt = 0.0;  ///< [F/L] across n; 0 without friction
  double kr = 0.0;  ///< [F L] against rolling; 0 without a bound for it
};
using StiffnessOf = std::function<Stiffness(double dn, double radius)>;

StiffnessOf stiffnessOf(const LawInfo& law, const Parameters& values, std::uint32_t g1,
                        std::uint32_t g2) {
  const ParameterSource source(
      [&](std::string_view k) { return values.lawParameter(std::string(k), g1, g2); },
      [&](std::string_view k, bool first) { return values.groupParameter(k, first ? g1 : g2); });
  StiffnessOf result;
  withLaw(law.name, [&]<class Law>(const Law&) {
    const typename Law::Params p = Law::parameters(source);
    result = [p](double dn, double radius) {
      const auto springs = Law::springs(p, radius);
      Stiffness k;
      if constexpr (requires { springs.kn; })
        k.kn = springs.kn;
      else
        k.kn = springs.normal(dn);
      if (p.mu > 0.0) k.kt = springs.tangential(dn);
      if constexpr (requires { p.mur; })
        if (p.mur > 0.0) k.kr = springs.rolling();
      return k;
    };
  });
  return result;
}

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

/// M^-1/2 K M^-1/2 and M^-1/2 C M^-1/2 of one body in its principal frame. With forces that see the
/// velocity of the half step before, a step dt is stable while dt² K + 2 dt C stays below 4 M. A
/// contact of two free bodies counts 1 + m/M' times for the one of mass m, with M' that of the
/// other. Since (u - u')² <= (1 + a) u² + (1 + 1/a) u'² for any a, the sum of these matrices over
/// all bodies is not below K and C of the system, whatever way the neighbours move.
class OwnMatrices {
 public:
  OwnMatrices(const Bodies& b, std::size_t k) : q_(b.q[k].normalized()) {
    const auto inverseRoot = [](double inertia) {
      return inertia > 0.0 ? 1.0 / std::sqrt(inertia) : 0.0;
    };
    toMove_ = inverseRoot(b.mass[k]);
    mass_ = b.mass[k];
    for (int axis = 0; axis < 3; ++axis) toTurn_[axis] = inverseRoot(b.inertia[k][axis]);
  }
  /// @param arm  [L] of the contact point from the centre
  /// @param cn, ct  [M/T] viscosity along n and across it
  /// @param other  [M] mass of the other body; infinite where it is driven
  void add(Stiffness k, double cn, double ct, const Vec3& n, const Vec3& arm, double other) {
    ++contacts;
    const double factor = 1.0 + mass_ / other;
    k = {factor * k.kn, factor * k.kt, factor * k.kr};
    cn *= factor, ct *= factor;
    const Vec3 r = turnedBack(q_, arm), along = turnedBack(q_, n);
    addSpring(stiffness_, k.kn - k.kt, along, r);
    addSpring(viscosity_, cn - ct, along, r);
    for (int axis = 0; axis < 3; ++axis) {
      if (k.kt > 0.0) addSpring(stiffness_, k.kt, Vec3::Unit(axis), r);
      if (ct > 0.0) addSpring(viscosity_, ct, Vec3::Unit(axis), r);
      stiffness_(3 + axis, 3 + axis) += k.kr * toTurn_[axis] * toTurn_[axis];
    }
  }
  /// [T] the largest stable step, to 1e-9; infinite where that is not below `most`, or not finite
  double largestStep(double most) const {
    double dt = HUGE_VAL;
    for (int round = 0; round < 50; ++round) {
      double t = std::min(dt, most);
      // Bodies may touch boundaries alone; this step is beyond the limit that stiffness sets.
      if (std::isinf(t)) t = std::sqrt(48.0 / stiffness_.trace());
      const Mat6 both = t * t * stiffness_ + 2.0 * t * viscosity_;
      if (!both.allFinite() || !(both.trace() > 4.0)) break;
      // No eigenvalue is above a bound as long as the bound less the matrix has a Cholesky root.
      const Mat6 room = 4.0 * (1.0 + 1e-9) * Mat6::Identity() - both;
      if (Eigen::LLT<Mat6>(room).info() == Eigen::Success) break;
      // The motion that grows fastest has a longer limit than the body: this comes from above.
      const Vec6 way = Eigen::SelfAdjointEigenSolver<Mat6>(both).eigenvectors().col(5);
      const double k = way.dot(stiffness_ * way), c = way.dot(viscosity_ * way);
      dt = 4.0 / (c + std::sqrt(c * c + 4.0 * k));
    }
    return dt;
  }

  std::uint32_t contacts = 0;

 private:
  void addSpring(Mat6& sum, double k, const Vec3& direction, const Vec3& arm) const {
    Vec6 way;
    way << toMove_ * direction, toTurn_.cwiseProduct(arm.cross(direction));
    sum += k * way * way.transpose();
  }

  Quat q_;
  double toMove_ = 0.0, mass_ = 0.0;                          ///< [1/√M], [M]
  Vec3 toTurn_ = Vec3::Zero();                                ///< [1/√(M L²)]
  Mat6 stiffness_ = Mat6::Zero(), viscosity_ = Mat6::Zero();  ///< [1/T²], [1/T]
};

/// The contacts of the present state, body by body. Bodies that touch overlap, or are apart by no
/// more than rounding: 1e-9 of their size. Bonded bodies touch as if their bonds had broken.
class ContactsOfBodies {
 public:
  explicit ContactsOfBodies(const Simulation& simulation)
      : engine_(engineOf(simulation)),
        world_(engine_.world()),
        bodies_(world_.bodies),
        lists_(&engine_.lists()),
        byList_(engine_.rules().byList) {
    const std::string& partnership = simulation.input().contactPartnership;
    if (partnership == "NumberWeight") weights_ = ContactWeights::number;
    if (partnership == "OverlapWeight") weights_ = ContactWeights::overlap;
    // Bonded pairs are on no list; where contacts live by list, none is before the first step.
    if (!lists_->bonded.empty() || (byList_ && world_.step == 0)) {
      for (const Interface& face : engine_.state().bonds.bonds().interfaces)
        engine_.state().bonds.bonds().forEachOf(face, [&](const Bond& bond) {
          gaps_[face.pair()] = std::max(gaps_[face.pair()], bond.dn);
        });
      own_.update(bodies_, world_.poses, simulation.threads(), world_.images);
      lists_ = &own_;
      byList_ = false;
    }
    for (const NeighbourPair& pair : lists_->contacts.pairs)
      know(bodies_.group[pair.a], bodies_.group[pair.b]);
  }

  void addBondsTo(OwnMatrices& own, BodyId k) const {
    const Bonds& bonds = engine_.state().bonds.bonds();
    if (bonds.empty()) return;
    for (std::uint32_t m = bonds.incidenceStart[k]; m < bonds.incidenceStart[k + 1]; ++m) {
      const Interface& face = bonds.interfaces[bonds.incidence[m]];
      const Vec3 branch =
          world_.poses[face.i].pos - besideFirst(face, world_.poses, world_.images).pos;
      bonds.forEachOf(face, [&](const Bond& bond) {
        own.add({face.own.kn, face.own.kt, face.own.kr}, face.damp, face.damp, bond.n,
                face.i == k ? bond.arm : Vec3(bond.arm + branch),
                massOf(face.i == k ? face.j : face.i));
      });
    }
  }
  /// Adds all contacts of body k.
  void addTo(OwnMatrices& own, BodyId k) const {
    const Contacts& contacts = lists_->contacts;
    std::vector<Found> found;
    const auto add = [&](std::uint32_t row) {
      const NeighbourPair& pair = contacts.pairs[row];
      find(row, k, found);
      addPair(own, found, pair, pair.a == k ? pair.b : pair.a);
    };
    for (std::uint32_t row = contacts.firstStart[k]; row < contacts.firstStart[k + 1]; ++row)
      add(row);
    for (const std::uint32_t row : contacts.pairsAsSecond(k)) add(row);
  }

 private:
  struct Found {
    Vec3 n, arm;        ///< arm [L] from the centre of the body
    double dn, radius;  ///< [L]
  };

  void know(std::uint32_t g1, std::uint32_t g2) {
    const ContactKernel& kernel = engine_.kernel();
    StiffnessOf& stiffness = stiffness_[kernel.index(g1, g2)];
    if (!stiffness) stiffness = stiffnessOf(kernel.law(), engine_.state().parameters, g1, g2);
  }
  double massOf(BodyId k) const {
    return k < bodies_.driven ? std::numeric_limits<double>::infinity() : bodies_.mass[k];
  }
  double slack(BodyId k) const {
    return 1e-9 * (bodies_.boundingRadius[k] + world_.poses[k].radius);
  }

  /// The contacts of one pair, as body k has them.
  void find(std::uint32_t row, BodyId k, std::vector<Found>& found) const {
    const Contacts& contacts = lists_->contacts;
    const NeighbourPair& pair = contacts.pairs[row];
    found.clear();
    const auto gap = gaps_.find({pair.a, pair.b});
    const double half = gap == gaps_.end() ? 0.0 : 0.5 * gap->second;
    const double slackOfA = slack(pair.a) + half, slackOfB = slack(pair.b) + half;
    const double reach =
        bodies_.displacement[pair.a] + bodies_.displacement[pair.b] + slackOfA + slackOfB;
    if (!byList_ && pair.skipUntil > reach) return;
    BodyPose a = world_.poses[pair.a], b = world_.poses[pair.b];
    a.radius += slackOfA;
    b.radius += slackOfB;
    Vec3 branch = a.pos - b.pos;
    if (!contacts.shifts.empty()) branch -= world_.images->offset(contacts.shifts[row]);
    for (const Candidate& c : contacts.candidatesOf(pair)) {
      if (!byList_ && !pair.hasPlanes() && c.skipUntil > reach) continue;
      const BodyPose &i = c.swapped ? b : a, &j = c.swapped ? a : b;
      const Vec3 apart = c.swapped ? Vec3(-branch) : branch;  // centre of i minus that of j
      Touch touch;
      double rest = 0.0;
      if (!(byList_ ? touches<true>(c, i, j, apart, touch, rest)
                    : touches(c, i, j, apart, touch, rest)))
        continue;
      const Rounding rounding = roundingOf<true>(c.pairing, i, j, c.iSub, c.jSub);
      const bool isI = (c.swapped ? pair.b : pair.a) == k;
      found.push_back({touch.n, isI ? touch.arm : Vec3(touch.arm + apart), touch.dn,
                       contactRadius(c.pairing, rounding.i, rounding.j)});
    }
  }

  void addPair(OwnMatrices& own, std::span<const Found> found, const NeighbourPair& pair,
               BodyId other) const {
    if (found.empty()) return;
    const ContactKernel& kernel = engine_.kernel();
    const std::uint32_t index = kernel.index(bodies_.group[pair.a], bodies_.group[pair.b]);
    const StiffnessOf& stiffness = stiffness_.at(index);
    const double damp = kernel.damping(index, effectiveMass(bodies_, pair.a, pair.b));
    double sum = 0.0;
    for (const Found& f : found) sum += weights_ == ContactWeights::overlap ? f.dn : 1.0;
    for (const Found& f : found) {
      const double share = weights_ == ContactWeights::none
                               ? 1.0
                               : (weights_ == ContactWeights::overlap ? f.dn : 1.0) / sum;
      Stiffness k = stiffness(f.dn, f.radius);
      k = {share * k.kn, share * k.kt, share * k.kr};
      own.add(k, std::sqrt(share) * kernel.viscosity(index, damp, f.dn, f.radius), 0.0, f.n, f.arm,
              massOf(other));
    }
  }

  const Engine& engine_;
  World world_;
  const Bodies& bodies_;
  const NeighbourList* lists_;
  NeighbourList own_;
  bool byList_;
  ContactWeights weights_ = ContactWeights::none;
  std::map<std::uint32_t, StiffnessOf> stiffness_;    ///< of pairs of groups that are near
  std::map<std::pair<BodyId, BodyId>, double> gaps_;  ///< [L] the widest of bonded pairs
};

}  // namespace

CriticalStep criticalStep(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  CriticalStep result{2.0 / pi * shortestContactTime(simulation)};
  const ContactsOfBodies contacts(simulation);
  std::vector<CriticalStep> all(b.size() - b.driven);
  // Chunk by chunk: later bodies have to be below the least of earlier ones, which is soon found.
  std::size_t chunk = 32;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    end = std::min(begin + chunk, all.size());
    chunk = std::min<std::size_t>(2 * chunk, 4096);
    const double most = result.dt;
    parallelFor(simulation.threads(), end - begin, [&](std::size_t m) {
      const std::size_t k = b.driven + begin + m;
      OwnMatrices own(b, k), bonded = own;
      contacts.addTo(own, static_cast<BodyId>(k));
      contacts.addBondsTo(bonded, static_cast<BodyId>(k));
      all[begin + m] = {std::min(own.largestStep(most), bonded.largestStep(most)),
                        simulation.bodyOrder().number(k), own.contacts};
    });
    for (std::size_t m = begin; m < end; ++m) {
      const bool first = all[m].dt == result.dt && result.body && *all[m].body < *result.body;
      if (all[m].dt < result.dt || first) result = all[m];
    }
  }
  return result;
}

}  // namespace scree::sim
