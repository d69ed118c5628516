// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/sim/pack/complete.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// Verbs that the command line names and later versions have.
inline constexpr std::array<std::string_view, 9> plannedVerbs{
    "fill", "settle", "compact", "terrain", "wall", "glue", "export", "import", "run"};

struct PackgenOptions {
  std::string strayWord;  ///< a word that no verb takes

  // Common to the verbs that write a conf-file
  std::vector<std::string> libraries;  ///< FILE or FILE:NAME
  std::string output = "conf0", library;
  std::optional<double> wallMargin;  ///< set: walls
  sim::PackSettings settings;

  // lattice
  std::string type = "sc";
  std::array<std::uint32_t, 3> cells{1, 1, 1};
  std::optional<double> spacing;
  bool randomOrientation = false;
  bool allowOverlap = false;
  std::uint64_t seed = 1;
  std::uint32_t group = 1;

  std::string table;  ///< from
};

void addOptions(CLI::App& app, PackgenOptions& options);
/// The verb that the command line named.
int packgen(const CLI::App& app, const PackgenOptions& options, const CommonOptions& common);

}  // namespace scree::tools
