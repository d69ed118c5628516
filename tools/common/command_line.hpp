// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace scree::tools {

/// Checks the values of all options for whole numbers, of all verbs: the parser itself takes -1 for
/// the largest number.
void checkWholeNumbers(CLI::App& app);

/// "TOOL VERB --help lists the options", for the verb that was named, if one was.
std::string helpHint(const CLI::App& app);

/// What is wrong with a command line that the parser refused, in plain English. A word that is no
/// option or no verb is named first, even where arguments are missing too.
std::string usageComplaint(CLI::App& app, const CLI::ParseError& error, int argc,
                           const char* const* argv);

/// The verbs that --help lists, with commas between them.
std::string verbList(const CLI::App& app);

/// @throws UsageError that lists the verbs, for a command line without one
[[noreturn]] void refuseWithoutVerb(const CLI::App& app);

}  // namespace scree::tools
