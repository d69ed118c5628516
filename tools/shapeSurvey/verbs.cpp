// SPDX-License-Identifier: GPL-3.0-or-later
#include "verbs.hpp"

#include "run_tool.hpp"

namespace scree::tools {

CLI::App& addExport(CLI::App& app, ExportOptions& o) {
  CLI::App& verb = addVerb(
      app, "export", "Write shapes as meshes: STL, OBJ, PLY, OFF, VTP",
      "  shapeSurvey make boulder --radius 0.05 -o boulders.shp\n"
      "  shapeSurvey export boulders.shp --shape Boulder -o boulder.obj\n"
      "  shapeSurvey export boulders.shp --rounded 6 -o boulder.stl\n"
      "  shapeSurvey export boulders.shp --rounded 6 --format vtp -o meshes/",
      "Writes the core as polygons in the body frame, or with --rounded the rounded body. Several\n"
      "shapes go into a folder, one file each.");
  verb.add_option("SHAPES", o.shapes, "Shape-file; - is standard input")->required();
  verb.add_option("--shape", o.shape, "Name of the shape to write (default: all)");
  verb.add_option("-o,--output", o.output,
                  "File, or folder (DIR/) for several; - is standard output")
      ->required();
  verb.add_option("--format", o.format,
                  "stl, obj, ply, off or vtp (default: by the ending of FILE, stl for a folder)");
  verb.add_option("--rounded", o.fineness,
                  "Write the rounded surface, with this many segments for an arc of 90 degrees")
      ->check(CLI::Range(1, 64));
  verb.add_flag("--original", o.original,
                "Use the frame of the source: rotated by orientation, shifted by position");
  verb.add_flag("--ascii", o.ascii, "Write STL, PLY and VTP as text");
  return verb;
}

CLI::App& addCheck(CLI::App& app, CheckOptions& o) {
  CLI::App& verb = addVerb(
      app, "check", "Compare the values in shape-files with computed ones, and repair them",
      "  shapeSurvey make boulder --radius 0.05 -o rocks.shp\n"
      "  shapeSurvey check rocks.shp\n"
      "  shapeSurvey check rocks.shp --json\n"
      "  shapeSurvey check rocks.shp --fix -o repaired.shp",
      "Exit code 3 if errors remain (with --strict also warnings), else 0. --fix copies shapes\n"
      "without findings to the bit.");
  verb.add_option("SHAPES", o.files, "Shape-files; - is standard input")->required();
  verb.add_flag("--fix", o.fix, "Write repaired copies");
  verb.add_option("-o,--output", o.output,
                  "With --fix: the file to write, - for standard output; a folder for several");
  return verb;
}

CLI::App& addImage(CLI::App& app, ImageOptions& o) {
  CLI::App& verb = addVerb(
      app, "image", "Draw shapes as a PNG picture",
      "  shapeSurvey make boulder --radius 0.05 -o stone.shp\n"
      "  shapeSurvey image stone.shp -o stone.png\n"
      "  shapeSurvey image stone.shp --box --view 60 15 --size 400 300 -o small.png\n"
      "  shapeSurvey make prism --faces 8 | shapeSurvey image - -o prism.png",
      "Draws the rounded body, with a scale bar and the axes of its frame. Several shapes become\n"
      "a sheet with their names.");
  verb.add_option("SHAPES", o.shapes, "Shape-file; - is standard input")->required();
  verb.add_option("--shape", o.shape, "Name of the shape to draw (default: all)");
  verb.add_option("-o,--output", o.output, "Picture to write; - is standard output")->required();
  verb.add_option("--size", o.size, "Width and height in pixels")
      ->expected(2)
      ->capture_default_str();
  verb.add_option("--view", o.view, "Azimuth and elevation in degrees; z is up, 0 0 looks from +x")
      ->expected(2)
      ->capture_default_str();
  verb.add_option("--up", o.up, "Direction of the shape's frame that is up: 0 1 0 for y")
      ->expected(3)
      ->capture_default_str();
  verb.add_flag("--perspective", o.perspective,
                "Perspective view (default: orthographic, with true lengths)");
  verb.add_flag("--box", o.box, "Draw the oriented box");
  verb.add_flag("--edges,!--no-edges", o.edges, "Draw lines where faces meet (default: on)");
  verb.add_flag("--plain", o.plain, "Omit name, axes and scale bar");
  verb.add_option("--columns", o.columns, "Columns of a sheet (default: by its proportions)")
      ->check(CLI::Range(1, 1000));
  return verb;
}

}  // namespace scree::tools
