// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/drives.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// One keyword of the conf-file: the row that reads, writes and documents it.
struct ConfKeyword {
  std::string_view name;
  std::vector<std::string_view> aliases;  ///< of older versions of the format
  std::string_view arguments, unit;
  std::string byDefault;
  std::string_view help;
  std::function<void(TextReader&, Conf&, Diagnostics&)> read;
  /// Writes the whole line(s), or nothing. Null: a line that is kept as it stands, or a command.
  std::function<void(TextWriter&, const Conf&)> write;
};
/// All keywords, in the order in which files are written.
const std::vector<ConfKeyword>& confKeywords();

/// A line that begins with `#scree `: state that other programs skip as a comment.
struct StateLine {
  std::string_view name;  ///< the word after `#scree`
  std::string_view arguments, help;
  std::function<void(TextReader&, Conf&)> read;
  std::function<void(TextWriter&, const Conf&)> write;  ///< the whole line(s), or nothing
};
const std::vector<StateLine>& stateLines();

/// Names of the parameters of force laws that take `group1 group2 value`, in the order of the file.
const std::vector<std::string_view>& lawParameterNames();

/// A conf-file in Rockable's format (docs/formats/conf.md), of any version.
///
/// Keywords may come in any order. Unknown ones warn, with the nearest known one. A ParseError
/// refuses a bad value, a count that the file cannot hold, or an index out of range. It also
/// refuses a keyword whose effect this version cannot compute. `shapeFile` is not opened.
Conf readConf(TextReader& in, Diagnostics& diagnostics);
Conf readConfFromFile(const std::string& path, Diagnostics& diagnostics);

/// Writes a conf-file that `readConf` reads back to the same bits (with precision < 0).
void writeConf(TextWriter& out, const Conf& conf);
std::string confText(const Conf& conf);  ///< text that writeConf() writes

/// The file that a name in a conf-file means: beside the conf-file first, then in the current
/// directory. @throws IoError if it is in neither place
std::string resolvedPath(const std::string& name, const std::string& confPath);

/// Where the shape-file of `conf` is; `conf` has a line `shapeFile`.
/// @throws IoError as resolvedPath, with the place of that line
std::string shapeFileOf(const Conf& conf);

/// The name by which a conf-file in `folder` refers to the shape-file of `conf`; "" if that has
/// none. @throws IoError if the shape-file does not exist
std::string shapeFileFrom(const std::string& folder, const Conf& conf);

/// Why a conf-file cannot refer to its shape-file by `name`; "" if it can. A name in a conf-file
/// ends at the first blank, tab or line end, and nothing quotes it.
std::string whyNoShapeFileName(const std::string& name);

/// The shapes that `conf` uses, in the order of conf.shapeNames. Shapes with `preCompDone n` are
/// surveyed in memory, with a warning where their frame moves.
/// @throws IoError, ParseError as readShapes; ModelError naming a shape that is not in the library
std::vector<shape::Shape> shapesOf(const Conf& conf, Diagnostics& diagnostics);

/// N of a file named conf<N> or conf<N>.zst, in whatever folder; nothing for other names.
std::optional<std::int64_t> confNumber(const std::string& path);
/// "conf7", or "conf7.zst".
std::string confName(std::int64_t number, bool compressed);

/// Conf-files as given on a command line, sorted by the number in their names (conf9 before
/// conf10.zst). A folder stands for its files conf<N> and conf<N>.zst, of both the plain one. A
/// shape-file among several names is left out. @throws IoError for a path that does not exist
std::vector<std::string> confSeries(const std::vector<std::string>& paths);

/// A conf-file without its contacts, for measurements that need bodies alone. The lines of
/// `Interactions` are skipped, several times faster than they are read, and conf.interactions is
/// empty. A list that ends too early is refused; other errors in it are not found.
Conf readBodiesFromFile(const std::string& path, Diagnostics& diagnostics);

/// `t` of a conf-file, as readConf has it. As a rule the lines above the bodies are enough, and the
/// rest is not read; so errors in it are not found. @throws as readBodiesFromFile
double readTimeFromFile(const std::string& path);

/// A drivingSystem.txt (docs/formats/driving.md): lines `Control mode body value` and
/// `Servo name parameters`; several servos act at once. Unknown keywords warn. A ParseError refuses
/// unknown modes and servos, bad values and bodies that are not driven.
/// @param nDriven  number of bodies that may be driven
/// @param nBodies  number of bodies
Drives readDriving(TextReader& in, std::uint32_t nDriven, std::size_t nBodies,
                   Diagnostics& diagnostics);

struct ServoInfo {
  std::string_view name, arguments, help;
};
const std::vector<ServoInfo>& allServos();

}  // namespace scree::sim
