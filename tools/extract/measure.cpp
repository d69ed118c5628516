// SPDX-License-Identifier: GPL-3.0-or-later
// Series of conf-files: read, measured on several threads, or followed while a run writes them.
#include "inputs.hpp"
#include "output.hpp"
#include "run_tool.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"

#include <climits>
#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

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

namespace fs = std::filesystem;

fs::path placeOf(const std::string& file) {
  std::error_code code;
  return fs::weakly_canonical(file, code);
}

/// A measure and where its rows go.
struct Task {
  std::function<sim::Measure()> make;  ///< anew for each run
  sim::Measure measure = {};
  std::unique_ptr<Output> output = {};
};

/// The conf-files of one run, in their order, or the table of one track.
struct RunFiles {
  std::string name;
  std::vector<std::string> files;
};

void name(std::vector<RunFiles>& runs) {
  std::vector<std::string> firsts;
  for (const RunFiles& run : runs) firsts.push_back(run.files.front());
  const std::vector<std::string> names = runNames(firsts);
  for (std::size_t k = 0; k < runs.size(); ++k) runs[k].name = names[k];
}

/// The runs that a series of files belongs to. A run is a folder, and in it the files that have one
/// name but for their number. A time that is not later than that of the file before begins another
/// one. A file that is named twice, by whatever path, counts once.
std::vector<RunFiles> runsOf(const std::vector<std::string>& files) {
  std::map<std::pair<std::string, std::string>, std::vector<RunFiles>> runs;
  std::map<std::pair<std::string, std::string>, double> times;  // of the last file
  std::set<fs::path> seen;
  for (const std::string& file : files) {
    const fs::path place = placeOf(file);
    if (!seen.insert(place).second) continue;
    std::string stem = fs::path(std::string(withoutZst(file))).filename().string();
    const auto digit = stem.find_last_of("0123456789");
    if (digit == std::string::npos)
      stem.clear();
    else
      stem.erase(stem.find_last_not_of("0123456789", digit) + 1);
    const std::pair key(place.parent_path().string(), stem);
    double time = HUGE_VAL;
    try {
      if (file != "-") time = sim::readTimeFromFile(file);
    } catch (const Error&) {
      time = std::nan("");  // damaged: named where it is read
    }
    std::vector<RunFiles>& own = runs[key];
    double& last = times.try_emplace(key, -HUGE_VAL).first->second;
    if (own.empty() || time <= last) own.emplace_back();
    own.back().files.push_back(file);
    if (!std::isnan(time)) last = time;
  }
  std::vector<RunFiles> all;
  for (auto& [key, own] : runs) std::ranges::move(own, std::back_inserter(all));
  name(all);
  return all;
}

/// One conf-file as all tasks see it.
struct Measured {
  std::vector<std::any> series;        ///< by task, of measures that need the whole series
  std::vector<std::vector<Row>> rows;  ///< by task, of the others
  Diagnostics diagnostics;
  std::optional<std::string> damage = {};
  bool ofMachine = false;  ///< the damage is no matter of the content of the file
  bool foundContacts = false;
};

/// A series of conf-files on its way through the tasks.
class SeriesRun {
 public:
  /// @param written  files that must be no inputs
  SeriesRun(std::vector<Task>& own, const std::vector<std::string>& written,
            Diagnostics& diagnostics, int threads)
      : tasks(own), written_(written), diagnostics_(diagnostics), threads_(threads) {}

  std::vector<Task>& tasks;
  std::optional<double> from = {};  ///< files of earlier times are passed over
  bool throwsAlone = true;  ///< a single file that cannot be measured ends it with its error
  Progress progress = {};
  bool areTracks = false;

  std::string run = {};                       ///< the first cell of each row; empty: none
  std::size_t measured = 0, withoutList = 0;  ///< withoutList: contacts found from geometry
  std::vector<std::string> damaged = {};      ///< a line for each file that could not be measured
  bool ofMachine = false;  ///< one of them failed to be read, or memory ran out: exit code 4

  /// Measures `files` and hands the rows to the outputs, in the order of the files, whatever the
  /// number of threads. A file that cannot be read or measured is passed over and named.
  void take(const std::vector<std::string>& files);

 private:
  void measure(const std::string& file, Measured& out);

  const std::vector<std::string>& written_;
  Diagnostics& diagnostics_;
  int threads_;
  ShapeStore store_;
};

/// Rows with the name of their run in front; as they are where it has none.
std::vector<Row> ofRun(const std::string& run, std::vector<Row> rows) {
  if (!run.empty())
    for (Row& row : rows) row.insert(row.begin(), run);
  return rows;
}

