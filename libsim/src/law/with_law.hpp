// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/all_laws.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

namespace scree::sim {

/// Calls f with the law of this name, as a type. @returns whether there is one
template <class F>
bool withLaw(std::string_view name, F&& f) {
  const auto among = [&]<std::size_t... K>(std::index_sequence<K...>) {
    return ((std::variant_alternative_t<K, AnyLaw>::name == name
                 ? (f(std::variant_alternative_t<K, AnyLaw>()), true)
                 : false) ||
            ...);
  };
  return among(std::make_index_sequence<std::variant_size_v<AnyLaw>>{});
}

}  // namespace scree::sim
