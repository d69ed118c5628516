// SPDX-License-Identifier: GPL-3.0-or-later
// Series of conf-files: read, measured on several threads, or followed while a run writes them.
#include "extract.hpp"
#include "inputs.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

using Shapes = std::vector<shape::Shape>;

fs::path placeOf(const std::string& file) {
  std::error_code code;
  return fs::weakly_canonical(file, code);
}

/// A kind with its options, and where its rows go.
struct Task {
  const sim::Kind* kind;
  sim::KindOptions options;
  std::unique_ptr<Output> output = {};
  std::shared_ptr<sim::Series> series = {};  ///< anew for each run
};

/// The conf-files of one run, in their order, or the table of one track.
struct RunFiles {
  std::string name;
  std::vector<std::string> files;
};

struct Runs {
  std::vector<RunFiles> all = {};
  bool together = false;  ///< one table of all, bodies told apart by runs
  bool areTracks = false;

  /// Whether rows begin with the name of their run.
  bool named() const { return all.size() > 1 && !together; }
  std::vector<Column> columnsOf(const Task& task) const {
    std::vector<Column> columns = task.kind->columnsFor(task.options);
    if (named()) columns.insert(columns.begin(), {"run", ""});
    return columns;
  }
};

/// The runs that a series of files belongs to. A run is a folder, and in it the files that have one
/// name but for their number. A time that is not later than that of the file before begins another
/// one. A file that is named twice, by whatever path, counts once.
std::vector<RunFiles> runsOf(const std::vector<std::string>& files) {
  struct Folder {
    std::vector<RunFiles> runs;
    double time = -HUGE_VAL;  ///< of the last file
  };
  std::map<std::pair<std::string, std::string>, Folder> folders;
  std::set<fs::path> seen;
  for (const std::string& file : files) {
    const fs::path place = placeOf(file);
    if (!seen.insert(place).second) continue;
    std::string stem = fs::path(std::string(withoutZst(file))).filename().string();
    const auto digit = stem.find_last_of("0123456789");
    stem.erase(digit == std::string::npos ? 0 : stem.find_last_not_of("0123456789", digit) + 1);
    double time = HUGE_VAL;
    try {
      if (file != "-") time = sim::readTimeFromFile(file);
    } catch (const Error&) {
      time = std::nan("");  // damaged: named where it is read
    }
    Folder& own = folders[{place.parent_path().string(), stem}];
    if (own.runs.empty() || time <= own.time) own.runs.emplace_back();
    own.runs.back().files.push_back(file);
    if (!std::isnan(time)) own.time = time;
  }
  std::vector<RunFiles> all;
  for (auto& [key, own] : folders) std::ranges::move(own.runs, std::back_inserter(all));
  return all;
}

[[noreturn]] void refuseSeveralRuns(const char* option) {
  throw UsageError(fmt::format("{}: the files belong to several runs; give those of one", option));
}

/// The runs of the command line. With `--follow` there is one, whose files are looked up later.
Runs runsOf(const ExtractOptions& options, bool together, bool areTracks) {
  Runs runs{.together = together, .areTracks = areTracks};
  if (options.follow && !options.oneSeries) requireOneRun(options.inputs, "--follow");
  if (options.follow || (options.oneSeries && !areTracks)) {
    runs.all.push_back(
        {"", options.follow ? std::vector<std::string>() : conffilesOf(options.inputs)});
    return runs;
  }
  if (areTracks)
    for (const std::string& file : pathsOf(options.inputs)) runs.all.push_back({"", {file}});
  else
    runs.all = runsOf(conffilesOf(options.inputs));
  std::vector<std::string> firsts;
  for (const RunFiles& run : runs.all) firsts.push_back(run.files.front());
  const std::vector<std::string> names = runNames(firsts);
  for (std::size_t k = 0; k < names.size(); ++k) runs.all[k].name = names[k];
  if (runs.named() && options.append) refuseSeveralRuns("--append");
  return runs;
}

/// One conf-file as all tasks see it.
struct Measured {
  std::vector<std::any> byTask;
  Diagnostics diagnostics;
  FileFailures failures = {};
  bool foundContacts = false;
};

/// A series of conf-files on its way through the tasks.
class SeriesRun {
 public:
  /// @param written  files that must be no inputs
  SeriesRun(std::vector<Task>& own, const std::vector<std::string>& written,
            Diagnostics& diagnostics, int threads)
      : tasks(own), written_(written), diagnostics_(diagnostics), threads_(threads) {
    for (const Task& task : tasks) {
      const sim::KindNeeds needs = task.kind->needsFor(task.options);
      needs_.shapes |= needs.shapes;
      needs_.contacts |= needs.contacts;
    }
  }

