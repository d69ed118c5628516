// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed conf-files through all tools: written by a run, resumed, replayed, extracted, drawn.
#include "tool_test.hpp"

namespace {

void cutInHalf(const Folder& folder, const std::string& name) {
  fs::resize_file(folder.path(name), fs::file_size(folder.path(name)) / 2);
}

}  // namespace

TEST_CASE("a compressed run leaves the same states, stopped and resumed as well",
          "[golden][compressed]") {
  const RocksFolder folder;
  mustRun(folder, "rockable conf0 -o plain -q");
  mustRun(folder, "rockable conf0 -o packed -q --compress --steps 500");
  CHECK(folder.has("packed/restart.conf"));
  mustRun(folder, "rockable conf0 -o packed -q --compress --resume");
  CHECK_FALSE(folder.has("packed/restart.conf"));
  CHECK(sameState(folder, "packed", "plain"));
  for (int k = 0; k <= 8; ++k) {
    const std::string n = std::to_string(k);
    INFO(n);
    CHECK_FALSE(folder.has("packed/conf" + n));
    CHECK(folder.read("packed/conf" + n + ".zst") == folder.read("plain/conf" + n));
    CHECK(fs::file_size(folder.path("packed/conf" + n + ".zst")) <
          fs::file_size(folder.path("plain/conf" + n)));
  }
  expect(folder, "rockable --replay packed/run.json -q", 0);
  // Without restart.conf a run goes on from the newest compressed file; one cut short is passed
  // over.
  cutInHalf(folder, "packed/conf8.zst");
  auto record = report(folder, "packed");
  record["status"] = "running";
  folder.write("packed/run.json", record.dump());
  expect(folder, "rockable conf0 -o packed --compress --resume", 0,
         {"conf8.zst: compressed with zstd, but truncated", "resuming from packed/conf7.zst"});
  CHECK(folder.read("packed/conf8.zst") == folder.read("plain/conf8"));
}

TEST_CASE("a compressed input is the run that the plain one is", "[golden][compressed]") {
  const RocksFolder folder;
  mustRun(folder, "rockable conf0 -o plain -q");
  folder.write("conf0.zst", folder.read("conf0"));
  const auto size = fs::file_size(folder.path("conf0.zst"));
  mustRun(folder, "mv conf0 elsewhere && rockable conf0.zst -q");
  CHECK_FALSE(folder.has("conf0"));  // the input is the state at the start
  CHECK(fs::file_size(folder.path("conf0.zst")) == size);
  CHECK(sameState(folder, ".", "plain"));
  CHECK(report(folder, ".")["inputs"][0]["hash"] == report(folder, "plain")["inputs"][0]["hash"]);
  expect(folder, "sh -c 'rockable - -o piped -q < conf0.zst'", 0);
  CHECK(sameState(folder, "piped", "plain"));

  cutInHalf(folder, "conf0.zst");
  expectRefusals(folder, "rockable -o no ", "", {"no"},
                 {{"conf0.zst", 3, "truncated after"}, {"- < conf0.zst", 3, "truncated after"}});
}

TEST_CASE("extract, conf2vtk and packgen know compressed conf-files", "[golden][compressed]") {
  const RocksFolder folder;
  mustRun(folder, "rockable conf0 -o plain -q");
  mustRun(folder, "rockable conf0 -o packed -q --compress");
  const std::string extract = "extract TrackBody --body 7 ",
                    rows = tableOf(folder, extract + "plain");
  CHECK(tableOf(folder, extract + "packed") == rows);
  CHECK(tableOf(folder, extract + "packed/conf*") == rows);
  // Both forms of one number in a folder, as `zstd conf7` leaves them: the state counts once.
  folder.write("packed/conf7", folder.read("plain/conf7"));
  CHECK(tableOf(folder, extract + "packed") == rows);
  fs::remove(folder.path("packed/conf7"));
  mustRun(folder, extract + "packed -o table.csv.zst");
  CHECK(linesOf(folder.read("table.csv.zst")) == linesOf(rows));

  mustRun(folder, "conf2vtk packed -o vtk -q");
  for (const char* name : {"particles_0000.vtp", "particles_0008.vtp"})
    CHECK(folder.has(std::string("vtk/particles/") + name));

  mustRun(folder,
          "packgen lattice --shape rock.shp --cells 2 1 1 --walls 0.05 -q -o made/conf5.zst");
  CHECK(folder.has("made/conf5.shp"));
  CHECK_THAT(folder.read("made/conf5.zst"), Contains("iconf 5\n") && Contains("conf5.shp"));
  expect(folder, "rockable made/conf5.zst --check --strict", 0);
}
