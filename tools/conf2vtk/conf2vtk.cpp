// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf2vtk.hpp"

#include "pieces.hpp"
#include "run_tool.hpp"
#include "view_data.hpp"

#include "scree/base/files.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <unistd.h>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// Surfaces of one file beyond which `--geometry auto` takes glyphs.
constexpr double mostMegabytes = 32.0;

/// The version of arrays and geometry of pieces; a number higher where the same options make them
/// otherwise. Pieces of an earlier number are made again.
constexpr int contentVersion = 4;

/// Whether the driven bodies of two conf-files are the same, at the same places, with the same
/// speeds. If so, a terrain is written once for a whole series.
bool sameDriven(const sim::Conf& a, const sim::Conf& b) {
  const auto driven = [](const sim::Conf& c) { return std::span(c.particles).first(c.nDriven); };
  const auto same = [](const sim::ParticleRecord& p, const sim::ParticleRecord& r) {
    return p.shapeName == r.shapeName && p.group == r.group && p.cluster == r.cluster &&
           p.homothety == r.homothety && p.pos == r.pos && p.q.coeffs() == r.q.coeffs() &&
           p.vel == r.vel && p.vrot == r.vrot && p.acc == r.acc && p.arot == r.arot;
  };
  return a.shapeNames == b.shapeNames && a.shapeFile == b.shapeFile &&
         std::ranges::equal(driven(a), driven(b), same);
}

/// Time at which a file was last written; the earliest time if it cannot be read.
fs::file_time_type changed(const std::string& path) {
  std::error_code code;
  const auto time = fs::last_write_time(path, code);
  return code ? fs::file_time_type::min() : time;
}

class Conversion {
 public:
  Conversion(const Conf2vtkOptions& options, Diagnostics& diagnostics, const Announce& announce,
             const Progress& progress)
      : options_(options),
        diagnostics_(diagnostics),
        announce_(announce),
        progress_(progress),
        arrays_(options.arrays, options.doubles),
        rows_(viewRows(arrays_, options.colourBy)),
        selection_(options.select.empty() ? sim::Selection() : sim::Selection(options.select)),
        items_(seriesOf(options.confs, options.span, report_.failures)),
        pictures_(picturePaths(options.image, items_.size())),
        // Rounded surfaces take as long as a small file: only where some are drawn.
        shapes_([this](std::vector<shape::Shape> shapes) {
          const bool rounded = options_.geometry != Geometry::skeleton || drawsViews();
          return drawnShapes(std::move(shapes), rounded ? options_.fineness : 0, options_.threads);
        }) {
    const std::string words = fmt::format("{}", fmt::join(options.confs, " "));
    if (items_.empty() && options.span.whole())
      throw IoError(words + ": there is no conf<N> in it");
    if (items_.empty()) throw ModelError(words + ": there is no conf<N> in that range of times");
    if (options.image == "-" && items_.size() > 1)
      throw UsageError("--image -: standard output holds one picture: name one conf-file");
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
    if (!shapeFile.empty()) checkNotInputs(written(), {shapeFile});
    pieces_.resize(items_.size());
    if (options_.paraview) planPieces(shapeFile);
    if (pictures_.size() > 1)
      announce_(fmt::format("{} pictures to draw: {} to {}", pictures_.size(), pictures_.front(),
                            pictures_.back()));
    const bool views = drawsViews() || options_.tracks;
    if (views) frames_.resize(items_.size());
    convert(views);
    if (options_.paraview) finishPieces();
    if (views) writeViews();
    return report_;
  }

 private:
  /// One kind of file, with a collection of its own.
  struct Kind {
    std::string name;
    std::function<vtp::PolyPiece(const Scene&)> piece;
    bool shared = false;  ///< the first piece serves for all files with the same driven bodies