/// Adds what the run beside a track says of it: the body, and whether it left the ground in the
/// end.
void completeTrack(sim::Track& track, const std::string& file) {
  const fs::path folder = placeOf(file).parent_path();
  const sim::RunRecord record = sim::earlierRun(folder.string());
  Diagnostics ignored;
  for (const sim::InputFile& input : record.inputs) {
    std::vector<sim::ScriptedExtractor> lines;
    if (input.role == "extractors") {
      TextReader in = TextReader::fromFile(input.path);
      lines = sim::readDataExtractors(in, ignored);
    } else if (input.role == "conf") {
      lines = sim::dataExtractorsOf(sim::readBodiesFromFile(input.path, ignored), ignored);
    }
    for (const sim::ScriptedExtractor& line : lines) {
      if (placeOf((folder / line.file).string()) != placeOf(file)) continue;
      if (!line.extractor.kind->name.starts_with("Track") || line.extractor.values.empty())
        continue;
      track.id = line.extractor.body();
      track.left = record.ending.status == "extractor" && !record.ending.atRest &&
                   record.ending.by.starts_with(
                       fmt::format("TrackRockfall: body {} ", line.extractor.body()));
    }
  }
}

void SeriesRun::measure(const std::string& file, Measured& out) {
  checkNotInputs(written_, {file});
  out.series.resize(tasks.size());
  out.rows.resize(tasks.size());
  if (areTracks) {
    sim::Track track = sim::readTrack(file);
    completeTrack(track, file);
    out.series[0] = tasks[0].measure.series->measure(track);
    return;
  }
  const auto any = [&](auto need) {
    return std::ranges::any_of(tasks, [&](const Task& task) { return task.measure.*need; });
  };
  sim::Conf conf = any(&sim::Measure::needsContacts)
                       ? sim::readConfFromFile(file, out.diagnostics)
                       : sim::readBodiesFromFile(file, out.diagnostics);
  if (!written_.empty() && !conf.particles.empty())
    checkNotInputs(written_, {sim::shapeFileOf(conf)});
  if (from && !(tableTime(conf.t) >= *from)) return;
  ShapeStore::Shapes shapes;
  if (any(&sim::Measure::needsShapes) || !conf.boundaryTouches.empty() || !conf.commands.empty() ||
      sim::actionsNeedShapes(conf))
    shapes = store_.of(conf, out.diagnostics);
  // A run begins with the state that the commands of its first file make.
  if (!conf.commands.empty()) sim::runCommands(conf, *shapes, out.diagnostics);
  if (any(&sim::Measure::needsContacts) && !conf.state().runState && conf.interactions.empty()) {
    try {
      if (!shapes) shapes = store_.of(conf, out.diagnostics);
      out.foundContacts = sim::findContacts(conf, *shapes) > 0;
    } catch (const IoError&) {
      // Without shapes nothing can be found.
    }
  }
  const sim::Instant instant(
      conf, shapes ? std::span<const shape::Shape>(*shapes) : std::span<const shape::Shape>());
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const sim::Measure& own = tasks[k].measure;
    if (own.series)
      out.series[k] = own.series->measure(instant);
    else
      out.rows[k] = own.rows(instant);
  }
}

/// Files that a thread measures before all threads wait for each other. The rows of all of them
/// are in memory, so that large files go one by one.
std::size_t filesAThread(const std::string& path) {
  std::error_code code;
  const auto bytes = fs::file_size(path, code);
  return !code && bytes < (std::uintmax_t{4} << 20) ? 4 : 1;
}

void SeriesRun::take(const std::vector<std::string>& files) {
  // The first file alone: it reads the shapes, and warns of them.
  for (std::size_t begin = 0; begin < files.size();) {
    const std::size_t chunk =
        begin == 0 ? 1
                   : std::min(files.size() - begin,
                              static_cast<std::size_t>(threads_) * filesAThread(files[begin]));
    std::vector<Measured> all(chunk, Measured{{}, {}, Diagnostics(diagnostics_.strict())});
    parallelJobs(threads_, chunk, [&](std::size_t k) {
      Measured& own = all[k];
      try {
        measure(files[begin + k], own);
      } catch (const UsageError&) {
        throw;
      } catch (const Error& error) {
        if (files.size() == 1 && throwsAlone) throw;
        own.damage = error.what();
        own.ofMachine = dynamic_cast<const IoError*>(&error) != nullptr;
      }
    });
    for (Measured& own : all) {
      for (const std::string& warning : own.diagnostics.warnings()) diagnostics_.warn(warning);
      if (own.damage) {
        damaged.push_back(*own.damage);
        ofMachine = ofMachine || own.ofMachine;
        continue;
      }
      ++measured;
      withoutList += own.foundContacts;
      for (std::size_t k = 0; k < tasks.size(); ++k) {
        if (!tasks[k].measure.series)
          tasks[k].output->take(ofRun(run, std::move(own.rows[k])));
        else if (own.series[k].has_value())
          tasks[k].measure.series->take(own.series[k]);
      }
    }
    begin += chunk;
    if (progress) progress(static_cast<double>(begin) / static_cast<double>(files.size()));
  }
}

