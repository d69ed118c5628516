// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/table.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/instant.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace scree::sim {

/// The axis-aligned box around all bodies of one cluster, driven ones included, rounding included;
/// nan where the cluster has no body.
struct ClusterAABB {
  static constexpr std::string_view name = "ClusterAABB";
  static constexpr bool needsShapes = true;

  std::int32_t cluster = 0;

  static std::vector<Column> columns();
  Row row(const Instant& instant) const;
};

/// The gaps of all contacts, those with boundaries too, and bonds that act: extremes, means,
/// counts, and where the deepest overlap is. A value that does not exist is nan.
struct DnStat {
  static constexpr std::string_view name = "dnStat";
  static constexpr bool needsShapes = false;

  static std::vector<Column> columns();
  Row row(const Instant& instant) const;
};

/// The contacts between two bodies: how many of each pairing, and each with its share of the force.
/// A row a contact, the counts repeated; one row without a contact where the two do not touch.
struct DuoBalance {
  static constexpr std::string_view name = "DuoBalance";
  static constexpr bool needsShapes = false;

  BodyId i = 0, j = 0;

  static std::vector<Column> columns();
  std::vector<Row> rows(const Instant& instant) const;
};

/// Mean speed of all bodies, driven ones included.
struct MeanVelocity {
  static constexpr std::string_view name = "MeanVelocity";
  static constexpr bool needsShapes = false;

  static std::vector<Column> columns();
  Row row(const Instant& instant) const;
};

/// The motion of one body and the forces of its contacts: 20 columns.
///
/// Force and moment (about the centre of mass, global axes) are those of `sumOfActions`. They
/// include contacts, bonds, round walls, joints and BodyForce, but not gravity and loads that a
/// drive imposes.
struct TrackBody {
  static constexpr std::string_view name = "TrackBody";
  static constexpr bool needsShapes = false;

  BodyId body = 0;

  static std::vector<Column> columns();
  /// @throws ModelError naming file and count if there is no such body
  Row row(const Instant& instant) const;
};

/// Area of the broken interfaces over that of all at the start, 0 to 1. It is nan where nothing is
/// bonded, or where a file does not hold areas.
struct TrackDamage {
  static constexpr std::string_view name = "TrackDamage";
  static constexpr bool needsShapes = false;

  static std::vector<Column> columns();
  Row row(const Instant& instant) const;
};

/// TrackBody for a block that falls down a slope. In a run it also ends the run: once the block has
/// come to rest, or has left the slope.
struct TrackRockfall {
  static constexpr std::string_view name = "TrackRockfall";
  static constexpr bool needsShapes = false;

  BodyId body = 0;
  double restSpeed = 0.0;  ///< [L/T] slower than this, and
  double restSpin = 0.0;   ///< [1/T] turning slower than this, the block rests

  static std::vector<Column> columns() { return TrackBody::columns(); }
  Row row(const Instant& instant) const { return TrackBody{body}.row(instant); }

  /// Whether a block of this motion rests. A block let go at rest is given the time that gravity
  /// takes to bring it to `restSpeed`.
  /// @param elapsed  [T] since the start of the run
  /// @param gravity  [L/T²] > 0, or 0
  bool rests(const Vec3& vel, const Vec3& spin, double elapsed, double gravity) const;
};

/// The table of a kind of `extract`, with its defaults, in a run: its name with a capital letter.
struct StressTable {
  static constexpr std::string_view name = "Stress";
  static constexpr bool needsShapes = true;

  static std::vector<Column> columns();
  std::vector<Row> rows(const Instant& instant) const;
};
struct WallsTable {
  static constexpr std::string_view name = "Walls";
  static constexpr bool needsShapes = true;

  static std::vector<Column> columns();
  std::vector<Row> rows(const Instant& instant) const;
};

/// Impacts of one body in a run: a row at each step in which its contacts with other bodies have
/// stopped to compress, and their force was `leastForce` or more. Round walls do not count. Every
/// step is looked at, so that the force is that of the peak.
struct TrackImpacts {
  static constexpr std::string_view name = "Impacts";
  static constexpr bool needsShapes = false;

  BodyId body = 0;
  double leastForce = 0.0;  ///< [F] smaller ones are passed over

  static std::vector<Column> columns();
  /// Nothing: an impact is seen between two steps. @throws ModelError if there is no such body
  std::vector<Row> rows(const Instant& instant) const;
};

/// Every extractor there is. A new one is a type with `name`, `needsShapes`, `columns()` and
/// `row(instant)`, or `rows(instant)` where an instant gives several. With an entry here and one
/// in extractorKinds() it works in a run and on files.
using AnyExtractor = std::variant<TrackBody, TrackRockfall, ClusterAABB, DnStat, MeanVelocity,
                                  DuoBalance, TrackDamage, StressTable, WallsTable, TrackImpacts>;

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
  bool onFiles = true;                ///< whether `extract` has it as a kind, too
};
const std::vector<ExtractorKind>& extractorKinds();
/// The kind of this name, or null.
const ExtractorKind* findExtractorKind(std::string_view name);

std::string_view nameOf(const AnyExtractor& extractor);
bool needsShapes(const AnyExtractor& extractor);
std::vector<Column> columnsOf(const AnyExtractor& extractor);
/// @throws ModelError if there is no such body
std::vector<Row> rowsOf(const AnyExtractor& extractor, const Instant& instant);

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
/// The lines `DataExtractor Name parameters... file period` of a conf-file.
std::vector<ScriptedExtractor> dataExtractorsOf(const Conf& conf, Diagnostics& diagnostics);
/// @throws ParseError where two write one file, and for a name that leads out of its folder
void checkDistinctFiles(const std::vector<ScriptedExtractor>& extractors);
/// Tables stay in `folder`: links to folders are followed for reading alone.
/// @throws IoError where a link or a file stands where a table needs a folder, or a folder where it
/// needs a file
void checkPlaceOfTables(const std::string& folder,
                        const std::vector<ScriptedExtractor>& extractors);

}  // namespace scree::sim
