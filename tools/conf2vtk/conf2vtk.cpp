// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf2vtk.hpp"

#include "inputs.hpp"
#include "output_folder.hpp"
#include "page.hpp"
#include "picture.hpp"
#include "pieces.hpp"
#include "run_tool.hpp"
#include "series.hpp"
#include "view_data.hpp"
#include "vtk/collection.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <unistd.h>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// Surfaces of one file beyond which `--geometry auto` takes glyphs.
constexpr double mostMegabytes = 32.0;

/// As many of `threads` as half of the memory holds.
int threadsThatFit(int threads, std::size_t pieceBytes) {
  // Measured: a piece of n bytes, compressed, takes some 9 n while it is made.
  const double each = 10.0 * static_cast<double>(pieceBytes) + 1e6;
  const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  return std::max(1, std::min(threads, static_cast<int>(std::min(1e4, 0.5 * memory / each))));
}

/// Whether any rounded surface is drawn: these take as long as a small file.
bool drawsRounded(const Conf2vtkOptions& options) {
  return options.geometry != Geometry::skeleton || !options.html.empty() || !options.image.empty();
}

sim::Selection selectionOf(const std::string& condition) {
  if (condition.empty()) return {};
  try {
    return sim::Selection(condition);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--select: {}", error.what()));
  }
}

using Announce = std::function<void(const std::string&)>;

bool hasTracks(const Conf2vtkOptions& options) { return options.tracks && options.paraview; }

