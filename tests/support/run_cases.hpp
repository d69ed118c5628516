// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of rockable that tests of the tools share, and what they leave.
#pragma once

#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"

#include <map>
#include <string>

namespace scree::testing {

/// `text` with the first occurrence of `what` replaced.
inline std::string with(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

/// The same for each of several replacements.
inline std::string with(std::string text,
                        const std::vector<std::pair<std::string, std::string>>& changes) {
  for (const auto& [what, by] : changes) text = with(text, what, by);
  return text;
}

/// Folder with conf0 and its shapes: eight boulders that fall into a box; its run writes conf1 to
/// conf8.
struct RocksFolder : Folder {
  RocksFolder() {
    mustRun(*this,
            "shapeSurvey make boulder --faces 20 --size 0.3 --radius 0.01 --seed 2 -q -o rock.shp");
    mustRun(*this,
            "packgen lattice --shape rock.shp --cells 2 2 2 --random-orientation --walls 0.05 "
            "--duration 0.4 --interconf 0.05 -q -o conf0");
  }
};

/// A ball of radius 0.1 and a plate, surveyed.
inline const std::string ballAndPlate =
    "<\nname Ball\nradius 0.1\npreCompDone y\nvolume 0.004188790204786391\nI/m 0.004 0.004 0.004\n"
    "nv 1\n0 0 0\nne 0\nnf 0\n>\n"
    "<\nname Plan\nradius 0.05\npreCompDone y\nisSurface\nvolume 1\nI/m 1 1 1\n"
    "nv 4\n2 0 2\n2 0 -2\n-2 0 -2\n-2 0 2\nne 4\n0 1\n1 2\n2 3\n3 0\nnf 1\n4 0 1 2 3\n>\n";

/// A ball that falls 2 mm onto a plate, 1,000 steps; its shapes are those of shapes.shp.
inline std::string fallingBall(const std::string& interConf, const std::string& dt = "1e-4") {
  return "Rockable 21-08-2022\nt 0\ntmax 0.1\ndt " + dt + "\ninterConf " + interConf +
         "\ninterVerlet 0.01\nDVerlet 0.02\ndVerlet 0.01\ndensity 0 2600\ngravity 0 -10 0\n"
         "forceLaw Default\nknContact 0 0 1e5\nen2Contact 0 0 0.25\nktContact 0 0 1e5\n"
         "muContact 0 0 0.5\nnDriven 1\nshapeFile shapes.shp\nParticles 2\n"
         "Plan 0 0 1 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n"
         "Ball 0 1 1 0 0.152 0 0.5 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n";
}

/// The case that most tests of rockable run: a ball that falls onto a plate.
inline const std::string ballConf = fallingBall("0.02");

/// Writes the case, or another one of the same shapes, as case.conf.
inline void writeCase(const Folder& folder, const std::string& text = ballConf) {
  folder.write("shapes.shp", ballAndPlate);
  folder.write("case.conf", text);
}

/// The run.json in a folder of outputs.
inline nlohmann::json report(const Folder& folder, const std::string& out) {
  return parseJson(folder.read(out + "/run.json"));
}

/// Whether two runs ended in the same state.
inline bool sameState(const Folder& folder, const std::string& a, const std::string& b) {
  return report(folder, a)["stateHash"] == report(folder, b)["stateHash"];
}

/// Files below a folder, with their content; of those that hold times on the wall (run.json,
/// perf.txt) the names alone.
inline std::map<std::string, std::string> filesIn(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string file = fs::relative(entry.path(), folder).string();
    files[file] = file == "run.json" || file == "perf.txt" ? "" : readFile(entry.path().string());
  }
  return files;
}
inline std::map<std::string, std::string> filesOf(const Folder& folder, const std::string& name) {
  return filesIn(folder.path(name));
}

/// "" where two folders hold the same files with the same bytes; else the first that differs.
inline std::string difference(const Folder& folder, const std::string& a, const std::string& b) {
  const auto in = filesOf(folder, a), other = filesOf(folder, b);
  for (const auto& [name, content] : in)
    if (!other.contains(name)) return name + " is in " + a + " alone";
  for (const auto& [name, content] : other)
    if (!in.contains(name)) return name + " is in " + b + " alone";
  for (const auto& [name, content] : in)
    if (other.at(name) != content) return name + " differs";
  return {};
}

}  // namespace scree::testing
