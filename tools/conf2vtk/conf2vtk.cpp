// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf2vtk.hpp"

#include "inputs.hpp"
#include "output_folder.hpp"
#include "page.hpp"
#include "picture.hpp"
#include "run_tool.hpp"
#include "vtk/collection.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <unistd.h>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// Surfaces of one file beyond which `--geometry auto` takes glyphs.
constexpr double mostMegabytes = 32.0;

sim::Selection selectionOf(const std::string& condition) {
  if (condition.empty()) return {};
  try {
    return sim::Selection(condition);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--select: {}", error.what()));
  }
}

using Announce = std::function<void(const std::string&)>;

class Conversion {
 public:
  Conversion(const Conf2vtkOptions& options, Diagnostics& diagnostics, const Announce& announce,
             const Progress& progress)
      : options_(options),
        diagnostics_(diagnostics),
        announce_(announce),
        progress_(progress),
        arrays_(options.arrays, options.doubles),
        selection_(selectionOf(options.select)),
        items_(seriesOf(options.confs, options.span, report_.failures)),
        pictures_(picturePaths(options.image, items_.size())),
        // Rounded surfaces take as long as a small file: only where some are drawn.
        shapes_(options.geometry != Geometry::skeleton || drawsViews() ? options.fineness : 0) {
    const std::string words = fmt::format("{}", fmt::join(options.confs, " "));
    if (items_.empty() && options.span.whole())
      throw IoError(words + ": there is no conf<N> in it");
    if (items_.empty()) throw ModelError(words + ": there is no conf<N> in that range of times");
    if (options.image == "-" && items_.size() > 1)
      throw UsageError(
          fmt::format("--image -: standard output holds one picture, but there are {} conf-files; "
                      "name one of them, or a file for the pictures",
                      items_.size()));
    std::vector<std::string> read;
    for (const SeriesItem& item : items_) read.push_back(item.path);
    checkNotInputs(written(), read);
    const Existing existing = options.remake ? Existing::replace : Existing::refuse;
    for (const std::string& path : written()) checkMayWrite(path, existing);
    if (options.paraview && fs::exists(options.output) && !fs::is_directory(options.output))
      throw IoError(options.output + ": is a file, expected a folder");
  }

  Conf2vtkReport run() {
    if (!readFirst()) return report_;
    const sim::Conf& first = first_.conf;
    const std::string shapeFile = first.particles.empty() ? "" : sim::shapeFileOf(first);
    if (options_.images && !first.cell.used)
      diagnostics_.warn(
          fmt::format("{}: has no periodic cell, so --images has no effect", first.source));
    if (!shapeFile.empty()) checkNotInputs(written(), {shapeFile});
    remake_.assign(items_.size(), 0);
    if (options_.paraview) {
      resolveGeometry();
      folder_.emplace(options_, arrays_,
                      kindsOf(options_, arrays_, first, *shapes_.shapesFor(first, diagnostics_)),
                      items_, shapeFile);
      remake_ = folder_->remake();
      const auto pieces = static_cast<std::size_t>(std::ranges::count(remake_, 1));
      report_.kept = items_.size() - pieces;
      if (pieces > 0)
        announce_(fmt::format("{} of {} to convert", pieces, counted(items_.size(), "conf-file")));
    }
    if (pictures_.size() > 1)
      announce_(fmt::format("{} pictures to draw: {} to {}", pictures_.size(), pictures_.front(),
                            pictures_.back()));
    const bool views = drawsViews() || options_.tracks;
    if (views) {
      viewArrays_.emplace(arrays_, options_.colourBy, options_.images);
      frames_.resize(items_.size());
    }
    convert(views);
    if (folder_) finishPieces();
    if (views) writeViews();
    return report_;
  }

 private:
  bool drawsViews() const { return !options_.html.empty() || !options_.image.empty(); }
  /// Pages and pictures that are files.
  std::vector<std::string> written() const {
    std::vector<std::string> paths;
    if (!options_.image.empty() && options_.image != "-") paths = pictures_;
    if (!options_.html.empty()) paths.push_back(options_.html);
    return paths;
  }
  std::string inFolder(const std::string& name) const {
    return (fs::path(options_.output) / name).string();
  }

  /// The first file that can be used tells what there is; it is read even where all its pieces are
  /// kept. Those before it leave the series. False: there is none.
  bool readFirst() {
    while (!items_.empty()) {
      Diagnostics notes(diagnostics_.strict());
      try {
        first_ = readOfSeries(items_.front(), nullptr, notes);
        // Shapes are read here, so that a damaged shape-file is named once.
        if (!first_.conf.particles.empty()) shapes_.shapesFor(first_.conf, notes);
        for (const std::string& warning : notes.warnings()) diagnostics_.warn(warning);
        return true;
      } catch (const UsageError&) {
        throw;
      } catch (const Error& error) {
        if (items_.size() == 1 && report_.failures.messages.empty()) throw;
        report_.failures.add(error);
      }
      items_.erase(items_.begin());
    }
    return false;
  }