void writeTracks(const Conf2vtkOptions& options, const ViewSeries& series, Conf2vtkReport& report) {
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

void writePage(const Conf2vtkOptions& options, const ViewSeries& series, Conf2vtkReport& report,
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

void writePictures(const Conf2vtkOptions& options, const ViewSeries& series, Conf2vtkReport& report,
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

bool hasViews(const Conf2vtkOptions& options) {
  return hasTracks(options) || !options.html.empty() || !options.image.empty();
}

/// Refuses what would be overwritten, and several pictures on standard output.
/// @param files  of the series
void checkOverwrites(const Conf2vtkOptions& options, std::size_t files) {
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

/// Refuses to replace a file that the call reads, even with `--force`.
void refuseInputs(const Conf2vtkOptions& options, std::size_t files,
                  const std::vector<std::string>& read) {
  std::vector<std::string> written;
  if (!options.image.empty() && options.image != "-") written = picturePaths(options.image, files);
  if (!options.html.empty()) written.push_back(options.html);
  checkNotInputs(written, read);
}

/// Writes tracks, page and pictures.
void writeViews(const Conf2vtkOptions& options, const ViewSeries& series, Conf2vtkReport& report,
                const Announce& announce, const Progress& progress) {
  if (hasTracks(options)) writeTracks(options, series, report);
  if (!options.html.empty()) writePage(options, series, report, announce);
  if (!options.image.empty()) writePictures(options, series, report, announce, progress);
}

/// Refuses a command line that has no file to convert.
[[noreturn]] void refuseNothing(const Conf2vtkOptions& options) {
  const std::string words = fmt::format("{}", fmt::join(options.confs, " "));
  if (!options.span.whole() && !sim::confSeries(options.confs).empty())
    throw ModelError(words + ": there is no conf<N> in that range of times");
  throw IoError(words + ": there is no conf<N> in it");
}

class Conversion {
 public:
  Conversion(const Conf2vtkOptions& options, Diagnostics& diagnostics)
      : options_(options),
        diagnostics_(diagnostics),
        arrays_(options.arrays, options.doubles),
        selection_(selectionOf(options.select)),
        items_(seriesOf(options.confs, options.span, report_.failures)),
        shapes_(drawsRounded(options) ? options.fineness : 0) {
    if (items_.empty()) refuseNothing(options);
    checkOverwrites(options, items_.size());
    std::vector<std::string> read;
    for (const SeriesItem& item : items_) read.push_back(item.path);
    refuseInputs(options, items_.size(), read);
    if (options.paraview && fs::exists(options.output) && !fs::is_directory(options.output))
      throw IoError(options.output + ": is a file, expected a folder");
  }

  Conf2vtkReport run(const std::function<void(const std::string&)>& announce,
                     const Progress& progress) {
    if (!readFirst()) return report_;
    const sim::Conf& first = first_.conf;
    if (options_.images && !first.cell.used)
      diagnostics_.warn(
          fmt::format("{}: has no periodic cell, so --images has no effect", first.source));
    if (!first.particles.empty()) refuseInputs(options_, items_.size(), {sim::shapeFileOf(first)});
    remake_.assign(items_.size(), 0);
    if (options_.paraview) planPieces(announce);
    const bool views = hasViews(options_);
    if (views) {
      viewArrays_.emplace(arrays_, options_.colourBy, options_.images);
      frames_.resize(items_.size());
    }
    std::vector<std::size_t> work;
    for (std::size_t k = 0; k < items_.size(); ++k)
      if (remake_[k] || views) work.push_back(k);
    if (!work.empty()) convert(work, announce, progress);
    if (folder_) finishPieces();
    if (views)
      writeViews(options_, viewSeries(*viewArrays_, std::move(frames_), first.gravity), report_,
                 announce, progress);
    return report_;
  }

 private:
  using Texts = std::vector<std::string>;  ///< one a kind

  void planPieces(const std::function<void(const std::string&)>& announce) {
    const sim::Conf& first = first_.conf;
    resolveGeometry(first, announce);
    std::optional<fs::file_time_type> shapesChanged;
    if (!first.particles.empty()) {
      std::error_code code;
      const auto time = fs::last_write_time(sim::shapeFileOf(first), code);
      if (!code) shapesChanged = time;
    }
    folder_.emplace(options_,
                    kindsOf(options_, arrays_, first, *shapes_.shapesFor(first, diagnostics_)),
                    items_, shapesChanged);
    remake_ = folder_->remake();
    report_.kept = static_cast<std::size_t>(std::ranges::count(remake_, 0));
  }

  /// Writes files that belong to the series as a whole.
  void finishPieces() {
    const sim::Conf& first = first_.conf;
    if (options_.geometry == Geometry::glyphs) writeShapes(first);
    if (options_.view) {
      std::vector<std::string> names;
      for (const Kind& kind : folder_->kinds()) names.push_back(kind.name);
      writeFile(inFolder("view.py"), viewScript(names, first.gravity, options_.colourBy),
                Existing::replace);
    }
    report_.removed = folder_->finish(diagnostics_);
    report_.collections = folder_->collections();
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
        first_ = readOfSeries(items_.front(), nullptr, notes, options_.threads);
        // Shapes are read here, so that a damaged shape-file is named once.
        if (!first_.conf.particles.empty()) shapes_.shapesFor(first_.conf, notes);
        for (const std::string& warning : notes.warnings()) diagnostics_.warn(warning);
        return true;
      } catch (const Error& error) {
        if (items_.size() == 1 && report_.failures.messages.empty()) throw;
        if (dynamic_cast<const UsageError*>(&error)) throw;
        report_.failures.addCurrent(items_.front().path);
      }
      items_.erase(items_.begin());
    }
    return false;
  }

  /// Rounded surfaces where those of the first file are small enough, else glyphs.
  void resolveGeometry(const sim::Conf& conf, const std::function<void(const std::string&)>& say) {
    if (options_.geometry != Geometry::automatic) return;
    options_.geometry = Geometry::rounded;
    const auto shapes = shapes_.shapesFor(conf, diagnostics_);
    double points = 0.0;
    for (std::size_t b = conf.nDriven; b < conf.particles.size(); ++b)
      points += static_cast<double>((*shapes)[conf.particles[b].shapeName].rounded.points.size());
    const double megabytes = 13e-6 * points;  // measured: coordinates, and a little for the rest
    if (megabytes <= mostMegabytes) return;
    options_.geometry = Geometry::glyphs;
    say(
        fmt::format("rounded surfaces would take {:.0f} MB per file, so glyphs are written: "
                    "--geometry rounded writes the surfaces",
                    megabytes));
  }

  /// Hands over the text of each piece of one conf-file, one after the other. The text is empty
  /// where the first file's piece serves for it, too. Also keeps what pages and pictures show of
  /// it.
  void makePieces(const sim::Conf& conf, std::size_t index, Diagnostics& diagnostics,
                  const std::function<void(std::size_t kind, std::string text)>& take) {
    const SeriesItem& item = items_[index];
    const sim::Conf& first = first_.conf;
    const auto shapes = shapes_.shapesFor(conf, diagnostics);
    Scene scene = sceneOf(conf, *shapes, &first);
    if (!selection_.all()) scene.selected = selection_.of(conf, shapes->shapes);
    if (viewArrays_) frames_[index] = viewArrays_->frame(scene, item.name);
    if (!remake_[index]) return;
    const std::vector<Kind>& kinds = folder_->kinds();
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const Kind& kind = kinds[k];
      if (kind.sharesWith && &conf != &first && kind.sharesWith(conf, first)) {
        take(k, {});
        continue;
      }
      vtp::PolyPiece piece = kind.piece(scene);
      addFileFields(piece, conf, item.name);
      take(k, vtp::vtpText(piece, options_.encoding));
    }
  }

  using Written = OutputFolder::Written;
  void list(const Written& written, std::size_t index, double time) {
    if (!remake_[index]) return;
    folder_->list(written, index, time);
    const std::scoped_lock lock(mutex_);
    report_.bytes += written.bytes;
    ++report_.converted;
  }

  void convert(const std::vector<std::size_t>& work,
               const std::function<void(const std::string&)>& announce, const Progress& progress) {
    try {
      convertAll(work, announce, progress);
    } catch (const OutputFolder::OutputFailed& failed) {
      std::rethrow_exception(failed.cause);
    }
  }

  void convertAll(const std::vector<std::size_t>& work,
                  const std::function<void(const std::string&)>& announce,
                  const Progress& progress) {
    failures_.resize(items_.size());
    std::vector<Diagnostics> notes(items_.size(), Diagnostics(diagnostics_.strict()));
    const auto pieces = static_cast<std::size_t>(std::ranges::count(remake_, 1));
    // The first piece is made before anything is written: its size tells that of all.
    std::size_t done = 0, largest = 0;
    while (done < work.size() && largest == 0) {
      const std::size_t index = work[done++];
      std::optional<ReadConf> other;
      if (index != 0) other = readOrName(index, notes[index], options_.threads);
      if (index != 0 && !other) continue;
      const sim::Conf& conf = other ? other->conf : first_.conf;
      Texts texts;
      const auto keep = [&](std::size_t, std::string text) { texts.push_back(std::move(text)); };
      if (!attempt(index, [&] { makePieces(conf, index, notes[index], keep); })) continue;
      if (pieces == 0) break;
      if (!remake_[index]) continue;
      std::size_t bytes = 0;
      for (std::size_t k = 0; k < texts.size(); ++k) {
        largest = std::max(largest, texts[k].size());
        bytes += texts[k].size() * (folder_->kinds()[k].sharesWith ? 1 : pieces);
      }
      announce(fmt::format("{} of {} conf-files to convert, about {:.1f} MB", pieces, items_.size(),
                           1e-6 * static_cast<double>(bytes)));
      Written written;
      for (std::size_t k = 0; k < texts.size(); ++k) folder_->write(k, texts[k], index, written);
      list(written, index, conf.t);
    }
    const std::size_t before = done;
    if (progress) progress(static_cast<double>(done) / static_cast<double>(work.size()));
    parallelJobs(
        threadsThatFit(options_.threads, largest), work.size() - before, [&](std::size_t k) {
          const std::size_t index = work[before + k];
          const auto next = readOrName(index, notes[index], 1);
          // Each piece is written before the next is made, so that one stands in memory at a time.
          Written written;
          const auto put = [&](std::size_t kind, const std::string& text) {
            folder_->write(kind, text, index, written);
          };
          if (next && attempt(index, [&] { makePieces(next->conf, index, notes[index], put); }))
            list(written, index, next->conf.t);
          const std::scoped_lock lock(mutex_);
          if (progress) progress(static_cast<double>(++done) / static_cast<double>(work.size()));
        });
    for (const Diagnostics& some : notes)
      for (const std::string& warning : some.warnings()) diagnostics_.warn(warning);
    for (const FileFailures& some : failures_) report_.failures.add(some);
  }

  /// Does something with one file; an error about it is remembered, for the others go on.
  template <class Work>
  bool attempt(std::size_t index, Work&& work) {
    try {
      work();
      return true;
    } catch (const Error&) {
      if (items_.size() == 1) throw;
      failures_[index].addCurrent(items_[index].path);
    } catch (const std::bad_alloc&) {
      failures_[index].addCurrent(items_[index].path);
    }
    return false;
  }

  std::optional<ReadConf> readOrName(std::size_t index, Diagnostics& notes, int threads) {
    std::optional<ReadConf> read;
    attempt(index, [&] { read = readOfSeries(items_[index], &first_, notes, threads); });
    return read;
  }

  void writeShapes(const sim::Conf& conf) {
    const auto shapes = shapes_.shapesFor(conf, diagnostics_);
    std::vector<vtp::Block> blocks;
    for (std::size_t k = 0; k < shapes->size(); ++k) {
      blocks.push_back({(*shapes)[k].shape.name, fmt::format("shapes/shapes_{}.vtp", k)});
      report_.bytes +=
          vtp::writeVtp(inFolder(blocks.back().file), shapePiece((*shapes)[k], k, options_.doubles),
                        options_.encoding);
    }
    const std::string list = inFolder("shapes.vtm");
    std::error_code code;
    const std::string before = fs::is_regular_file(list, code) ? readFile(list) : std::string();
    writeFile(list, vtp::multiBlockText(blocks), Existing::replace);
    // Those of an earlier call that had more shapes.
    for (std::size_t k = blocks.size();; ++k) {
      const std::string file = fmt::format("shapes/shapes_{}.vtp", k);
      if (before.find(fmt::format("file=\"{}\"", file)) == std::string::npos) break;
      fs::remove(inFolder(file), code);
    }
  }

  Conf2vtkReport report_;  ///< before the items, whose duplicates it names
  Conf2vtkOptions options_;
  Diagnostics& diagnostics_;
  ArrayChoice arrays_;
  sim::Selection selection_;
  std::vector<SeriesItem> items_;
  ShapeCache shapes_;
  std::optional<OutputFolder> folder_;    ///< where ParaView files are written
  std::vector<char> remake_;              ///< of each item: its pieces are to be made
  std::optional<ViewArrays> viewArrays_;  ///< where pages or pictures are made
  std::vector<ViewFrame> frames_;         ///< of these, one an item; without source: none
  ReadConf first_;
  std::vector<FileFailures> failures_;  ///< one an item
  std::mutex mutex_;
};

}  // namespace

