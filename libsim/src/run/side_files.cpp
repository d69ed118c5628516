// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/engine.hpp"
#include "run_tables.hpp"

#include "scree/base/files.hpp"
#include "scree/base/table.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/law_values.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>

namespace scree::sim {
namespace {

/// As `extract balance` measures it on the conf-file of this moment.
ForceBalance staticBalance(const Instant& instant) {
  std::vector<char> isFree(instant.bodyCount());
  for (std::size_t k = 0; k < isFree.size(); ++k) isFree[k] = !instant.isDriven(k);
  return forceBalance(instant, isFree);
}

/// Columns of energy.txt: a name and where the number comes from.
struct EnergyColumn {
  std::string_view name;
  double (*value)(const EnergyBudget&);
};
using E = EnergyBudget;
constexpr EnergyColumn energyColumns[] = {
    {"translation", [](const E& e) { return e.translation; }},
    {"rotation", [](const E& e) { return e.rotation; }},
    {"potential", [](const E& e) { return e.potential; }},
    {"elastic.normal", [](const E& e) { return e.normal; }},
    {"elastic.tangential", [](const E& e) { return e.tangential; }},
    {"elastic.rolling", [](const E& e) { return e.rolling; }},
    {"elastic.bonds", [](const E& e) { return e.bonds; }},
    {"elastic.joints", [](const E& e) { return e.joints; }},
    {"cell", [](const E& e) { return e.cell; }},
    {"lost.friction", [](const E& e) { return e.friction; }},
    {"lost.viscosity", [](const E& e) { return e.viscosity; }},
    {"lost.hysteresis", [](const E& e) { return e.hysteresis; }},
    {"lost.rolling", [](const E& e) { return e.rollingLoss; }},
    {"lost.switching", [](const E& e) { return e.switching; }},
    {"lost.damping", [](const E& e) { return e.damping; }},
    {"lost.barriers", [](const E& e) { return e.barriers; }},
    {"lost.breakage", [](const E& e) { return e.breakage; }},
    {"work.bodyForces", [](const E& e) { return e.bodyForces; }},
    {"work.drives", [](const E& e) { return e.drives; }},
    {"work.cell", [](const E& e) { return e.cellWork; }},
    {"residual", [](const E& e) { return e.residual; }},
    {"exchanged", [](const E& e) { return e.exchanged; }}};

/// The first line of a table. Rockable has none, and energy.txt is not one of its tables.
std::string headerOf(const std::string& name, bool blanks) {
  std::vector<Column> columns{{"t", ""}};
  const auto add = [&](std::initializer_list<const char*> names) {
    if (blanks) return std::string();
    for (const char* column : names) columns.push_back({column, ""});
    return headerLine(columns, false);
  };
  if (name == "kineticEnergy.txt") return add({"translation", "rotation"});
  if (name == "staticBalance.txt") return add({"worst", "worstOverMean"});
  if (name == "perf.txt") return add({"timeOverWall", "detect", "contacts"});
  for (const EnergyColumn& c : energyColumns) columns.push_back({std::string(c.name), ""});
  return headerLine(columns, blanks);
}

std::string energyLine(double t, const EnergyBudget& budget) {
  TextWriter out;
  out.put(t);
  for (const EnergyColumn& c : energyColumns) out.put(c.value(budget));
  out.endLine();
  return out.take();
}

}  // namespace

const std::vector<std::string>& SideFiles::names() {
  static const std::vector<std::string> names{"kineticEnergy.txt", "staticBalance.txt", "perf.txt",
                                              "energy.txt"};
  return names;
}

SideFiles::SideFiles(const std::string& folder, const Simulation& simulation, bool resumed)
    : folder_(folder), lastTime_(simulation.time()), blanks_(tablesHaveBlanks(simulation)) {
  for (const std::string& name : names()) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    std::string begin = resumed ? linesUpTo(path, lastTime_) : "";
    if (begin.empty()) begin = headerOf(name, blanks_);
    writeFile(path, begin, Existing::replace);
  }
}

void SideFiles::write(const Simulation& simulation, double wallSeconds) {
  const double t = tableTime(simulation.time());
  const auto line = [](auto... values) {
    TextWriter out;
    out.line(values...);
    return out.take();
  };
  const auto append = [&](const char* name, const std::string& lines) {
    appendLines((std::filesystem::path(folder_) / name).string(), tableLines(lines, blanks_));
  };
  // Rows follow from the state that a file would hold, so extract finds the same numbers there.
  const Conf conf = simulation.conf();
  const Instant instant(conf, simulation.shapes());
  const EnergyBudget energy = energyBudget(instant, simulation.energyBudget().cell);
  append("kineticEnergy.txt", line(t, energy.translation, energy.rotation));
  append("energy.txt", energyLine(t, energy));
  const ForceBalance balance = staticBalance(instant);
  if (!std::isnan(balance.worst))
    append("staticBalance.txt", line(t, balance.worst, balance.worstOverMean));
  const double detect = engineOf(simulation).stageTimes().seconds(StageTimes::detect),
               contacts = engineOf(simulation).stageTimes().seconds(StageTimes::contacts);
  const double wall = std::max(wallSeconds, 1e-9);
  // Sums are estimates from some of the steps, which later ones may lower.
  const auto share = [wall](double now, double before) {
    return std::clamp(100.0 * (now - before) / wall, 0.0, 100.0);
  };
  append("perf.txt", line(t, (simulation.time() - lastTime_) / wall, share(detect, lastDetect_),
                          share(contacts, lastContacts_)));
  lastTime_ = simulation.time();
  lastDetect_ = detect;
  lastContacts_ = contacts;
}

}  // namespace scree::sim