  /// [MB] of the rounded surfaces of free bodies in the first file, packed.
  double megabytesOfSurfaces() {
    const sim::Conf& conf = first_.conf;
    const auto shapes = shapes_.shapesFor(conf, diagnostics_);
    double points = 0.0;
    for (std::size_t b = conf.nDriven; b < conf.particles.size(); ++b)
      points += static_cast<double>((*shapes)[conf.particles[b].shapeName].rounded.points.size());
    return 13e-6 * points;  // measured: coordinates, and a little for the rest
  }

  /// Rounded surfaces where those of the first file are small enough, else glyphs.
  void resolveGeometry() {
    if (options_.geometry != Geometry::automatic) return;
    const double megabytes = megabytesOfSurfaces();
    options_.geometry = megabytes <= mostMegabytes ? Geometry::rounded : Geometry::glyphs;
    if (options_.geometry == Geometry::glyphs)
      announce_(
          fmt::format("rounded surfaces would take {:.0f} MB per file, so glyphs are written: "
                      "--geometry rounded writes the surfaces",
                      megabytes));
  }

  /// Reads one conf-file and makes its pieces and what pages and pictures show of it.
  /// @return one text a kind; empty where the first file's piece serves for it, too
  std::vector<std::string> made(std::size_t index, double& time, Diagnostics& notes) {
    std::optional<ReadConf> other;
    if (index != 0) other = readOfSeries(items_[index], &first_, notes);
    const sim::Conf &first = first_.conf, &conf = other ? other->conf : first;
    time = conf.t;
    const auto shapes = shapes_.shapesFor(conf, notes);
    Scene scene = sceneOf(conf, *shapes, &first);
    if (!selection_.all()) scene.selected = selection_.of(conf, shapes->shapes);
    if (viewArrays_) frames_[index] = viewArrays_->frame(scene, items_[index].name);
    std::vector<std::string> texts;
    if (!remake_[index]) return texts;
    for (const Kind& kind : folder_->kinds()) {
      std::string& text = texts.emplace_back();
      if (kind.sharesWith && index != 0 && kind.sharesWith(conf, first)) continue;
      vtp::PolyPiece piece = kind.piece(scene);
      addFileFields(piece, conf, items_[index].name);
      text = vtp::vtpText(piece, options_.encoding);
    }
    return texts;
  }

  /// @param all  also those whose pieces are kept
  void convert(bool all) {
    std::vector<std::size_t> work;
    for (std::size_t k = 0; k < items_.size(); ++k)
      if (remake_[k] || all) work.push_back(k);
    std::vector<Diagnostics> notes(items_.size(), Diagnostics(diagnostics_.strict()));
    std::vector<FileFailures> failures(items_.size());
    std::mutex mutex;
    std::size_t done = 0;
    const auto convertOne = [&](std::size_t index) {
      double time = 0.0;
      std::optional<std::vector<std::string>> texts;
      try {
        texts = made(index, time, notes[index]);
      } catch (const Error& error) {  // of this file: the others go on
        if (items_.size() == 1) throw;
        failures[index].add(error);
      }
      const bool converted = texts && remake_[index];
      const std::size_t bytes = converted ? folder_->write(index, time, *texts) : 0;
      const std::scoped_lock lock(mutex);
      report_.bytes += bytes;
      report_.converted += converted;
      if (progress_) progress_(static_cast<double>(++done) / static_cast<double>(work.size()));
    };
    // Pieces of the first one may serve for the others.
    std::size_t before = 0;
    if (!work.empty() && work.front() == 0) convertOne(work[before++]);
    // Measured: a piece takes some nine times its packed size while it is made.
    const double each = 1e7 * megabytesOfSurfaces() + 1e6;
    const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                          static_cast<double>(::sysconf(_SC_PAGE_SIZE));
    const int threads = static_cast<int>(
        std::clamp(0.5 * memory / each, 1.0, static_cast<double>(options_.threads)));
    parallelJobs(threads, work.size() - before,
                 [&](std::size_t k) { convertOne(work[before + k]); });
    for (const Diagnostics& some : notes)
      for (const std::string& warning : some.warnings()) diagnostics_.warn(warning);
    for (const FileFailures& some : failures) report_.failures.add(some);
  }

  /// Writes files that belong to the series as a whole.
  void finishPieces() {
    const sim::Conf& first = first_.conf;
    if (options_.geometry == Geometry::glyphs) writeShapes();
    if (options_.view) {
      std::vector<std::string> names;
      for (const Kind& kind : folder_->kinds()) names.push_back(kind.name);
      if (options_.tracks) names.emplace_back("tracks");
      writeFile(inFolder("view.py"), viewScript(names, viewOf(first), options_), Existing::replace);
    }
    folder_->finish();
    report_.collections = folder_->collections();
  }

