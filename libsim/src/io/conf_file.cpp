// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/io/conf_file.hpp"

#include "conf_values.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <unordered_map>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

/// Checks numbers of bodies once all blocks are read, since keywords come in any order.
void checkIndices(const Conf& conf) {
  const std::size_t n = conf.particles.size();
  if (conf.nDriven > n)
    throw conf.errorAt(
        "nDriven", fmt::format("nDriven: {} driven bodies, there are {} bodies", conf.nDriven, n));
  const auto check = [&](const char* what, BodyId i, BodyId j, auto&& errorAt) {
    if (std::max(i, j) >= n)
      throw errorAt(fmt::format("{}: body {} does not exist, there are {} (from 0)", what,
                                i >= n ? i : j, n));
  };
  for (std::size_t k = 0; k < conf.interactions.size(); ++k)
    check("Interactions", conf.interactions[k].key.i, conf.interactions[k].key.j,
          [&](const std::string& text) { return conf.errorAtInteraction(k, text); });
  for (std::size_t k = 0; k < conf.interfaces.size(); ++k)
    check("Interfaces", conf.interfaces[k].i, conf.interfaces[k].j,
          [&](const std::string& text) { return conf.errorAtInterface(k, text); });
  for (const SpringJoint& joint : conf.joints)
    check("initSpringJoint", joint.i, joint.j,
          [&](const std::string& text) { return conf.errorAt("initSpringJoint", text); });
}

/// Gives joints the lengths of their `#scree` lines, which stand before them.
void takeRestLengths(Conf& conf) {
  if (conf.restLengths.empty()) return;
  if (conf.restLengths.size() != conf.joints.size())
    throw conf.errorAt("initSpringJoint",
                       fmt::format("initSpringJoint: expected no line '#scree restLength' or one "
                                   "for each, found {} for {}; -1 stands for the initial length",
                                   conf.restLengths.size(), conf.joints.size()));
  for (std::size_t k = 0; k < conf.joints.size(); ++k)
    conf.joints[k].restLength = conf.restLengths[k];
  conf.restLengths.clear();
}

bool beginsComment(std::string_view word) {
  return word[0] == '#' || word[0] == '!' || word[0] == '/';
}

/// A line of ours that other programs skip; lines of later versions are skipped by us, too.
void readStateLine(TextReader& in, Conf& conf, Diagnostics& diagnostics) {
  const std::string_view name = in.peek();
  for (const StateLine& line : stateLines())
    if (line.name == name) {
      in.word("");
      const std::size_t number = in.line();
      TextReader values = in.part(in.restOfLine(), number);
      line.read(values, conf);
      if (values.atEnd() || beginsComment(values.peek())) return;
      const std::string_view more = values.word("");
      diagnostics.warn(values.error(fmt::format(
          "#scree {}: expected the end of the line after {}, found '{}'; the rest is ignored", name,
          line.arguments, shown(more))));
      return;
    }
  in.skipLine();
}

/// The digits of a file name put together as people count: conf9 before conf10.
std::pair<unsigned long long, std::string> seriesKey(const std::string& path) {
  const std::string name(withoutZst(fs::path(path).filename().string()));
  const std::size_t end = name.find_last_of("0123456789") + 1;
  std::size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1])) && end - begin < 18)
    --begin;
  const unsigned long long number = begin < end ? std::stoull(name.substr(begin, end - begin)) : 0;
  return {number, path};
}

/// Whether a keyword may stand in a file more than once.
bool mayRepeat(const ConfKeyword& k) {
  constexpr std::string_view lists[] = {"Tempo", "initSpringJoint", "DataExtractor"};
  return k.arguments.starts_with("group") || std::ranges::find(lists, k.name) != std::end(lists) ||
         std::ranges::find(allCommands(), k.name, &CommandInfo::name) != allCommands().end();
}

/// Redirections may lead to redirections, but not without end.
constexpr int mostRedirections = 8;

/// How much of a conf-file is read.
enum class Extent {
  all,
  bodies,  ///< all but the contacts
  head     ///< up to the first of the long lists
};

Conf readConf(TextReader& in, Diagnostics& diagnostics, Extent extent, int redirections);

/// `redirection prefix file`: the conf-file prefix + file, whose shape-file has the prefix, too.
Conf redirected(TextReader& in, Diagnostics& diagnostics, Extent extent, int redirections) {
  if (redirections == mostRedirections)
    throw in.error(fmt::format("redirection: {} in a row; is there a cycle?", redirections + 1));
  const std::string prefix(in.word("redirection: prefix"));
  const std::string name(in.word("redirection: file"));
  const std::string here = in.name() == inputName("-") ? "" : in.name();
  TextReader target = TextReader::fromFile(resolvedPath(prefix + name, here));
  Conf conf = readConf(target, diagnostics, extent, redirections + 1);
  conf.redirectedFrom = in.name();
  const fs::path shapes = fs::path(here).parent_path() / (prefix + conf.shapeFile);
  if (!isThere(fs::path(conf.source).parent_path() / conf.shapeFile) && isThere(shapes))
    conf.shapeFile = fs::absolute(shapes).string();
  return conf;
}

