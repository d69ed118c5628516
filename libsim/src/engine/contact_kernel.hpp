// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boundaries.hpp"
#include "engine/contact_sums.hpp"
#include "law/contact_law.hpp"

#include "scree/sim/law/law_info.hpp"

#include <memory>
#include <span>
#include <vector>

namespace scree::sim {

/// One evaluation of the forces of all contacts.
struct ContactPass {
  Contacts& contacts;
  std::span<const BodyPose> poses;
  ContactWeights weights;
  const HistoryUpdate& update;
  int threads;
  Bodies& bodies;
  ContactSums& sums;
  PairRenewal renewal = {};        ///< of pairs that have run out; none with `byList`
  const Images* images = nullptr;  ///< of a periodic cell
  RangeWork afterwards = {};       ///< done by each thread for its bodies, once they have got all
  bool byList = false;             ///< contacts live by list, see PairOptions
  bool inLanes = false;            ///< under laws that can: see ContactBatch::pays
};

/// A contact law with the parameters of all pairs of groups, and the loops that apply it. Each law
/// has a kernel, compiled in a unit of its own (engine/kernels/). A step makes one virtual call
/// for all contacts; the loops behind it know the law.
///
/// Pairs of groups go by their `index`, as NeighbourPair::parameters has it.
class ContactKernel {
 public:
  virtual ~ContactKernel() = default;

  virtual const LawInfo& law() const = 0;
  virtual std::uint32_t index(std::uint32_t g1, std::uint32_t g2) const = 0;
  virtual void setParameters(std::uint32_t index, const ParameterSource& source) = 0;

  /// Adds the forces and moments of all contacts to bodies: see addContactForces.
  virtual ContactPower add(const ContactPass& pass) const = 0;
  /// Adds the forces and moments of boundaries: see BoundaryContacts::addForces.
  virtual ContactPower add(BoundaryContacts& boundaries, const ContactPass& pass,
                           std::vector<ContactPower>& powers) const = 0;
  /// [F L] that touching contacts hold, summed in the order of pairs.
  virtual ContactEnergy energy(const Contacts& contacts, std::span<const BodyPose> poses,
                               ContactWeights weights) const = 0;
  virtual ContactEnergy energy(const BoundaryContacts& boundaries, std::span<const BodyPose> poses,
                               ContactWeights weights) const = 0;

  /// NeighbourPair::damp of two bodies that meet with the effective mass `mass` [M].
  virtual double damping(std::uint32_t index, double mass) const = 0;
  /// [M/T] by that and by the gap `dn` of a contact of radius R* `radius` [L].
  virtual double viscosity(std::uint32_t index, double damping, double dn, double radius) const = 0;
  /// The keyword without which bodies of two groups pass through each other; "": none is missing.
  virtual std::string_view missing(std::uint32_t index) const = 0;
  /// [T] half a period of the stiffest contact of effective mass `mass` [M] and radius R* [L].
  virtual double contactTime(std::uint32_t index, double mass, double radius) const = 0;
};

/// The kernel of a law for bodies of these groups; all parameters are 0.
std::unique_ptr<ContactKernel> makeKernel(const LawInfo& law,
                                          const std::vector<std::uint32_t>& groups);
template <ContactLaw Law>
std::unique_ptr<ContactKernel> makeKernel(const std::vector<std::uint32_t>& groups);

}  // namespace scree::sim
