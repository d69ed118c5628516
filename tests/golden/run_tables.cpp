// SPDX-License-Identifier: GPL-3.0-or-later
// The tables that a run writes beside its conf-files, against those that extract makes of these
// files: the same text, for all extractors and staticBalance.txt. Files have 17 decimals. Cases are
// those of state_cases.hpp: laws, integrators, bonds, joints, body forces, round walls, cells.
#include "catch.hpp"
#include "command.hpp"
#include "state_cases.hpp"

#include "scree/base/table.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/kinds.hpp"
#include "scree/sim/measure/law_values.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

using namespace scree;
using namespace scree::scenes;
using scree::testing::Folder;

namespace {

/// A table of a run with blanks between its cells, whether the run follows Rockable or not.
std::string tableIn(const Folder& folder, const std::string& file) {
  std::string table = folder.read(file);
  std::ranges::replace(table, ',', ' ');
  return table.starts_with('#') ? table.substr(2) : table;
}

/// Lines of a table that begin with this word.
std::string linesAt(const std::string& table, const std::string& time) {
  std::string found;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(time + " ")) found += line + '\n';
  return found;
}

std::string rowsText(const std::vector<Column>& columns, const std::vector<Row>& rows) {
  const std::string text = tableText(TableFormat::txt, {"", "", columns}, rows);
  return text.substr(text.find('\n') + 1);
}

/// The words of the last row of a table by the names in its first line, `t a b ...`.
std::map<std::string, std::string> rowAt(const std::string& table, const std::string& time) {
  std::istringstream names(table.substr(0, table.find('\n'))), words(linesAt(table, time));
  std::map<std::string, std::string> row;
  for (std::string name, word; names >> name && words >> word;) row[name] = word;
  return row;
}

/// A value of a kind that has one row.
double valueIn(const char* kind, const sim::Instant& instant, const std::string& column) {
  return sim::measured(kind, {}, {&instant}).number(0, column);
}

/// One of each; bodies 0 and 1 are in every case.
std::string extractorLines(const sim::Conf& conf) {
  std::string lines =
      "TrackBody 0 first.txt 1\nTrackBody 1 second.txt 1\nMeanVelocity speed.txt 1\n"
      "dnStat gaps.txt 1\nDuoBalance 0 1 duo.txt 1\nTrackDamage damage.txt 1\n"
      "Stress stress.txt 1\nWalls walls.txt 1\n";
  lines += fmt::format("ClusterAABB {} cluster.txt 1\n", conf.particles.back().cluster);
  // A touching pair, where there is one.
  if (!conf.interactions.empty())
    lines += fmt::format("DuoBalance {} {} pair.txt 1\n", conf.interactions.front().key.i,
                         conf.interactions.front().key.j);
  return lines;
}

