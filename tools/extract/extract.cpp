// SPDX-License-Identifier: GPL-3.0-or-later
#include "extract.hpp"

#include "compare.hpp"
#include "diff.hpp"
#include "follow.hpp"
#include "inputs.hpp"
#include "kinds/kinds.hpp"
#include "outputs.hpp"
#include "run_tool.hpp"
#include "tracks.hpp"
#include "verbs.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/measure/extractors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>

namespace scree::tools {
namespace {

std::string optionText(const KindOption& o) {
  const std::string text =
      o.value.empty() ? fmt::format("--{}", o.name) : fmt::format("--{} {}", o.name, o.value);
  return o.needed ? ' ' + text : fmt::format(" [{}]", text);
}

std::string listText() {
  std::string text;
  for (const KindEntry& kind : allKinds()) {
    std::string options;
    for (const KindOption& o : kind.options) options += optionText(o);
    text += fmt::format("{:<28} {}\n", fmt::format("{}{}", kind.name, options), kind.help);
  }
  return text;
}

std::string listJson() {
  JsonWriter json;
  json.beginObject().key("schema").value(1).key("kinds").beginArray();
  for (const KindEntry& kind : allKinds()) {
    json.newLine().beginObject().key("name").value(kind.name).key("options").beginArray();
    for (const KindOption& o : kind.options) json.value(o.name);
    json.end().key("help").value(kind.help).end();
  }
  return json.newLine().end().end().take() + '\n';
}

const KindEntry& kindNamed(const std::string& name) {
  std::vector<std::string_view> have;
  for (const KindEntry& kind : allKinds()) {
    if (kind.name == name) return kind;
    have.push_back(kind.name);
  }
  throw UsageError(fmt::format("unknown kind '{}'{}; kinds are {}", name, suggestion(name, have),
                               fmt::join(have, " ")));
}

void checkOptions(const KindEntry& entry, const ExtractOptions& options) {
  for (const auto& [name, value] : options.parameters)
    if (std::ranges::none_of(entry.options,
                             [&wanted = name](const KindOption& o) { return o.name == wanted; }))
      throw UsageError(fmt::format("{} has no option --{}", entry.name, name));
  for (const KindOption& o : entry.options)
    if (o.needed && !options.parameters.contains(std::string(o.name)))
      throw UsageError(fmt::format("{} needs --{}: {}", entry.name, o.name, o.help));
}

std::unique_ptr<Kind> makeKind(const KindEntry& entry, const ExtractOptions& options) {
  auto values = options.parameters;
  if (!options.columns.empty()) values["columns"] = options.columns;  // `bodies` computes no others
  return entry.make(KindOptions(std::move(values)));
}

/// One line and a count, where all files fail for one reason, such as a body that none has.
std::vector<std::string> inShort(std::vector<std::string> messages) {
  const auto reason = [](const std::string& message) {
    return message.substr(std::min(message.find(": "), message.size()));
  };
  const auto other = [&](const std::string& m) { return reason(m) != reason(messages.front()); };
  if (messages.size() < 3 || std::ranges::any_of(messages, other)) return messages;
  return {fmt::format("{} (the same for {} other files)", messages.front(), messages.size() - 1)};
}

volatile std::sig_atomic_t signalled = 0;
void onSignal(int signal) {
  signalled = 1;
  (void)std::signal(signal, SIG_DFL);  // a second one ends the program at once
}

/// Up to which time each of the tables that go on has rows; none where one has no row.
std::optional<double> timeOfAll(const std::vector<std::unique_ptr<Sink>>& sinks) {
  double least = HUGE_VAL;
  for (const auto& sink : sinks) {
    if (!sink->lastTime()) return {};
    least = std::min(least, *sink->lastTime());
  }
  return least;
}

/// Measures `files`, or what a run writes with `--follow`, into one sink for each kind.
/// @param written  the files of the sinks
/// @returns the exit code
int measure(const std::vector<std::unique_ptr<Kind>>& kinds,
            const std::vector<std::unique_ptr<Sink>>& sinks, const std::vector<std::string>& words,
            const std::vector<std::string>& written, const ExtractOptions& options,
            const CommonOptions& common, Diagnostics& diagnostics) {
  std::vector<const Kind*> pointers;
  for (const auto& kind : kinds) pointers.push_back(kind.get());
  std::vector<std::unique_ptr<Joiner>> joiners;
  for (const auto& kind : kinds) joiners.push_back(kind->joiner());
  const auto take = [&](std::size_t k, std::vector<sim::Row> rows) {
    if (joiners[k])
      joiners[k]->take(rows);
    else
      sinks[k]->take(std::move(rows));
  };
  SeriesOptions series;
  series.threads = threadCount(common.jobs);
  series.written = written;
  // The files of the last time are measured again: the table may have been cut inside their rows.
  if (const auto last = timeOfAll(sinks); last && !sinks.empty())
    series.skip = [least = *last](double t) { return !(t >= least); };
  SeriesOutcome outcome;
  if (options.follow) {
    (void)std::signal(SIGINT, onSignal);
    (void)std::signal(SIGTERM, onSignal);
    constexpr double seconds = 0.5;  // between two looks at the folder
    outcome = followSeries(
        pointers, pathsOf(words), series, diagnostics, seconds, [] { return signalled != 0; }, take,
        [&] {
          for (const auto& sink : sinks) sink->flush();
        });
  } else {
    const auto files = conffilesOf(words);
    series.progress = progressBar(common, "extract");
    outcome = measureSeries(pointers, files, series, diagnostics, take);
  }
  printErrors("extract", outcome.measured == 0 ? inShort(outcome.damaged) : outcome.damaged,
              common);
  if (outcome.measured == 0 && !options.follow) {
    const auto nothing =
        fmt::format("none of the {} conf-files can be measured", outcome.damaged.size());
    if (outcome.ofMachine) throw IoError(nothing);
    throw ModelError(nothing);
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (joiners[k]) sinks[k]->take(joiners[k]->table());
    sinks[k]->finish(diagnostics);
  }
  printWarnings(diagnostics, common);
  if (!outcome.damaged.empty())
    say(common, fmt::format("{} of {} conf-files skipped, the others are measured",
                            outcome.damaged.size(), outcome.damaged.size() + outcome.measured));
  if (signalled != 0) return 75;
  if (outcome.ofMachine) return 4;
  return outcome.damaged.empty() ? 0 : 3;
}

/// `extract KIND --track FILE...`: bodies whose records are tables, one a file.
int measureTracks(const KindEntry& entry, const TrackKind& kind, Sink& sink,
                  const ExtractOptions& options, Diagnostics& diagnostics) {
  const auto files = pathsOf({options.words.begin() + 1, options.words.end()});
  if (files.empty()) throw UsageError(fmt::format("{} --track: no tables given", entry.name));
  checkNotInputs(filesWritten(options), files);
  const std::unique_ptr<Joiner> joiner = kind.joiner();
  for (std::size_t k = 0; k < files.size(); ++k)
    joiner->take(kind.trackRows(readTrack(files[k]), static_cast<std::int64_t>(k)));
  sink.take(joiner->table());
  sink.finish(diagnostics);
  return 0;
}

int extractScript(const ExtractOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  if (!options.parameters.empty())
    throw UsageError(
        fmt::format("--{} and --script exclude each other", options.parameters.begin()->first));
  if (!options.postpro.empty()) throw UsageError("--script and --postpro exclude each other");
  if (!options.plot.empty())
    throw UsageError("--plot and --script exclude each other: a plot shows one table");
  if (options.output == "-")
    throw UsageError("-o -: --script writes a folder of tables, which standard output cannot hold");
  const auto format = formatOf(options, common, sim::TableFormat::txt);
  TextReader in = TextReader::fromFile(options.script);
  const auto lines = sim::readDataExtractors(in, diagnostics);
  if (lines.empty())
    diagnostics.warn(fmt::format("{}: there is no extractor in it", options.script));

  const std::filesystem::path folder = options.output.empty() ? "." : options.output;
  sim::checkPlaceOfTables(folder.string(), lines);
  std::vector<std::unique_ptr<Kind>> kinds;
  std::vector<std::unique_ptr<Sink>> sinks;
  std::vector<std::string> written;
  for (const auto& line : lines) {
    kinds.push_back(kindOf(line.extractor));
    written.push_back(
        (options.output.empty() ? std::filesystem::path(line.file) : folder / line.file).string());
    TableShape shape(kinds.back()->columns(), options.add, options.columns, options.digits);
    sinks.push_back(tableIn(written.back(), format, std::move(shape), nullptr, options, common));
  }
  checkNotInputs(written, {options.script});
  return measure(kinds, sinks, options.words, written, options, common, diagnostics);
}

}  // namespace

int extract(const ExtractOptions& options, const CommonOptions& common) {
  if (options.list) {
    printResult(common.json ? listJson() : listText());
    return 0;
  }
  if (!options.compat.empty() && (options.compat != "rockable" || options.postpro.empty()))
    throw UsageError("--compat: expected the word rockable, together with --postpro");
  if (!options.script.empty()) return extractScript(options, common);
  if (!options.postpro.empty()) return extractPostpro(options, common);
  if (options.words.empty()) throw UsageError("no kind given; extract --list shows the kinds");

  const KindEntry& entry = kindNamed(options.words.front());
  checkOptions(entry, options);
  if (entry.make == nullptr) return runVerb(entry, options, common);
  std::vector<std::unique_ptr<Kind>> kinds;
  kinds.push_back(makeKind(entry, options));
  if ((options.append || options.follow) && kinds.front()->joiner())
    throw UsageError(fmt::format("{}: {} needs the whole series at once",
                                 options.append ? "--append" : "--follow", entry.name));
  std::vector<std::unique_ptr<Sink>> sinks;
  if (options.words.size() == 1) throw UsageError("no conf-files given");
  sinks.push_back(sinkFor(entry, *kinds.front(), options, common));
  Diagnostics diagnostics(common.strict);
  if (options.parameters.contains("track")) {
    const int code = measureTracks(entry, dynamic_cast<const TrackKind&>(*kinds.front()),
                                   *sinks.front(), options, diagnostics);
    printWarnings(diagnostics, common);
    return code;
  }
  return measure(kinds, sinks, {options.words.begin() + 1, options.words.end()},
                 filesWritten(options), options, common, diagnostics);
}

}  // namespace scree::tools
