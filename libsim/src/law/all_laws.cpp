// SPDX-License-Identifier: GPL-3.0-or-later
#include "law/all_laws.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

namespace scree::sim {
namespace {

template <std::size_t... K>
std::vector<LawInfo> infos(std::index_sequence<K...>) {
  return {lawInfo<std::variant_alternative_t<K, AnyLaw>>()...};
}

}  // namespace

const std::vector<LawInfo>& allLaws() {
  static const std::vector<LawInfo> laws =
      infos(std::make_index_sequence<std::variant_size_v<AnyLaw>>{});
  return laws;
}

const LawInfo& lawNamed(std::string_view name) {
  if (name == "Avalanches") name = AvalancheLaw::name;
  std::string list;
  std::vector<std::string_view> names;
  for (const LawInfo& info : allLaws()) {
    if (info.name == name) return info;
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

double linearContactTime(double kn, double mass) {
  return kn > 0.0 ? pi * std::sqrt(mass / kn) : HUGE_VAL;
}

}  // namespace scree::sim
