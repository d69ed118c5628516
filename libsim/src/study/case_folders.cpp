// SPDX-License-Identifier: GPL-3.0-or-later
// The folders of a study: where values stand in the files of a case, one folder for each run, and
// how far the runs have come.
#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/measure/kinds.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <span>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

std::string textOf(const Cell& cell) { return std::get<std::string>(cell); }

using Files = std::map<std::string, std::string>;
using Words = std::vector<std::string_view>;

/// The words of each line, as views of the text.
std::vector<Words> wordsOf(TextReader in) {
  std::vector<Words> lines;
  while (!in.atEnd()) {
    Words& words = lines.emplace_back(Words{in.word("keyword")});
    while (in.nextOnSameLine()) words.push_back(in.word("value"));
  }
  return lines;
}

/// Puts the mark of `name`, KEYWORD or KEYWORD:GROUPS, in place of the values of a conf-file that
/// it means. @throws UsageError where there are none
void putMark(std::string& conf, const std::string& name) {
  const std::vector<std::string> parts = partsOf(name, ':');
  const std::string& word = parts.front();
  std::vector<std::string> wanted;
  if (parts.size() > 1) wanted = partsOf(parts[1], '-');
  const auto found = std::ranges::find(confKeywords(), word, &ConfKeyword::name);
  const std::string_view form = found == confKeywords().end() ? "" : found->arguments;
  const std::size_t groups = form == "group1 group2 value" ? 2U : form == "group value",
                    values = form == "x y z" ? 3 : 1;
  const bool isOneValue = groups > 0 || values == 3 || form.find_first_of(" ,") == form.npos;
  const TextReader old(name, conf);
  std::vector<Words> lines = wordsOf(old);
  for (const Words& words : lines) {
    if (words[0].front() == '#' || words[0] == "Tempo" || words[0] == "DataExtractor") continue;
    const std::span<const std::string_view> later(words.begin() + 1, words.end());
    const auto comment = std::ranges::find(later, '#', &std::string_view::front);
    if (std::find(later.begin(), comment, word) != comment)
      throw UsageError(
          fmt::format("--vary {}: {} stands within a line; give it a line of its own", name, word));
  }
  std::erase_if(lines, [&](const Words& words) {
    if (!isOneValue || words[0] != word || words.size() < 1 + groups + values) return true;
    const std::vector<std::string> own(&words[1], &words[1 + groups]);
    return !wanted.empty() && !std::ranges::is_permutation(own, wanted);
  });
  if (lines.empty())
    throw UsageError(fmt::format(
        "--vary {0}: no file of the case has the mark @{0}@, and the conf-file has no line "
        "'{1} {2}{3}VALUE'{4}",
        name, word, fmt::join(wanted, " "), wanted.empty() ? "" : " ",
        form.empty() ? suggestion(word, namesOf(confKeywords())) : ""));
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const std::string_view first = (*line)[1 + groups], last = (*line)[groups + values];
    conf.replace(static_cast<std::size_t>(first.data() - old.rest().data()),
                 static_cast<std::size_t>(last.data() + last.size() - first.data()),
                 "@" + name + "@");
  }
}

/// The files of a case with the values of a run in place of its marks.
Files filled(const StudyCase& study, const Table& runs, const Row& run) {
  Files files = study.files;
  for (auto& [name, text] : files)
    for (std::size_t k = 0; k < run.size(); ++k) {
      const std::string mark = "@" + runs.columns[k].name + "@", value = textOf(run[k]);
      for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
        text.replace(at, mark.size(), value);
    }
  return files;
}

/// Reads the files of a run as `rockable` will.
Conf confOf(const StudyCase& study, const Files& files, Diagnostics& diagnostics) {
  const auto reader = [&](const std::string& name) {
    const auto file = files.find(name);
    return TextReader((fs::path(study.folder) / name).string(),
                      file == files.end() ? "" : file->second);
  };
  TextReader in = reader(study.conf), drives = reader("drivingSystem.txt"),
             extractors = reader("dataExtractors.txt");
  Conf conf = readConf(in, diagnostics);
  if (!conf.redirectedFrom.empty())
    throw ModelError(in.name() + ": it redirects; name the conf-file that it leads to");
  if (conf.commands.empty())  // they may add bodies
    readDriving(drives, conf.nDriven, conf.particles.size(), diagnostics);
  readDataExtractors(extractors, diagnostics);
  return conf;
}

