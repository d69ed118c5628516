// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of extract that go on: --append and --follow lose no row and repeat none.
#include "catch.hpp"
#include "command.hpp"
#include "squeezed_run.hpp"

#include <fmt/format.h>

using namespace scree;
using namespace scree::testing;
using Catch::Matchers::Contains;

namespace {

/// conf-files at the times 9, 9.25, 9.5 ... With the last one the run is over.
void writeSeries(const Folder& folder, int count) {
  for (int k = 0; k < count; ++k)
    writeSqueezed(folder, k, 9.0 + 0.25 * k, 9.0 + 0.25 * (count - 1));
}

/// The rows alone: heads differ by the command.
std::string rowsOf(const std::string& table) {
  std::string rows;
  for (const std::string& line : linesOf(table)) rows += line + '\n';
  return rows;
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
  REQUIRE(run(folder, command + " run -o " + table).code == 0);
  const std::string whole = folder.read(table);
  // Each byte from the head on would take long; steps of a prime hit lines, cells and their ends.
  for (const char* option : {"--append", "--follow"})
    for (std::size_t length = 0; length <= whole.size(); length += 173) {
      INFO(option << ", " << format << ", " << length << " of " << whole.size() << " bytes");
      folder.write(table, whole.substr(0, length));
      const Outcome o = run(folder, "timeout 60 " + command + " run -o " + table + ' ' + option);
      INFO(o.err);
      CHECK(o.code == 0);
      CHECK(rowsOf(folder.read(table)) == rowsOf(whole));
    }
  // Nothing is new.
  folder.write(table, whole);
  CHECK(run(folder, command + " run --append -o " + table).code == 0);
  CHECK(rowsOf(folder.read(table)) == rowsOf(whole));
  CHECK(run(folder, command + " run/conf1 run/conf3 --append -o " + table).code == 0);
  CHECK(rowsOf(folder.read(table)) == rowsOf(whole));
}

TEST_CASE("each table of a script goes on from its own last row", "[golden][extract][append]") {
  const Folder folder;
  writeSeries(folder, 4);
  folder.write("script.txt", "TrackBody 2 a.txt 1\nMeanVelocity b.txt 1\ndnStat c.txt 1\n");
  REQUIRE(run(folder, "extract --script script.txt run -o whole").code == 0);
  for (const char* option : {"--append", "--follow"}) {
    INFO(option);
    fs::remove_all(folder.path("cut"));
    REQUIRE(run(folder, "extract --script script.txt run -o cut").code == 0);
    fs::remove(folder.path("cut/a.txt"));
    const std::string b = folder.read("cut/b.txt");
    folder.write("cut/b.txt", b.substr(0, b.find('\n', b.find('\n') + 1) + 1));
    CHECK(run(folder, std::string("timeout 60 extract --script script.txt run -o cut ") + option)
              .code == 0);
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
  const auto files = [&] {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
      if (entry.is_regular_file()) all += entry.path().string() + readFile(entry.path().string());
    return all;
  };
  const std::string before = files();
  for (const char* command :
       {"extract energy run/conf0 -o run/conf0", "extract energy run -o run/../run/conf1",
        "extract energy run/conf0 -o run/shapes.shp", "extract energy link -o run/conf0",
        "extract join a.csv -o a.csv", "extract join a.csv -o runs.csv",
        "extract exceedance --of v a.csv -o a.csv", "extract diff run/conf0 run/conf1 -o run/conf1",
        "extract --script run/script.txt run -o run", "extract --script own.txt run",
        "conf2vtk run -o vtk --html run/conf0",
        "conf2vtk run/conf1 -o vtk --html run/shapes.shp"}) {
    const Outcome o = run(folder, std::string(command) + " --force");
    INFO(command << "\n" << o.err);
    CHECK(o.code == 2);
    CHECK_THAT(o.err, Contains("this file is an input"));
    fs::remove_all(folder.path("vtk"));
    CHECK(files() == before);
  }
}
