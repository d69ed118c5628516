// SPDX-License-Identifier: GPL-3.0-or-later
// What extract measures on a file is what a run measures, to the last bit: for runs of all laws,
// integrators, bonds, joints, body forces, round walls and cells.
#include "catch.hpp"
#include "kind.hpp"
#include "state_cases.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/instant.hpp"

#include <cmath>
#include <map>

using namespace scree;
using namespace scree::scenes;

namespace {

/// All kinds, with options where they need some.
std::vector<std::pair<std::string, std::map<std::string, std::string>>> kindsToCompare() {
  std::vector<std::pair<std::string, std::map<std::string, std::string>>> all;
  for (const tools::KindEntry& entry : tools::allKinds()) {
    if (entry.make == nullptr) continue;  // diff
    std::map<std::string, std::string> options;
    for (const tools::KindOption& o : entry.options) {
      if (!o.needed) continue;
      // Two bodies are in every case.
      options[std::string(o.name)] = o.name == "body" ? "0-1" : o.name == "bodyI" ? "0" : "1";
    }
    all.emplace_back(entry.name, options);
  }
  all.push_back({"stress", {{"each", "body"}, {"part", "both"}}});
  all.push_back({"fabric", {{"of", "pairs"}}});
  return all;
}

std::string tableOf(const tools::Kind& kind, const sim::Instant& instant) {
  return sim::tableText(sim::TableFormat::txt, {"", "", kind.columns()},
                        kind.joined(kind.rows(instant)));
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

}  // namespace

TEST_CASE("all kinds give the same bits in a run and on its file", "[golden][extract]") {
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
      const auto& all = tools::allKinds();
      const auto entry = std::ranges::find(all, name, &tools::KindEntry::name);
      REQUIRE(entry != all.end());
      const auto kind = entry->make(tools::KindOptions(options));
      const std::string a = tableOf(*kind, ofRun), b = tableOf(*kind, ofFile);
      CHECK(a == b);
    }
    INFO(c.name);
    // Drag in a run is that of the half step, and moments in a cell of --compat differ by intent.
    const bool drag = now.bodyForce && std::holds_alternative<sim::ViscousFluid>(*now.bodyForce);
    if (!drag && !(c.compat && now.cell.used)) checkActions(s, ofRun);
  }
}
