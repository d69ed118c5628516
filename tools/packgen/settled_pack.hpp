// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/settle.hpp"
#include "scree/sim/run_input.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::tools {

/// What settle and compact have in common: a conf-file in, the same bodies in balance out.
struct SettledPackOptions {
  std::string conf;  ///< file of the bodies; a name for messages where they have just been made
  std::string output = "conf0", library, drive, rest;
  std::string remark;  ///< a comment line of the result; empty: none
  bool untilRest = false, keepStiffness = false;
  std::optional<double> until, duration, interConf;
  std::vector<double> gravity;  ///< empty: that of the file
  double overlap = 0.005;
};

/// Adds their options to `verb`; `always` at rest: without --until-rest.
void addSettledPackOptions(CLI::App& verb, SettledPackOptions& options, bool always);

/// What a verb presses by, and what it adds to the report.
struct Pressing {
  double pressure = 0.0;                 ///< [F/L²] 0: none
  std::optional<sim::PressedAxes> axes;  ///< none: the drives beside the file act
  std::function<void(JsonWriter&, const sim::Simulation&)> extra;  ///< may be empty
};

/// Runs the packing until it is done and writes it, its shape-file, and the drives that hold it.
/// @returns 75 where a signal has ended it: nothing is written then
int settledPack(const SettledPackOptions& options, const Pressing& pressing, const char* verb,
                const CommonOptions& common);
/// The same with a packing that has just been made.
int settledPack(sim::RunInput input, const SettledPackOptions& options, const Pressing& pressing,
                const char* verb, const CommonOptions& common);

/// @throws UsageError for options that no packing can have
void checkSettled(const SettledPackOptions& options, const CommonOptions& common);
/// Refuses drives that the scene cannot have and outputs that cannot be written.
void checkPressed(sim::Conf conf, std::span<const shape::Shape> shapes,
                  const SettledPackOptions& options, const Pressing& pressing,
                  const CommonOptions& common);
void requirePressure(double pressure);  ///< @throws UsageError unless it is above 0

}  // namespace scree::tools
