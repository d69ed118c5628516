// SPDX-License-Identifier: GPL-3.0-or-later
#include "seen_outputs.hpp"

#include "page.hpp"
#include "picture.hpp"
#include "run_tool.hpp"
#include "tracks.hpp"
#include "vtk/collection.hpp"

#include "scree/base/files.hpp"
#include "scree/base/version.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

using Announce = std::function<void(const std::string&)>;

bool hasTracks(const Conf2vtkOptions& options) { return options.tracks && options.paraview; }

void writeTracks(const Conf2vtkOptions& options, const SeenSeries& series, Conf2vtkReport& report) {
  const auto inFolder = [&](const char* name) {
    return (fs::path(options.output) / name).string();
  };
  report.bytes += vtp::writeVtp(inFolder("tracks/tracks.vtp"), tracksPiece(series, options.doubles),
                                options.encoding);
  const double begin = series.frames.empty() ? 0.0 : series.frames.front().time;
  writeFile(inFolder("tracks.pvd"),
            vtp::collectionText({"conf2vtk " + version(), {{begin, "tracks/tracks.vtp"}}}),
            Existing::replace);
  report.collections.push_back("tracks.pvd");
}

void writePage(const Conf2vtkOptions& options, const SeenSeries& series, Conf2vtkReport& report,
               const Announce& announce) {
  const std::string title = fs::path(options.html).stem().string();
  const std::string page = pageText(title, series, options.colourBy);
  writeFile(options.html, page, Existing::replace);
  report.bytes += page.size();
  const std::size_t bodies =
      series.frames.empty() ? 0 : series.frames.front().bodies() - series.frames.front().images;
  announce(fmt::format("{}: {:.1f} MB, {} bodies, {} time{}", options.html,
                       1e-6 * static_cast<double>(page.size()), bodies, series.frames.size(),
                       series.frames.size() == 1 ? "" : "s"));
}

void writePictures(const Conf2vtkOptions& options, const SeenSeries& series, Conf2vtkReport& report,
                   const Announce& announce, const Progress& progress) {
  PictureOptions picture;
  picture.path = options.image;
  picture.colourBy = options.colourBy;
  picture.chains = options.contacts == ContactDrawing::chains;
  picture.threads = options.threads;
  const Pictures made = drawPictures(series, picture, progress);
  report.bytes += made.bytes;
  if (made.paths.size() == 1) {
    if (made.paths.front() != "-") announce(made.paths.front());
  } else if (made.paths.size() > 1) {
    const std::string stem = made.paths.front().substr(0, made.paths.front().size() - 9);
    std::string frames;  // as ffmpeg takes it, where % begins a number
    for (const char c : stem) frames += c == '%' ? "%%" : std::string(1, c);
    frames += "_%04d.png";
    announce(fmt::format(
        "{} to {}; a film of them:\nffmpeg -framerate 10 -i {} "
        "-pix_fmt yuv420p {}",
        made.paths.front(), made.paths.back(), shellFile(frames), shellFile(stem + ".mp4")));
  }
}

}  // namespace

bool hasSeenOutputs(const Conf2vtkOptions& options) {
  return hasTracks(options) || !options.html.empty() || !options.image.empty();
}

void checkSeenOutputs(const Conf2vtkOptions& options, std::size_t files) {
  const Existing existing = options.remake ? Existing::replace : Existing::refuse;
  if (!options.html.empty()) checkMayWrite(options.html, existing);
  if (options.image == "-" && files > 1)
    throw UsageError(
        fmt::format("--image -: standard output holds one picture, but there are {} conf-files; "
                    "name one of them, or a file for the pictures",
                    files));
  if (!options.image.empty())
    for (const std::string& path : picturePaths(options.image, files))
      checkMayWrite(path, existing);
}

void refuseInputs(const Conf2vtkOptions& options, std::size_t files,
                  const std::vector<std::string>& read) {
  std::vector<std::string> written;
  if (!options.image.empty() && options.image != "-") written = picturePaths(options.image, files);
  if (!options.html.empty()) written.push_back(options.html);
  checkNotInputs(written, read);
}

void warnOfUnused(const Conf2vtkOptions& options, Diagnostics& diagnostics) {
  if (options.paraview) return;
  const auto warn = [&](const char* option) {
    diagnostics.warn(fmt::format("{} has no effect on --image and --html; add -o", option));
  };
  if (options.bonds) warn("--bonds");
  if (options.tracks) warn("--tracks");
  if (options.normals) warn("--normals");
  if (options.doubles) warn("--double");
  if (options.geometry == Geometry::skeleton) warn("--geometry skeleton");
  if (options.geometry == Geometry::boxes) warn("--geometry boxes");
  if (options.geometry == Geometry::glyphs) warn("--geometry glyphs");
}

void writeSeenOutputs(const Conf2vtkOptions& options, const SeenSeries& series,
                      Conf2vtkReport& report, const Announce& announce, const Progress& progress) {
  if (hasTracks(options)) writeTracks(options, series, report);
  if (!options.html.empty()) writePage(options, series, report, announce);
  if (!options.image.empty()) writePictures(options, series, report, announce, progress);
}

}  // namespace scree::tools
