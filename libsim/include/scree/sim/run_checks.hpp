// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scree::sim {

class Simulation;
struct RunOptions;

/// @throws ParseError for a table that the run cannot write: of a body that does not exist, or
/// outside its folder. Also one under the name of an input or of a file of the run itself. IoError
/// where a link stands in place of a folder of a table.
void checkTables(const RunOptions& options, const Simulation& simulation);

}  // namespace scree::sim
