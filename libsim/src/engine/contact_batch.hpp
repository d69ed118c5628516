// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts of many pairs of bodies side by side, before they are summed up pair by pair.
#pragma once

#include "base/function_ref.hpp"
#include "engine/pair_force.hpp"
#include "law/default_law.hpp"
#include "model/contacts.hpp"

#include <array>
#include <span>
#include <vector>

namespace scree::sim {

/// Prefetches what is read later. Always inlined: GCC takes a function that does nothing else for
/// one without effect, and drops the call.
[[gnu::always_inline]] inline void prefetch(const void* data, std::size_t size) {
  for (std::size_t byte = 0; byte < size; byte += 64)
    __builtin_prefetch(static_cast<const char*>(data) + byte);
}

/// Part of a contact in the sums of its pair.
struct ContactPart {
  Vec3 force;  ///< [F] on a
  double normal;
  Vec3 moment;  ///< [F L] to be taken off that on b
  double tangential;
  double rolling, lost, switched;  ///< these and those above: see ContactPower
  double before;                   ///< [L] gap one step earlier; 0: it begins; `apart`: no contact
  ContactState begun;              ///< memory of one that begins
  static constexpr double apart = 1.0;

  void addTo(PairForce& sum, ContactPower& power) const {
    power.normal += normal;
    power.tangential += tangential;
    power.rolling += rolling;
    power.lost += lost;
    power.switched += switched;
    sum.force += force;
    sum.momentB -= moment;
  }
};

/// Pairs of some bodies that are due, and parts of their contacts: evaluated four at a time, one a
/// lane, with the bits of PairEvaluation. Contacts that go on have their memory updated already.
///
/// Pairings are sorted, so that all lanes do the same. What is rare keeps the part `apart`, and is
/// evaluated by itself: vertices at vertices, faces that are not convex, and what does not touch.
class ContactBatch {
 public:
  struct DuePair {
    std::uint32_t pair;   ///< place in Contacts::pairs
    std::uint32_t first;  ///< of its parts, one for each candidate that is due
    std::uint32_t count;  ///< or `alone`: two balls, or a pair with planes or an image
  };
  static constexpr std::uint32_t alone = UINT32_MAX;
  /// Bodies, contacts and parameters of one evaluation.
  struct Scene {
    Contacts& contacts;
    const Bodies& bodies;
    std::span<const BodyPose> poses;
    const PairTable<DefaultLaw::Params>& parameters;
    double dt;  ///< [T] > 0
  };

  /// Whether that is faster than one contact after the other: not for balls.
  static bool pays(std::span<const BodyPose> freeBodies);
  /// Evaluates the pairs that body `last` and those below it own, as many as make a batch.
  /// @param least  the lowest body that may be one of them, in the same block as `last`
  /// @param renew  rebuilds the list of a pair
  /// @returns the lowest of these bodies
  std::size_t evaluate(const Scene& scene, std::size_t last, std::size_t least,
                       FunctionRef<void(std::uint32_t pair)> renew);
  /// Returns the entry of pair r, or null if it is not due. To be called in the order of pairs in
  /// which evaluate() found them.
  const DuePair* take(std::uint32_t r) {
    return pairs_[next_].pair == r ? &pairs_[next_++] : nullptr;
  }
  /// Sums up the parts of a pair, if all its contacts that are due go on.
  /// @returns whether they do. Else nothing is summed
  bool sum(const DuePair& due, const Vec3& branch, PairForce& to) const {
    const std::span<const ContactPart> parts(this->parts(due), due.count);
    bool goOn = due.count > 0;
    for (const ContactPart& part : parts) goOn &= part.before < 0.0;
    if (!goOn) return false;
    PairForce sum;  // not `to`, which could be anywhere
    for (const ContactPart& part : parts) part.addTo(sum, sum.power);
    sum.looked = due.count;
    sum.finish(branch);
    to = sum;
    return true;
  }
  const ContactPart* parts(const DuePair& due) const { return parts_.data() + due.first; }

 private:
  /// A contact that is due, of sub-elements of i and j.
  struct Task {
    const BodyPose *i, *j;
    const Candidate* candidate;
    const NeighbourPair* pair;
    ContactState* state;
    ContactPart* part;
  };
  template <Pairing pairing, bool swapped>
  static void evaluateFour(const Scene& scene, const Task* tasks, ContactState& none);
  template <Pairing pairing, bool swapped>
  void evaluateAll(const Scene& scene);
  void evaluateLists(const Scene& scene);
  void list(const Scene& scene, std::size_t dueCandidates);

  std::vector<DuePair> pairs_;  ///< the last one names no pair
  std::size_t count_ = 0, next_ = 0;
  std::vector<ContactPart> parts_;
  static constexpr std::size_t lists = 8;  ///< one for each pairing and order of bodies
  std::vector<Task> tasks_;                ///< `room_` for each list
  std::size_t room_ = 0;
  std::array<Task*, lists> ends_{};
};

}  // namespace scree::sim