bool isLongList(std::string_view name) {
  return name == "Particles" || name == "Interactions" || name == "Interfaces";
}

/// Reports what is wrong with a word at the place of a keyword; its line is skipped.
/// @param before  the keyword before it
void sayUnknown(TextReader& in, std::string_view word, const std::string& before,
                Diagnostics& diagnostics) {
  if (isLongList(before)) refuseExcessLine(in, before, word);
  if (parseNumber(word) && !before.empty())
    diagnostics.warn(
        in.error(fmt::format("expected a keyword, found '{}': {} has more values than it takes",
                             word.substr(0, 40), before)));
  else
    diagnostics.warn(in.error(fmt::format("unknown keyword '{}'{}", word.substr(0, 40),
                                          suggestion(word, namesOf(confKeywords())))));
  in.skipLine();  // its arguments
}

Conf readConf(TextReader& in, Diagnostics& diagnostics, Extent extent, int redirections) {
  std::unordered_map<std::string_view, const ConfKeyword*> byName;
  for (const ConfKeyword& k : confKeywords()) {
    byName.emplace(k.name, &k);
    for (const std::string_view alias : k.aliases) byName.emplace(alias, &k);
  }
  if (in.atEnd())
    throw in.errorAtNext(
        "expected a conf-file, which begins with 'Rockable dd-mm-yyyy'; found nothing");
  if (const std::string_view first = in.word("header"); first != "Rockable") {
    if (first == "redirection") return redirected(in, diagnostics, extent, redirections);
    throw in.error(
        fmt::format("expected a conf-file, which begins with 'Rockable dd-mm-yyyy'; found '{}'",
                    first.substr(0, 40)));
  }
  Conf conf;
  conf.source = in.name();
  conf.date = in.word("date in the header");
  if (!std::isdigit(static_cast<unsigned char>(conf.date[0])))  // most likely a keyword
    throw in.error(fmt::format("header: expected a date dd-mm-yyyy after Rockable, found '{}'",
                               shown(conf.date)));
  std::string before;
  while (!in.atEnd()) {
    const std::string_view word = in.word("keyword");
    if (word == "EOF") break;
    if (word == "#scree") {
      readStateLine(in, conf, diagnostics);
      continue;
    }
    if (beginsComment(word)) {
      in.skipLine();
      continue;
    }
    const auto found = byName.find(word);
    if (found == byName.end()) {
      sayUnknown(in, word, before, diagnostics);
      continue;
    }
    const std::string name(found->second->name);
    const SourcePlace here = in.place();
    const auto [place, isNew] = conf.places.try_emplace(name, here);
    if (!isNew && !mayRepeat(*found->second)) {
      diagnostics.warn(in.error(fmt::format(
          "{}: given twice, first in line {}; the last one counts", name, place->second.line)));
      place->second = here;
    }
    before = name;
    if (extent == Extent::head && isLongList(name)) return conf;
    const std::size_t others = conf.others.size();
    if (extent == Extent::bodies && name == "Interactions")
      passOverInteractions(in);
    else
      found->second->read(in, conf, diagnostics);
    if (conf.others.size() > others) {
      conf.others.back().keyword = name;
      conf.others.back().where = here;
    }
  }
  if (!conf.places.contains("Particles"))
    throw in.errorAtNext("expected the keyword Particles: a conf-file lists its bodies");
  if (!conf.particles.empty() && conf.shapeFile.empty())
    throw in.errorAtNext("expected the keyword shapeFile: bodies need a library of shapes");
  checkIndices(conf);
  takeRestLengths(conf);
  return conf;
}

}  // namespace

Conf readConf(TextReader& in, Diagnostics& diagnostics) {
  return readConf(in, diagnostics, Extent::all, 0);
}

Conf readBodiesFromFile(const std::string& path, Diagnostics& diagnostics) {
  TextReader in = TextReader::fromFile(path);
  return readConf(in, diagnostics, Extent::bodies, 0);
}

double readTimeFromFile(const std::string& path) {
  Diagnostics ignored;
  const bool packed = namesCompressed(path) || isCompressed(readPart(path, 0, 4));
  for (std::size_t size = std::size_t{1} << 16;; size *= 16) {
    std::string text = packed ? readFile(path) : readPart(path, 0, size);
    const bool whole = packed || text.size() < size;
    if (!whole) text.resize(text.rfind('\n') + 1);  // no word is cut
    try {
      TextReader in(inputName(path), std::move(text));
      const Conf head = readConf(in, ignored, Extent::head, 0);
      if (head.places.contains("t")) return head.t;
      break;  // it may stand behind the lists
    } catch (const ParseError&) {
      // The lists begin farther on, or the whole file is wrong.
    }
    if (whole) break;
  }
  return readBodiesFromFile(path, ignored).t;
}

Conf readConfFromFile(const std::string& path, Diagnostics& diagnostics) {
  TextReader in = TextReader::fromFile(path);
  return readConf(in, diagnostics);
}

