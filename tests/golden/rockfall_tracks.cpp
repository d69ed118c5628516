// SPDX-License-Identifier: GPL-3.0-or-later
// The published tracks of the Authume quarry, read by extract and by a script of its own.
#include "tool_test.hpp"

namespace {

/// Rows of a csv table as text, the line of names first.
std::vector<std::vector<std::string>> cellsOf(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

bool same(const std::string& a, const std::string& b) {
  const double x = parseNumber(a).value_or(1e300), y = parseNumber(b).value_or(-1e300);
  return (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-12 * (1.0 + std::abs(x)) ||
         a == b;
}

}  // namespace

TEST_CASE("the 16 published tracks stop, peak and strike where a script of its own says",
          "[golden][extract][rockfall]") {
  const std::string data = publicData("authume/trajectories/P1/SP3A");
  if (data.empty()) return;
  if (std::system("command -v python3 >/dev/null 2>&1") != 0) return skip("no python3");
  const Folder folder;
  const std::string tracks = data + "/Drop_position_?/orientation_?.txt";
  const Outcome script = mustRun(
      folder, fmt::format("python3 {}/../support/rockfall_tracks.py {}", goldenFolder(), tracks));
  const Outcome runout = mustRun(
      folder,
      fmt::format("extract runout --track '{}' --columns run,x,y,z,tStop,vMax,reach,drop,end",
                  tracks));
  const Outcome impacts =
      mustRun(folder, fmt::format("extract impacts --track '{}' --columns run,t,vIn,vOut", tracks));
  const auto stops = cellsOf(runout.out);
  const auto struck = cellsOf(impacts.out);
  std::size_t stop = 0, impact = 0, rests = 0;
  std::istringstream lines(script.out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    std::vector<std::string> values;
    for (std::string word; words >> word;) values.push_back(word);
    const auto& row = what == "stop" ? stops.at(++stop) : struck.at(++impact);
    REQUIRE(row.size() == values.size());
    for (std::size_t k = 1; k < row.size(); ++k) {  // 0: the number of the track
      INFO(line << " against column " << k << ": " << row[k]);
      CHECK(same(row[k], values[k]));
    }
    rests += values.back() == "rest";
  }
  CHECK(stop == 16);
  CHECK(stops.size() == 17);
  CHECK(struck.size() == impact + 1);
  CHECK(impact >= 16);
  CHECK(rests == 16);
}

TEST_CASE("a track has the body that its table names, and rasters of reach",
          "[golden][extract][rockfall]") {
  const Folder folder;
  // A ball falls 1 m along y at 1 m/s along x, strikes, and flies back up.
  const auto row = [](double t, double x, double y, double vx, double vy, double force) {
    return fmt::format("{} {} {} 0 {} {} 0 1 0 0 0 0 0 3 0 {} 0 0 0 0\n", t, x, y, vx, vy, force);
  };
  folder.write("track.txt", row(0, 0, 1, 1, 0, -20) + row(1, 1, 0.5, 1, -2, -20) +
                                row(2, 2, 0, 1, 0, 100) + row(3, 3, 0.5, 1, 1, -20));
  const std::string given = " --track track.txt --gravity 0,-10,0";
  CHECK(cellsOf(run(folder, "extract runout" + given + " --columns id,drop,end").out)[1] ==
        std::vector<std::string>{"-1", "0.5", "moving"});
  const Outcome impacts = run(folder, "extract impacts" + given + " --columns t,vIn,forceMax");
  CHECK(cellsOf(impacts.out)[1] ==
        std::vector<std::string>{"2", fmt::format("{}", std::sqrt(5.0)), "120"});
  expect(folder, "extract reach --cell 1" + given + " -o reach.asc", 0);
  CHECK(folder.read("reach.asc") ==
        "ncols 4\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n1 1 1 1\n");
  expect(folder, "extract reach --cell 1" + given + " -o v.asc --columns speedMax", 0);
  CHECK_THAT(folder.read("v.asc"),
             Contains(fmt::format("\n{0} {0} {1} {1}\n", std::sqrt(5.0), std::sqrt(2.0))));
  expect(folder, "extract reach --cell 1" + given + " -o w.asc --columns speed", 2);
  // A map seen from above: north is -z with y up, y with z up.
  folder.write(
      "n.csv",
      "t,x,y,z,vx,vy,vz,qw,qx,qy,qz,wx,wy,wz,fx,fy,fz\n0,0,1,2.5,0,0,0,1,0,0,0,0,0,0,0,0,0\n");
  CHECK(linesOf(run(folder, "extract reach --cell 1 --track n.csv --columns u,v").out)[1] ==
        "0.5,-2.5");
  CHECK(
      linesOf(run(folder, "extract reach --cell 1 --track n.csv --gravity 0,0,-9.81 --columns u,v")
                  .out)[1] == "0.5,1.5");
  // Two tables are two runs, each with its own body.
  for (const char* name : {"a", "b"})
    folder.write(std::string(name) + ".csv",
                 "t,x,y,z,vx,vy,vz,qw,qx,qy,qz,wx,wy,wz,fx,fy,fz,id\n"
                 "0,0,1,0,0,0,0,1,0,0,0,0,0,0,0,0,0," +
                     std::string(*name == 'a' ? "7" : "9") + "\n");
  CHECK(linesOf(run(folder, "extract runout --track a.csv b.csv --columns id").out) ==
        std::vector<std::string>{"run,id", "a.csv,7", "b.csv,9"});
  folder.write("short.txt", "0 1 2 3\n");
  expect(folder, "extract runout --track short.txt", 3, {"short.txt:1:", "expected 20 numbers"});
}
