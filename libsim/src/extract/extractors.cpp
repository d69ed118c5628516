// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/extract/extractors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <type_traits>

namespace scree::sim {
namespace {

constexpr std::int64_t int32Least = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int32Most = std::numeric_limits<std::int32_t>::max();

/// What comes next must stand on the line of the name: a line that ends too early would otherwise
/// swallow the next one.
void expectOnLine(TextReader& in, std::string_view kind, std::string_view what) {
  if (!in.nextOnSameLine())
    throw in.error(fmt::format("{}: expected {}, found the end of the line", kind, what));
}

}  // namespace

const std::vector<ExtractorKind>& extractorKinds() {
  static const std::vector<ExtractorKind> kinds{
      {"TrackBody",
       {{"body", "number of the body, from 0"}},
       "time, position, velocity, quaternion, angular velocity of a body; force and moment of its "
       "contacts, without gravity (20 columns)",
       [](TextReader& in) -> AnyExtractor {
         return TrackBody{static_cast<BodyId>(in.integer("TrackBody: body", 0, int32Most))};
       }},
      {"ClusterAABB",
       {{"cluster", "number of the cluster"}},
       "time, lowest and highest corner of the box around all bodies of a cluster (7 columns)",
       [](TextReader& in) -> AnyExtractor {
         return ClusterAABB{
             static_cast<std::int32_t>(in.integer("ClusterAABB: cluster", int32Least, int32Most))};
       }},
  };
  return kinds;
}

const ExtractorKind* findExtractorKind(std::string_view name) {
  const auto& kinds = extractorKinds();
  const auto found =
      std::ranges::find_if(kinds, [&](const ExtractorKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

std::string_view nameOf(const AnyExtractor& extractor) {
  return std::visit([](const auto& e) { return std::decay_t<decltype(e)>::name; }, extractor);
}

bool needsShapes(const AnyExtractor& extractor) {
  return std::visit([](const auto& e) { return std::decay_t<decltype(e)>::needsShapes; },
                    extractor);
}

std::vector<Column> columnsOf(const AnyExtractor& extractor) {
  return std::visit([](const auto& e) { return e.columns(); }, extractor);
}

std::vector<Row> rowsOf(const AnyExtractor& extractor, const Snapshot& s) {
  return std::visit(
      [&](const auto& e) -> std::vector<Row> {
        if constexpr (requires { e.rows(s); })
          return e.rows(s);
        else
          return {e.row(s)};
      },
      extractor);
}

std::vector<ScriptedExtractor> readDataExtractors(TextReader& in, Diagnostics& diagnostics) {
  std::vector<ScriptedExtractor> extractors;
  std::map<std::string, SourcePlace> files;
  while (!in.atEnd()) {
    const std::string_view name = in.word("extractor");
    if (name[0] == '#' || name[0] == '/' || name[0] == '!') {
      in.skipLine();
      continue;
    }
    const ExtractorKind* kind = findExtractorKind(name);
    if (!kind) {
      std::vector<std::string_view> known;
      for (const ExtractorKind& k : extractorKinds()) known.push_back(k.name);
      diagnostics.warn(in.error(fmt::format("unknown extractor '{}'{}, the line is skipped", name,
                                            suggestion(name, known))));
      in.skipLine();
      continue;
    }
    ScriptedExtractor line;
    line.where = in.placeOf(name);
    for (const ExtractorParameter& parameter : kind->parameters)
      expectOnLine(in, kind->name, fmt::format("the {}", parameter.help));
    line.extractor = kind->read(in);
    expectOnLine(in, kind->name, "the name of a file");
    line.file = in.word("file");
    if (const auto [at, fresh] = files.emplace(line.file, line.where); !fresh)
      throw in.error(fmt::format("{}: the file '{}' is written by line {} already", kind->name,
                                 line.file, at->second.line));
    expectOnLine(in, kind->name, "the number of steps between records");
    line.period =
        static_cast<std::uint64_t>(in.integer(fmt::format("{}: steps between records", kind->name),
                                              1, std::numeric_limits<std::int64_t>::max()));
    if (in.nextOnSameLine() && !in.peek().starts_with('#'))
      throw in.errorAtNext(fmt::format("{}: expected the end of the line, found '{}'", kind->name,
                                       in.peek().substr(0, 40)));
    if (in.nextOnSameLine()) in.skipLine();
    extractors.push_back(std::move(line));
  }
  return extractors;
}

}  // namespace scree::sim
