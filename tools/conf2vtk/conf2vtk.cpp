// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf2vtk.hpp"

#include "kinds.hpp"
#include "pieces.hpp"
#include "series.hpp"
#include "view_script.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <unistd.h>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

std::optional<fs::file_time_type> changed(const std::string& path) {
  std::error_code code;
  const auto time = fs::last_write_time(path, code);
  return code ? std::nullopt : std::optional(time);
}

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

class Conversion {
 public:
  Conversion(const Conf2vtkOptions& options, Diagnostics& diagnostics)
      : options_(options),
        diagnostics_(diagnostics),
        arrays_(options.arrays, options.doubles),
        items_(seriesOf(options.confs, options.every)),
        shapes_(options.fineness) {
    if (items_.empty())
      throw IoError(fmt::format("{}: there is no conf<N> in it", fmt::join(options.confs, " ")));
    if (fs::exists(options.output) && !fs::is_directory(options.output))
      throw IoError(options.output + ": is a file, expected a folder");
  }

  Conf2vtkReport run(const std::function<void(const std::string&)>& announce,
                     const Progress& progress) {
    // The first file tells what there is; it is read even where all its pieces are kept.
    const sim::Conf first =
        sim::readConfFromFile(items_.front().path, diagnostics_, options_.threads);
    if (!first.particles.empty())
      shapesChanged_ = changed(sim::resolvedPath(first.shapeFile, first.source));
    resolveGeometry(first, announce);
    kinds_ = kindsOf(options_, arrays_, first, *shapes_.shapesFor(first, diagnostics_));
    if (!options_.remake) recallPieces(kinds_, options_.output);

    std::set<std::string> remade;
    std::vector<std::size_t> work;
    for (std::size_t k = 0; k < items_.size(); ++k) {
      if (kept(items_[k], remade)) continue;
      work.push_back(k);
      for (const Kind& kind : kinds_) remade.insert(kind.fileOf(items_[k].tag));
    }
    report_.kept = items_.size() - work.size();
    if (!work.empty()) convert(first, work, announce, progress);
    if (options_.geometry == Geometry::glyphs) writeShapes(first);
    if (options_.view) {
      std::vector<std::string> names;
      for (const Kind& kind : kinds_) names.push_back(kind.name);
      writeFile(inFolder("view.py"), viewScript(names, first.gravity), Existing::replace);
    }
    writeCollections();
    std::vector<double> times;
    for (const SeriesItem& item : items_) {
      const auto known = kinds_.front().pieces.find(item.tag);
      if (known != kinds_.front().pieces.end()) times.push_back(known->second.time);
    }
    for (const auto& failure : failures_)
      if (failure) std::rethrow_exception(failure);
    reportTimes(items_, times, diagnostics_);
    for (const Kind& kind : kinds_) report_.collections.push_back(kind.name + ".pvd");
    // What people open first comes first.
    auto& names = report_.collections;
    std::rotate(names.begin(), names.begin() + 1, names.end());
    return report_;
  }

 private:
  using Texts = std::vector<std::string>;  ///< one a kind

