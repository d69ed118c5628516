// SPDX-License-Identifier: GPL-3.0-or-later
// Every row of the table of keywords: read, kept, written as it was read, refused where it is
// wrong.
#include "catch.hpp"
#include "conf_text.hpp"

#include "scree/sim/io/commands.hpp"
#include "scree/sim/simulation.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::samples;
using namespace scree::sim;
using Catch::Contains;

namespace {

const std::string header = "Rockable 21-08-2022\n",
                  keywordsTail = "shapeFile a.shp\nParticles 2\n" + bodyLine + bodyLine;

/// Arguments of each keyword but those of bodies, contacts and files, none of them the default, as
/// a saved file has them.
const std::map<std::string, std::string> arguments{
    {"AddOrRemoveInteractions", "OBBtree"},
    {"Integrator", "Beeman"},
    {"UpdateNL", "linkCells"},
    {"forceLaw", "BCM"},
    {"t", "0.25"},
    {"tmax", "7"},
    {"dt", "0.125"},
    {"interVerlet", "0.5"},
    {"interConf", "3"},
    {"DVerlet", "0.03"},
    {"dVerlet", "0.02"},
    {"parallel_mode", "InteractionBuffer"},
    {"density", "3 2700.5"},
    {"youngModulus", "3 70000.5"},
    {"poissonRatio", "3 0.25"},
    {"gravity", "0.5 -3 1e-17"},
    {"BodyForce", "AttractingPoint 1 2 3 4"},
    {"ParamsInInterfaces", "1"},
    {"dynamicUpdateNL", "1"},
    {"dispUpdateNL", "0.5"},
    {"angleUpdateNL", "3"},
    {"usePeriodicCell", "1"},
    {"h", "1 0.1 0 0 2 0 0 0.25 3"},
    {"vh", "0 0 0 0 -0.001 0 0 0 0"},
    {"ah", "0 0 0 0 2 0 0 0 0"},
    {"mh", "0.5"},
    {"dh", "3"},
    {"cellMomentumCorrection", "0.5"},
    {"cellVelocityCorrection", "0.25"},
    {"useKineticStress", "0"},
    {"useSoftParticles", "1e9 0.2"},
    {"numericalDampingCoeff", "0.7"},
    {"VelocityBarrier", "10"},
    {"AngularVelocityBarrier", "20"},
    {"VelocityBarrierExponent", "2"},
    {"AngularVelocityBarrierExponent", "3"},
    {"preventCrossingLength", "0.1"},
    {"ContactPartnership", "OverlapWeight"},
    {"cellMinSizes", "0.5 2 3"},
    {"boxForLinkCellsOpt", "1"},
    {"iconf", "12"},
    {"nDriven", "1"},
    {"separator", "tab"},
    {"precision", "9"},
    {"Tempo", "Inter muContact 0 1 Range 0.5 0.75 0.1 0.3"},
    {"initSpringJoint", "0 0.1 0.2 0.3 1 0.4 0.5 0.6 1000"},
    {"glue_with_walls", "yes"},
    {"DataExtractor", "dnStat gaps.txt 5"}};

/// Text that stands there for a keyword; for all parameters of laws alike.
std::string argumentsOf(const std::string& name) {
  if (const auto found = arguments.find(name); found != arguments.end()) return found->second;
  const auto& parameters = lawParameterNames();
  if (std::find(parameters.begin(), parameters.end(), name) != parameters.end()) return "1 2 0.75";
  return {};
}

bool isCommand(std::string_view name) {
  return std::any_of(allCommands().begin(), allCommands().end(),
                     [&](const CommandInfo& c) { return c.name == name; });
}
/// Blocks and files, which have tests of their own, and what is saved as something else.
bool isOther(std::string_view name) {
  constexpr std::string_view others[] = {"shapeFile", "Particles", "Interactions", "Interfaces",
                                         "en2ContactFromViscRate"};
  return std::find(std::begin(others), std::end(others), name) != std::end(others);
}

/// Calls f(name, arguments, row) for all keywords that stand in a saved file as they were read.
template <class F>
void forSaved(F&& f) {
  std::size_t count = 0;
  for (const ConfKeyword& row : confKeywords()) {
    if (isCommand(row.name) || isOther(row.name)) continue;
    const std::string name(row.name), values = argumentsOf(name);
    INFO("no example for " << name);
    REQUIRE_FALSE(values.empty());  // a new keyword belongs into the list above
    f(name, values, row);
    ++count;
  }
  CHECK(count == arguments.size() + lawParameterNames().size());
}

}  // namespace

