// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of the cases from the field whose outcome is a message, an exit code or a table. Right
// values stand in the README of that folder; meshes and runs are tested beside what they measure.
#include "catch.hpp"
#include "command.hpp"

namespace {

using namespace scree::testing;

struct Row {
  const char *folder, *command;
  int code;
  const char* says;  ///< a passage of the results or messages
};

}  // namespace

TEST_CASE("commands of the field end with the right code and say what was found", "[field][data]") {
  const std::string stone =
      "shapes/P3-four-column-template-becomes-loose-spheres-without-a-word/stone1.multisphere";
  if (publicData("field/" + stone).empty()) return;
  const char* tables = "shapes/P4-tables-with-other-headers";
  const char* chair =
      "shapes/W8-body-of-zero-volume-gets-volume-9e-28-with-a-false-bound-after-a-minute";
  const char* templates = "shapes/P3-four-column-template-becomes-loose-spheres-without-a-word";
  const char* grading = "runs/13_grading_csv_message";
  for (const Row& row : {
           Row{"shapes/P2-suggested-command-is-cut", "clumpify mass a-table*.csv --json", 0,
               "7.0685834"},  // two balls of radius 1, their centres 1 apart: 9/4 pi
           {templates, "clumpify mass stone1.multisphere --json", 0, "18406.00"},
           {templates, "clumpify convert two.txt --to shapepack -o -", 0, "0 Sphere 0 0 1 1"},
           {templates, "clumpify convert two.csv --to shapepack -o -", 0, "0 Sphere 0 0 1 1"},
           {tables, "clumpify convert upper.csv --to shapepack -o -", 0, "0 Sphere 0 0 0 1"},
           {tables, "clumpify convert no-header.csv --to shapepack -o -", 0, "0 Sphere 0 0 1 1"},
           {tables, "clumpify convert radius.csv --to shapepack -o -", 0, "0 Sphere 0 0 0 1"},
           {tables, "clumpify convert extra.csv --to shapepack -o -", 0, "mat"},
           {tables, "clumpify convert count-first.txt --to shapepack -o -", 3, "x y z r"},
           {"shapes/P6-vtk-file-read-as-obj", "shapeSurvey import p.vtk --radius 0 -o -", 3, "VTK"},
           {chair, "shapeSurvey info chair_model.obj", 0, "no volume"},
           {grading,
            "shapeSurvey make box --size 1 -o \"$OUT/b.shp\" && packgen scatter --shapes "
            "\"$OUT/b.shp\" --grading g.csv --container box:3,3,3 --number 40 -o \"$OUT/a/conf0\"",
            0, ""},
           {grading,
            "shapeSurvey make box --size 1 -o \"$OUT/b.shp\" && packgen scatter --shapes "
            "\"$OUT/b.shp\" --grading g2.csv --container box:3,3,3 --number 40 -o \"$OUT/a/conf0\"",
            0, ""},
       }) {
    CAPTURE(row.folder, row.command);
    const Folder out;
    const std::string data = publicData(std::string("field/") + row.folder);
    const Outcome outcome = run(out, "export OUT=\"$PWD\" && cd '" + data + "' && " + row.command);
    CHECK(outcome.code == row.code);
    CHECK((outcome.out + outcome.err).find(row.says) != std::string::npos);
  }
}

TEST_CASE("a hundred shapes that nobody has surveyed bring the hint to do it once", "[field]") {
  const Folder folder;
  std::string shapes, bodies;
  for (int k = 0; k < 100; ++k) {
    const std::string name = "S" + std::to_string(k), at = std::to_string(3 * k);
    shapes += "<\nname " + name + "\nradius 1\npreCompDone n\nnv 1\n0 0 0\nne 0\nnf 0\n>\n";
    bodies += name + " 0 0 1 " + at + " 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n";
  }
  folder.write("s.shp", shapes);
  folder.write("conf0",
               "Rockable 29-11-2018\nt 0\ntmax 1e-5\ndt 1e-6\ninterConf 1e-5\ndensity 0 1\n"
               "forceLaw Default\nknContact 0 0 1\nshapeFile s.shp\nParticles 100\n" +
                   bodies);
  CHECK(run(folder, "rockable conf0 --check").err.find("shapeSurvey compute does it once") !=
        std::string::npos);
}
