// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace scree::tools {

/// Lets `app` read the file of `--config` as TOML: `option = value`, and `[verb]` or `verb.option`
/// for options of a verb. An option that the tool lacks is a ParseError with file, line and column.
/// Options of verbs that the command line does not name are checked by name only, and not used.
/// The command line wins; a flag that is `false` counts as not given.
void readConfigStrictly(CLI::App& app);

/// The options in force as such a file, which `--config` reads back: those of the tool and of the
/// verb that was parsed. Options that are not given stand in comments, with their defaults.
std::string optionsInForce(const CLI::App& app);

}  // namespace scree::tools
