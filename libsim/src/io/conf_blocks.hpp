// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/model/conf.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// Lines of Particles and Interactions take at least so much of a file.
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
/// Throws where a list has more lines than announced. `word`, just read at the place of a keyword
/// behind the list `block`, then begins a line of that list.
void refuseExcessLines(TextReader& in, std::string_view block, std::string_view word);

void writeParticles(TextWriter& out, const Conf& conf);
void writeInteractions(TextWriter& out, const Conf& conf);
void writeInterfaces(TextWriter& out, const Conf& conf);

}  // namespace scree::sim
