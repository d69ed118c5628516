// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace scree::tools {

/// Lets `app` read `--config` files strictly: each line is `option = value`, `verb.option = value`,
/// `[verb]`, blank or a comment. Anything else, an option that the tool lacks or that is set twice
/// is a ParseError with file, line and column. The option parser itself would skip it silently.
/// Options of verbs that the command line does not name are checked by name only, and not used.
/// A flag that is `false` counts as not given.
void readConfigStrictly(CLI::App& app);

/// Where the file of `--config` sets the option that a complaint is about; nothing where no file
/// does. A complaint is about the options that its first part with options names, such as
/// "slope: --size takes three numbers; --help lists the options".
std::optional<SourcePlace> placeInConfig(const CLI::App& app, std::string_view complaint);

/// The options in force as such a file, which `--config` reads back: those of the tool and of the
/// verb that was parsed. Options that are not given stand in comments, with their defaults.
std::string optionsInForce(const CLI::App& app);

}  // namespace scree::tools
