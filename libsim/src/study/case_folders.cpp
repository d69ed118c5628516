// SPDX-License-Identifier: GPL-3.0-or-later
// The folders of a study: where values stand in the files of a case, and one folder for each run.
#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/measure/kinds.hpp"
#include "scree/sim/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

std::string cellText(const Cell& cell) { return std::get<std::string>(cell); }

using Words = std::vector<std::string_view>;

/// The words of each line of `text`, as views of it.
std::vector<Words> wordsOf(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<Words> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    Words& words = lines.emplace_back();
    for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
      words.push_back(line.substr(at, end - at));
      at = end;
    }
  }
  return lines;
}

/// Puts the mark of `name`, KEYWORD or KEYWORD:GROUPS, in place of the values of a conf-file that
/// it means. @throws UsageError where there are none
void putMark(std::string& conf, const std::string& name) {
  const std::size_t end = std::min(name.find(':'), name.size());
  const std::string word = name.substr(0, end);
  std::vector<std::string> wanted;
  if (end < name.size()) wanted = partsOf(std::string_view(name).substr(end + 1), '-');
  const std::vector<std::string> reversed(wanted.rbegin(), wanted.rend());
  std::vector<std::string_view> known;
  for (const ConfKeyword& keyword : confKeywords()) known.push_back(keyword.name);
  const auto found = std::ranges::find(confKeywords(), word, &ConfKeyword::name);
  const std::string_view arguments = found == confKeywords().end() ? "" : found->arguments;
  const std::size_t groups = arguments == "group1 group2 value" ? 2U : arguments == "group value",
                    values = arguments == "x y z" ? 3 : 1;
  const bool hasForm =
      groups > 0 || values == 3 || arguments.find_first_of(" ,") == std::string::npos;
  const std::string old = conf;
  std::vector<Words> lines;
  for (Words& words : wordsOf(old)) {
    if (!hasForm || words.empty() || words[0] != word || words.size() < 1 + groups + values)
      continue;
    const std::vector<std::string> own(words.begin() + 1,
                                       words.begin() + 1 + static_cast<std::ptrdiff_t>(groups));
    if (wanted.empty() || own == wanted || own == reversed) lines.push_back(std::move(words));
  }
  if (lines.empty())
    throw UsageError(fmt::format(
        "--vary {0}: no file of the case has the mark @{0}@, and the conf-file has no line "
        "'{1} {2}{3}VALUE'{4}",
        name, word, fmt::join(wanted, " "), wanted.empty() ? "" : " ",
        arguments.empty() ? suggestion(word, known) : ""));
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const std::string_view first = (*line)[1 + groups], last = (*line)[groups + values];
    const std::size_t begin = static_cast<std::size_t>(first.data() - old.data()),
                      size = static_cast<std::size_t>(last.data() + last.size() - first.data());
    conf.replace(begin, size, "@" + name + "@");
  }
}

/// A text of a case with the values of a run in place of its marks.
std::string filled(std::string text, const Table& runs, const Row& run) {
  for (std::size_t k = 0; k < run.size(); ++k) {
    const std::string mark = "@" + runs.columns[k].name + "@", value = cellText(run[k]);
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
      text.replace(at, mark.size(), value);
  }
  return text;
}

/// The files of a case, ready to be filled with the values of runs.
class MarkedCase {
 public:
  MarkedCase(StudyCase& study, const Table& runs) : study_(study), runs_(runs) {
    const std::array files{&study.conf, &study.driving, &study.extractors};
    for (std::size_t k = 2; k < runs.columns.size(); ++k) {
      const std::string mark = "@" + runs.columns[k].name + "@";
      if (std::ranges::none_of(files, [&](const auto* f) { return f->find(mark) != f->npos; }))
        putMark(study.conf, runs.columns[k].name);
    }
    for (std::size_t k = 2; k < runs.columns.size(); ++k) {
      const std::string mark = "@" + runs.columns[k].name + "@";
      if (std::ranges::none_of(files, [&](const auto* f) { return f->find(mark) != f->npos; }))
        throw UsageError(
            fmt::format("--vary {}: another --vary sets all of its values", runs.columns[k].name));
    }
  }

  /// Reads the files of a run as `rockable` will. Takes note of its shape-file.
  void check(const Row& run, Diagnostics& diagnostics) {
    TextReader in(study_.source, filled(study_.conf, runs_, run));
    const Conf conf = readConf(in, diagnostics);
    if (!conf.redirectedFrom.empty())
      throw ModelError(study_.source + ": it redirects; name the conf-file that it leads to");
    const auto beside = [&](const char* name, const std::string& text) {
      return TextReader((fs::path(study_.source).parent_path() / name).string(),
                        filled(text, runs_, run));
    };
    if (TextReader lines = beside("drivingSystem.txt", study_.driving);
        conf.commands.empty())  // may add bodies
      readDriving(lines, conf.nDriven, conf.particles.size(), diagnostics);
    TextReader lines = beside("dataExtractors.txt", study_.extractors);
    readDataExtractors(lines, diagnostics);
    if (!study_.shapes.empty() || conf.shapeFile.empty() || shapeFiles_.contains(conf.shapeFile))
      return;
    shapesOf(conf, diagnostics);
    const fs::path path = shapeFileOf(conf);
    for (const auto& [word, other] : shapeFiles_)
      if (fs::path(other).filename() == path.filename() && !sameFile(path.string(), other))
        throw ModelError(fmt::format("{} and {} would have one name in the folder 'shapes'",
                                     path.string(), other));
    shapeFiles_[conf.shapeFile] = path.string();
  }

