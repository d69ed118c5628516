// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts of many pairs of bodies, evaluated side by side and summed up by pair.
#pragma once

#include "base/function_ref.hpp"
#include "engine/pair_force.hpp"
#include "engine/prefetch.hpp"
#include "law/default_law.hpp"
#include "model/contacts.hpp"

#include <array>
#include <span>
#include <vector>

namespace scree::sim {

/// Part of a contact in the sums of its pair: three rows of four numbers, of which `before` is not
/// summed up.
struct ContactPart {
  Vec3 force;  ///< [F] on a
  double normal;
  Vec3 moment;  ///< [F L] its share of the moment on b
  double tangential;
  double rolling, lost, switched;  ///< these and those above: see ContactPower
  double before;                   ///< [L] gap one step earlier; 0: it begins; `apart`: no contact
  static constexpr double apart = 1.0;

  void addTo(PairForce& sum, ContactPower& power) const {
    power.normal += normal;
    power.tangential += tangential;
    power.rolling += rolling;
    power.lost += lost;
    power.switched += switched;
    sum.force += force;
    sum.momentB += moment;
  }
};

/// Pairs of some bodies that are due, parts of their contacts, and their sums: evaluated eight or
/// four at a time, one a lane, with the bits of PairEvaluation. Contacts that go on have their
/// memory updated already.
///
/// Lists are made without branches: which candidates are due follows no rule that a processor could
/// learn, and a wrong guess costs more than the arithmetic. Candidates are sorted by pairing, so
/// that all lanes do the same, and pairs by the number of their candidates that are due, before
/// they are summed up. What is rare keeps the part `apart`, and is evaluated by itself: vertices at
/// vertices, faces that are not convex, and what does not touch.
class ContactBatch {
 public:
  struct DuePair {
    std::uint32_t number;     ///< place in Contacts::pairs
    std::uint32_t first = 0;  ///< place of its first part: each candidate that is due has one
    std::uint32_t count = 0;  ///< of its parts; or `alone`: two balls, planes or an image
  };
  static constexpr std::uint32_t alone = UINT32_MAX;
  /// Bodies, contacts and parameters of one evaluation.
  struct Scene {
    Contacts& contacts;
    const Bodies& bodies;
    std::span<const BodyPose> poses;
    const PairTable<DefaultLaw::Params>& parameters;
    double dt;               ///< [T] > 0
    std::size_t begin, end;  ///< bodies of this thread
  };

  /// A contact that is due, of sub-elements of i and j.
  struct Task {
    const BodyPose *i, *j;
    const Candidate* candidate;
    const NeighbourPair* pair;
    ContactState* state;
    ContactPart* part;
    double sign;  ///< -1: swapped; else 1
  };
  /// Tasks by pairing, evaluated side by side but for list 0: vertices at vertices, and what else
  /// is rare.
  struct Lists {
    std::vector<Task> tasks;  ///< `room` for each list
    std::size_t room = 0;
    std::array<Task*, 4> ends{};  ///< of each list
  };

  /// Whether that is faster than one contact after the other: not for balls.
  static bool pays(std::span<const BodyPose> freeBodies);
  /// Evaluates the pairs that the bodies below `top` own, as many blocks as make a batch.
  /// @param least  the lowest body that may be one of them
  /// @param renew  rebuilds the list of a pair
  /// @returns the lowest of these bodies
  std::size_t evaluate(const Scene& scene, std::size_t top, std::size_t least,
                       FunctionRef<void(std::uint32_t pair)> renew);
  /// Returns the next pairs that are due: those with driven bodies of a block, then its others.
  std::span<const DuePair> next() {
    const std::size_t begin = cuts_[nextCut_], end = cuts_[++nextCut_];
    return {pairs_.data() + begin, end - begin};
  }
  /// Returns the sum of a pair. Its `looked` is 0 if it is not known: a contact begins or ends, or
  /// the pair is evaluated by itself.
  const PairForce& sum(const DuePair& pair) const {
    return sums_[static_cast<std::size_t>(&pair - pairs_.data())];
  }
  const ContactPart* parts(const DuePair& pair) const { return parts_.data() + pair.first; }
  /// Memory of contacts that begin, parallel to parts().
  const ContactState* begun(const DuePair& pair) const { return begun_.data() + pair.first; }

 private:
  struct DueCandidate {
    const Candidate* candidate;
    const NeighbourPair* pair;
  };
  void find(const Scene& scene, std::size_t low, std::size_t top,
            FunctionRef<void(std::uint32_t pair)> renew);
  void list(const Scene& scene);
  void lookAhead(const Scene& scene, std::size_t begin, std::size_t end);
  void sumPairs(const Scene& scene);

  std::vector<DuePair> pairs_;
  std::size_t count_ = 0, candidates_ = 0;
  std::vector<std::size_t> cuts_;  ///< where the pairs begin that next() returns
  std::size_t nextCut_ = 0;
  std::vector<PairForce> sums_;  ///< parallel to pairs_
  /// Places in pairs_, in lists with room for all pairs: list m has the pairs with m candidates
  /// that are due, the last one those with more, too. List 0 also has pairs that are `alone`.
  std::vector<std::uint32_t> byCount_;
  static constexpr std::size_t countLists = 10;
  std::array<std::uint32_t*, countLists> countEnds_{};

  std::vector<DueCandidate> due_;    ///< pair by pair
  std::vector<ContactPart> parts_;   ///< parallel to due_
  std::vector<ContactState> begun_;  ///< parallel to due_: memory of contacts that begin
  Lists lists_;
  Ahead ahead_;
};

}  // namespace scree::sim
