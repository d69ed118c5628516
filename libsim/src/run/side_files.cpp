// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/engine.hpp"
#include "run_tables.hpp"

#include "scree/base/files.hpp"
#include "scree/base/table.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/law_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

namespace scree::sim {
namespace {

/// As `extract balance` measures it on the conf-file of this moment.
ForceBalance staticBalance(const Instant& instant) {
  std::vector<char> isFree(instant.bodyCount());
  for (std::size_t k = 0; k < isFree.size(); ++k) isFree[k] = !instant.isDriven(k);
  return forceBalance(instant, isFree);
}

struct SideFile {
  std::string_view name;
  std::string columns;
};
const std::vector<SideFile>& sideFiles() {
  static const std::vector<SideFile> files = [] {
    std::string energy = "t";
    for (const EnergyColumn& c : energyColumns) energy += fmt::format(" {}", c.name);
    return std::vector<SideFile>{{"kineticEnergy.txt", "t translation rotation"},
                                 {"staticBalance.txt", "t worst worstOverMean"},
                                 {"perf.txt", "t timeOverWall detect contacts"},
                                 {"energy.txt", energy}};
  }();
  return files;
}

/// The first line of a table. Rockable has none, and energy.txt is not one of its tables.
std::string headerOf(const SideFile& file, bool blanks) {
  if (!blanks) return tableLines(file.columns + "\n", false);
  return file.name == "energy.txt" ? fmt::format("# {}\n", file.columns) : "";
}

}  // namespace

const std::vector<std::string>& SideFiles::names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const SideFile& file : sideFiles()) all.emplace_back(file.name);
    return all;
  }();
  return names;
}

SideFiles::SideFiles(const std::string& folder, const Simulation& simulation, bool resumed)
    : folder_(folder), lastTime_(simulation.time()), blanks_(tablesHaveBlanks(simulation)) {
  for (const SideFile& file : sideFiles()) {
    const std::string path = (std::filesystem::path(folder) / file.name).string();
    const std::string kept = resumed ? linesUpTo(path, lastTime_) : "";
    writeFile(path, kept.empty() ? headerOf(file, blanks_) : kept, Existing::replace);
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
  const EnergyBudget e = energyBudget(instant, simulation.energyBudget().cell);
  append("kineticEnergy.txt", line(t, e.translation, e.rotation));
  TextWriter energy;
  energy.put(t);
  for (const EnergyColumn& c : energyColumns) energy.put(e.*c.value);
  energy.endLine();
  append("energy.txt", energy.take());
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