    std::string fileOf(const SeriesItem& item) const {  ///< relative to the folder
      return fmt::format("{0}/{0}_{1}.vtp", name, item.tag);
    }
  };
  struct Pieces {
    bool remake = false, there = false;
    double time = 0.0;  ///< [T]
  };

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
    for (; !items_.empty(); items_.erase(items_.begin())) {
      Diagnostics notes(diagnostics_.strict());
      try {
        first_ = readOfSeries(items_.front(), nullptr, notes);
        // Shapes are read here, so that a damaged shape-file is named once.
        if (!first_.conf.particles.empty() &&
            sim::findContacts(first_.conf, shapes_.of(first_.conf, notes)->shapes) > 0)
          diagnostics_.note(
              fmt::format("{}: does not list all contacts: others are found from where bodies "
                          "stand, and their forces are nan",
                          items_.front().path));
        for (const std::string& warning : notes.warnings()) diagnostics_.warn(warning);
        return true;
      } catch (const UsageError&) {
        throw;
      } catch (const Error& error) {
        if (items_.size() == 1 && report_.failures.messages.empty()) throw;
        report_.failures.add(error);
      }
    }
    return false;
  }

  /// [MB] of the rounded surfaces of free bodies in the first file, packed.
  double megabytesOfSurfaces() {
    const sim::Conf& conf = first_.conf;
    const auto shapes = shapes_.of(conf, diagnostics_);
    double points = 0.0;
    for (std::size_t b = conf.nDriven; b < conf.particles.size(); ++b)
      points += static_cast<double>((*shapes)[conf.particles[b].shapeName].rounded.points.size());
    return 13e-6 * points;  // measured: coordinates, and a little for the rest
  }

  /// The kinds that the options ask for; centres come first.
  std::vector<Kind> kinds() {
    const sim::Conf& first = first_.conf;
    std::vector<Kind> kinds;
    const auto add = [&](bool wanted, const std::string& name, auto piece) {
      if (wanted) kinds.push_back({name, piece});
    };
    const auto geometry = options_.geometry;
    const bool boxes = geometry == Geometry::boxes;
    Outline DrawnShape::*const driven =
        geometry == Geometry::skeleton ? &DrawnShape::skeleton : &DrawnShape::rounded;
    Outline DrawnShape::*const moving = boxes ? &DrawnShape::box : driven;
    add(true, "centres", [this](const Scene& s) { return centresPiece(s, arrays_); });
    add(geometry != Geometry::glyphs, boxes ? "boxes" : "particles",
        [this, moving](const Scene& s) {
          return bodiesPiece(s, arrays_, true, moving, options_.images);
        });
    add(first.nDriven > 0, "driven",
        [this, driven](const Scene& s) { return bodiesPiece(s, arrays_, false, driven); });
    // Arrays that follow from contacts change with time though nothing moves.
    kinds.back().shared =
        first.nDriven > 0 && !arrays_.wantsContactSums() && options_.select.empty();
    add(options_.contacts == ContactDrawing::points, "contacts",
        [this](const Scene& s) { return contactsPiece(s, arrays_); });
    add(options_.contacts == ContactDrawing::chains, "chains",
        [this](const Scene& s) { return chainsPiece(s, arrays_); });
    add(options_.bonds, "bonds", [this](const Scene& s) { return bondsPiece(s, arrays_); });
    add(hasWalls(first, *shapes_.of(first, diagnostics_)), "walls", wallsPiece);
    add(first.cell.used, "cell", cellPiece);
    return kinds;
  }

  /// Finds out which pieces are to be made. Those of a conf-file are kept where its centres, which
  /// are written last, are newer than it, than the shape-file and than the file of settings.
  void planPieces(const std::string& shapeFile) {
    // Rounded surfaces where those of the first file are small enough, else glyphs.
    if (options_.geometry == Geometry::automatic) {
      const double megabytes = megabytesOfSurfaces();
      options_.geometry = megabytes <= mostMegabytes ? Geometry::rounded : Geometry::glyphs;
      if (options_.geometry == Geometry::glyphs)
        announce_(
            fmt::format("rounded surfaces would take {:.0f} MB per file, so glyphs are written: "
                        "--geometry rounded writes the surfaces",
                        megabytes));
    }
    kinds_ = kinds();
    // All that pieces depend on beside conf-file and shape-file. Displacements, broken bonds and
    // shared pieces refer to the first file.
    const Conf2vtkOptions& o = options_;
    const std::string settings = fmt::format(
        "conf2vtk {} content {} arrays {} geometry {} fineness {} contacts {} bonds {} images {} "
        "compression {} ascii {} since {} select {}\n",
        version(), contentVersion, arrays_.text(), static_cast<int>(o.geometry), o.fineness,
        static_cast<int>(o.contacts), o.bonds, o.images, static_cast<int>(o.encoding.compression),
        o.encoding.ascii, relativeTo(items_.front().path, o.output), o.select);
    const std::string file = inFolder(".settings");
    if (o.remake || !fs::is_regular_file(file) || readFile(file) != settings) {
      writeFile(file, settings, Existing::replace);
      // The clock of a file system goes in steps; pieces are newer than their settings.
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const auto oldest = std::max(changed(shapeFile), changed(file));
    std::size_t count = 0;
    for (std::size_t k = 0; k < items_.size(); ++k) {
      const auto made = changed(inFolder(kinds_.front().fileOf(items_[k])));
      Pieces& pieces = pieces_[k];
      // The pieces of the first one may serve for all.
      pieces.there = items_[k].path != "-" && made > oldest && made >= changed(items_[k].path) &&
                     (k == 0 || pieces_.front().there);
      try {
        if (pieces.there) pieces.time = sim::readTimeFromFile(items_[k].path);
      } catch (const Error&) {
        pieces.there = false;  // named where it is read again
      }
      pieces.remake = !pieces.there;
      count += pieces.remake;
    }
    report_.kept = items_.size() - count;
    if (count > 0)
      announce_(fmt::format("{} of {} to convert", count, counted(items_.size(), "conf-file")));
  }

  /// Reads one conf-file and makes its pieces and what pages and pictures show of it.
  /// @return one text a kind; empty where the first file's piece serves for it, too
  std::vector<std::string> made(std::size_t index, Diagnostics& notes) {
    std::optional<ReadConf> other;
    if (index != 0) other = readOfSeries(items_[index], &first_, notes);
    const sim::Conf &first = first_.conf, &conf = other ? other->conf : first;
    const auto shapes = shapes_.of(conf, notes);
    if (other) sim::findContacts(other->conf, shapes->shapes);
    Scene scene = sceneOf(conf, *shapes, &first);
    if (!selection_.all()) scene.selected = selection_.of(conf, shapes->shapes);
    if (!frames_.empty()) frames_[index] = viewFrame(scene, items_[index].name, rows_, options_);
    std::vector<std::string> texts;
    if (!pieces_[index].remake) return texts;
    pieces_[index].time = conf.t;
    for (const Kind& kind : kinds_) {
      std::string& text = texts.emplace_back();
      if (kind.shared && index != 0 && sameDriven(conf, first)) continue;
      vtp::PolyPiece piece = kind.piece(scene);
      addFileFields(piece, conf, items_[index].name);
      text = vtp::vtpText(piece, options_.encoding);
    }
    return texts;
  }

  /// Converts one conf-file. @param failures  gets a message if it cannot be used
  /// @returns bytes written
  std::size_t convertOne(std::size_t index, Diagnostics& notes, FileFailures& failures) {
    std::vector<std::string> texts;
    try {
      texts = made(index, notes);
    } catch (const Error& error) {  // of this file: the others go on
      if (items_.size() == 1) throw;
      failures.add(error);
      return 0;
    }
    std::size_t bytes = 0;
    // Centres come last: where they are, all others are.
    for (std::size_t k = texts.size(); k-- > 0; bytes += texts[k].size()) {
      const std::string file = inFolder(kinds_[k].fileOf(items_[index]));
      if (texts[k].empty())
        fs::remove(file);
      else
        writeFile(file, texts[k], Existing::replace);
    }
    pieces_[index].there |= !texts.empty();
    return bytes;
  }

  /// @param all  also files whose pieces are kept
  void convert(bool all) {
    std::vector<std::size_t> work;
    for (std::size_t k = 0; k < items_.size(); ++k)
      if (pieces_[k].remake || all) work.push_back(k);
    std::vector<Diagnostics> notes(items_.size(), Diagnostics(diagnostics_.strict()));
    std::vector<FileFailures> failures(items_.size());
    std::mutex mutex;
    std::size_t done = 0;
    const auto convertAt = [&](std::size_t k) {
      const std::size_t bytes = convertOne(work[k], notes[work[k]], failures[work[k]]);
      const std::scoped_lock lock(mutex);
      report_.bytes += bytes;
      report_.converted += bytes > 0;
      if (progress_) progress_(static_cast<double>(++done) / static_cast<double>(work.size()));
    };
    // Pieces of the first one may serve for the others.
    const std::size_t before = !work.empty() && work.front() == 0 ? 1 : 0;
    if (before > 0) convertAt(0);
    // Measured: a piece takes some nine times its packed size while it is made.
    const double each = 1e7 * megabytesOfSurfaces() + 1e6;
    const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                          static_cast<double>(::sysconf(_SC_PAGE_SIZE));
    const int threads = static_cast<int>(
        std::clamp(0.5 * memory / each, 1.0, static_cast<double>(options_.threads)));
    parallelJobs(threads, work.size() - before, [&](std::size_t k) { convertAt(before + k); });
    for (std::size_t k = 0; k < items_.size(); ++k) {
      for (const std::string& warning : notes[k].warnings()) diagnostics_.warn(warning);
      report_.failures.add(failures[k]);
    }
  }

  /// Writes the collections and files that belong to the series as a whole.
  void finishPieces() {
    const auto shapes = shapes_.of(first_.conf, diagnostics_);
    std::vector<vtp::Block> blocks;
    for (std::size_t k = 0; k < shapes->size() && options_.geometry == Geometry::glyphs; ++k) {
      blocks.push_back({(*shapes)[k].shape.name, fmt::format("shapes/shapes_{}.vtp", k)});
      report_.bytes +=
          vtp::writeVtp(inFolder(blocks.back().file), shapePiece((*shapes)[k], k, options_.doubles),
                        options_.encoding);
    }
    if (options_.geometry == Geometry::glyphs)
      writeFile(inFolder("shapes.vtm"), vtp::multiBlockText(blocks), Existing::replace);
    std::vector<std::string> names;
    for (const Kind& kind : kinds_) {
      std::vector<vtp::Dated> files;
      for (std::size_t k = 0; k < items_.size(); ++k) {
        const std::string own = kind.fileOf(items_[k]);
        if (pieces_[k].there)
          files.push_back({pieces_[k].time, kind.shared && !fs::exists(inFolder(own))
                                                ? kind.fileOf(items_.front())
                                                : own});
      }
      names.push_back(kind.name);
      if (!files.empty())
        writeFile(inFolder(kind.name + ".pvd"), vtp::collectionText(files), Existing::replace);
    }
    if (options_.tracks) names.emplace_back("tracks");
    if (options_.view)
      writeFile(inFolder("view.py"), viewScript(names, view(), options_), Existing::replace);
  }

  image::View view() const { return viewOf(options_.camera, first_.conf.gravity); }

  /// Writes tracks, page and pictures.
  void writeViews() {
    const ViewSeries series = viewSeries(rows_, std::move(frames_), view());
    if (options_.tracks && options_.paraview) {
      report_.bytes += vtp::writeVtp(inFolder("tracks/tracks.vtp"),
                                     tracksPiece(series, options_.doubles), options_.encoding);
      const double begin = series.frames.empty() ? 0.0 : series.frames.front().time;
      writeFile(inFolder("tracks.pvd"), vtp::collectionText({{begin, "tracks/tracks.vtp"}}),
                Existing::replace);
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

  Conf2vtkReport report_;  ///< before the items, whose failures it names
  Conf2vtkOptions options_;
  Diagnostics& diagnostics_;
  const Announce& announce_;
  const Progress& progress_;
  ArrayChoice arrays_;
  ViewRows rows_;  ///< of tracks, pages and pictures
  sim::Selection selection_;
  std::vector<SeriesItem> items_;
  std::vector<std::string> pictures_;
  ShapeCache<DrawnShapes> shapes_;
  std::vector<Kind> kinds_;        ///< of ParaView files
  std::vector<Pieces> pieces_;     ///< one an item
  std::vector<ViewFrame> frames_;  ///< of these, one an item; without source: none
  ReadConf first_;
};

}  // namespace

Conf2vtkReport conf2vtk(const Conf2vtkOptions& options, Diagnostics& diagnostics,
                        const Announce& announce, const Progress& progress) {
  return Conversion(options, diagnostics, announce, progress).run();
}

Conf2vtkReport followRun(const Conf2vtkOptions& options, Diagnostics& diagnostics, double seconds,
                         const std::function<bool()>& stopped, const Announce& announce) {
  Conf2vtkReport all;
  Conf2vtkOptions pass = options;
  std::set<std::string> warned;
  followFiles(options.confs, seconds, stopped, [&](const std::vector<std::string>& files, bool) {
    if (files.empty()) return;
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
    report.converted += all.converted;
    report.bytes += all.bytes;
    if (report.bytes > all.bytes)
      announce(fmt::format("{} converted; {:.1f} MB", report.converted,
                           1e-6 * static_cast<double>(report.bytes)));
    all = std::move(report);
  });
  return all;
}

}  // namespace scree::tools