  std::vector<Task>& tasks;
  std::optional<double> from = {};  ///< files of earlier times are passed over
  bool throwsAlone = true;  ///< a single file that cannot be measured ends it with its error
  Progress progress = {};
  bool areTracks = false;

  std::string run = {};                       ///< the first cell of each row; empty: none
  std::size_t measured = 0, withoutList = 0;  ///< withoutList: contacts found from geometry
  FileFailures failures = {};                 ///< of files that could not be measured

  /// Measures `files` and hands the rows to the outputs, in the order of the files, whatever the
  /// number of threads. A file that cannot be read or measured is passed over and named.
  void take(const std::vector<std::string>& files);
  /// Hands rows to an output, with the name of their run in front.
  void hand(Task& task, std::vector<Row> rows) const {
    if (!run.empty())
      for (Row& row : rows) row.insert(row.begin(), run);
    task.output->take(std::move(rows));
  }

 private:
  void measure(const std::string& file, Measured& out);

  const std::vector<std::string>& written_;
  Diagnostics& diagnostics_;
  int threads_;
  sim::KindNeeds needs_{false, false};
  ShapeCache<Shapes> shapes_{[](Shapes read) { return read; }};
};

void SeriesRun::measure(const std::string& file, Measured& out) {
  checkNotInputs(written_, {file});
  if (areTracks) {
    sim::Track track = sim::readTrack(file);
    sim::completeTrack(track, file);
    out.byTask.push_back(tasks[0].series->measure(track));
    return;
  }
  sim::Conf conf = needs_.contacts ? sim::readConfFromFile(file, out.diagnostics)
                                   : sim::readBodiesFromFile(file, out.diagnostics);
  if (!written_.empty() && !conf.particles.empty())
    checkNotInputs(written_, {sim::shapeFileOf(conf)});
  if (from && !(tableTime(conf.t) >= *from)) return;
  std::shared_ptr<const Shapes> shapes;
  if (needs_.shapes || !conf.boundaryTouches.empty() || !conf.commands.empty() ||
      sim::actionsNeedShapes(conf))
    shapes = shapes_.of(conf, out.diagnostics);
  // A run begins with the state that the commands of its first file make.
  if (!conf.commands.empty()) sim::runCommands(conf, *shapes, out.diagnostics);
  if (needs_.contacts && sim::missesContacts(conf)) {
    try {
      if (!shapes) shapes = shapes_.of(conf, out.diagnostics);
      out.foundContacts = sim::findContacts(conf, *shapes) > 0;
    } catch (const IoError&) {
      // Without shapes nothing can be found.
    }
  }
  const sim::Instant instant(
      conf, shapes ? std::span<const shape::Shape>(*shapes) : std::span<const shape::Shape>());
  for (const Task& task : tasks) out.byTask.push_back(task.series->measure(instant));
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
    std::vector<Measured> all(chunk, Measured{{}, Diagnostics(diagnostics_.strict())});
    parallelJobs(threads_, chunk, [&](std::size_t k) {
      Measured& own = all[k];
      try {
        measure(files[begin + k], own);
      } catch (const UsageError&) {
        throw;
      } catch (const Error& error) {
        if (files.size() == 1 && throwsAlone) throw;
        own.failures.add(error);
      }
    });
    for (Measured& own : all) {
      for (const std::string& warning : own.diagnostics.warnings()) diagnostics_.warn(warning);
      failures.add(own.failures);
      if (!own.failures.messages.empty()) continue;
      ++measured;
      withoutList += own.foundContacts;
      for (std::size_t k = 0; k < own.byTask.size(); ++k)
        hand(tasks[k], tasks[k].series->take(own.byTask[k]));
    }
    begin += chunk;
    if (progress) progress(static_cast<double>(begin) / static_cast<double>(files.size()));
  }
}

