// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/law/all_laws.hpp"

#include "scree/base/error.hpp"
#include "scree/base/portable_math.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace scree::sim {
namespace {

template <std::size_t... K>
std::vector<LawInfo> infos(std::index_sequence<K...>) {
  return {LawInfo{std::variant_alternative_t<K, AnyLaw>::name,
                  std::variant_alternative_t<K, AnyLaw>::help}...};
}

template <std::size_t... K>
std::optional<AnyLaw> find(std::string_view name, std::index_sequence<K...>) {
  std::optional<AnyLaw> found;
  ((std::variant_alternative_t<K, AnyLaw>::name == name ? (found.emplace(std::in_place_index<K>), 0)
                                                        : 0),
   ...);
  return found;
}

constexpr auto all = std::make_index_sequence<std::variant_size_v<AnyLaw>>{};

}  // namespace

std::vector<LawInfo> allLaws() { return infos(all); }

AnyLaw lawNamed(std::string_view name) {
  if (name == "Avalanches") name = AvalancheLaw::name;
  if (auto law = find(name, all)) return *law;
  std::string list;
  std::vector<std::string_view> names;
  for (const LawInfo& info : allLaws()) {
    names.push_back(info.name);
    list += (list.empty() ? "" : ", ") + std::string(info.name);
  }
  throw ModelError(fmt::format("forceLaw: unknown law '{}'{}; there are {}", name.substr(0, 40),
                               suggestion(name, names), list));
}

double normalViscosity(double kn, double en2, double mass) {
  const double critical = 2.0 * std::sqrt(kn * mass);
  if (en2 <= 0.0) return critical;
  if (en2 >= 1.0) return 0.0;
  const double logE = 0.5 * portableLog(en2);
  return critical * (-logE / std::sqrt(logE * logE + pi * pi));
}

}  // namespace scree::sim
