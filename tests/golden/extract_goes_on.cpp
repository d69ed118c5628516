// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of extract that go on: --append and --follow lose no row and repeat none.
#include "squeezed_run.hpp"
#include "tool_test.hpp"

namespace {

/// conf-files at the times 9, 9.25, 9.5 ... With the last one the run is over.
void writeSeries(const Folder& folder, int count) {
  for (int k = 0; k < count; ++k)
    writeSqueezed(folder, k, 9.0 + 0.25 * k, 9.0 + 0.25 * (count - 1));
}

}  // namespace

TEST_CASE("a table that was cut anywhere goes on as if it never had been",
          "[golden][extract][append]") {
  const Folder folder;
  writeSeries(folder, 4);
  const auto [format, options] = GENERATE(table<std::string, std::string>(
      {{"csv", ""}, {"tsv", "--columns t,x,id,vx"}, {"txt", "--digits 1"}}));
  const std::string command = "extract bodies --driven " + options + " --add name='a, b'";
  const std::string table = "t." + format;
  mustRun(folder, command + " run -o " + table);
  const std::string whole = folder.read(table), rows = tableOf(folder, "cat " + table);
  // Each byte from the head on would take long; steps of a prime hit lines, cells and their ends.
  for (const char* option : {"--append", "--follow"})
    for (std::size_t length = 0; length <= whole.size(); length += 173) {
      INFO(option << ", " << format << ", " << length << " of " << whole.size() << " bytes");
      folder.write(table, whole.substr(0, length));
      expect(folder, "timeout 60 " + command + " run -o " + table + ' ' + option, 0);
      CHECK(tableOf(folder, "cat " + table) == rows);
    }
  // Nothing is new.
  folder.write(table, whole);
  expect(folder, command + " run --append -o " + table, 0);
  CHECK(tableOf(folder, "cat " + table) == rows);
  expect(folder, command + " run/conf1 run/conf3 --append -o " + table, 0);
  CHECK(tableOf(folder, "cat " + table) == rows);
}

TEST_CASE("each table of a script goes on from its own last row", "[golden][extract][append]") {
  const Folder folder;
  writeSeries(folder, 4);
  folder.write("script.txt", "TrackBody 2 a.txt 1\nMeanVelocity b.txt 1\ndnStat c.txt 1\n");
  mustRun(folder, "extract --script script.txt run -o whole");
  for (const char* option : {"--append", "--follow"}) {
    INFO(option);
    fs::remove_all(folder.path("cut"));
    mustRun(folder, "extract --script script.txt run -o cut");
    fs::remove(folder.path("cut/a.txt"));
    const std::string b = folder.read("cut/b.txt");
    folder.write("cut/b.txt", b.substr(0, b.find('\n', b.find('\n') + 1) + 1));
    expect(folder, std::string("timeout 60 extract --script script.txt run -o cut ") + option, 0);
    for (const char* name : {"a.txt", "b.txt", "c.txt"})
      CHECK(folder.read(std::string("cut/") + name) == folder.read(std::string("whole/") + name));
  }
}

TEST_CASE("extract and conf2vtk do not replace what they read, not even with --force",
          "[golden][extract][force]") {
  const Folder folder;
  writeSeries(folder, 2);
  folder.write("a.csv", "id,v\n1,2\n");
  folder.write("runs.csv", "run,mu\na,2\n");
  folder.write("run/script.txt", "TrackBody 2 conf0 1\n");
  folder.write("own.txt", "TrackBody 2 own.txt 1\n");
  fs::create_symlink("run/conf0", folder.path("link"));
  const auto before = filesOf(folder, "");
  for (const char* command :
       {"extract energy run/conf0 -o run/conf0", "extract energy run -o run/../run/conf1",
        "extract energy run/conf0 -o run/shapes.shp", "extract energy link -o run/conf0",
        "extract join a.csv -o a.csv", "extract join a.csv -o runs.csv",
        "extract exceedance --of v a.csv -o a.csv", "extract diff run/conf0 run/conf1 -o run/conf1",
        "extract --script run/script.txt run -o run", "extract --script own.txt run",
        "conf2vtk run -o vtk --html run/conf0",
        "conf2vtk run/conf1 -o vtk --html run/shapes.shp"}) {
    expect(folder, std::string(command) + " --force", 2, {"this file is an input"});
    fs::remove_all(folder.path("vtk"));
    CHECK(filesOf(folder, "") == before);
  }
}
