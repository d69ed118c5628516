// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/clump/shape_pack.hpp"

#include <optional>
#include <set>
#include <vector>

namespace scree::clump {

/// The ID of a comment line `#@ id=I ...`; nothing for any other comment.
std::optional<std::int64_t> carriedLineId(std::string_view comment);

/// Adds the values of a `#@` line to `carried`, and sets `roundings` to its `radius=`: one number
/// for all tetrahedra, or one each. A key given again replaces the earlier value, with a warning;
/// groups add up.
/// @param seen  keys of earlier lines of the particle; gets those of this line
/// @throws ParseError for a bad value, or for one of volume and inertia without the other
void readCarried(const TextReader& in, Diagnostics& diagnostics, std::string_view line,
                 Carried& carried, std::vector<double>& roundings,
                 std::set<std::string_view>& seen);

/// Whether a comment is a `#@` line in another form: without id=, with a bad ID or without a blank
/// behind the mark. It has at least one key that such lines have.
bool isBrokenCarriedLine(std::string_view comment);
/// What to say of such a line.
inline constexpr std::string_view brokenCarriedLine =
    "this #@ line names no particle and has no effect; expected '#@ id=I key=value ...' before "
    "particle I, with a blank behind #@ and a whole number I";

}  // namespace scree::clump
