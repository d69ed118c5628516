// SPDX-License-Identifier: GPL-3.0-or-later
#include "law_kernel.hpp"

namespace scree::sim {

template std::unique_ptr<ContactKernel> makeKernel<AvalancheLaw>(const std::vector<std::uint32_t>&);

}  // namespace scree::sim
