// SPDX-License-Identifier: GPL-3.0-or-later
// packgen export and import as users run them.
#include "tool_test.hpp"

namespace {

/// Balls and boxes, turned at random, between walls: balls/conf0 and boxes/conf0.
void writeScenes(const Folder& folder) {
  mustRun(folder,
          "shapeSurvey make sphere --size 1 --name ball | shapeSurvey compute - -q -o ball.shp");
  mustRun(folder, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp");
  for (const std::string shape : {"ball", "box"})
    mustRun(folder, "packgen lattice --shape " + shape +
                        ".shp --cells 2 2 2 --random-orientation "
                        "--walls 0.2 --law StickedLinks -q -o " +
                        shape + "/conf0");
}

}  // namespace

TEST_CASE("a table of bodies comes back as the same packing", "[golden][packgen][exchange]") {
  const Folder folder;
  writeScenes(folder);
  mustRun(folder, "packgen export box/conf0 --to csv --strict -q -o table");
  mustRun(folder, "packgen from table/bodies.csv --shapes table/shapes.shp -q -o back/conf0");
  const std::string bodies =
      "extract bodies --driven --columns shape,group,cluster,x,y,z,qw,qx,qy,qz "
      "--digits 12 ";
  const auto table = [&](const std::string& conf) {
    const std::string text = mustRun(folder, bodies + conf + " -q").out;
    return text.substr(text.find("\nshape"));
  };
  CHECK(table("back/conf0") == table("box/conf0"));
}

TEST_CASE("exports say what is lost, and --strict writes nothing", "[golden][packgen][exchange]") {
  const Folder folder;
  writeScenes(folder);
  folder.write("ball/drivingSystem.txt", "Servo shaker 0 0 1 0 0.1 2\n");
  const Outcome made = mustRun(folder, "packgen export ball/conf0 --to lammps --json -o l");
  const json report = parseJson(made.out);
  CHECK(report.at("schema") == 1);
  CHECK(report.at("bodies") == 14);
  CHECK(report.at("losses").size() == 3);
  CHECK(report.at("losses").back().at("item") == "Servo shaker");
  CHECK_THAT(made.err, Contains("lost: Servo shaker: driven bodies stay at rest"));
  CHECK_THAT(folder.read("l/losses.txt"),
             Contains("approximated: nDriven plates: an endless plane"));
  expect(folder, "packgen export ball/conf0 --to lammps --strict -q -o s", 3);
  CHECK_FALSE(folder.has("s"));
  expect(folder, "packgen export ball/conf0 --to lammps -q -o l", 4);
  expect(folder, "packgen export ball/conf0 --to lammps -q --force -o l", 0);
  expect(folder, "packgen export ball/conf0 --to yade -q -o y", 2);
  expect(folder, "packgen export box/conf0 --to lammps -q -o b", 3, {"clumpify cover"});
  CHECK_FALSE(folder.has("b"));
}

TEST_CASE("imported states are conf-files that the other tools take",
          "[golden][packgen][exchange]") {
  const Folder folder;
  writeScenes(folder);
  const std::string table =
      mustRun(folder, "extract bodies ball/conf0 --columns id,mass,x,y,z --format txt -q").out;
  const auto dump = [&](double lift) {
    std::string rows =
        "ITEM: TIME\n" + std::to_string(lift) +
        "\nITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n8\nITEM: BOX BOUNDS mm mm mm\n"
        "0 9\n0 9\n0 9\nITEM: ATOMS mol mass xu yu zu vx vy vz omegax omegay omegaz\n";
    std::istringstream lines(table.substr(table.find('\n') + 1));
    for (double id, mass, x, y, z; lines >> id >> mass >> x >> y >> z;) {
      char row[200];
      std::snprintf(row, sizeof row, "%g %.17g %.17g %.17g %.17g 0 0 0 0 0 0\n", id + 1, mass, x,
                    y - lift, z);
      rows += row;
    }
    return rows;
  };
  folder.write("atoms.dump", dump(0.0) + dump(0.21));  // onto the floor
  const std::string command = "packgen import atoms.dump --from lammps --like ball/conf0 -o back";
  CHECK_THAT(mustRun(folder, command).err, Contains("2 conf-files, back/conf0 to back/conf1"));
  mustRun(folder, "rockable back/conf0 --check -q");
  mustRun(folder, "conf2vtk back -q -o vtk");
  // Four balls stand 0.01 in the floor.
  const std::string stress =
      mustRun(folder, "extract stress back/conf1 --columns yy --format json -q").out;
  CHECK_THAT(stress, !Contains("null") && !Contains("nan"));
  CHECK_THAT(stress, Contains("-"));  // compression
  expect(folder, command + " -q", 4);
  CHECK(jsonOf(folder, command + " -q --force --json").at("files").size() == 2);
  // A shorter run leaves no states of the longer one behind it.
  folder.write("atoms.dump", dump(0.0));
  CHECK_THAT(run(folder, command + " -q --force").err, Contains("back/conf1: is of a longer run"));
  folder.write("atoms.dump", dump(0.0) + dump(0.2).substr(0, 400));
  const Outcome bad = expect(folder, command + "2 -q", 3);
  CHECK(std::ranges::count(bad.err, '\n') == 1);
  CHECK_THAT(bad.err, Contains("atoms.dump:"));
  CHECK_FALSE(folder.has("back2"));
}
