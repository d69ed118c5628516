// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace scree::tools {

/// Lets `app` read `--config` files strictly: each line is `option = value`, `verb.option = value`,
/// `[verb]`, blank or a comment. Anything else, and an option the tool lacks, is a ParseError with
/// file and line. The option parser itself would skip it silently.
void readConfigStrictly(CLI::App& app);

/// The options in force as such a file: what `--config` takes back, values that are not set and
/// flags that end the program left out.
std::string optionsInForce(const CLI::App& app);

}  // namespace scree::tools
