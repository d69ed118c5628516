// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scree {
class Diagnostics;
}

namespace scree::sim {

class Simulation;
struct RunOptions;
struct RunRecord;

/// @throws ParseError for a table that the run cannot write: of a body that does not exist, or
/// outside its folder. Also one under the name of an input or of a file of the run itself. IoError
/// where a link stands in place of a folder of a table.
void checkTables(const RunOptions& options, const Simulation& simulation);

/// Warns of each table in the folder of a resumed run that lacks rows. It does not look at
/// `staticBalance.txt`, which has a row only where bodies have contacts.
void checkResumedTables(const RunOptions& options, const Simulation& simulation,
                        Diagnostics& diagnostics);

/// @throws IoError where an input stands under the name of a file that the run is going to write.
/// That may be a table, or a conf-file of any number up to the end. An input restart.conf may go.
/// Also where a folder, a pipe or a device stands under such a name.
void checkInputs(const RunOptions& options, const Simulation& simulation);

/// @throws ModelError if the conf-files of the run cannot name the shape-file from their folder
void checkShapeFile(const RunOptions& options, const Simulation& simulation);

/// @throws IoError where RunOptions::doneFile is an input, a file of the run itself, a folder, or
/// cannot be written. Also where it exists and neither this case has left it nor may it be replaced
void checkDoneFile(const RunOptions& options, const RunRecord& earlier);

}  // namespace scree::sim