Conf2vtkReport conf2vtk(const Conf2vtkOptions& options, Diagnostics& diagnostics,
                        const std::function<void(const std::string&)>& announce,
                        const Progress& progress) {
  return Conversion(options, diagnostics).run(announce, progress);
}

Conf2vtkReport followRun(const Conf2vtkOptions& options, Diagnostics& diagnostics, double seconds,
                         const std::function<bool()>& stopped,
                         const std::function<void(const std::string&)>& announce) {
  Conf2vtkReport all;
  std::set<std::string> warned;
  Conf2vtkOptions pass = options;
  const auto convertNow = [&](const std::vector<std::string>& files) {
    pass.confs.clear();
    std::error_code code;
    for (const std::string& path : options.confs)
      if (fs::exists(path, code)) pass.confs.push_back(path);
    Diagnostics notes(diagnostics.strict());
    Conf2vtkReport report;
    try {
      report = conf2vtk(pass, notes, [](const std::string&) {}, {});
    } catch (const UsageError&) {
      throw;
    } catch (const IoError&) {
      // A file that went between two looks is no reason to end; what cannot be written is.
      const auto now = confFilesNow(options.confs);
      if (now == files) throw;
    } catch (const Error&) {
      report.failures.addCurrent({});  // of a single file, so far
    }
    pass.remake = false;  // what --force made again is new now
    for (const std::string& warning : notes.warnings())
      if (warned.insert(warning).second) diagnostics.warn(warning);
    all.converted += report.converted;
    all.kept = report.kept;
    all.bytes += report.bytes;
    all.removed += report.removed;
    all.failures = report.failures;
    all.collections = report.collections;
    if (report.converted > 0)
      announce(fmt::format("{} converted, {} in all; {:.1f} MB", report.converted,
                           report.converted + report.kept,
                           1e-6 * static_cast<double>(report.bytes)));
  };
  for (;;) {
    // Asked before the files are listed: what the run wrote last is among them.
    const bool over = runIsOver(confFilesNow(options.confs));
    const auto files = confFilesNow(options.confs);
    if (!files.empty()) convertNow(files);
    if (over || stopped()) return all;
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < until && !stopped())
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace scree::tools