/// Checks that the study in `folder` may grow to these runs. @returns how many of them are there
std::size_t runsBefore(const fs::path& folder, const Table& runs, bool append) {
  std::error_code ignored;
  if (!isThere(folder) || fs::is_empty(folder, ignored)) return 0;
  if (!append)
    throw IoError(fmt::format("{}: is there; choose another folder with -o, or add --append",
                              folder.string()));
  const std::string table = (folder / "runs.csv").string();
  if (!isThere(table)) return 0;
  const Table old = readTable(table, [](const Table&, std::size_t) { return true; });
  if (old.rows.size() > runs.rows.size() ||
      !std::ranges::equal(old.columns, runs.columns, {}, &Column::name, &Column::name) ||
      !std::equal(old.rows.begin(), old.rows.end(), runs.rows.begin()))
    throw IoError(fmt::format(
        "{}: its runs are not the first ones of this plan; choose another folder with -o", table));
  return old.rows.size();
}

/// Writes a file of a study. @throws IoError where one of another content is there
void put(const fs::path& path, const std::string& text) {
  if (!isThere(path))
    writeFile(path.string(), text, Existing::refuse);
  else if (readFile(path.string()) != text)
    throw IoError(fmt::format("{}: its content is another one than in this plan", path.string()));
}

/// Longer than rockable lets pass between two checkpoints.
constexpr std::chrono::seconds longestSilence(400);

/// Whether a run has written a file lately.
bool isAlive(const fs::path& folder) {
  std::error_code ignored;
  const auto now = fs::file_time_type::clock::now();
  return std::ranges::any_of(fs::directory_iterator(folder, ignored), [&](const auto& entry) {
    return now - entry.last_write_time(ignored) < longestSilence;
  });
}

}  // namespace

StudyCase readStudyCase(const std::string& path) {
  const fs::path conf = isFolder(path) ? fs::path(path) / "conf0" : fs::path(path);
  if (conf == "-") throw UsageError("expected a conf-file or a folder, found '-'");
  StudyCase study{conf.parent_path().string(), std::string(withoutZst(conf.filename().string()))};
  study.files[study.conf] = readFile(conf.string());
  for (const std::string name : {"drivingSystem.txt", "dataExtractors.txt"})
    if (const fs::path file = conf.parent_path() / name; isThere(file))
      study.files[name] = readFile(file.string());
  return study;
}