/// Measures a series while a run still writes it, until the run is over or a signal arrives.
///
/// A file that cannot be read is tried until a later one exists or the run ends, then left out.
void follow(SeriesRun& series, const std::vector<std::string>& paths) {
  stopOnSignals();
  series.throwsAlone = false;
  std::set<std::string> seen;
  const auto stopped = [] { return stopRequested().load(); };
  followFiles(paths, 0.5, stopped, [&](const std::vector<std::string>& files, bool over) {
    // One by one, so that rows keep the order of the files where one has to be read again.
    for (const std::string& file : files) {
      if (stopped() || seen.contains(file)) continue;
      const FileFailures before = series.failures;
      series.take({file});
      if (series.failures.messages != before.messages && file == files.back() && !over) {
        series.failures = before;
        return;
      }
      seen.insert(file);
      for (const Task& task : series.tasks) task.output->flush();
    }
  });
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
  series.throwsAlone = runs.all.size() == 1;
  series.areTracks = runs.areTracks;
  if (!options.follow) series.progress = progressBar(common, "extract");
  for (const RunFiles& run : runs.all) {
    if (runs.named()) series.run = run.name;
    const bool first = &run == &runs.all.front(), last = &run == &runs.all.back();
    for (Task& task : tasks) {
      if (first || !runs.together)
        task.series = task.kind->over(task.options);
      else
        task.series->nextRun();
    }
    if (options.follow)
      follow(series, pathsOf(options.inputs));
    else
      series.take(run.files);
    for (Task& task : tasks) {
      if (runs.together && !last) continue;
      series.hand(task, task.series->finish());
      if (const std::string note = task.series->note(); !note.empty())
        diagnostics.warn(run.name.empty() ? note : run.name + ": " + note);
    }
  }
  printErrors("extract", series.failures.messages, common);
  const std::size_t skipped = series.failures.messages.size();
  if (series.measured == 0 && !options.follow) {
    const auto nothing = fmt::format("none of {} can be measured", counted(skipped, "conf-file"));
    if (series.failures.ofMachine) throw IoError(nothing);
    throw ModelError(nothing);
  }
  if (runs.named())
    diagnostics.note(fmt::format("{} runs, a series each; --one-series takes the files as one",
                                 runs.all.size()));
  if (series.withoutList > 0)
    diagnostics.note(
        fmt::format("{} without all contacts: those missing are found, with forces nan",
                    counted(series.withoutList, "conf-file")));
  if (skipped > 0)
    diagnostics.note(fmt::format("{} of {} skipped, the others are measured", skipped,
                                 counted(skipped + series.measured, "conf-file")));
  for (Task& task : tasks) task.output->finish(diagnostics);
  printWarnings(diagnostics, common);
  if (stopRequested()) return stoppedResumable;
  if (series.failures.ofMachine) return 4;
  return skipped == 0 ? 0 : 3;
}

}  // namespace

void requireOneRun(const std::vector<std::string>& inputs, const char* option) {
  std::vector<std::string> files;
  try {
    files = conffilesOf(inputs);
  } catch (const IoError&) {
    return;  // there are none yet
  }
  if (runsOf(files).size() > 1) refuseSeveralRuns(option);
}

std::vector<std::string> runNames(const std::vector<std::string>& firstFiles) {
  std::vector<std::string> names(firstFiles.size());
  const auto tellApart = [&](auto&& nameOf) {
    std::ranges::transform(firstFiles, names.begin(), nameOf);
    return std::set(names.begin(), names.end()).size() == names.size();
  };
  std::set<fs::path> folders;
  for (const std::string& file : firstFiles) folders.insert(placeOf(file).parent_path());
  const auto folderAbove = [](fs::path place, int levels) {
    for (; levels >= 0; --levels) place = place.parent_path();
    return place.filename().string();
  };
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
  std::vector<Task> tasks;
  sim::KindOptions& values = tasks.emplace_back(Task{&kind, call.options()}).options;
  for (const std::string& name : sim::partsOf(options.columns, ','))
    if (!name.empty() && name != "run") values.columns.push_back(name);
  kind.columnsFor(values);  // checks options
  if (options.goesOn() && kind.series != nullptr)
    throw UsageError(fmt::format("{}: {} needs the whole series at once",
                                 options.append ? "--append" : "--follow", kind.name));
  if (options.inputs.empty()) throw UsageError("no conf-files given");
  const bool grid = kind.name == "reach" && options.output.ends_with(".asc");
  const Runs runs = runsOf(options, values.has("together") || grid, values.has("track"));
  ExtractOptions own = options;
  if (runs.named() && !own.columns.empty() &&
      ("," + own.columns + ",").find(",run,") == std::string::npos)
    own.columns = "run," + own.columns;
  TablePlan plan = planOf(kind, runs.columnsOf(tasks[0]), own, common);
  if (grid) plan.gridCell = values.number("cell");
  tasks[0].output = std::make_unique<Output>(std::move(plan), own, common);
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
  for (const auto& [extractor, file, period, where] : lines) {
    written.push_back((options.output.empty() ? fs::path(file) : folder / file).string());
    Task& task = tasks.emplace_back(Task{extractor.kind, extractor.options()});
    task.output = std::make_unique<Output>(TablePlan{written.back(), format, runs.columnsOf(task)},
                                           options, common);
  }
  checkNotInputs(written, {options.script});
  return measureAll(tasks, runs, written, options, common, diagnostics);
}

}  // namespace scree::tools