volatile std::sig_atomic_t signalled = 0;
void onSignal(int signal) {
  signalled = 1;
  (void)std::signal(signal, SIG_DFL);  // a second one ends the program at once
}

/// Measures a series while a run still writes it, until the run is over or a signal arrives.
///
/// A file that cannot be read is tried again until a later one exists or the run is over. After
/// that it is named and left out.
void follow(SeriesRun& series, const std::vector<std::string>& paths) {
  (void)std::signal(SIGINT, onSignal);
  (void)std::signal(SIGTERM, onSignal);
  series.throwsAlone = false;
  std::set<std::string> seen;
  const auto stopped = [] { return signalled != 0; };
  followFiles(paths, 0.5, stopped, [&](const std::vector<std::string>& files, bool over) {
    // One by one, so that rows keep the order of the files where one has to be read again.
    for (const std::string& file : files) {
      if (stopped() || seen.contains(file)) continue;
      const auto damaged = series.damaged.size();
      const bool ofMachine = series.ofMachine;
      series.take({file});
      if (series.damaged.size() > damaged && file == files.back() && !over) {
        series.damaged.resize(damaged);
        series.ofMachine = ofMachine;
        return;
      }
      seen.insert(file);
      for (const Task& task : series.tasks) task.output->flush();
    }
  });
}

/// Each file takes as much memory as the one before. The C library returns large blocks to the
/// system, which clears every page again for the next file. That is a third of the time of large
/// files.
void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

/// Runs that a call measures, and whether their rows name them.
struct Runs {
  std::vector<RunFiles> all = {};
  bool named = false, together = false;  ///< together: one table of all, bodies told apart by runs
  bool areTracks = false;
};

/// The runs of the command line. With `--follow` there is one, whose files are looked up later.
Runs runsOf(const ExtractOptions& options, bool together, bool areTracks) {
  Runs runs{.areTracks = areTracks};
  if (areTracks) {
    for (const std::string& file : pathsOf(options.inputs)) runs.all.push_back({"", {file}});
    name(runs.all);
  } else if (options.follow || options.oneSeries) {
    runs.all.push_back(
        {"", options.follow ? std::vector<std::string>() : conffilesOf(options.inputs)});
    return runs;
  } else {
    runs.all = runsOf(conffilesOf(options.inputs));
  }
  runs.together = together;
  runs.named = runs.all.size() > 1 && !together;
  if (runs.named && options.append)
    throw UsageError("--append: the files belong to several runs; give those of one");
  return runs;
}

std::vector<Column> columnsOf(const sim::Measure& measure, const Runs& runs) {
  std::vector<Column> columns = measure.columns;
  if (runs.named) columns.insert(columns.begin(), {"run", ""});
  return columns;
}

/// Measures the conf-files of the command line with all tasks, run by run.
int measureAll(std::vector<Task>& tasks, const Runs& runs, const std::vector<std::string>& written,
               const ExtractOptions& options, const CommonOptions& common,
               Diagnostics& diagnostics) {
  SeriesRun series(tasks, written, diagnostics, threadCount(common.jobs));
  // The files of the last time are measured again: the table may have been cut inside their rows.
  double least = HUGE_VAL;
  for (const Task& task : tasks)
    least = std::min(least, task.output->lastTime().value_or(-HUGE_VAL));
  if (std::isfinite(least)) series.from = least;
  keepFreedMemory();
  series.throwsAlone = runs.all.size() == 1;
  series.areTracks = runs.areTracks;
  if (!options.follow) series.progress = progressBar(common, "extract");
  for (const RunFiles& run : runs.all) {
    if (runs.named) series.run = run.name;
    const bool first = &run == &runs.all.front(), last = &run == &runs.all.back();
    for (Task& task : tasks) {
      if (first || !runs.together) task.measure = task.make();
      if (!first && runs.together && task.measure.series) task.measure.series->nextRun();
    }
    if (options.follow)
      follow(series, pathsOf(options.inputs));
    else
      series.take(run.files);
    for (Task& task : tasks) {
      if (!task.measure.series || (runs.together && !last)) continue;
      task.output->take(ofRun(series.run, task.measure.series->table()));
      if (const std::string note = task.measure.series->note(); !note.empty())
        diagnostics.warn(run.name.empty() ? note : run.name + ": " + note);
    }
  }
  printErrors("extract", series.damaged, common);
  if (series.measured == 0 && !options.follow) {
    const auto nothing =
        fmt::format("none of {} can be measured", counted(series.damaged.size(), "conf-file"));
    if (series.ofMachine) throw IoError(nothing);
    throw ModelError(nothing);
  }
  for (Task& task : tasks) task.output->finish(diagnostics);
  printWarnings(diagnostics, common);
  if (runs.named)
    say(common, fmt::format("{} runs, a series each; --one-series takes the files as one",
                            runs.all.size()));
  if (series.withoutList > 0)
    say(common, fmt::format("{} without a list of contacts: these are found from where bodies "
                            "stand, and their forces are nan",
                            counted(series.withoutList, "conf-file")));
  if (!series.damaged.empty())
    say(common, fmt::format("{} of {} skipped, the others are measured", series.damaged.size(),
                            counted(series.damaged.size() + series.measured, "conf-file")));
  if (signalled != 0) return 75;
  if (series.ofMachine) return 4;
  return series.damaged.empty() ? 0 : 3;
}

}  // namespace

