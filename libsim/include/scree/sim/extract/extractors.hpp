// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/sim/extract/kinds.hpp"
#include "scree/sim/extract/table.hpp"
#include "scree/sim/measure/snapshot.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace scree::sim {

/// Every extractor there is. A new one is a type with `name`, `needsShapes`, `columns()` and
/// `row(snapshot)` (or `rows(snapshot)` where an instant gives several), an entry here and one in
/// extractorKinds(); it then works in a run and on files.
using AnyExtractor = std::variant<TrackBody, TrackRockfall, ClusterAABB, DnStat, MeanVelocity,
                                  DuoBalance, TrackDamage>;

struct ExtractorParameter {
  std::string_view name, help;
  std::string_view onFiles =
      {};  ///< value on files where the command line gives none; empty: needed
};
/// One kind: what its lines in dataExtractors.txt and its options on a command line look like.
struct ExtractorKind {
  std::string_view name;
  std::vector<ExtractorParameter> parameters;  ///< in the order of the line
  std::string_view help;
  AnyExtractor (*read)(TextReader&);  ///< reads the parameters
};
const std::vector<ExtractorKind>& extractorKinds();
/// The kind of this name, or null.
const ExtractorKind* findExtractorKind(std::string_view name);

std::string_view nameOf(const AnyExtractor& extractor);
bool needsShapes(const AnyExtractor& extractor);
std::vector<Column> columnsOf(const AnyExtractor& extractor);
/// @throws ModelError if the snapshot has no such body
std::vector<Row> rowsOf(const AnyExtractor& extractor, const Snapshot& s);

/// One line of dataExtractors.txt: `Name parameters... file period`.
struct ScriptedExtractor {
  AnyExtractor extractor;
  std::string file;
  std::uint64_t period = 1;  ///< [steps] between records of a run, >= 1
  SourcePlace where;
};
/// All lines of a dataExtractors.txt. Lines that begin with # / or ! are comments; an unknown name
/// warns, with the nearest known one, and its line is skipped.
/// @throws ParseError on a bad value, a line that ends too early, two lines with one file
std::vector<ScriptedExtractor> readDataExtractors(TextReader& in, Diagnostics& diagnostics);
/// Those of the lines `DataExtractor Name parameters... file period` of a conf-file.
std::vector<ScriptedExtractor> dataExtractorsOf(const Conf& conf, Diagnostics& diagnostics);
/// @throws ParseError where two write one file, and for a name that leads out of its folder
void checkDistinctFiles(const std::vector<ScriptedExtractor>& extractors);

}  // namespace scree::sim