  std::string inFolder(const std::string& name) const {
    return (fs::path(options_.output) / name).string();
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
        fmt::format("rounded surfaces would take {:.0f} MB a file, so glyphs are written: "
                    "--geometry rounded writes the surfaces",
                    megabytes));
  }

  bool kept(const SeriesItem& item, const std::set<std::string>& remade) const {
    const auto confChanged = changed(item.path);
    const auto centresMade = changed(inFolder(kinds_.front().fileOf(item.tag)));
    if (!confChanged || !centresMade) return false;
    for (const Kind& kind : kinds_) {
      const auto piece = kind.pieces.find(item.tag);
      if (piece == kind.pieces.end() || remade.contains(piece->second.file)) return false;
      const auto made = changed(inFolder(piece->second.file));
      if (!made || (shapesChanged_ && *made < *shapesChanged_)) return false;
      // A piece of an earlier conf-file that this one shares must not have changed since.
      const bool own = piece->second.file == kind.fileOf(item.tag);
      if (own ? *made < *confChanged : *made > *centresMade) return false;
    }
    return true;
  }

  /// The pieces of one conf-file; an empty text where the first file's piece serves for it, too.
  Texts textsOf(const sim::Conf& conf, const SeriesItem& item, const sim::Conf& first,
                Diagnostics& diagnostics) {
    const auto shapes = shapes_.shapesFor(conf, diagnostics);
    const Scene scene = sceneOf(conf, *shapes, &first);
    Texts texts;
    for (const Kind& kind : kinds_) {
      if (kind.sharesWith && &conf != &first && kind.sharesWith(conf, first)) {
        texts.emplace_back();
        continue;
      }
      vtp::PolyPiece piece = kind.piece(scene);
      addFileFields(piece, conf, item.name);
      texts.push_back(vtp::vtpText(piece, options_.encoding));
    }
    return texts;
  }

  void write(const Texts& texts, const SeriesItem& item, double time) {
    std::size_t bytes = 0;
    std::vector<std::string> files;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      const bool shared = texts[k].empty();
      files.push_back(kinds_[k].fileOf(shared ? items_.front().tag : item.tag));
      if (!shared) writeFile(inFolder(files[k]), texts[k], Existing::replace);
      bytes += texts[k].size();
    }
    const std::scoped_lock lock(mutex_);
    for (std::size_t k = 0; k < kinds_.size(); ++k) kinds_[k].pieces[item.tag] = {time, files[k]};
    report_.bytes += bytes;
    ++report_.converted;
    // Now and then, so that a long conversion can be watched.
    const auto now = std::chrono::steady_clock::now();
    if (now - lastCollections_ > std::chrono::seconds(3)) {
      writeCollections();
      lastCollections_ = now;
    }
  }

  void convert(const sim::Conf& first, const std::vector<std::size_t>& work,
               const std::function<void(const std::string&)>& announce, const Progress& progress) {
    // The first piece is made before anything is written: its size tells that of all.
    const SeriesItem& sample = items_[work.front()];
    std::optional<sim::Conf> other;
    if (work.front() != 0)
      other = sim::readConfFromFile(sample.path, diagnostics_, options_.threads);
    const sim::Conf& conf = other ? *other : first;
    const Texts texts = textsOf(conf, sample, first, diagnostics_);
    std::size_t bytes = 0, largest = 0;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      largest = std::max(largest, texts[k].size());
      bytes += texts[k].size() * (kinds_[k].sharesWith ? 1 : work.size());
    }
    announce(fmt::format("{} of {} conf-files to convert, about {:.1f} MB", work.size(),
                         items_.size(), 1e-6 * static_cast<double>(bytes)));
    write(texts, sample, conf.t);

    std::vector<Diagnostics> notes(work.size(), Diagnostics(diagnostics_.strict()));
    failures_.resize(work.size());
    std::size_t done = 1;
    if (progress) progress(static_cast<double>(done) / static_cast<double>(work.size()));
    parallelJobs(threadsThatFit(options_.threads, largest), work.size() - 1, [&](std::size_t k) {
      ++k;
      try {
        const SeriesItem& item = items_[work[k]];
        const sim::Conf next = sim::readConfFromFile(item.path, notes[k]);
        write(textsOf(next, item, first, notes[k]), item, next.t);
      } catch (const IoError&) {
        throw;  // a full disk is no affair of one file
      } catch (...) {
        failures_[k] = std::current_exception();
      }
      const std::scoped_lock lock(mutex_);
      if (progress) progress(static_cast<double>(++done) / static_cast<double>(work.size()));
    });
    for (const Diagnostics& some : notes)
      for (const std::string& warning : some.warnings()) diagnostics_.warn(warning);
  }

  void writeShapes(const sim::Conf& conf) {
    const auto shapes = shapes_.shapesFor(conf, diagnostics_);
    std::vector<vtp::Block> blocks;
    for (std::size_t k = 0; k < shapes->size(); ++k) {
      blocks.push_back({(*shapes)[k].shape.name, fmt::format("shapes/shapes_{}.vtp", k)});
      report_.bytes += vtp::writeVtp(inFolder(blocks.back().file), shapePiece((*shapes)[k], k),
                                     options_.encoding);
    }
    writeFile(inFolder("shapes.vtm"), vtp::multiBlockText(blocks), Existing::replace);
  }

  void writeCollections() const {
    for (const Kind& kind : kinds_) {
      if (kind.pieces.empty()) continue;
      vtp::Collection collection{kind.note, {}};
      for (const auto& [tag, piece] : kind.pieces) collection.entries.push_back(piece);
      writeFile(inFolder(kind.name + ".pvd"), vtp::collectionText(collection), Existing::replace);
    }
  }

  Conf2vtkOptions options_;
  Diagnostics& diagnostics_;
  ArrayChoice arrays_;
  std::vector<SeriesItem> items_;
  ShapeCache shapes_;
  std::optional<fs::file_time_type> shapesChanged_;
  std::vector<Kind> kinds_;
  std::vector<std::exception_ptr> failures_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point lastCollections_ = std::chrono::steady_clock::now();
  Conf2vtkReport report_;
};

}  // namespace

Conf2vtkReport conf2vtk(const Conf2vtkOptions& options, Diagnostics& diagnostics,
                        const std::function<void(const std::string&)>& announce,
                        const Progress& progress) {
  return Conversion(options, diagnostics).run(announce, progress);
}

}  // namespace scree::tools