  ViewFrom viewOf(const sim::Conf& conf) const {
    return viewFrom(conf.gravity, options_.camera[0], options_.camera[1]);
  }

  void writeShapes() {
    const auto shapes = shapes_.shapesFor(first_.conf, diagnostics_);
    std::vector<vtp::Block> blocks;
    for (std::size_t k = 0; k < shapes->size(); ++k) {
      blocks.push_back({(*shapes)[k].shape.name, fmt::format("shapes/shapes_{}.vtp", k)});
      report_.bytes +=
          vtp::writeVtp(inFolder(blocks.back().file), shapePiece((*shapes)[k], k, options_.doubles),
                        options_.encoding);
    }
    writeFile(inFolder("shapes.vtm"), vtp::multiBlockText(blocks), Existing::replace);
  }

  /// Writes tracks, page and pictures.
  void writeViews() {
    const ViewSeries series = viewSeries(*viewArrays_, std::move(frames_), viewOf(first_.conf));
    if (options_.tracks && options_.paraview) {
      report_.bytes += vtp::writeVtp(inFolder("tracks/tracks.vtp"),
                                     tracksPiece(series, options_.doubles), options_.encoding);
      const double begin = series.frames.empty() ? 0.0 : series.frames.front().time;
      writeFile(inFolder("tracks.pvd"), vtp::collectionText({{begin, "tracks/tracks.vtp"}}),
                Existing::replace);
      report_.collections.push_back("tracks.pvd");
    }
    if (!options_.html.empty()) {
      const std::string page = pageText(fs::path(options_.html).stem().string(), series, options_);
      writeFile(options_.html, page, Existing::replace);
      report_.bytes += page.size();
      announce_(fmt::format("{}: {:.1f} MB, {}", options_.html,
                            1e-6 * static_cast<double>(page.size()), summaryOf(series)));
    }
    if (options_.image.empty()) return;
    report_.bytes += drawPictures(series, options_, pictures_, progress_);
    if (pictures_.size() == 1 && options_.image != "-") announce_(pictures_.front());
  }

  Conf2vtkReport report_;  ///< before the items, whose duplicates it names
  Conf2vtkOptions options_;
  Diagnostics& diagnostics_;
  const Announce& announce_;
  const Progress& progress_;
  ArrayChoice arrays_;
  sim::Selection selection_;
  std::vector<SeriesItem> items_;
  std::vector<std::string> pictures_;
  ShapeCache shapes_;
  std::optional<OutputFolder> folder_;    ///< where ParaView files are written
  std::vector<char> remake_;              ///< of each item: its pieces are to be made
  std::optional<ViewArrays> viewArrays_;  ///< where tracks, pages or pictures are made
  std::vector<ViewFrame> frames_;         ///< of these, one an item; without source: none
  ReadConf first_;
};

}  // namespace

Conf2vtkReport conf2vtk(const Conf2vtkOptions& options, Diagnostics& diagnostics,
                        const std::function<void(const std::string&)>& announce,
                        const Progress& progress) {
  return Conversion(options, diagnostics, announce, progress).run();
}

Conf2vtkReport followRun(const Conf2vtkOptions& options, Diagnostics& diagnostics, double seconds,
                         const std::function<bool()>& stopped,
                         const std::function<void(const std::string&)>& announce) {
  Conf2vtkReport all;
  std::set<std::string> warned;
  Conf2vtkOptions pass = options;
  const auto convertNow = [&](const std::vector<std::string>& files) {
    pass.confs = files;
    Diagnostics notes(diagnostics.strict());
    Conf2vtkReport report;
    try {
      report = conf2vtk(pass, notes, [](const std::string&) {}, {});
    } catch (const UsageError&) {
      throw;
    } catch (const IoError&) {
      // A file that went between two looks is no reason to end; what cannot be written is.
      if (confFilesNow(options.confs) == files) throw;
    } catch (const Error& error) {
      report.failures.add(error);  // of a single file, so far
    }
    pass.remake = false;  // what --force made again is new now
    for (const std::string& warning : notes.warnings())
      if (warned.insert(warning).second) diagnostics.warn(warning);
    all.converted += report.converted;
    all.kept = report.kept;
    all.bytes += report.bytes;
    all.failures = report.failures;
    all.collections = report.collections;
    if (report.converted > 0)
      announce(fmt::format("{} converted, {} in all; {:.1f} MB", report.converted,
                           report.converted + report.kept,
                           1e-6 * static_cast<double>(report.bytes)));
  };
  followFiles(options.confs, seconds, stopped, [&](const std::vector<std::string>& files, bool) {
    if (!files.empty()) convertNow(files);
  });
  return all;
}

}  // namespace scree::tools