  /// The files of a run, by name; the conf-file is the last one.
  std::vector<std::pair<std::string, std::string>> filesOf(const Row& run) const {
    std::string conf = filled(study_.conf, runs_, run);
    for (const Words& words : wordsOf(conf)) {
      if (shapeFiles_.empty() || words.size() < 2 || words[0] != "shapeFile") continue;
      const std::string path = shapeFiles_.at(std::string(words[1]));
      conf.replace(static_cast<std::size_t>(words[1].data() - conf.data()), words[1].size(),
                   "../shapes/" + fs::path(path).filename().string());
      break;
    }
    std::vector<std::pair<std::string, std::string>> files{
        {"drivingSystem.txt", filled(study_.driving, runs_, run)},
        {"dataExtractors.txt", filled(study_.extractors, runs_, run)},
        {fs::path(study_.source).filename().string(), conf}};
    std::erase_if(files, [](const auto& file) { return file.second.empty(); });
    return files;
  }

  void writeShapes(const fs::path& folder) const {
    const auto put = [&](const fs::path& name, const std::string& text) {
      const std::string path = (folder / "shapes" / name).string();
      std::error_code ignored;
      if (!fs::exists(path, ignored))
        writeFile(path, text, Existing::refuse);
      else if (readFile(path) != text)
        throw IoError(fmt::format("{}: its shapes are others than those of this case", path));
    };
    if (!study_.shapes.empty()) put("release.shp", study_.shapes);
    for (const auto& [word, path] : shapeFiles_) put(fs::path(path).filename(), readFile(path));
  }

 private:
  const StudyCase& study_;
  const Table& runs_;
  std::map<std::string, std::string> shapeFiles_;  ///< by their names in conf-files
};

/// `muContact:0-1 = 0.3, vx = 7` of a run, for messages.
std::string valuesOf(const Table& runs, const Row& run) {
  std::vector<std::string> values;
  for (std::size_t k = 2; k < run.size(); ++k)
    values.push_back(runs.columns[k].name + " = " + shown(cellText(run[k])));
  return fmt::format("{}", fmt::join(values, ", "));
}

}  // namespace

StudyCase readStudyCase(const std::string& path) {
  std::error_code ignored;
  StudyCase study;
  study.source = fs::is_directory(path, ignored) ? (fs::path(path) / "conf0").string() : path;
  if (study.source == "-") throw UsageError("expected a conf-file or a folder, found '-'");
  study.conf = readFile(study.source);
  study.source = std::string(withoutZst(study.source));
  for (const auto& [name, text] : {std::pair("drivingSystem.txt", &study.driving),
                                   std::pair("dataExtractors.txt", &study.extractors)}) {
    const fs::path file = fs::path(study.source).parent_path() / name;
    if (fs::exists(file, ignored)) *text = readFile(file.string());
  }
  return study;
}

std::size_t writeStudy(StudyCase study, const Table& runs, const StudyOptions& options,
                       Diagnostics& diagnostics) {
  kindNamed(options.collect.substr(0, options.collect.find(' ')));
  const std::string conf = fs::path(study.source).filename().string();
  if ((conf + options.collect).find('\n') != std::string::npos ||
      options.collect.find_first_of("$`\\") != std::string::npos ||
      conf.find_first_of(" '\"$`\\{}*") != std::string::npos)
    throw UsageError(
        fmt::format("'{}' and '{}' cannot stand in scripts", shown(conf), shown(options.collect)));
  const fs::path folder = options.folder;
  const std::string table = (folder / "runs.csv").string(),
                    text = tableText(TableFormat::csv,
                                     {options.program, options.command, runs.columns}, runs.rows);
  std::error_code ignored;
  std::size_t before = 0;
  if (fs::exists(folder, ignored) && !fs::is_empty(folder, ignored)) {
    if (!options.append)
      throw IoError(
          fmt::format("{}: is there and may hold results; choose another folder with -o, or "
                      "continue a study with --append",
                      options.folder));
    if (fs::exists(table, ignored)) {
      const Table old = readTable(table, [](const Table&, std::size_t) { return true; });
      before = old.rows.size();
      if (before > runs.rows.size() ||
          !std::ranges::equal(old.columns, runs.columns, {}, &Column::name, &Column::name) ||
          !std::equal(old.rows.begin(), old.rows.end(), runs.rows.begin()))
        throw IoError(
            fmt::format("{}: its runs are not the first ones of this plan; choose "
                        "another folder with -o",
                        table));
    }
  }
  MarkedCase marked(study, runs);
  for (const Row& run : runs.rows) {
    Diagnostics others;
    try {
      marked.check(run, &run == &runs.rows.front() ? diagnostics : others);
    } catch (const ParseError& error) {
      throw ModelError(
          fmt::format("run {} ({}): {}", cellText(run[0]), valuesOf(runs, run), error.what()));
    }
  }
  const auto write = [&](const Row& run, bool only) {
    for (const auto& [name, content] : marked.filesOf(run))
      if (const std::string path = (folder / cellText(run[0]) / name).string(); !only)
        writeFile(path, content, Existing::replace);
      else if (readFile(path) != content)
        throw IoError(fmt::format("{}: its case is another one than that of this plan", path));
  };
  if (before > 0) write(runs.rows.front(), true);
  marked.writeShapes(folder);
  parallelJobs(options.threads, runs.rows.size() - before,
               [&](std::size_t k) { write(runs.rows[before + k], false); });
  for (const auto& [name, content] : studyScripts(conf, options.collect))
    if (const fs::path path = folder / name; !fs::exists(path, ignored))
      writeFile(path.string(), content, Existing::refuse);
  writeFile(table, text, Existing::replace);
  return before;
}

}  // namespace scree::sim
