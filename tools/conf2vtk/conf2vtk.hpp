// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inputs.hpp"
#include "vtk/write_vtp.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/model/conf.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace scree::tools {

struct SeriesItem {
  std::string path;  ///< "-" for standard input
  std::string tag;   ///< number of the file, of at least four digits: part of the names of outputs
  std::string name;  ///< file name without folders
};

/// Choice of files of a series.
struct Span {
  double from = -HUGE_VAL, to = HUGE_VAL;  ///< [T] both included
  int every = 1;                           ///< each N-th of those in the span
  bool whole() const { return from == -HUGE_VAL && to == HUGE_VAL; }
};

/// The files and folders of a command line, sorted by number, as far as `span` wants them. A
/// damaged file without a time stays.
/// @param failures  gets a message for each file whose time could not be read
/// @throws UsageError for "-" beside others, IoError for a path that does not exist, ModelError
/// where two files have one number
std::vector<SeriesItem> seriesOf(const std::vector<std::string>& paths, const Span& span,
                                 FileFailures& failures);

struct ReadConf {
  sim::Conf conf;
  bool endsLine = false;  ///< the file ends with a whole line
};
/// Reads a file of a series. Other programs write files in place, so one may still be growing. It
/// is refused if it ends within a line or lacks a list, and `like` does not.
/// @param like  a file of the series that was read before; null: none
/// @throws as sim::readConf; ParseError if it ends early; ModelError for fewer bodies than `like`
ReadConf readOfSeries(const SeriesItem& item, const ReadConf* like, Diagnostics& diagnostics);

enum class Geometry { automatic, rounded, skeleton, boxes, glyphs };
enum class ContactDrawing { points, chains, none };

struct Conf2vtkOptions {
  std::vector<std::string> confs;  ///< files, folders; "-" is standard input
  std::string output = "vtk";      ///< folder
  Geometry geometry = Geometry::automatic;
  int fineness = 3;  ///< segments of each rounded arc
  ContactDrawing contacts = ContactDrawing::points;
  std::vector<std::string> arrays;  ///< names, or "all"; empty: the default ones
  bool bonds = false;               ///< kind `bonds`; also in pages and pictures
  bool images = false;              ///< images of bodies that reach into the periodic cell
  bool doubles = false;             ///< 64-bit numbers everywhere
  std::string select;               ///< condition on bodies (sim::Selection); empty: all
  Span span;                        ///< which files of the series
  vtp::VtpOptions encoding;
  bool view = false;     ///< write view.py, too
  bool tracks = false;   ///< kind `tracks`; also in pages and pictures
  bool paraview = true;  ///< write ParaView files at all
  std::string html;      ///< page for browsers; empty: none
  std::string image;     ///< picture, of a series numbered ones; empty: none
  std::string colourBy;  ///< array that pages and pictures colour bodies by; empty: speed
  std::vector<int> size{1200, 900};         ///< pixels of a picture
  std::vector<double> camera{-60.0, 22.0};  ///< azimuth and elevation in degrees
  double zoom = 1.0;                        ///< 1: all that is framed fits
  /// Pages and pictures show free bodies away from their centre by this share of the distance.
  double explode = 0.0;
  int threads = 1;
  bool remake = false;  ///< pieces that exist are made again
};

/// Counts for the closing line.
struct Conf2vtkReport {
  std::size_t converted = 0, kept = 0;  ///< conf-files
  std::size_t bytes = 0;                ///< written
  FileFailures failures;                ///< files that cannot be used
};

/// Function that gets a line for the user.
using Announce = std::function<void(const std::string&)>;

/// Turns a series of conf-files into ParaView files (docs/tools/conf2vtk.md).
///
/// Pieces that are newer than their conf-file and shape-file and made with the same options are
/// kept. A file that cannot be used does not keep the others from being converted: it is named in
/// the report. Where no file can be used, nothing is written.
/// @param announce  called once, with the estimated size, before anything is written
/// @throws UsageError for an unknown array, IoError; of a single file also ParseError, ModelError
Conf2vtkReport conf2vtk(const Conf2vtkOptions& options, Diagnostics& diagnostics,
                        const Announce& announce, const Progress& progress);

/// Converts a series while a run still writes it: every `seconds` what is new.
///
/// Ends after the run has: its `run.json` is not older than the newest conf-file, or, without one,
/// the newest conf-file has reached tmax. A file that cannot be read yet is tried again; one that
/// still cannot be read at the end is in the report. Waits for a folder that is not there yet.
/// @param stopped  asked between files: true ends it early
/// @return what all passes did together
Conf2vtkReport followRun(const Conf2vtkOptions& options, Diagnostics& diagnostics, double seconds,
                         const std::function<bool()>& stopped, const Announce& announce);

}  // namespace scree::tools
