// SPDX-License-Identifier: GPL-3.0-or-later
// Values and lists of conf-files, for the files that read and write them.
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace scree::sim {

std::string choice(TextReader& in, std::string_view what,
                   std::span<const std::string_view> allowed);
inline std::string choice(TextReader& in, std::string_view what,
                          std::initializer_list<std::string_view> allowed) {
  return choice(in, what, std::span(allowed.begin(), allowed.size()));
}
std::uint32_t group(TextReader& in);

enum class Check { any, positive, notNegative };
/// Reads a value of the format. @param check  which numbers are refused
template <class T>
void readValue(TextReader& in, std::string_view what, T& v, Check check = Check::any) {
  if constexpr (std::is_same_v<T, double>)
    v = check == Check::positive      ? in.positive(what)
        : check == Check::notNegative ? in.notNegative(what)
                                      : in.number(what);
  else if constexpr (std::is_same_v<T, std::optional<double>>)
    readValue(in, what, v.emplace(), check);
  else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, int>)
    v = static_cast<T>(in.integer(what, 0, 1));
  else if constexpr (std::is_same_v<T, Pairing>)
    v = static_cast<T>(in.integer(what, 0, 3));
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    v = static_cast<T>(in.integer(what, 0, UINT32_MAX - 1));
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    v = static_cast<T>(in.integer(what, 0, INT64_MAX));
  else if constexpr (std::is_same_v<T, Vec3>)
    v = in.vec3(what);
  else if constexpr (std::is_same_v<T, Mat3>)
    v = in.mat3(what);
  else if constexpr (std::is_same_v<T, Quat>)
    v = in.quaternion(what);
  else
    v = in.word(what);
}

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