std::size_t writeStudy(StudyCase study, const Table& runs, const StudyOptions& options,
                       Diagnostics& diagnostics) {
  kindNamed(options.collect.substr(0, options.collect.find(' ')));
  if ((study.conf + options.collect).find('\n') != std::string::npos ||
      options.collect.find_first_of("$`\\") != std::string::npos ||
      study.conf.find_first_of(" '\"$`\\{}*") != std::string::npos)
    throw UsageError(fmt::format("'{}' and '{}' cannot stand in scripts", shown(study.conf),
                                 shown(options.collect)));
  const fs::path folder = options.folder;
  const std::size_t before = runsBefore(folder, runs, options.append);
  const auto isMarked = [&](const Column& column) {
    const std::string mark = "@" + column.name + "@";
    return std::ranges::any_of(
        study.files, [&](const auto& file) { return file.second.find(mark) != std::string::npos; });
  };
  const std::span names = std::span(runs.columns).subspan(2);
  for (const Column& column : names)
    if (!isMarked(column)) putMark(study.files[study.conf], column.name);
  for (const Column& column : names)
    if (!isMarked(column))
      throw UsageError(
          fmt::format("--vary {}: another --vary sets all of its values", column.name));

  std::map<std::string, fs::path> shapeFiles;  // by their names in conf-files
  for (const Row& run : runs.rows) {
    Diagnostics others;
    Diagnostics& own = &run == &runs.rows.front() ? diagnostics : others;
    try {
      const Conf conf = confOf(study, filled(study, runs, run), own);
      if (!study.shapes.empty() || conf.shapeFile.empty() || shapeFiles.contains(conf.shapeFile))
        continue;
      shapesOf(conf, own);
      shapeFiles[conf.shapeFile] = shapeFileOf(conf);
    } catch (const ParseError& error) {
      std::vector<std::string> values;
      for (std::size_t k = 2; k < run.size(); ++k)
        values.push_back(runs.columns[k].name + " = " + shown(textOf(run[k])));
      throw ModelError(
          fmt::format("run {} ({}): {}", textOf(run[0]), fmt::join(values, ", "), error.what()));
    }
  }
  const auto write = [&](const Row& run) {
    Files files = filled(study, runs, run);
    std::string& conf = files.at(study.conf);
    const TextReader old(study.conf, conf);
    for (const Words& words : wordsOf(old)) {
      if (shapeFiles.empty() || words.size() < 2 || words[0] != "shapeFile") continue;
      const fs::path name = shapeFiles.at(std::string(words[1])).filename();
      conf.replace(static_cast<std::size_t>(words[1].data() - old.rest().data()), words[1].size(),
                   "../shapes/" + name.string());
      break;
    }
    for (const auto& [name, text] : files) put(folder / textOf(run[0]) / name, text);
  };
  if (before > 0) write(runs.rows.front());  // is it the same case?
  if (!study.shapes.empty()) put(folder / "shapes" / "release.shp", study.shapes);
  for (const auto& [word, path] : shapeFiles)
    put(folder / "shapes" / path.filename(), readFile(path.string()));
  parallelJobs(options.threads, runs.rows.size() - before,
               [&](std::size_t k) { write(runs.rows[before + k]); });
  for (const auto& [name, text] : studyScripts(study.conf, options.collect))
    if (!isThere(folder / name)) put(folder / name, text);
  writeFile(
      (folder / "runs.csv").string(),
      tableText(TableFormat::csv, {options.program, options.command, runs.columns}, runs.rows),
      Existing::replace);
  return before;
}

StudyStatus studyStatus(const std::string& folder) {
  const Table runs = readTable((fs::path(folder) / "runs.csv").string(),
                               [](const Table&, std::size_t k) { return k == 0; });
  StudyStatus status;
  status.runs = runs.rows.size();
  double wall = 0.0, left = 0.0;  // [s] of the runs that are done; runs that are left, with parts
  for (const Row& row : runs.rows) {
    const std::string run = std::get<std::string>(row.at(0));
    const fs::path place = fs::path(folder) / run,
                   failed = fs::path(folder) / "logs" / (run + ".failed");
    const RunRecord record = earlierRun(place.string());
    std::string fault = record.fault.empty() && record.status == "failed" ? "failed" : record.fault;
    if (isThere(failed) && !isThere(fs::path(folder) / "tables" / (run + ".csv")))
      fault = readFile(failed.string());
    std::ranges::replace(fault, '\n', ' ');
    if (!fault.empty()) {
      ++status.failed;
      status.failures.push_back(fmt::format("{}: {}", run, fault));
      continue;
    }
    if (record.isFinished()) {
      ++status.done;
      wall += record.wallSeconds;
      continue;
    }
    left += record.tmax > 0.0 ? 1.0 - std::clamp(record.time / record.tmax, 0.0, 1.0) : 1.0;
    if (record.path.empty())
      ++status.waiting;
    else if (record.status != "stopped" && isAlive(place))
      ++status.running;
    else
      ++status.stopped;
  }
  status.secondsLeft = left == 0.0 ? 0.0 : left * wall / static_cast<double>(status.done);
  return status;
}

}  // namespace scree::sim
