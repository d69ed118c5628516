// SPDX-License-Identifier: GPL-3.0-or-later
// Values and lists of conf-files, for the files that read and write them.
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// One of the words `allowed`.
std::string choice(TextReader& in, std::string_view what,
                   std::span<const std::string_view> allowed);
inline std::string choice(TextReader& in, std::string_view what,
                          std::initializer_list<std::string_view> allowed) {
  return choice(in, what, std::span(allowed.begin(), allowed.size()));
}
std::uint32_t group(TextReader& in);

enum class Check { any, positive, notNegative };
void readValue(TextReader& in, std::string_view what, double& v, Check check = Check::any);
void readValue(TextReader& in, std::string_view what, std::optional<double>& v, Check check);
void readValue(TextReader& in, std::string_view what, std::uint32_t& v, Check = Check::any);
void readValue(TextReader& in, std::string_view what, std::uint64_t& v, Check = Check::any);
void readValue(TextReader& in, std::string_view what, bool& v, Check = Check::any);  ///< 0 or 1
void readValue(TextReader& in, std::string_view what, int& v, Check = Check::any);   ///< 0 or 1
void readValue(TextReader& in, std::string_view what, Vec3& v, Check = Check::any);
void readValue(TextReader& in, std::string_view what, Mat3& v, Check = Check::any);
void readValue(TextReader& in, std::string_view what, Quat& v, Check = Check::any);
void readValue(TextReader& in, std::string_view what, Pairing& v, Check = Check::any);
void readValue(TextReader& in, std::string_view what, std::string& v, Check = Check::any);

/// The key in `Conf::places` of one row of a keyword with a row for each pair of groups.
std::string rowName(std::string_view keyword, std::uint32_t group1, std::uint32_t group2);

// The three lists at the end of a conf-file.
void readParticles(TextReader& in, Conf& conf, Diagnostics& diagnostics);
void readInteractions(TextReader& in, Conf& conf, Diagnostics& diagnostics);
void readInterfaces(TextReader& in, Conf& conf, Diagnostics& diagnostics);
/// `#scree interface number area [slip of each bond]`, which writeInterfaces writes.
void readInterfaceState(TextReader& in, Conf& conf);
/// `#scree restGaps number gap of each bond`, likewise.
void readRestGaps(TextReader& in, Conf& conf);
/// Refuses a list with more lines than announced. `word`, just read at the place of a keyword
/// behind the list `block`, then begins a line of that list.
void refuseExcessLine(TextReader& in, std::string_view block, std::string_view word);

void writeParticles(TextWriter& out, const Conf& conf);
void writeInteractions(TextWriter& out, const Conf& conf);
void writeInterfaces(TextWriter& out, const Conf& conf);

/// Passes over the lines of Interactions, several times faster than they are read: as many as its
/// count, without blank ones and comments. @throws ParseError where the text ends before
void passOverInteractions(TextReader& in);

}  // namespace scree::sim
