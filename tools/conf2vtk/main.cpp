// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf2vtk.hpp"
#include "run_tool.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

namespace {

using namespace scree;
using namespace scree::tools;

std::string finiteNumber(const std::string& text) {
  const auto value = parseNumber(text);
  if (value && std::isfinite(*value)) return {};
  return fmt::format("expected a number, found '{}'", shown(text));
}

/// Refuses options that contradict each other.
void checkOptions(const Conf2vtkOptions& options) {
  if (options.output == "-")
    throw UsageError("-o -: ParaView files fill a folder, which standard output cannot hold");
  if (!options.image.empty() && options.image != "-" && !options.image.ends_with(".png"))
    throw UsageError("--image: " + options.image + " does not end in .png");
  if (options.explode > 0.0 && options.html.empty() && options.image.empty())
    throw UsageError("--explode changes pages and pictures: name one by --html or --image");
}

void addOptions(CLI::App& app, Conf2vtkOptions& options, bool& follow) {
  app.add_option("CONF", options.confs,
                 "Conf-files, folders, patterns, @LIST; - reads standard input")
      ->required();
  app.add_option("-o,--output", options.output, "Folder for the ParaView files")
      ->capture_default_str();
  addChoice(
      app, "--geometry", options.geometry,
      {{"auto", Geometry::automatic},
       {"boxes", Geometry::boxes},
       {"glyphs", Geometry::glyphs},
       {"rounded", Geometry::rounded},
       {"skeleton", Geometry::skeleton}},
      "How bodies are drawn [auto]: rounded surfaces, or glyphs if the surfaces would be large");
  app.add_option("--fineness", options.fineness, "Segments of an arc of 90 degrees")
      ->check(CLI::Range(1, 32))
      ->capture_default_str();
  addChoice(app, "--contacts", options.contacts,
            {{"chains", ContactDrawing::chains},
             {"none", ContactDrawing::none},
             {"points", ContactDrawing::points}},
            "Points with forces, one line per pair of bodies, or nothing [points]");
  app.add_option("--arrays", options.arrays,
                 "Names of arrays, or all (docs/tools/conf2vtk.md lists them)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--bonds", options.bonds, "Draw bonds, also those broken since the first file");
  CLI::Option* const tracks = app.add_flag(
      "--tracks", options.tracks, "Draw the path of each body through all files as a line");
  app.add_flag("--images", options.images,
               "Draw the periodic images of bodies that reach into the cell");
  app.add_flag("--double", options.doubles,
               "Write real numbers with 64 bits: those of a conf-file without loss");
  app.add_option("--select", options.select,
                 "Draw only bodies that meet a condition, such as \"group == 1 && z < 0.5\"");
  app.add_option("--from", options.span.from,
                 "Skip files of earlier times, in the unit of the file")
      ->check(finiteNumber, "NUMBER");
  app.add_option("--to", options.span.to, "Skip files of later times, in the unit of the file")
      ->check(finiteNumber, "NUMBER");
  app.add_option("--every", options.span.every, "Convert every N-th of these files")
      ->check(CLI::Range(1, 1'000'000'000));
  CLI::Option* const ascii =
      app.add_flag("--ascii", options.encoding.ascii, "Write numbers as text");
  addChoice(app, "--compress", options.encoding.compression,
            {{"lz4", vtp::Compression::lz4},
             {"none", vtp::Compression::none},
             {"zlib", vtp::Compression::zlib}},
            "Compression of the files [lz4]")
      ->excludes(ascii);
  app.add_flag("--view", options.view, "Write view.py, which sets up the view in ParaView");
  CLI::Option* const followed = app.add_flag(
      "--follow", follow, "Convert new conf-files while a run writes them, until it ends");
  CLI::Option* const html =
      app.add_option("--html", options.html,
                     "Write one page for web browsers; other files only with -o or --view");
  CLI::Option* const image =
      app.add_option("--image", options.image,
                     "Write a picture (PNG), or numbered ones of a series; needs no display");
  app.add_option("--color-by", options.colourBy,
                 "Array that pages and pictures show first [speed]");
  app.add_option("--size", options.size, "Width and height of a picture in pixels [1200 900]")
      ->expected(2)
      ->check(CLI::Range(32, 4096))
      ->needs(image);
  app.add_option("--camera", options.camera,
                 "Azimuth and elevation of the view in degrees [-60 22]: 0 0 looks from +x")
      ->expected(2)
      ->check(finiteNumber, "NUMBER");
  app.add_option("--zoom", options.zoom, "Enlarge what is seen in the middle [1]")
      ->check(CLI::Range(1e-3, 1e6));
  app.add_option("--explode", options.explode,
                 "In pages and pictures move free bodies away from their centre by FACTOR times "
                 "their distance; ParaView files are not changed")
      ->check(numberFrom(1e-6, 1000.0), "FACTOR")
      ->excludes(tracks);
  followed->excludes(tracks, html, image);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Turn conf-files into ParaView files: bodies, contacts and forces over time.",
               "conf2vtk"};
  Conf2vtkOptions options;
  CommonOptions common;
  common.libraries.push_back({"VTK", vtp::vtkVersion()});
  addCommonOptions(app, common,
                   "  conf2vtk run/conf* -o vtk\n"
                   "  conf2vtk run --geometry glyphs --contacts chains --view -o vtk\n"
                   "  conf2vtk run/conf* --every 10 --arrays all --compress zlib -o archive");
  bool follow = false;
  addOptions(app, options, follow);
  return runTool(app, argc, argv, common, [&] {
    // A page or a picture alone needs no ParaView files.
    options.paraview = (options.html.empty() && options.image.empty()) ||
                       app.count("--output") > 0 || options.view;
    if (isStandardOutput(options.image)) options.image = "-";
    options.confs = pathsOf(options.confs);
    options.threads = threadCount(common.jobs);
    options.remake = common.force;
    checkOptions(options);
    Diagnostics diagnostics(common.strict);
    const auto announce = [&](const std::string& line) { say(common, line); };
    Conf2vtkReport report;
    if (follow) {
      stopOnSignals();
      report = followRun(
          options, diagnostics, 1.0, [] { return stopRequested().load(); }, announce);
    } else {
      report = conf2vtk(options, diagnostics, announce, progressBar(common, "conf2vtk"));
    }
    printWarnings(diagnostics, common);
    if (options.paraview)
      say(common, fmt::format("{} converted, {} kept: {}/*.pvd", report.converted, report.kept,
                              options.output));
    if (options.view && report.converted + report.kept > 0)
      say(common, fmt::format("paraview --script={}", shellWord(options.output + "/view.py")));
    printErrors("conf2vtk", report.failures.messages, common);
    if (common.json) {
      JsonWriter json;
      json.beginObject().member("schema", 1).member("converted", report.converted);
      json.member("kept", report.kept).member("bytes", report.bytes);
      json.member("failed", report.failures.messages.size()).end();
      printResult(json.take() + '\n');
    }
    if (stopRequested()) return stoppedResumable;
    if (report.failures.ofMachine) return 4;
    return report.failures.messages.empty() ? 0 : 3;
  });
}
