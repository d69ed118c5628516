// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contact_kernel.hpp"

#include "law/all_laws.hpp"

namespace scree::sim {

std::unique_ptr<ContactKernel> makeKernel(const LawInfo& law,
                                          const std::vector<std::uint32_t>& groups) {
  std::unique_ptr<ContactKernel> kernel;
  withLaw(law.name, [&]<class Law>(const Law&) { kernel = makeKernel<Law>(groups); });
  return kernel;
}

}  // namespace scree::sim
