// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include <map>
#include <string>
#include <vector>

namespace scree::tools {

struct ExtractOptions {
  std::vector<std::string> words;  ///< KIND, then conf-files; without KIND after --script
  std::map<std::string, std::string> parameters;  ///< of kinds, by option name: "body" -> "12"
  std::vector<std::string> add;                   ///< NAME=VALUE
  std::string columns;                            ///< names with commas; empty: all
  int digits = 0;                                 ///< significant digits; 0: shortest exact text
  std::string output, format, script, postpro, plot;
  std::string compat;  ///< "rockable": with --postpro, what that program computes
  bool list = false, append = false, follow = false;
  std::string command;  ///< as typed, for the head of tables
};

/// The words of a command line as a shell takes them, the program without its folder.
std::string commandLine(int argc, char** argv);
void addOptions(CLI::App& app, ExtractOptions& options);
int extract(const ExtractOptions& options, const CommonOptions& common);

}  // namespace scree::tools