std::vector<std::string> runNames(const std::vector<std::string>& firstFiles) {
  std::vector<std::string> names(firstFiles.size());
  const auto tellApart = [&](auto&& nameOf) {
    std::ranges::transform(firstFiles, names.begin(), nameOf);
    return std::set(names.begin(), names.end()).size() == names.size();
  };
  const auto folderAbove = [](fs::path folder, int levels) {
    for (; levels >= 0; --levels) folder = folder.parent_path();
    return folder.filename().string();
  };
  std::set<fs::path> folders;
  for (const std::string& file : firstFiles) folders.insert(placeOf(file).parent_path());
  for (int levels = 0; levels < 4 && folders.size() > 1; ++levels)
    if (tellApart([&](const std::string& file) { return folderAbove(placeOf(file), levels); }))
      return names;
  if (folders.size() == 1 &&
      tellApart([](const std::string& file) { return fs::path(file).filename().string(); }))
    return names;
  return firstFiles;
}

int measureKind(const KindCall& call, const ExtractOptions& options, const CommonOptions& common) {
  const sim::Kind& kind = call.kind;
  sim::KindOptions values(kind.options, call.given);
  for (std::size_t at = 0; at < options.columns.size();) {
    const std::size_t comma = std::min(options.columns.find(',', at), options.columns.size());
    if (const std::string name = options.columns.substr(at, comma - at); name != "run")
      values.columns.push_back(name);
    at = comma + 1;
  }
  std::vector<Task> tasks(1);
  tasks[0].make = [&] { return kind.make(values); };
  const sim::Measure measure = tasks[0].make();
  if (options.goesOn() && measure.series)
    throw UsageError(fmt::format("{}: {} needs the whole series at once",
                                 options.append ? "--append" : "--follow", kind.name));
  if (options.inputs.empty()) throw UsageError("no conf-files given");
  const bool grid = kind.name == "reach" && options.output.ends_with(".asc");
  const Runs runs = runsOf(options, values.has("together") || grid, values.has("track"));
  ExtractOptions own = options;
  if (runs.named && !own.columns.empty() &&
      ("," + own.columns + ",").find(",run,") == std::string::npos)
    own.columns = "run," + own.columns;
  tasks[0].output = outputFor(kind, values, columnsOf(measure, runs), own, common);
  Diagnostics diagnostics(common.strict);
  return measureAll(tasks, runs, options.written(), options, common, diagnostics);
}

int measureScript(const ExtractOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  if (options.output == "-")
    throw UsageError("-o -: --script writes a folder of tables, which standard output cannot hold");
  const auto format = formatOf(options, common, TableFormat::txt);
  TextReader in = TextReader::fromFile(options.script);
  const auto lines = sim::readDataExtractors(in, diagnostics);
  if (lines.empty())
    diagnostics.warn(fmt::format("{}: there is no extractor in it", options.script));
  const fs::path folder = options.output.empty() ? "." : options.output;
  sim::checkPlaceOfTables(folder.string(), lines);
  const Runs runs = runsOf(options, false, false);
  std::vector<Task> tasks;
  std::vector<std::string> written;
  for (const auto& line : lines) {
    written.push_back((options.output.empty() ? fs::path(line.file) : folder / line.file).string());
    Task& task = tasks.emplace_back();
    task.make = [&line] { return sim::measureOf(line.extractor); };
    task.output = tableAt(written.back(), format, columnsOf(task.make(), runs), options, common);
  }
  checkNotInputs(written, {options.script});
  return measureAll(tasks, runs, written, options, common, diagnostics);
}

}  // namespace scree::tools
