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
void readValue(TextReader& in, std::string_view what, std::string& v, Check = Check::any);

/// The key in `Conf::places` of one row of a keyword with a row for each pair of groups.
std::string rowName(std::string_view keyword, std::uint32_t group1, std::uint32_t group2);

/// Bytes of a file that a line of Particles or Interactions takes at least.
inline constexpr std::size_t leastRecordBytes = 46;

/// Reads lines of the Particles block one by one, and numbers the names of shapes as they come.
class ParticleLines {
 public:
  enum class Kind {
    body,
    disabled,  ///< a body that takes no part
    comment,
    end  ///< nothing read: the list ends here
  };
  /// @param p     its shapeName is the number among the names that were read here
  /// @param line  that it stands on
  Kind read(TextReader& in, ParticleRecord& p, std::uint32_t& line);
  const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::string> names_;
  std::string_view last_;  ///< neighbours in the list mostly have one shape
  std::uint32_t lastNumber_ = 0;
};

/// Reads the next line of Interactions, and comments before it.
/// @param n, found  lines that were announced, and lines before this one, for complaints
void readInteraction(TextReader& in, std::size_t n, std::size_t found, InteractionRecord& r,
                     std::uint32_t& line);

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

/// Least size of a list that several threads read.
inline constexpr std::size_t leastParallelBytes = std::size_t{1} << 20;

/// Reads the list behind the keyword `block`, that was just read, on `threads` threads. The bits in
/// `conf` and the place in `in` are then those that the reader of that keyword leaves.
/// @returns false, with nothing changed, where that reader must read the list. This holds for
/// another keyword, a small list, and any list with an error, so that errors are always those of
/// one thread. It also holds for a list that is not a record a line (comment lines and blank ones
/// may stand between).
bool readBlockInParallel(std::string_view block, TextReader& in, Conf& conf, int threads);

/// Passes over the list behind the keyword `block`, which was just read: its count, and as many
/// lines that are not blank or comments. @throws ParseError where the text ends before
void passOverList(std::string_view block, TextReader& in);

}  // namespace scree::sim
