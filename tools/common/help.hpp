// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace scree::tools {

/// Help of a tool and of its verbs. It lists verbs by their first line; their own help has the
/// examples. Descriptions of options are wrapped below themselves.
class HelpText : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_subcommand(const CLI::App* verb) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace scree::tools
