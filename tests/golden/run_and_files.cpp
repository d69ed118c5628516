// SPDX-License-Identifier: GPL-3.0-or-later
// Values that extract and conf2vtk show of a file are those of the run, to the last bit. The runs
// have all laws, integrators, bonds, joints, body forces, round walls and cells.
#include "catch.hpp"
#include "pieces.hpp"
#include "state_cases.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/kinds.hpp"

#include <bit>
#include <cmath>
#include <map>

using namespace scree;
using namespace scree::scenes;

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
  compare(contacts, "fn", links, {"fn"});
  compare(contacts, "force_tangential", links, {"ftx", "fty", "ftz"});
  compare(contacts, "dn", links, {"dn"});
  compare(contacts, "moment", links, {"mx", "my", "mz"});
}

}  // namespace

TEST_CASE("all kinds, and arrays of conf2vtk, give the same bits in a run and on its file",
          "[golden][extract][conf2vtk]") {
  const auto kinds = kindsToCompare();
  for (const StateCase& c : stateCases()) {
    Diagnostics quiet;
    sim::Simulation s(c.scene.conf, c.scene.shapes, drivesOf(c.drives, c.scene.conf.nDriven),
                      sim::SimulationOptions(1, c.compat), quiet);
    s.steps(static_cast<std::uint64_t>(c.steps));
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
