// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scree::tools {

/// `text` as a string of a gnuplot script, with the same bytes.
///
/// gnuplot runs what stands between backticks inside double quotes, and expands `@NAME`. So these
/// characters, quotes, backslashes and control characters become octal escapes. Single quotes are
/// no way out: gnuplot 5.4 reads '''a' as two strings.
std::string gnuplotString(std::string_view text);

/// The string of a label. Control characters become blanks.
std::string gnuplotLabel(std::string_view text);

/// `text` as one comment line of a script, without a line break.
std::string gnuplotComment(std::string_view text);

/// The name of a file in the folder of a script, as a string. A name that begins with `|` would be
/// a command for gnuplot, so that such names begin with `./`.
std::string gnuplotFile(std::string_view name);

/// Path of the program gnuplot; empty where it is not installed. Only absolute folders of PATH
/// count, so that no program in the folder of a picture runs.
std::string gnuplotProgram();

/// What a script draws on standard output, as bytes. It runs without a shell and without the
/// settings of the user. What gnuplot complains about goes to standard error.
/// @param program  of gnuplotProgram()
/// @returns none where gnuplot did not read all of the script, or did not end with 0
/// @throws IoError where no process or pipe can be made
std::optional<std::string> drawnBy(const std::string& program, std::string_view script);

}  // namespace scree::tools
