// SPDX-License-Identifier: GPL-3.0-or-later
// Whether this program is built with a sanitizer that slows it down and allocates in its own way.
#pragma once

namespace scree::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

}  // namespace scree::testing
