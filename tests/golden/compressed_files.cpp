// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed conf-files through all tools: written by a run, resumed, replayed, extracted, drawn.
#include "catch.hpp"
#include "run_cases.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// The table without its comments, which name the command.
std::string rowsOf(const std::string& text) {
  std::istringstream lines(text);
  std::string rows;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with('#')) rows += line + '\n';
  return rows;
}

void cutInHalf(const Folder& folder, const std::string& name) {
  fs::resize_file(folder.path(name), fs::file_size(folder.path(name)) / 2);
}

}  // namespace

TEST_CASE("a compressed run leaves the same states, stopped and resumed as well",
          "[golden][compressed]") {
  const Folder folder;
  writeRocks(folder);
  mustRun(folder, "rockable conf0 -o plain -q");
  mustRun(folder, "rockable conf0 -o packed -q --compress --steps 500");
  CHECK(folder.has("packed/restart.conf"));
  mustRun(folder, "rockable conf0 -o packed -q --compress --resume");
  CHECK_FALSE(folder.has("packed/restart.conf"));
  CHECK(report(folder, "packed")["stateHash"] == report(folder, "plain")["stateHash"]);
  for (int k = 0; k <= 8; ++k) {
    const std::string n = std::to_string(k);
    INFO(n);
    CHECK_FALSE(folder.has("packed/conf" + n));
    CHECK(folder.read("packed/conf" + n + ".zst") == folder.read("plain/conf" + n));
    CHECK(fs::file_size(folder.path("packed/conf" + n + ".zst")) <
          fs::file_size(folder.path("plain/conf" + n)));
  }
  CHECK(run(folder, "rockable --replay packed/run.json -q").code == 0);
  // Without restart.conf a run goes on from the newest compressed file; one cut short is passed
  // over.
  cutInHalf(folder, "packed/conf8.zst");
  auto record = report(folder, "packed");
  record["status"] = "running";
  folder.write("packed/run.json", record.dump());
  const Outcome resumed = mustRun(folder, "rockable conf0 -o packed --compress --resume");
  CHECK_THAT(resumed.err, Contains("conf8.zst: compressed with zstd, but truncated") &&
                              Contains("resuming from packed/conf7.zst"));
  CHECK(folder.read("packed/conf8.zst") == folder.read("plain/conf8"));
}

TEST_CASE("a compressed input is the run that the plain one is", "[golden][compressed]") {
  const Folder folder;
  writeRocks(folder);
  mustRun(folder, "rockable conf0 -o plain -q");
  folder.write("conf0.zst", folder.read("conf0"));
  const auto size = fs::file_size(folder.path("conf0.zst"));
  mustRun(folder, "mv conf0 elsewhere && rockable conf0.zst -q");
  CHECK_FALSE(folder.has("conf0"));  // the input is the state at the start
  CHECK(fs::file_size(folder.path("conf0.zst")) == size);
  CHECK(report(folder, ".")["stateHash"] == report(folder, "plain")["stateHash"]);
  CHECK(report(folder, ".")["inputs"][0]["hash"] == report(folder, "plain")["inputs"][0]["hash"]);
  CHECK(run(folder, "sh -c 'rockable - -o piped -q < conf0.zst'").code == 0);
  CHECK(report(folder, "piped")["stateHash"] == report(folder, "plain")["stateHash"]);

  cutInHalf(folder, "conf0.zst");
  for (const char* command : {"rockable conf0.zst -o no", "rockable - -o no < conf0.zst"}) {
    const Outcome broken = run(folder, command);
    CHECK(broken.code == 3);
    CHECK_THAT(broken.err, Contains("truncated after"));
    CHECK(std::count(broken.err.begin(), broken.err.end(), '\n') == 1);
  }
  CHECK_FALSE(folder.has("no"));
}

TEST_CASE("extract, conf2vtk and packgen know compressed conf-files", "[golden][compressed]") {
  const Folder folder;
  writeRocks(folder);
  mustRun(folder, "rockable conf0 -o plain -q");
  mustRun(folder, "rockable conf0 -o packed -q --compress");
  const Outcome a = run(folder, "extract TrackBody --body 7 plain"),
                b = run(folder, "extract TrackBody --body 7 packed"),
                c = run(folder, "extract TrackBody --body 7 packed/conf*");
  REQUIRE(b.code == 0);
  CHECK(rowsOf(b.out) == rowsOf(a.out));
  CHECK(rowsOf(c.out) == rowsOf(a.out));
  // Both forms of one number in a folder, as `zstd conf7` leaves them: the state counts once.
  folder.write("packed/conf7", folder.read("plain/conf7"));
  CHECK(rowsOf(run(folder, "extract TrackBody --body 7 packed").out) == rowsOf(a.out));
  fs::remove(folder.path("packed/conf7"));

  mustRun(folder, "extract TrackBody --body 7 packed -o table.csv.zst");
  CHECK(rowsOf(folder.read("table.csv.zst")) == rowsOf(a.out));

  mustRun(folder, "conf2vtk plain -o vtkPlain -q");
  mustRun(folder, "conf2vtk packed -o vtkPacked -q");
  for (const char* name : {"particles_0000.vtp", "particles_0008.vtp"}) {
    CHECK(folder.has(std::string("vtkPlain/particles/") + name));
    CHECK(folder.has(std::string("vtkPacked/particles/") + name));
  }

  mustRun(folder,
          "packgen lattice --shape rock.shp --cells 2 1 1 --walls 0.05 -q -o made/conf5.zst");
  CHECK(folder.has("made/conf5.shp"));
  CHECK_THAT(folder.read("made/conf5.zst"), Contains("iconf 5\n") && Contains("conf5.shp"));
  CHECK(run(folder, "rockable made/conf5.zst --check --strict").code == 0);
}

TEST_CASE("a table that a run makes longer is not compressed", "[golden][compressed]") {
  const Folder folder;
  writeRocks(folder);
  folder.write("dataExtractors.txt", "TrackBody 7 rock.txt.zst 10\n");
  const Outcome refused = run(folder, "rockable conf0 -o out");
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("dataExtractors.txt:1:") && Contains(".zst"));
  folder.write("dataExtractors.txt", "TrackBody 7 conf3.zst 10\n");
  CHECK(run(folder, "rockable conf0 -o out").code == 3);
  CHECK_FALSE(folder.has("out"));
}
