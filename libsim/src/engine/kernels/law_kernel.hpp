// SPDX-License-Identifier: GPL-3.0-or-later
// The loops over contacts with a law put in. Include it in the unit of a law alone: each law takes
// the compiler ten seconds.
#pragma once

#include "engine/contact_kernel.hpp"
#include "engine/forces.hpp"
#include "law/all_laws.hpp"

#include <type_traits>

namespace scree::sim {

template <ContactLaw Law>
class LawKernel final : public ContactKernel {
 public:
  LawKernel(const LawInfo& info, const std::vector<std::uint32_t>& groups)
      : info_(info), parameters_(groups) {}

  const LawInfo& law() const override { return info_; }
  std::uint32_t index(std::uint32_t g1, std::uint32_t g2) const override {
    return parameters_.index(g1, g2);
  }
  void setParameters(std::uint32_t index, const ParameterSource& source) override {
    parameters_[index] = Law::parameters(source);
  }

  ContactPower add(const ContactPass& p) const override {
    return withFlag(p.weights != ContactWeights::none, [&](auto weighted) {
      constexpr PairOptions byGap{.weighted = weighted};
      if constexpr (Law::inRockable) {
        constexpr PairOptions byList{.byList = true, .weighted = weighted};
        if (p.byList) return forces<byList>(p);
      }
      if constexpr (std::is_same_v<Law, DefaultLaw> && !weighted) {
        constexpr PairOptions inLanes{.inLanes = true};
        if (p.inLanes && !p.update.mean && p.update.dt > 0.0)
          return p.images ? forces<inLanes, true>(p) : forces<inLanes>(p);
      }
      if (p.images) return forces<byGap, true>(p);  // of velocity Verlet, which knows of no mean
      return withFlag(p.update.mean != nullptr, [&](auto byMean) {
        return forces<PairOptions{.weighted = weighted, .byMean = byMean}>(p);
      });
    });
  }
  ContactPower add(BoundaryContacts& boundaries, const ContactPass& p,
                   std::vector<ContactPower>& powers) const override {
    return withFlag(p.weights != ContactWeights::none, [&](auto weighted) {
      return boundaries.addForces<Law, weighted>(p.poses, parameters_, p.weights, p.update,
                                                 p.threads, p.images, p.bodies, powers);
    });
  }
  ContactEnergy energy(const Contacts& contacts, std::span<const BodyPose> poses,
                       ContactWeights weights) const override {
    return contactEnergy<Law>(contacts, poses, parameters_, weights);
  }
  ContactEnergy energy(const BoundaryContacts& boundaries, std::span<const BodyPose> poses,
                       ContactWeights weights) const override {
    return boundaries.energy<Law>(poses, parameters_, weights);
  }

  double damping(std::uint32_t index, double mass) const override {
    return Law::damping(parameters_[index], mass);
  }
  double viscosity(std::uint32_t index, double damping, double dn, double radius) const override {
    return Law::viscosity(parameters_[index], damping, dn, radius);
  }
  std::string_view missing(std::uint32_t index) const override {
    return Law::missing(parameters_[index]);
  }
  double contactTime(std::uint32_t index, double mass, double radius) const override {
    return Law::contactTime(parameters_[index], mass, radius);
  }

 private:
  /// Calls f with std::true_type or std::false_type: a choice made once, outside of the loops.
  template <class F>
  static decltype(auto) withFlag(bool flag, F&& f) {
    return flag ? f(std::true_type{}) : f(std::false_type{});
  }
  template <PairOptions options, bool periodic = false>
  ContactPower forces(const ContactPass& p) const {
    return addContactForces<Law, options, periodic>(p.contacts, p.poses, parameters_, p.weights,
                                                    p.update, p.threads, p.bodies, p.sums,
                                                    p.renewal, p.images, p.afterwards);
  }

  LawInfo info_;
  PairTable<typename Law::Params> parameters_;
};

/// The law whose loops a law runs: its own, or those of `Law::Contacts`.
template <ContactLaw Law>
struct LoopsOf {
  using type = Law;
};
template <ContactLaw Law>
requires ContactLaw<typename Law::Contacts>
struct LoopsOf<Law> {
  using type = typename Law::Contacts;
};

template <ContactLaw Law>
std::unique_ptr<ContactKernel> makeKernel(const std::vector<std::uint32_t>& groups) {
  return std::make_unique<LawKernel<typename LoopsOf<Law>::type>>(lawInfo<Law>(), groups);
}

}  // namespace scree::sim
