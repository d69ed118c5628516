// SPDX-License-Identifier: GPL-3.0-or-later
// Values and tables that extract and conf2vtk make of files are those of the run, to the last bit.
// The runs have all laws, integrators, bonds, joints, body forces, round walls and cells.
#include "catch.hpp"
#include "command.hpp"
#include "pieces.hpp"
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
#include <bit>
#include <cmath>
#include <map>
#include <sstream>

using namespace scree;
using namespace scree::scenes;
using scree::testing::Folder;

namespace {

using Options = std::map<std::string, std::string>;

/// All kinds, with options where they need some.
std::vector<std::pair<std::string, Options>> kindsToCompare() {
  std::vector<std::pair<std::string, Options>> all;
  for (const sim::Kind& entry : sim::kinds()) {
    if (!entry.measures()) continue;  // diff
    Options options;
    for (const sim::KindOption& o : entry.options) {
      if (!o.isNeeded) continue;
      // Two bodies are in every case.
      options[std::string(o.name)] = o.name == "bodyI"   ? "0"
                                     : o.name == "grid"  ? "2,2,2"
                                     : o.name == "plane" ? "0,0,0,1,0,0"
                                                         : "1";
    }
    // As a union, with wide bounds so that 152 tables take little time.
    if (entry.name == "porosity") options["tolerance"] = "0.01";
    if (entry.name == "field" || entry.name == "profile")
      options["select"] = "id < 4";  // 20,000 points a body
    all.emplace_back(entry.name, options);
  }
  all.push_back({"stress", {{"each", "body"}}});
  all.push_back({"fabric", {{"of", "pairs"}}});
  return all;
}

std::string textOf(const std::string& kind, const Options& options, const sim::Instant& instant) {
  const Table table = sim::measured(kind, options, {&instant});
  return tableText(TableFormat::txt, {"", "", table.columns}, table.rows);
}

/// The sums of the run itself, by number of the file, against those of the measure.
void checkActions(const sim::Simulation& s, const sim::Instant& instant) {
  std::vector<Vec3> force = s.bodyOrder().toFile(s.bodies().force),
                    moment = s.bodyOrder().toFile(s.bodies().moment);
  double size = 0.0, turning = 0.0;
  for (const sim::Link& link : instant.links()) {
    size = std::max(size, link.force().norm());
    turning = std::max(turning, link.armI.cross(link.force()).norm() + link.mom.norm());
  }
  s.takeOffImposed(force, moment);
  double worst = 0.0, worstMoment = 0.0;
  for (std::size_t k = 0; k < force.size(); ++k) {
    worst = std::max(worst, (force[k] - instant.actions()[k].force).norm());
    worstMoment = std::max(worstMoment, (moment[k] - instant.actions()[k].moment).norm());
  }
  // Both sum the same forces in another order; arms of a run come from the geometry itself.
  CHECK(worst <= 1e-9 * size + 1e-12);
  CHECK(worstMoment <= 1e-9 * turning + 1e-12);
}

/// The array of a .vtp file; all values of all parts one behind the other.
std::vector<double> arrayOf(const tools::vtp::PolyPiece& piece, const std::string& name) {
  const auto array = std::ranges::find(piece.pointData, name, &tools::vtp::DataArray::name);
  INFO(name);
  REQUIRE(array != piece.pointData.end());
  return std::visit(
      [](const auto& values) { return std::vector<double>(values.begin(), values.end()); },
      array->values);
}

/// Arrays of conf2vtk --double against the tables that extract prints.
void checkArrays(const sim::Conf& conf, const tools::DrawnShapes& shapes,
                 const sim::Instant& ofRun) {
  const tools::Scene scene = tools::sceneOf(conf, shapes);
  const tools::ArrayChoice all({"all"}, true);
  const tools::vtp::PolyPiece centres = tools::centresPiece(scene, all);
  const auto compare = [](const tools::vtp::PolyPiece& piece, const std::string& array,
                          const Table& table, const std::vector<std::string>& columns) {
    const std::vector<double> values = arrayOf(piece, array);
    REQUIRE(values.size() == columns.size() * table.rows.size());
    std::size_t different = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
      different += std::bit_cast<std::uint64_t>(values[k]) !=
                   std::bit_cast<std::uint64_t>(
                       table.number(k / columns.size(), columns[k % columns.size()]));
    INFO(array);
    CHECK(different == 0);
  };
  const Table bodies = sim::measured("bodies", {{"driven", ""}}, {&ofRun});
  compare(centres, "group", bodies, {"group"});
  compare(centres, "cluster", bodies, {"cluster"});
  compare(centres, "homothety", bodies, {"homothety"});
  compare(centres, "acceleration", bodies, {"ax", "ay", "az"});
  compare(centres, "force", bodies, {"fx", "fy", "fz"});
  compare(centres, "moment", bodies, {"mx", "my", "mz"});
  compare(centres, "velocity", bodies, {"vx", "vy", "vz"});
  compare(centres, "angular_velocity", bodies, {"wx", "wy", "wz"});
  compare(centres, "orientation", bodies, {"qw", "qx", "qy", "qz"});
  compare(centres, "coordination", bodies, {"partners"});
  compare(centres, "contact_points", bodies, {"points"});
  compare(centres, "kinetic_energy", bodies, {"kinetic"});
  compare(centres, "mass", bodies, {"mass"});
  const Table stress = sim::measured("stress", {{"each", "body"}, {"driven", ""}}, {&ofRun});
  compare(centres, "stress", stress, {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"});
  compare(centres, "pressure", stress, {"p"});
  compare(centres, "deviator", stress, {"q"});
  const tools::vtp::PolyPiece contacts = tools::contactsPiece(scene, all);
  const Table links = sim::measured("contacts", {}, {&ofRun});
  if (contacts.points.empty()) return;
  compare(contacts, "id_i", links, {"i"});
  compare(contacts, "id_j", links, {"j"});
  compare(contacts, "sub_i", links, {"isub"});
  compare(contacts, "sub_j", links, {"jsub"});
  compare(contacts, "normal", links, {"nx", "ny", "nz"});
  compare(contacts, "velocity", links, {"vx", "vy", "vz"});
  compare(contacts, "fn", links, {"fn"});
  compare(contacts, "force_tangential", links, {"ftx", "fty", "ftz"});
  compare(contacts, "dn", links, {"dn"});
  compare(contacts, "moment", links, {"mx", "my", "mz"});
}

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

TEST_CASE("all kinds, and arrays of conf2vtk, give the same bits in a run and on its file",
          "[golden][extract][conf2vtk]") {
  const auto kinds = kindsToCompare();
  for (const StateCase& c : stateCases()) {
    Diagnostics quiet;
    const auto last = lastState(c, 1);
    const sim::Simulation& s = *last;
    const sim::Conf now = s.conf();
    TextReader text("conf", sim::confText(now));
    const sim::Conf read = sim::readConf(text, quiet);
    std::vector<shape::Shape> shapes;
    for (const std::string& name : read.shapeNames) {
      const shape::Shape* shape = shape::findShape(s.shapes(), name);
      REQUIRE(shape != nullptr);
      shapes.push_back(*shape);
    }
    const sim::Instant ofRun(now, s.shapes()), ofFile(read, shapes);
    for (const auto& [name, options] : kinds) {
      INFO(c.name << ": " << name);
      CHECK(textOf(name, options, ofRun) == textOf(name, options, ofFile));
    }
    INFO(c.name);
    // Drag in a run is that of the half step, and moments in a cell of --compat differ by intent.
    const bool drag = now.bodyForce && std::holds_alternative<sim::ViscousFluid>(*now.bodyForce);
    if (!drag && !(c.compat && now.cell.used)) checkActions(s, ofRun);
    checkArrays(read, tools::drawnShapes(shapes, 1), ofRun);
  }
}

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
