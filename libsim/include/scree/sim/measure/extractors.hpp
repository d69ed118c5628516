// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that a run records, by lines of dataExtractors.txt; `extract` makes them from files.
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/kinds.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// Kinds that a run records, by their names `inRun`. A new one is a row of the table of kinds.
const std::vector<const Kind*>& extractorKinds();

/// A kind with the numbers of its line.
struct Extractor {
  const Kind* kind = nullptr;
  std::vector<double> values;

  bool is(std::string_view name) const { return kind->inRun == name; }
  BodyId body() const { return static_cast<BodyId>(values.at(0)); }
  /// The numbers as the options of the kind.
  KindOptions options() const;
  std::vector<Column> columns() const { return kind->columnsFor(options()); }
  /// @throws ModelError naming file and count if there is no such body
  std::vector<Row> rows(const Instant& instant) const { return kind->rows(instant, options()); }
};

/// Whether a block that TrackRockfall follows rests: slower than its parameters say, and not in
/// free flight, as at its highest point. A block let go at rest is given the time that gravity
/// takes to bring it to the speed at rest.
/// @param elapsed  [T] since the start of the run
bool rests(const Extractor& fall, const Vec3& vel, const Vec3& spin, const Vec3& acc,
           const Vec3& gravity, double elapsed);
/// Whether the centre of a block has left the box around the driven bodies: through a side, or
/// along gravity. Against gravity the box is open, since a block above it is about to fall on it.
/// Nothing leaves an endless plane that it can fall on.
bool hasLeft(const shape::Aabb& driven, const std::vector<Boundary>& boundaries,
             const Vec3& gravity, const Vec3& centre);

/// One line of dataExtractors.txt: `Name parameters... file period`.
struct ScriptedExtractor {
  Extractor extractor;
  std::string file;
  std::uint64_t period = 1;  ///< [steps] between records of a run, >= 1
  SourcePlace where;
};
/// All lines of a dataExtractors.txt. Lines that begin with # / or ! are comments; an unknown name
/// warns, with the nearest known one, and its line is skipped.
/// @throws ParseError on a bad value, a line that ends too early, two lines with one file
std::vector<ScriptedExtractor> readDataExtractors(TextReader& in, Diagnostics& diagnostics);
/// The lines `DataExtractor Name parameters... file period` of a conf-file.
std::vector<ScriptedExtractor> dataExtractorsOf(const Conf& conf, Diagnostics& diagnostics);
/// @throws ParseError where two write one file, and for a name that leads out of its folder
void checkDistinctFiles(const std::vector<ScriptedExtractor>& extractors);
/// Tables stay in `folder`: links to folders are followed for reading alone.
/// @throws IoError where a table needs a folder, and a link or a file stands there, or the reverse
void checkPlaceOfTables(const std::string& folder,
                        const std::vector<ScriptedExtractor>& extractors);

}  // namespace scree::sim
