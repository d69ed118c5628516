// SPDX-License-Identifier: GPL-3.0-or-later
#include "law_kernel.hpp"

namespace scree::sim {

// Contacts of BCM are those of StickedLinks: one code serves both.
template std::unique_ptr<ContactKernel> makeKernel<StickedLinksLaw>(
    const std::vector<std::uint32_t>&);
template std::unique_ptr<ContactKernel> makeKernel<BcmLaw>(const std::vector<std::uint32_t>&);

}  // namespace scree::sim
