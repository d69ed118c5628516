// SPDX-License-Identifier: GPL-3.0-or-later
// Documents say what the programs do.
#include "catch.hpp"
#include "command.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;

TEST_CASE("the pages on formats hold the tables that the programs read by", "[golden][docs]") {
  const Folder folder;
  const std::string text = readFile(docsFolder() + "/formats/conf.md");
  const Outcome table = run(folder, "rockable --list keywords");
  REQUIRE(table.code == 0);
  // Keywords of bonds inside and between clusters share a row.
  const auto replaced = [](std::string line, const std::string& from, const std::string& to) {
    if (const auto at = line.find(from); at != std::string::npos) line.replace(at, from.size(), to);
    return line;
  };
  std::istringstream lines(table.out);
  int rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) {
    if (line.find("OuterBond`") != std::string::npos)
      line = replaced(replaced(line, "Outer", "Inner"), "between clusters", "inside a cluster");
    if (const auto end = line.find("InnerBond`"); end != std::string::npos) {
      const std::string name = line.substr(3, end - 3);
      line = replaced(line, "InnerBond`", "InnerBond`, `" + name + "OuterBond`");
    }
    INFO("formats/conf.md lacks the row\n" << line << "\n(`rockable --list keywords` prints it)");
    CHECK(text.find(line) != std::string::npos);
  }
  CHECK(rows > 100);
}

TEST_CASE("each keyword of the format is known, and its row tells what becomes of it",
          "[golden][docs]") {
  // Of the format's description (2017) and of all that the reference program takes (2026). Included
  // are the names it once had, and what old files hold beside.
  const char* names =
      "t tmax dt interVerlet interConf DVerlet dVerlet parallel_mode density gravity BodyForce "
      "ParamsInInterfaces dynamicUpdateNL dispUpdateNL angleUpdateNL usePeriodicCell h vh ah mh dh "
      "cellMomentumCorrection cellVelocityCorrection useKineticStress useSoftParticles "
      "numericalDampingCoeff VelocityBarrier AngularVelocityBarrier VelocityBarrierExponent "
      "AngularVelocityBarrierExponent velocityBarrier angularVelocityBarrier preventCrossingLength "
      "knContact en2Contact ktContact muContact krContact murContact viscTContact "
      "en2ContactFromViscRate knInnerBond ktInnerBond krInnerBond fn0InnerBond ft0InnerBond "
      "mom0InnerBond powInnerBond en2InnerBond knOuterBond ktOuterBond krOuterBond fn0OuterBond "
      "ft0OuterBond mom0OuterBond powOuterBond en2OuterBond gcInnerBond gcOuterBond "
      "ContactPartnership cellMinSizes boxForLinkCellsOpt iconf nDriven shapeFile precision "
      "Particles Interactions Interfaces forceLaw AddOrRemoveInteractions UpdateNL "
      "UpdateNLStrategy Integrator Tempo initSpringJoint separator glue_with_walls DataExtractor "
      "stickVerticesInClusters stickVerticesInClustersMoments stickBCM stickClusters "
      "copyParamsToInterfaces setVariableStickParams setStiffnessRatioInterfaces "
      "randomlyOrientedVelocities randomlyOrientedVelocitiesClusters setAllVelocities "
      "homothetyRange particlesClonage";
  const Folder folder;
  const std::string table = run(folder, "rockable --list keywords").out;
  std::istringstream in(names);
  int count = 0;
  for (std::string name; in >> name; ++count) {
    INFO("no row for " << name);
    CHECK(table.find("`" + name + "`") != std::string::npos);
  }
  CHECK(count == 91);
  // Servos and extractors likewise.
  const std::string servos = run(folder, "rockable --list servos").out,
                    extractors = run(folder, "rockable --list extractors").out;
  std::istringstream modes(
      "ramp shaker triangle_shaker sawtooth_shaker tritriIsostaticCompression "
      "tritriBiaxialCompression tritriCustom tritriLodeAngle _x_Vel_ _y_Vel_ _z_Vel_ _xrot_Vel_ "
      "_yrot_Vel_ _zrot_Vel_ _xyzrot_Vel_ _x_For_ _y_For_ _z_For_ _xrot_Mom_ _yrot_Mom_ "
      "_zrot_Mom_ _xyzrot_Mom_");
  for (std::string name; modes >> name;) CHECK_THAT(servos, Catch::Contains(name));
  const std::string driving = readFile(docsFolder() + "/formats/driving.md");
  for (const char* name : {"IsotropicCompression", "TriaxialCompression", "SimpleShearDeformable"})
    CHECK(driving.find(name) != std::string::npos);
  for (const char* name : {"TrackBody", "TrackRockfall", "ClusterAABB", "dnStat", "MeanVelocity",
                           "DuoBalance", "TrackDamage"}) {
    INFO("no line for " << name);
    CHECK(extractors.find(name) != std::string::npos);
  }
}

TEST_CASE("what rockable lists is named in its pages", "[golden][docs]") {
  const Folder folder;
  const auto page = [](const std::string& name) { return readFile(docsFolder() + "/" + name); };
  // First words of the lines that do not begin with a blank.
  const auto names = [&](const std::string& kind) {
    std::vector<std::string> words;
    std::istringstream lines(run(folder, "rockable --list " + kind).out);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty() && line[0] != ' ') words.push_back(line.substr(0, line.find(' ')));
    return words;
  };
  const std::pair<const char*, const char*> pages[] = {{"laws", "formats/conf.md"},
                                                       {"extractors", "tools/extract.md"},
                                                       {"commands", "formats/conf.md"}};
  for (const auto& [kind, file] : pages) {
    const std::string text = page(file);
    const auto all = names(kind);
    CHECK(all.size() >= 5);
    for (const std::string& name : all) {
      INFO(file << " does not name " << name);
      CHECK(text.find("`" + name + "`") != std::string::npos);
    }
  }
  const std::string driving = page("formats/driving.md");
  std::istringstream servos(run(folder, "rockable --list servos").out);
  for (std::string line; std::getline(servos, line) && !line.empty();) {
    INFO("formats/driving.md lacks the line\n" << line);
    CHECK(driving.find(line) != std::string::npos);
  }
}
