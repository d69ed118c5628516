// SPDX-License-Identifier: GPL-3.0-or-later
// Processing commands of conf-files: what prepares a state before it runs.
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace scree::sim {

/// Input of a command: the conf as all lines before it left it.
struct CommandContext {
  Conf& conf;
  std::span<const shape::Shape> shapes;  ///< one for each name in conf.shapeNames
  Diagnostics& diagnostics;              ///< also takes notes of what a command did
  bool asPublished = false;    ///< lots by the engine of libstdc++; bonds of a cluster have no gap
  std::uint64_t draws = 0;     ///< commands so far that drew lots
  std::string_view keyword{};  ///< of this command
};

/// One command: the row that reads, carries out and documents it.
struct CommandInfo {
  std::string_view name;
  std::string_view arguments;  ///< their names, divided by blanks: so many words are read
  std::string_view help;
  void (*run)(CommandContext&, TextReader& arguments);
};
const std::vector<CommandInfo>& allCommands();

/// Carries out conf.commands in the order of the file and empties the list. Simulation does this
/// first; call it before to see the result.
/// @param asPublished  lots come from the engine of libstdc++, and bonds inside a cluster are glued
///   with a gap at rest of 0, whatever their gap
/// @throws ParseError at the command for arguments that it cannot take
void runCommands(Conf& conf, std::span<const shape::Shape> shapes, Diagnostics& diagnostics,
                 bool asPublished = false);

/// Adds interfaces to a conf, with contacts of unloaded state; other contacts of their pairs end.
void glue(Conf& conf, std::span<const shape::Shape> shapes,
          std::vector<InterfaceRecord> interfaces);

}  // namespace scree::sim
