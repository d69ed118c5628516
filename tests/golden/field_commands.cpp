// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of the cases from the field whose outcome is a message, an exit code or a table. Right
// values stand in the README of that folder; meshes and runs are tested beside what they measure.
#include "tool_test.hpp"

TEST_CASE("commands of the field end with the right code and say what was found", "[field][data]") {
  const std::string stone =
      "shapes/P3-four-column-template-becomes-loose-spheres-without-a-word/stone1.multisphere";
  if (publicData("field/" + stone).empty()) return;
  const char* tables = "shapes/P4-tables-with-other-headers";
  const char* chair =
      "shapes/W8-body-of-zero-volume-gets-volume-9e-28-with-a-false-bound-after-a-minute";
  const char* templates = "shapes/P3-four-column-template-becomes-loose-spheres-without-a-word";
  const char* grading = "runs/13_grading_csv_message";
  const std::string scatter =
      "shapeSurvey make box --size 1 -o \"$OUT/b.shp\" && packgen scatter --shapes \"$OUT/b.shp\" "
      "--container box:3,3,3 --number 40 -o \"$OUT/a/conf0\" ";
  struct Row {
    std::string folder, command;
    int code;
    std::string says;  ///< a passage of the results or messages
  };
  for (const Row& row : std::vector<Row>{
           {"shapes/P2-suggested-command-is-cut", "clumpify mass a-table*.csv --json", 0,
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
           {grading, scatter + "--grading g.csv", 0, ""},
           {grading, scatter + "--grading g2.csv", 0, ""}}) {
    CAPTURE(row.folder, row.command);
    const Folder out;
    const std::string data = publicData(std::string("field/") + row.folder);
    const Outcome outcome =
        expect(out, "export OUT=\"$PWD\" && cd '" + data + "' && " + row.command, row.code);
    CHECK((outcome.out + outcome.err).find(row.says) != std::string::npos);
  }
}