void writeConf(TextWriter& out, const Conf& conf) {
  out.line("Rockable", "21-08-2022");
  for (const StateLine& line : stateLines()) line.write(out, conf);
  for (const ConfKeyword& keyword : confKeywords()) {
    if (keyword.write)
      keyword.write(out, conf);
    else
      for (const OtherLine& line : conf.others)
        if (line.keyword == keyword.name) out.line(line.keyword, line.arguments);
  }
}

std::string confText(const Conf& conf) {
  TextWriter out;
  writeConf(out, conf);
  return out.take();
}

std::string resolvedPath(const std::string& name, const std::string& confPath) {
  const fs::path beside = fs::path(confPath).parent_path() / name;
  if (isThere(beside)) return beside.string();
  if (isThere(name)) return name;
  throw IoError(confPath.empty()
                    ? fmt::format("{}: no such file in the current folder", name)
                    : fmt::format("{}: no such file, neither beside {} nor in the current folder",
                                  name, confPath));
}

std::string shapeFileOf(const Conf& conf) {
  try {
    return resolvedPath(conf.shapeFile, conf.source == inputName("-") ? "" : conf.source);
  } catch (const IoError& error) {
    throw IoError(conf.errorAt("shapeFile", error.what()).what());
  }
}

std::string shapeFileFrom(const std::string& folder, const Conf& conf) {
  if (conf.shapeFile.empty()) return {};
  return relativeTo(shapeFileOf(conf), folder);
}

std::string whyNoShapeFileName(const std::string& name) {
  if (name.find_first_of(" \t\n\v\f\r") == std::string::npos) return {};
  return fmt::format("a conf-file cannot name the shape-file '{}', since blanks end a name there",
                     printable(name));
}

std::vector<shape::Shape> shapesOf(const Conf& conf, Diagnostics& diagnostics) {
  if (conf.particles.empty()) return {};
  const std::string path = shapeFileOf(conf);
  const std::vector<shape::Shape> library = shape::readShapesFromFile(path, diagnostics);
  std::vector<shape::Shape> shapes;
  for (std::uint32_t k = 0; k < conf.shapeNames.size(); ++k) {
    const std::string& name = conf.shapeNames[k];
    const shape::Shape* found = shape::findShape(library, name);
    if (!found) {
      const auto user = std::ranges::find(conf.particles, k, &ParticleRecord::shapeName);
      throw conf.errorAtParticle(static_cast<std::size_t>(user - conf.particles.begin()),
                                 fmt::format("unknown shape '{}': {} has no such shape{}", name,
                                             path, suggestion(name, namesOf(library))));
    }
    shapes.push_back(*found);
  }
  std::vector<std::size_t> raw;
  for (std::size_t k = 0; k < shapes.size(); ++k)
    if (!shapes[k].preCompDone) raw.push_back(k);
  parallelJobs(availableThreads(), raw.size(),
               [&](std::size_t k) { mass::survey(shapes[raw[k]]); });
  for (const std::size_t k : raw)
    if (!shapes[k].position.isZero() || shapes[k].orientation.vec().norm() > 0.0)
      diagnostics.warn(
          fmt::format("{}: shape '{}' is not surveyed (preCompDone n): it is moved to its centre "
                      "of mass and principal axes, where the conf-file expects it",
                      path, shapes[k].name));
  constexpr std::size_t many = 100;
  if (raw.size() >= many)
    diagnostics.warn(
        fmt::format("{}: {} shapes are not surveyed, which takes about 6 ms each in every call; "
                    "shapeSurvey compute does it once",
                    path, raw.size()));
  return shapes;
}

std::optional<std::int64_t> confNumber(const std::string& path) {
  const std::string file = fs::path(path).filename().string();
  const std::string_view name = withoutZst(file);
  if (name.size() <= 4 || !name.starts_with("conf") ||
      name.find_first_not_of("0123456789", 4) != std::string_view::npos)
    return std::nullopt;
  return parseInteger(name.substr(4));
}

std::string confName(std::int64_t number, bool compressed) {
  return fmt::format("conf{}{}", number, compressed ? ".zst" : "");
}

std::vector<std::string> confSeries(const std::vector<std::string>& paths) {
  std::vector<std::pair<unsigned long long, std::string>> files;
  for (const std::string& path : paths) {
    if (path == "-") {
      files.push_back({0, path});
      continue;
    }
    if (!isThere(path)) throw IoError(fmt::format("{}: no such file", path));
    // The shape-file beside them is what `run/conf*` may name, too.
    if (paths.size() > 1 && fs::path(path).extension() == ".shp") continue;
    if (!isFolder(path)) {
      files.push_back(seriesKey(path));
      continue;
    }
    for (const auto& entry : fs::directory_iterator(path)) {
      const std::string file = entry.path().string();
      if (!confNumber(file)) continue;
      if (namesCompressed(file) && isThere(withoutZst(file))) continue;
      files.push_back(seriesKey(file));
    }
  }
  std::ranges::sort(files);
  std::vector<std::string> sorted;
  for (auto& [number, path] : files) sorted.push_back(std::move(path));
  return sorted;
}

}  // namespace scree::sim