/// Runs a case and compares the tables of its lines, and those of energies and balance, with what
/// extract finds in its files. Counts the rows that were compared.
void compareTables(const StateCase& c, const std::string& lines, int steps, int files,
                   std::size_t& compared, std::size_t& balances) {
  INFO(c.name);
  sim::Conf conf = c.scene.conf;
  conf.precision = 17;
  conf.tmax = conf.t + steps * conf.dt;
  conf.interConf = steps / files * conf.dt;
  const Folder folder;
  folder.write("scene.shp", shape::shapesText(c.scene.shapes));
  conf.source = folder.path("conf0");
  conf.shapeFile = "scene.shp";
  Diagnostics quiet;
  sim::Simulation s(conf, c.scene.shapes, drivesOf(c.drives, conf.nDriven),
                    sim::SimulationOptions(1, c.compat), quiet);
  TextReader script("dataExtractors.txt", lines);
  sim::RunOptions options;
  options.folder = folder.path("out");
  options.extractors = sim::readDataExtractors(script, quiet);
  sim::run(s, options);
  // The run keeps its own budget for each step, added up in another order.
  const sim::Conf last = s.conf();
  const sim::EnergyBudget own = s.energyBudget(),
                          measured = sim::energyBudget(sim::Instant(last, s.shapes()), own.cell);
  const double all = own.exchanged + std::abs(own.held()) + std::abs(own.lost());
  CHECK(std::abs(own.held() - measured.held()) <= 1e-12 * all);
  CHECK(std::abs(own.lost() - measured.lost()) <= 1e-12 * all);
  CHECK(std::abs(own.residual - measured.residual) <= 1e-12 * all);

  // The contacts of one body, which cost no more than its own, are those among all.
  for (sim::BodyId body = 0; body < last.particles.size(); ++body) {
    std::vector<sim::InteractionRecord> ofBody = s.interactions(body), some = last.interactions;
    std::erase_if(some, [&](const auto& r) { return r.key.i != body && r.key.j != body; });
    REQUIRE(ofBody.size() == some.size());
    for (std::size_t k = 0; k < ofBody.size(); ++k)
      CHECK((ofBody[k].key == some[k].key && ofBody[k].fn == some[k].fn &&
             ofBody[k].vel == some[k].vel));
  }

  const std::string balance = tableIn(folder, "out/staticBalance.txt"),
                    kinetic = tableIn(folder, "out/kineticEnergy.txt"),
                    budget = tableIn(folder, "out/energy.txt");
  for (int file = conf.iconf + 1; folder.has(fmt::format("out/conf{}", file)); ++file) {
    const sim::Conf read =
        sim::readConfFromFile(folder.path(fmt::format("out/conf{}", file)), quiet);
    std::vector<shape::Shape> shapes;
    for (const std::string& name : read.shapeNames)
      shapes.push_back(*shape::findShape(s.shapes(), name));
    const sim::Instant instant(read, shapes);
    const std::string time = shortest(tableTime(read.t));
    for (const sim::ScriptedExtractor& e : options.extractors) {
      const std::string ofRun = linesAt(tableIn(folder, "out/" + e.file), time);
      INFO(e.file << " at " << time);
      if (e.file != "walls.txt") CHECK_FALSE(ofRun.empty());  // cells have no walls
      CHECK(ofRun == rowsText(e.extractor.columns(), e.extractor.rows(instant)));
      ++compared;
    }
    TextWriter row;
    row.line(tableTime(read.t), valueIn("balance", instant, "worst"),
             valueIn("balance", instant, "worstOverMean"));
    if (const std::string ofRun = linesAt(balance, time); !ofRun.empty()) {
      CHECK(ofRun == row.take());
      ++balances;
    } else {
      CHECK(std::isnan(valueIn("balance", instant, "worst")));
    }
    TextWriter energies;
    energies.line(tableTime(read.t), valueIn("energy", instant, "translation"),
                  valueIn("energy", instant, "rotation"));
    CHECK(linesAt(kinetic, time) == energies.take());
    const auto ofEnergies = rowAt(budget, time);
    for (const sim::EnergyColumn& column : sim::energyColumns) {
      INFO(column.name << " at " << time);
      // A file holds no kinetic energy of a periodic cell.
      if (column.ofRunAlone || (read.cell.used && column.name == "residual")) continue;
      const std::string name(column.name);
      CHECK(ofEnergies.at(name) == shortest(valueIn("energy", instant, name)));
    }
  }
}

}  // namespace

TEST_CASE("tables of a run and of its conf-files of 17 decimals are the same text",
          "[golden][extract][run]") {
  std::size_t compared = 0, balances = 0, falls = 0;
  for (const StateCase& c : stateCases()) {
    compareTables(c, extractorLines(c.scene.conf), 15, 3, compared, balances);
    // It may end the run, which then saves one more file: apart from the other tables.
    std::size_t none = 0;
    compareTables(
        c, fmt::format("TrackRockfall {} 0 0 fall.txt 1\n", c.scene.conf.particles.size() - 1), 6,
        2, falls, none);
  }
  CHECK(compared > 1000);
  CHECK(balances > 100);
  CHECK(falls > 150);
}
