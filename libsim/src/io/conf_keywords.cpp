// SPDX-License-Identifier: GPL-3.0-or-later
// The table of conf-file keywords: rows come from one file a topic, the order of the file from
// here.
#include "conf_values.hpp"

#include "scree/sim/io/conf_file.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace scree::sim {
namespace {

// Files are written in this order. The parameters of force laws stand between the two; commands,
// which are never written, come last.
constexpr std::string_view beforeLaws[] = {"AddOrRemoveInteractions",
                                           "Integrator",
                                           "UpdateNL",
                                           "forceLaw",
                                           "t",
                                           "tmax",
                                           "dt",
                                           "interVerlet",
                                           "interConf",
                                           "DVerlet",
                                           "dVerlet",
                                           "parallel_mode",
                                           "density",
                                           "gravity",
                                           "BodyForce",
                                           "ParamsInInterfaces",
                                           "dynamicUpdateNL",
                                           "dispUpdateNL",
                                           "angleUpdateNL",
                                           "usePeriodicCell",
                                           "h",
                                           "vh",
                                           "ah",
                                           "mh",
                                           "dh",
                                           "cellMomentumCorrection",
                                           "cellVelocityCorrection",
                                           "useKineticStress",
                                           "useSoftParticles",
                                           "numericalDampingCoeff",
                                           "VelocityBarrier",
                                           "AngularVelocityBarrier",
                                           "VelocityBarrierExponent",
                                           "AngularVelocityBarrierExponent",
                                           "preventCrossingLength"};
constexpr std::string_view afterLaws[] = {"en2ContactFromViscRate",
                                          "ContactPartnership",
                                          "cellMinSizes",
                                          "boxForLinkCellsOpt",
                                          "iconf",
                                          "nDriven",
                                          "shapeFile",
                                          "separator",
                                          "precision",
                                          "Tempo",
                                          "initSpringJoint",
                                          "glue_with_walls",
                                          "Particles",
                                          "Interactions",
                                          "Interfaces",
                                          "DataExtractor"};

std::vector<ConfKeyword> makeTable() {
  std::vector<ConfKeyword> rows;
  for (auto topic : {runKeywords, forceKeywords, cellKeywords, bondKeywords})
    for (ConfKeyword& row : topic()) rows.push_back(std::move(row));
  std::vector<ConfKeyword> table;
  const auto take = [&](std::string_view name) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const ConfKeyword& k) { return k.name == name; });
    assert(row != rows.end());
    table.push_back(std::move(*row));
    rows.erase(row);
  };
  for (const std::string_view name : beforeLaws) take(name);
  for (ConfKeyword& row : lawKeywords()) table.push_back(std::move(row));
  for (const std::string_view name : afterLaws) take(name);
  for (ConfKeyword& row : commandKeywords()) table.push_back(std::move(row));
  assert(rows.empty());
  return table;
}

}  // namespace

const std::vector<ConfKeyword>& confKeywords() {
  static const std::vector<ConfKeyword> table = makeTable();
  return table;
}

}  // namespace scree::sim
