// SPDX-License-Identifier: GPL-3.0-or-later
// Conf-files: heads, lines and places of errors; every row of the table of keywords is read, kept,
// written as it was read, refused where it is wrong.
#include "catch.hpp"
#include "conf_text.hpp"
#include "folder.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::samples;
using namespace scree::sim;
using Catch::Contains;

namespace {

const std::string oneBodyTail = "shapeFile a.shp\nParticles 1\n" + bodyLine;

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

TEST_CASE("the time of a file is read from its head as from the whole file", "[sim][conf]") {
  const testing::Folder folder;
  const std::string head = "Rockable 21-08-2022\n";
  const auto timeIn = [&](const std::string& text) {
    return readTimeFromFile(folder.write("conf0", text));
  };
  CHECK(timeIn(head + "t 0.25\n" + oneBodyTail) == 0.25);
  CHECK(timeIn(head + "  t\t$0.0003$ # s\n  " + oneBodyTail) == 0.0003);
  CHECK(timeIn(head + "t 1\nt 2\n" + oneBodyTail) == 2.0);
  CHECK(timeIn(head + oneBodyTail + "t 3\n") == 3.0);
  CHECK(timeIn(head + oneBodyTail) == 0.0);  // the default
  // Behind more than is read at first, and where that part ends within the number.
  const std::string comment = "# " + std::string(99, 'x') + "\n";
  std::string full = head;
  while (full.size() + comment.size() + 6 < 65536) full += comment;
  full += "#" + std::string(65536 - full.size() - 7, '-') + "\n";
  REQUIRE(full.size() == 65536 - 5);
  CHECK(timeIn(full + "t 12.5\n" + oneBodyTail) == 12.5);
  for (int k = 0; k < 2000; ++k) full += comment;
  CHECK(timeIn(full + "t 12.5\n" + oneBodyTail) == 12.5);
  // Errors behind the head are not found: that is what makes it fast.
  CHECK(timeIn(head + "t 4\nParticles x\n") == 4.0);
  CHECK_THROWS_AS(timeIn(head + "t abc\n" + oneBodyTail), ParseError);
  CHECK_THROWS_AS(timeIn(head + "t 4\n"), ParseError);
}

TEST_CASE("every layout of Interfaces that has been in use is recognised", "[sim][conf]") {
  const std::string head = "Rockable 21-08-2022\nshapeFile a.shp\nParticles 2\n" + bodyLine +
                           bodyLine + "Interfaces 1\n";
  CHECK(read(head + "0 1 2 0 3 4 0 5 6\n").interfaces[0].bonds.size() == 2);
  CHECK(read(head + "0 1 2 1e-7 0 3 4 0 5 6\n").interfaces[0].dn0 == 1e-7);
  CHECK(read(head + "0 1 1 1 2 3 4 5 6 7 0 3 4\n").interfaces[0].params->power == 7.0);
  const auto with8 = read(head + "0 1 1 1e-7 1 2 3 4 5 6 7 0 3 4\n").interfaces[0];
  CHECK((with8.dn0 == 1e-7 && with8.params->kn == 1.0 && with8.params->gc == 0.0));
  CHECK(read(head + "0 1 1 1e-7 1 2 3 4 5 6 7 8 0 3 4\n").interfaces[0].params->gc == 8.0);
  CHECK_THROWS_WITH(read(head + "0 1 1 1 2 3 0 3 4\n"), Contains("conf:7:5"));
}

TEST_CASE("an unknown keyword warns with the nearest known one, and its line is passed over",
          "[sim][conf]") {
  Diagnostics lenient;
  const Conf conf = read("Rockable 21-08-2022\ninterverlet 0.5\ndt 0.1\n" + oneBodyTail, lenient);
  CHECK(conf.dt == 0.1);
  CHECK(conf.interVerlet == 0.01);
  REQUIRE(lenient.warnings().size() == 1);
  CHECK_THAT(lenient.warnings()[0], Contains("conf:2:1: ") && Contains("'interVerlet'"));
  CHECK_THROWS_AS(read("Rockable 21-08-2022\ninterverlet 0.5\n" + oneBodyTail), ParseError);
}

TEST_CASE("keywords that are kept end where their words end", "[sim][conf]") {
  Diagnostics diagnostics(true);
  TextReader in("t.conf",
                "Rockable 21-08-2022\nUpdateNL\nlinkCells t 0.5 cellMinSizes 1 2 3 iconf 7\n"
                "Particles 0\nInteractions 0\nInterfaces 0\n");
  const Conf conf = readConf(in, diagnostics);
  CHECK(conf.t == 0.5);
  CHECK(conf.iconf == 7);
  CHECK(confText(conf).find("cellMinSizes 1 2 3\n") != std::string::npos);
}

TEST_CASE("a list longer or shorter than announced is reported as such", "[sim][conf]") {
  const std::string head = "Rockable 21-08-2022\nshapeFile a.shp\n";
  CHECK_THROWS_WITH(read(head + "Particles 1\n" + bodyLine + bodyLine + "dt 0.1\n"),
                    Contains("conf:5:1:"));
  CHECK_THROWS_WITH(read(head + "Particles 3\n" + bodyLine + "! " + bodyLine + "nDriven 1\n"),
                    Contains("conf:6:1:"));
  CHECK_THROWS_AS(read(head + "Particles 2\n" + bodyLine), ParseError);
  const std::string contact = "0 1 0 0 0 1 0 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
  const std::string two = head + "Particles 2\n" + bodyLine + bodyLine;
  CHECK_THROWS_WITH(read(two + "Interactions 2\n" + contact + "dt 0.1\n"), Contains("conf:8:1:"));
  CHECK_THROWS_WITH(read(two + "Interactions 1\n" + contact + contact), Contains("conf:8:1:"));
  CHECK_THROWS_WITH(read(two + "Interfaces 2\n0 1 1 0 0 0\ndt 0.1\n"), Contains("conf:8:1:"));
  CHECK_THROWS_WITH(read(two + "Interfaces 1\n0 1 1 0 0 0\n0 1 1 0 0 0\n"), Contains("conf:8:1:"));
}

TEST_CASE("long lists are read on all threads as on one", "[sim][conf]") {
  const auto result = [](const std::string& text, int threads) {
    useThreads(threads);
    Diagnostics lenient;
    std::string all;
    try {
      const Conf conf = read(text, lenient);
      all = confText(conf);
      for (const auto* lines : {&conf.particleLines, &conf.interactionLines})
        for (const std::uint32_t line : *lines) all += fmt::format(" {}", line);
    } catch (const ParseError& error) {
      all = error.what();
    }
    useThreads(0);
    for (const std::string& warning : lenient.warnings()) all += warning + '\n';
    return all;
  };
  constexpr std::size_t n = 5000;
  std::vector<std::string> bodies, contacts;
  for (std::size_t k = 0; k < n; ++k) {
    bodies.push_back(fmt::format("{} 0 1 1 {} 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n",
                                 k % 7 == 0 ? "Ball" : "dt", k));
    contacts.push_back(fmt::format("{} {} 0 0 0 1 0 0 -1 {} 0 0 0 0 0 1 0 0 0 0 0 0 0\n", k,
                                   (k + 1) % n, 0.5 * static_cast<double>(k)));
  }
  const auto text = [&](const std::vector<std::string>& particles,
                        const std::vector<std::string>& interactions, const std::string& tail) {
    std::string all =
        fmt::format("Rockable 21-08-2022\nshapeFile a.shp\nParticles {} # bodies\n", n);
    for (const std::string& line : particles) all += line;
    all += fmt::format("Interactions {}\n", n);
    for (const std::string& line : interactions) all += line;
    return all + tail;
  };
  const std::string plain = text(bodies, contacts, "dt 0.25\n");
  CHECK_THAT(result(plain, 2), Contains("dt 0.25\n") && Contains(fmt::format(" {}", n + 3)));
  std::set<std::string> seen;
  const auto change = [&](std::size_t at, const std::string& before, const std::string& after) {
    for (const bool ofBodies : {true, false}) {
      std::vector<std::string> lists[] = {bodies, contacts};
      std::string& line = lists[ofBodies ? 0 : 1][at];
      line = before + line.substr(0, line.size() - 1) + after;
      for (const char* tail : {"dt 0.25\n", "EOF", "", "unknown 1\ndt 3\n"}) {
        const std::string changed = text(lists[0], lists[1], tail), one = result(changed, 1);
        CHECK((result(changed, 2) == one));
        seen.insert(one);
      }
    }
  };
  for (const std::size_t at : {std::size_t{0}, std::size_t{1023}, std::size_t{4000}, n - 1}) {
    change(at, "", "\n");
    change(at, "# comment\n\n", " # comment\n");
    change(at, "! ", "\n");  // a body that is out of use, a contact that is wrong
    change(at, "", "\n\n\n");
    change(at, "", " ");  // two items on a line
    change(at, "gravity ", "\n");
    change(at, "x\n", "\n");
    change(at, "", " 5\n");
    change(at, "#scree idle ", "\n");
  }
  CHECK(seen.size() > 80);
}

TEST_CASE("what is given twice warns, and the last one counts", "[sim][conf]") {
  Diagnostics lenient;
  const Conf conf = read(
      "Rockable 21-08-2022\ndt 0.1\nknContact 0 1 5\ndensity 1 3\ndt 0.2\nknContact 1 0 6\n"
      "density 1 4\ndensity 2 4\n" +
          oneBodyTail,
      lenient);
  CHECK(conf.dt == 0.2);
  CHECK(conf.lawParameter("knContact", 0, 1) == 6.0);
  CHECK(conf.densityOf(1) == 4.0);
  REQUIRE(lenient.warnings().size() == 3);
  CHECK_THAT(lenient.warnings()[0], Contains("conf:5:1: "));
  CHECK_THAT(lenient.warnings()[1], Contains("conf:6:15: "));
}

TEST_CASE("arithmetic stands wherever a number does", "[sim][conf]") {
  const Conf conf = read(
      "Rockable 21-08-2022\ngravity 0 $-9.81 * cos(0)$ $2^10$\nknContact 0 $3-2$ $1e6 / 2$\n"
      "nDriven $2 - 1$\nshapeFile a.shp\nParticles $1$\n"
      "Ball 0 $1 + 1$ 1 $1/4$ 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n"
      "Interfaces 0\n");
  CHECK(conf.gravity == Vec3(0.0, -9.81, 1024.0));
  CHECK(conf.lawParameter("knContact", 0, 1) == 5e5);
  CHECK(conf.nDriven == 1);
  CHECK(conf.particles[0].cluster == 2);
  CHECK(conf.particles[0].pos.x() == 0.25);
  const std::string head = "Rockable 21-08-2022\n";
  CHECK_THROWS_WITH(read(head + "dt $2 * $ 3\n" + oneBodyTail), Contains("conf:2:"));
  CHECK_THROWS_WITH(read(head + "dt $2 * 3\n" + oneBodyTail), Contains("conf:2:"));
  CHECK_THROWS_WITH(read(head + "dt $2 *foo$\n" + oneBodyTail), Contains("conf:2:8"));
  CHECK_THROWS_AS(read(head + "nDriven $0.5$\n" + oneBodyTail), ParseError);
  CHECK_THROWS_WITH(read(head + "dt $1/0$\n" + oneBodyTail), Contains("conf:2:"));
}

TEST_CASE("steps and outputs are counted in whole steps, without drift", "[sim][run]") {
  // Accumulating dt gives 31 and 101 steps for two of these.
  CHECK(stepsUntil(0, 1e-3, 1e-4) == 10);
  CHECK(stepsUntil(0, 3e-3, 1e-4) == 30);
  CHECK(stepsUntil(0, 1e-2, 1e-4) == 100);
  CHECK(stepsUntil(30, 30.0000011, 1e-7) == 11);
  CHECK(stepsUntil(0, 0.15999, 2e-5) == 8000);
  CHECK(stepsUntil(5, 1, 1e-3) == 0);
  CHECK(nextOutputStep(0, 1e-6, 1e-7) == 10);
  CHECK(nextOutputStep(10, 1e-6, 1e-7) == 20);
  CHECK(nextOutputStep(0, 0.08, 2e-5) == 4000);
  CHECK(nextOutputStep(0, 0.25, 0.1) == 2);  // 2.5 steps: the first within half a step
  CHECK(nextOutputStep(2, 0.25, 0.1) == 5);
  CHECK(nextOutputStep(5, 0.25, 0.1) == 7);
  CHECK(nextOutputStep(3, 0.01, 0.1) == 4);  // a period below dt: each step
  CHECK(nextOutputStep(3, 1e-20, 1e-4) == 4);
  CHECK(nextOutputStep(3, 1e-320, 1e-4) == 4);
  CHECK(nextOutputStep(3, 1e300, 1e-300) == 2'000'000'000'000'000'000);
  const std::uint64_t many = 900'000'000'000'000'001;  // doubles are 128 apart there
  CHECK(nextOutputStep(many, 1.5, 1.0) > many);
  CHECK(nextOutputStep(1'000'000'000, 0.1, 1e-4) == 1'000'001'000);
}

TEST_CASE("drivingSystem.txt: controls and servos, each for a driven body", "[sim][drive]") {
  Diagnostics strict(true);
  const auto drives = [&](const std::string& text) {
    TextReader in("drivingSystem.txt", text);
    return readDriving(in, 6, 10, strict);
  };
  Diagnostics lenient;
  const auto drivesAnyhow = [&](const std::string& text) {
    TextReader in("drivingSystem.txt", text);
    return readDriving(in, 6, 10, lenient);
  };
  const Drives d = drives(
      "# comment\nControl _x_Vel_ 0 1.5\nControl _xyzrot_Vel_ 1 1 2 3\nServo ramp _y_For_ 1 0 -140 "
      "0 0.2\nServo tritriIsostaticCompression 0 1 2 3 4 5 100\n");
  CHECK(d.controls.size() == 9);
  CHECK(d.servos.size() == 2);
  CHECK_THROWS_WITH(drives("Control _x_Vl_ 0 1"), Contains("drivingSystem.txt:1:9"));
  for (const char* text :
       {"Control _x_Vel_ 6 1", "Control _x_Vel_ 12 1", "Servo shaker 0 0 0 0 1 1",
        "Servo shakr 0 0 1 0 1 1", "Servo tritriLodeAngle 0 1 2 3 4 5 100 61 1"})
    CHECK_THROWS_AS(drives(text), ParseError);
  std::string many;
  for (int k = 0; k < 6000; ++k) many += "Control _x_For_ 0 1\n";
  CHECK(drivesAnyhow(many).controls.size() == 6000);
  CHECK_THROWS_WITH(drivesAnyhow(many + "Servo shaker 0 1 0 0 1 1\n"),
                    Contains("drivingSystem.txt:6001:") && Contains("at most 6000 controls"));
  CHECK(drives("Servo ramp _xyzrot_Vel_ 1 0 0 0 1 2 3 0 1").controls.size() == 1);
}

TEST_CASE("constant controls of one component are reported", "[sim][drive]") {
  const auto warnings = [](const std::string& text) {
    Diagnostics diagnostics;
    TextReader in("drivingSystem.txt", text);
    readDriving(in, 6, 10, diagnostics);
    return diagnostics.warnings();
  };
  const auto twice = warnings(
      "Control _x_Vel_ 0 1\n# other axis, body or kind\nControl _y_Vel_ 0 1\n"
      "Control _x_Vel_ 1 1\nControl _xrot_Vel_ 0 1\n  Control _x_Vel_ 0 2\n");
  REQUIRE(twice.size() == 1);
  CHECK_THAT(twice[0], Contains("drivingSystem.txt:6:3:") && Contains("line 1 imposes"));
  // A servo on top of a constant is meant.
  CHECK(warnings("Control _x_Vel_ 0 1\nServo shaker 0 1 0 0 1 1\nServo ramp _x_Vel_ 0 0 1 0 1\n")
            .empty());
}

TEST_CASE("lines of #scree end where they end", "[sim][conf]") {
  const std::string rest = "\nshapeFile s.shp\nParticles 0\nInteractions 0\n";
  const auto read = [&](const std::string& line, Diagnostics& diagnostics) {
    TextReader in("a.conf", "Rockable 21-08-2022\ndt 1e-3\n" + line + rest);
    return readConf(in, diagnostics);
  };
  Diagnostics quiet;
  CHECK(read("#scree clock 0.5 3", quiet).state().runState->step == 3);
  CHECK(read("#scree clock 0.5 3 # of the first run", quiet).state().runState->step == 3);
  CHECK(quiet.warnings().empty());
  // One that is cut short does not take its numbers from the next.
  CHECK_THROWS_WITH(read("#scree clock 0.5", quiet), Catch::Contains("a.conf:3:14: #scree clock") &&
                                                         Catch::Contains("the end of the line"));
  Diagnostics reported;
  CHECK(read("#scree clock 0.5 3 4 5", reported).state().runState->step == 3);
  REQUIRE(reported.warnings().size() == 1);
  CHECK_THAT(reported.warnings()[0],
             Catch::Contains("a.conf:3:20: #scree clock") && Catch::Contains("t0 step, found '4'"));
}

TEST_CASE("joints keep their lengths at rest, those of the start included", "[sim][conf]") {
  Conf conf = read("Rockable 21-08-2022\nshapeFile a.shp\nParticles 2\n" + bodyLine + bodyLine);
  conf.joints = {{0, 1, Vec3::Zero(), Vec3::UnitX(), 5.0, 0.25},
                 {1, 0, Vec3::Zero(), Vec3::UnitY(), 6.0, -1.0},
                 {0, 1, Vec3::Zero(), Vec3::UnitZ(), 7.0, 0.0}};
  const Conf again = read(confText(conf));
  REQUIRE(again.joints.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(again.joints[k].restLength == conf.joints[k].restLength);
    CHECK(again.joints[k].stiffness == conf.joints[k].stiffness);
  }
  for (SpringJoint& joint : conf.joints) joint.restLength = -1.0;
  CHECK_THAT(confText(conf), !Contains("restLength"));
  // Lengths that cannot be distinguished are no lengths.
  const std::string lengths = "Rockable 21-08-2022\n#scree restLength 0.5\n";
  CHECK_THROWS_WITH(read(lengths +
                         "initSpringJoint 0 0 0 0 1 0 0 0 5\n"
                         "initSpringJoint 1 0 0 0 0 0 0 0 6\n"
                         "shapeFile a.shp\nParticles 2\n" +
                         bodyLine + bodyLine),
                    Contains("conf:3") && Contains("found 1 for 2"));
  CHECK_THROWS_WITH(read(lengths + oneBodyTail), Contains("found 1 for 0"));
}

TEST_CASE("Tempo: any number of courses, each at its times", "[sim][conf]") {
  const Conf conf = read(
      "Rockable 21-08-2022\nTempo Inter muContact 1 0 Range 0.5 0.75 0.1 0.3\n"
      "Tempo Body density 1 Ramp 0 1 2500 2600\n" +
      oneBodyTail);
  REQUIRE(conf.tempos.size() == 2);
  const Tempo &range = conf.tempos[0], &ramp = conf.tempos[1];
  CHECK(range.group1 == 0);
  CHECK((range.at(0.5) == 0.1 && range.at(0.75) == 0.1 && range.at(0.76) == 0.3));
  CHECK((ramp.at(-1) == 2500 && ramp.at(0.25) == 2525 && ramp.at(2) == 2600));
  for (const char* bad : {"Inter muContct 0 1 Ramp 0 1 0 1", "Inter muContact 0 1 Rmp 0 1 0 1",
                          "Inter muContact 0 1 Ramp 1 0 0 1", "Body density 1 Ramp 0 1 0 1"})
    CHECK_THROWS_WITH(read("Rockable 21-08-2022\nTempo " + std::string(bad) + "\n" + oneBodyTail),
                      Contains("conf:2:"));
}

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
