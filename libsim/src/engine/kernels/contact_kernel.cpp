// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contact_kernel.hpp"

#include "law/all_laws.hpp"

#include <utility>

namespace scree::sim {
namespace {

template <std::size_t... K>
std::unique_ptr<ContactKernel> find(std::string_view name, const std::vector<std::uint32_t>& groups,
                                    std::index_sequence<K...>) {
  std::unique_ptr<ContactKernel> kernel;
  ((std::variant_alternative_t<K, AnyLaw>::name == name
        ? void(kernel = makeKernel<std::variant_alternative_t<K, AnyLaw>>(groups))
        : void()),
   ...);
  return kernel;
}

}  // namespace

std::unique_ptr<ContactKernel> makeKernel(const LawInfo& law,
                                          const std::vector<std::uint32_t>& groups) {
  return find(law.name, groups, std::make_index_sequence<std::variant_size_v<AnyLaw>>{});
}

}  // namespace scree::sim
