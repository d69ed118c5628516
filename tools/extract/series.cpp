// SPDX-License-Identifier: GPL-3.0-or-later
#include "series.hpp"

#include "run_tool.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/table.hpp"

#include <climits>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace scree::tools {
namespace {

/// Shapes of a library, read once for all files that name it with the same shapes.
class ShapeStore {
 public:
  using Shapes = std::shared_ptr<const std::vector<shape::Shape>>;
  Shapes of(const sim::Conf& conf, Diagnostics& diagnostics) {
    if (conf.particles.empty()) return std::make_shared<const std::vector<shape::Shape>>();
    std::string key = sim::shapeFileOf(conf);
    for (const std::string& name : conf.shapeNames) key += '\n' + name;
    const std::scoped_lock lock(mutex_);
    auto& shapes = kept_[key];
    if (!shapes)
      shapes = std::make_shared<const std::vector<shape::Shape>>(sim::shapesOf(conf, diagnostics));
    return shapes;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Shapes> kept_;
};

struct Measured {
  std::vector<std::vector<sim::Row>> rows;  ///< by kind
  Diagnostics diagnostics;
  std::optional<std::string> damage;
  bool ofMachine = false;  ///< the damage is no matter of what the file holds
};

/// Each file takes as much memory as the one before. The C library returns large blocks to the
/// system, which clears every page again for the next file. That is a third of the time of large
/// files.
void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

/// Files that a thread measures before all threads wait for each other. The rows of all of them are
/// in memory, so that large files go one by one.
std::size_t filesAThread(const std::string& path) {
  constexpr std::uintmax_t small = std::uintmax_t{4} << 20;
  std::error_code code;
  const auto bytes = std::filesystem::file_size(path, code);
  return !code && bytes < small ? 4 : 1;
}

}  // namespace

void SeriesOutcome::add(const SeriesOutcome& more) {
  measured += more.measured;
  damaged.insert(damaged.end(), more.damaged.begin(), more.damaged.end());
  ofMachine = ofMachine || more.ofMachine;
}

SeriesOutcome measureSeries(
    const std::vector<const Kind*>& kinds, const std::vector<std::string>& files,
    const SeriesOptions& options, Diagnostics& diagnostics,
    const std::function<void(std::size_t kind, std::vector<sim::Row>)>& take) {
  const bool shapesWanted =
      std::ranges::any_of(kinds, [](const Kind* kind) { return kind->needsShapes(); });
  const bool contactsWanted =
      std::ranges::any_of(kinds, [](const Kind* kind) { return kind->needsContacts(); });
  ShapeStore store;
  SeriesOutcome outcome;
  const auto measure = [&](const std::string& file, Measured& out) {
    checkNotInputs(options.written, {file});
    const sim::Conf conf = contactsWanted
                               ? sim::readConfFromFile(file, out.diagnostics, options.threads)
                               : sim::readBodiesFromFile(file, out.diagnostics, options.threads);
    if (!options.written.empty() && !conf.particles.empty())
      checkNotInputs(options.written, {sim::shapeFileOf(conf)});
    if (options.skip && options.skip(sim::tableTime(conf.t))) {
      out.rows.resize(kinds.size());
      return;
    }
    ShapeStore::Shapes shapes;
    if (shapesWanted || !conf.boundaryTouches.empty() || sim::actionsNeedShapes(conf))
      shapes = store.of(conf, out.diagnostics);
    const sim::Instant instant(
        conf, shapes ? std::span<const shape::Shape>(*shapes) : std::span<const shape::Shape>());
    for (const Kind* kind : kinds) out.rows.push_back(kind->rows(instant));
  };
  keepFreedMemory();
  // The first file alone: it reads the shapes, and what is odd about them is reported by it.
  for (std::size_t begin = 0; begin < files.size();) {
    const std::size_t chunk =
        begin == 0 ? 1
                   : std::min(files.size() - begin, static_cast<std::size_t>(options.threads) *
                                                        filesAThread(files[begin]));
    std::vector<Measured> measured(chunk, Measured{{}, Diagnostics(diagnostics.strict()), {}});
    parallelJobs(options.threads, chunk, [&](std::size_t k) {
      Measured& own = measured[k];
      try {
        measure(files[begin + k], own);
      } catch (const UsageError&) {
        throw;
      } catch (const Error& error) {
        if (files.size() == 1 && options.throwAlone) throw;
        own.damage = error.what();
        own.ofMachine = dynamic_cast<const IoError*>(&error) != nullptr;
      } catch (const std::bad_alloc&) {
        own.damage = files[begin + k] + ": not enough memory for this file";
        own.ofMachine = true;
      }
    });
    for (Measured& own : measured) {
      for (const std::string& warning : own.diagnostics.warnings()) diagnostics.warn(warning);
      if (own.damage) {
        outcome.damaged.push_back(*own.damage);
        outcome.ofMachine = outcome.ofMachine || own.ofMachine;
        continue;
      }
      ++outcome.measured;
      for (std::size_t k = 0; k < kinds.size(); ++k) take(k, std::move(own.rows[k]));
    }
    begin += chunk;
    if (options.progress)
      options.progress(static_cast<double>(begin) / static_cast<double>(files.size()));
  }
  return outcome;
}

}  // namespace scree::tools
