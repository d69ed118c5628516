// SPDX-License-Identifier: GPL-3.0-or-later
// Values that several keywords of conf-files take, and the keywords of force laws.
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

// Numbers by the sign they may have; all take arithmetic as well.
inline double scalar(TextReader& in, std::string_view what) { return in.number(what); }
inline double positiveScalar(TextReader& in, std::string_view what) { return in.positive(what); }
inline double notNegativeScalar(TextReader& in, std::string_view what) {
  return in.notNegative(what);
}
/// One of the words `allowed`.
std::string choice(TextReader& in, std::string_view what,
                   std::initializer_list<std::string_view> allowed);
std::uint32_t group(TextReader& in);
/// The key in `Conf::places` of one row of a keyword with a row for each pair of groups.
std::string rowName(std::string_view keyword, std::uint32_t group1, std::uint32_t group2);

/// Reader of a keyword whose line is kept as it stands. `saved`: part of the state, so written
/// again.
template <bool saved>
void keepLine(TextReader& in, Conf& conf, Diagnostics&) {
  OtherLine line;
  line.arguments = std::string(in.restOfLine());
  line.saved = saved;
  conf.others.push_back(std::move(line));
}

// Rows of the table of keywords, one file a topic; conf_keywords.cpp puts them in order.
std::vector<ConfKeyword> runKeywords();      ///< time, outputs, search, files, blocks
std::vector<ConfKeyword> forceKeywords();    ///< gravity, body forces, damping, barriers, joints
std::vector<ConfKeyword> cellKeywords();     ///< periodic cell, soft particles, Tempo
std::vector<ConfKeyword> bondKeywords();     ///< contact weights, bonds, commands that glue
std::vector<ConfKeyword> commandKeywords();  ///< commands that prepare a state
std::vector<ConfKeyword> lawKeywords();      ///< all that take `group1 group2 value`

}  // namespace scree::sim