TEST_CASE("each keyword is saved as it was read, wherever in the file it stands", "[sim][conf]") {
  const std::string without = confText(read(header + keywordsTail));
  forSaved([&](const std::string& name, const std::string& values, const ConfKeyword&) {
    const std::string line = name + " " + values + "\n";
    INFO(line);
    const std::string text = confText(read(header + line + keywordsTail));
    CHECK_THAT(text, Contains("\n" + line));
    CHECK_THAT(without, !Contains("\n" + line));
    CHECK(confText(read(text)) == text);
    CHECK(confText(read(header + keywordsTail + line)) == text);
    CHECK(confText(read(header + keywordsTail + "# remark\n  " + line + "! remark\n")) == text);
  });
}

TEST_CASE("each keyword refuses what it cannot read, and says where", "[sim][conf]") {
  forSaved([&](const std::string& name, const std::string& values, const ConfKeyword& row) {
    if (!row.write) return;  // a kept line
    const auto last = values.find_last_of(' ');
    const std::string start = last == std::string::npos ? "" : values.substr(0, last + 1);
    INFO(name);
    const auto place = "conf:2:" + std::to_string(name.size() + 2 + start.size()) + ":";
    if (name != "forceLaw")  // its name is looked up when a run begins
      CHECK_THROWS_WITH(read(header + name + " " + start + "%\n" + keywordsTail), Contains(place));
    CHECK_THROWS_WITH(read(header + keywordsTail + name + " " + start),
                      Contains("end of the file"));
  });
}

TEST_CASE("names that keywords once had are read as the new ones", "[sim][conf]") {
  std::size_t aliases = 0;
  forSaved([&](const std::string& name, const std::string& values, const ConfKeyword& row) {
    for (const std::string_view alias : row.aliases) {
      const std::string line = " " + values + "\n";
      CHECK(confText(read(header + std::string(alias) + line + keywordsTail)) ==
            confText(read(header + name + line + keywordsTail)));
      ++aliases;
    }
  });
  CHECK(aliases == 5);
}

TEST_CASE("all body forces and words of Tempo are saved as they were read", "[sim][conf]") {
  for (const std::string line :
       {"BodyForce AttractingPoint 1 2 3 -4\n", "BodyForce PreferredDirection 1 0 0 0 2 0 5\n",
        "BodyForce ViscousFluid 1000\n", "Tempo NDCoeff Ramp 0 1 0.1 0.2\n",
        "Tempo Body density 1 Range 0 1 2500 2600\n", "Tempo Inter knContact 0 1 Ramp 0 1 1 2\n",
        "ContactPartnership NumberWeight\n", "ContactPartnership SurfaceWeight\n",
        "Integrator Euler\n", "Integrator RungeKutta4\n"}) {
    INFO(line);
    const std::string text = confText(read(header + line + keywordsTail));
    CHECK_THAT(text, Contains("\n" + line));
    CHECK(confText(read(text)) == text);
  }
  CHECK(read(header + "iconf 3.0\n" + keywordsTail).iconf ==
        3);  // a number with a point in old files
  CHECK_THROWS_WITH(read(header + "iconf 3.5\n" + keywordsTail), Contains("conf:2:7"));
  for (const char* word : {"yes", "YES", "y", "Y", "1"})
    CHECK(read(header + "glue_with_walls " + word + "\n" + keywordsTail).glueWithWalls);
  for (const char* word : {"no", "NO", "n", "N", "0"})
    CHECK_FALSE(read(header + "glue_with_walls " + word + "\n" + keywordsTail).glueWithWalls);
}

TEST_CASE("the word behind Rockable is a date", "[sim][conf]") {
  for (const char* date : {"20-02-2017", "21-08-2022", "1-1-2030"})
    CHECK(read("Rockable " + std::string(date) + "\n" + keywordsTail).particles.size() == 2);
  // Without one, the first keyword would be taken for it.
  CHECK_THROWS_WITH(read("Rockable\ndt 0.1\n" + keywordsTail), Contains("conf:2:1: "));
}
