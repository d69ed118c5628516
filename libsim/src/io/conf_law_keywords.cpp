// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the table of keywords for the parameters of force laws.
#include "conf_values.hpp"

#include <fmt/format.h>

#include <utility>

namespace scree::sim {
namespace {

constexpr std::string_view lawNames[] = {
    "knContact",     "en2Contact",   "ktContact",     "muContact",    "krContact",
    "murContact",    "viscTContact", "knInnerBond",   "ktInnerBond",  "krInnerBond",
    "fn0InnerBond",  "ft0InnerBond", "mom0InnerBond", "powInnerBond", "en2InnerBond",
    "knOuterBond",   "ktOuterBond",  "krOuterBond",   "fn0OuterBond", "ft0OuterBond",
    "mom0OuterBond", "powOuterBond", "en2OuterBond",  "gcInnerBond",  "gcOuterBond"};

template <std::size_t K>
void readLawParameter(TextReader& in, Conf& c, Diagnostics& diagnostics) {
  const std::uint32_t g1 = group(in), g2 = group(in);
  // Files may hold restitutions outside 0 to 1: who runs them checks that.
  const bool signedValue = lawNames[K].substr(0, 3) == "en2";
  const double value = signedValue ? in.number(lawNames[K]) : in.notNegative(lawNames[K]);
  const std::string name(lawNames[K]);
  if (const double* first = c.findLawParameter(name, g1, g2); first && *first != value)
    diagnostics.warn(in.error(fmt::format("{} {} {}: given twice, first as {}; the last one counts",
                                          name, g1, g2, *first)));
  c.setLawParameter(name, g1, g2, value);
  // Where later complaints point to.
  if ((signedValue && !(value >= 0.0 && value <= 1.0)) || (name == "knContact" && value == 0.0))
    c.places[rowName(name, g1, g2)] = in.place();
}
template <std::size_t K>
void writeLawParameter(TextWriter& out, const Conf& c) {
  const auto found = c.lawParameters.find(std::string(lawNames[K]));
  if (found == c.lawParameters.end()) return;
  for (const PairValue& v : found->second) out.line(lawNames[K], v.group1, v.group2, v.value);
}

constexpr std::string_view lawHelp[] = {
    "normal stiffness of contacts",
    "square of the restitution coefficient, 0 to 1; 0: critical damping; 1: none",
    "tangential stiffness of contacts",
    "friction coefficient",
    "rolling stiffness, per radian; 0: no rolling moment (Default)",
    "rolling arm (a length); for Avalanche a ratio to the lever of the contact",
    "tangential viscosity (law GeoVisc)",
    "normal stiffness of bonds inside a cluster",
    "tangential stiffness of bonds inside a cluster",
    "rolling stiffness of bonds inside a cluster",
    "tensile strength of bonds inside a cluster",
    "shear strength of bonds inside a cluster",
    "bending strength of bonds inside a cluster",
    "exponent of the yield surface of bonds inside a cluster",
    "square of the restitution of bonds inside a cluster",
    "normal stiffness of bonds between clusters",
    "tangential stiffness of bonds between clusters",
    "rolling stiffness of bonds between clusters",
    "tensile strength of bonds between clusters",
    "shear strength of bonds between clusters",
    "bending strength of bonds between clusters",
    "exponent of the yield surface of bonds between clusters",
    "square of the restitution of bonds between clusters",
    "fracture energy of bonds inside a cluster (law BCM)",
    "fracture energy of bonds between clusters (law BCM)"};
constexpr std::string_view lawUnits[] = {
    "F/L", "", "F/L", "",    "F L", "L", "F T/L", "F/L", "F/L", "F L", "F",   "F",  "F L",
    "",    "", "F/L", "F/L", "F L", "F", "F",     "F L", "",    "",    "F/L", "F/L"};
static_assert(std::size(lawNames) == std::size(lawHelp) &&
              std::size(lawNames) == std::size(lawUnits));

/// Parameters that hold for one group.
struct GroupParameter {
  std::string_view name, unit, help;
};
constexpr GroupParameter ofGroups[] = {
    {"youngModulus", "F/L²", "Young's modulus of the bodies of a group (law HertzMindlin)"},
    {"poissonRatio", "", "Poisson ratio of the bodies of a group, -1 to 0.5 (law HertzMindlin)"}};

template <std::size_t K>
void readGroupParameter(TextReader& in, Conf& c, Diagnostics& diagnostics) {
  const std::string_view name = ofGroups[K].name;
  const std::uint32_t g = group(in);
  const double value = name == "youngModulus" ? in.positive(name) : in.number(name);
  if (name == "poissonRatio" && !(value > -1.0 && value <= 0.5))
    throw in.error(
        fmt::format("poissonRatio: expected a number above -1, 0.5 at most, found {}", value));
  if (const double first = c.groupParameter(name, g); first != 0.0 && first != value)
    diagnostics.warn(in.error(
        fmt::format("{} {}: given twice, first as {}; the last one counts", name, g, first)));
  c.setGroupParameter(name, g, value);
}
template <std::size_t K>
void writeGroupParameter(TextWriter& out, const Conf& c) {
  const auto found = c.groupParameters.find(ofGroups[K].name);
  if (found == c.groupParameters.end()) return;
  for (const GroupValue& v : found->second) out.line(ofGroups[K].name, v.group, v.value);
}

template <std::size_t... K>
void addOfGroups(std::vector<ConfKeyword>& table, std::index_sequence<K...>) {
  (table.push_back({ofGroups[K].name,
                    {},
                    "group value",
                    ofGroups[K].unit,
                    "0",
                    ofGroups[K].help,
                    readGroupParameter<K>,
                    writeGroupParameter<K>}),
   ...);
}
template <std::size_t... K>
void add(std::vector<ConfKeyword>& table, std::index_sequence<K...>) {
  (table.push_back({lawNames[K],
                    {},
                    "group1 group2 value",
                    lawUnits[K],
                    "0",
                    lawHelp[K],
                    readLawParameter<K>,
                    writeLawParameter<K>}),
   ...);
}

}  // namespace

std::vector<ConfKeyword> lawKeywords() {
  std::vector<ConfKeyword> table;
  add(table, std::make_index_sequence<std::size(lawNames)>{});
  addOfGroups(table, std::make_index_sequence<std::size(ofGroups)>{});
  return table;
}

const std::vector<std::string_view>& lawParameterNames() {
  static const std::vector<std::string_view> names(std::begin(lawNames), std::end(lawNames));
  return names;
}

}  // namespace scree::sim
