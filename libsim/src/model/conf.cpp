// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model/conf.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// Value of a key, null where there is none.
auto* valueIn(const auto& values, const auto& key) {
  const auto found = values.find(key);
  return found != values.end() ? &found->second : nullptr;
}
double orZero(const double* value) { return value ? *value : 0.0; }

}  // namespace

ParseError Conf::errorAt(const std::string& keyword, const std::string& message) const {
  const auto found = places.find(keyword);
  return ParseError(found != places.end() ? found->second : SourcePlace{source, 0, 0}, message);
}

const SavedState& Conf::state() const {
  static const SavedState none;
  return saved ? *saved : none;
}

void InteractionRecord::putLowerFirst() {
  const bool alike = key.pairing == Pairing::vertexVertex || key.pairing == Pairing::edgeEdge;
  if (!alike || key.i <= key.j) return;
  std::swap(key.i, key.j);
  std::swap(key.iSub, key.jSub);
  n = -n;
  ft = -ft;
  mom = -mom;
  vel = -vel;
}

ParseError Conf::errorAtParticle(std::size_t k, const std::string& message) const {
  return ParseError({source, k < particleLines.size() ? particleLines[k] : 0, 1}, message);
}

ParseError Conf::errorAtInteraction(std::size_t k, const std::string& message) const {
  return ParseError({source, k < interactionLines.size() ? interactionLines[k] : 0, 1}, message);
}

ParseError Conf::errorAtInterface(std::size_t k, const std::string& message) const {
  return ParseError({source, k < interfaceLines.size() ? interfaceLines[k] : 0, 1}, message);
}

std::uint32_t Conf::internShapeName(const std::string& name) {
  const auto found = std::find(shapeNames.begin(), shapeNames.end(), name);
  if (found != shapeNames.end()) return static_cast<std::uint32_t>(found - shapeNames.begin());
  shapeNames.push_back(name);
  return static_cast<std::uint32_t>(shapeNames.size() - 1);
}

const double* Parameters::findLawParameter(const std::string& name, std::uint32_t g1,
                                           std::uint32_t g2) const {
  const PairValues* values = valueIn(lawParameters, name);
  return values ? valueIn(*values, std::pair(std::min(g1, g2), std::max(g1, g2))) : nullptr;
}

double Parameters::lawParameter(const std::string& name, std::uint32_t g1, std::uint32_t g2) const {
  return orZero(findLawParameter(name, g1, g2));
}

void Parameters::setLawParameter(const std::string& name, std::uint32_t g1, std::uint32_t g2,
                                 double value) {
  lawParameters[name][{std::min(g1, g2), std::max(g1, g2)}] = value;
}

double Parameters::groupParameter(std::string_view name, std::uint32_t group) const {
  const GroupValues* values = valueIn(groupParameters, name);
  return values ? orZero(valueIn(*values, group)) : 0.0;
}

double Parameters::densityOf(std::uint32_t group) const { return orZero(valueIn(density, group)); }

BondParameters bondParameters(const Parameters& parameters, bool inner, std::uint32_t g1,
                              std::uint32_t g2) {
  const auto value = [&](const char* name) {
    return parameters.lawParameter(name + std::string(inner ? "InnerBond" : "OuterBond"), g1, g2);
  };
  return {value("kn"),  value("kt"),   value("kr"),  value("fn0"),
          value("ft0"), value("mom0"), value("pow"), value("gc")};
}

std::uint64_t nextOutputStep(std::uint64_t step, double period, double dt) {
  constexpr double most = 2e18;  // steps, within 64 bits
  const double perOutput = period / dt, now = static_cast<double>(step);
  if (perOutput <= 1.0) return step + 1;
  // The multiple that `step` has reached, less one for safety; then the first one due after it.
  const double reached = std::floor((now + 0.5) / perOutput);
  for (int more = -1; more <= 2; ++more) {
    const double k = reached + more;
    const double due = std::min(std::ceil(k * perOutput - 0.5 - 1e-9), most);
    if (due > now && k > 0.0) return static_cast<std::uint64_t>(due);
  }
  return step + 1;  // so many steps that a double no longer tells them apart
}

}  // namespace scree::sim
