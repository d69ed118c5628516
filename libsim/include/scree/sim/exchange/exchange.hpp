// SPDX-License-Identifier: GPL-3.0-or-later
// Conf-files handed over to exaDEM and LAMMPS, and what comes back.
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/run_input.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// Programs and formats that a conf-file is exported to.
enum class Target { exadem, lammps, csv };

/// How a target takes something of a conf-file.
struct Fate {
  std::string_view name;  ///< carried, approximated or lost
  std::string_view text;  ///< how it is written, with which error, or what is missing
};

/// Items of a scene and their fate. An item is a keyword of conf-files, or a keyword with its value
/// or kind: `forceLaw Default`, `Servo ramp`, `nDriven plates`.
struct FateRow {
  std::string_view items;  ///< parted by ", "
  Fate exadem, lammps;
  std::vector<std::string> all() const;  ///< the items
};
/// All items that a scene can have.
const std::vector<FateRow>& fateTable();

/// An item of a scene that a target does not carry as it is.
struct Loss {
  std::string item;
  Fate fate;
};
/// Lists what an export approximates and loses, as fateTable() has it. Items without effect, such
/// as a rolling stiffness of 0, do not count. The target csv, a table of bodies, has no losses.
std::vector<Loss> lossesOf(const RunInput& scene, Target target);

/// The files of an export by their names: those of the program (`case.*`, walls), `bodies.csv`,
/// which `packgen from` reads, and `losses.txt`. exaDEM has a shape for each shape, homothety and
/// density. LAMMPS has exact masses, tensors and momenta; the molecule of body k is k + 1.
/// @param diagnostics  gets what is lost as warnings, what is approximated as notes
/// @throws ModelError for what cannot be exported at all: no free body, a law without counterpart,
/// a body that is no union of balls (LAMMPS), a periodic cell that does not fit
std::map<std::string, std::string> exported(const RunInput& scene, Target target,
                                            Diagnostics& diagnostics);

/// Reads states that a program has written for an export of `like`, and calls `take` with each.
///
/// LAMMPS: bodies.dump (clumps) and atoms.dump (single spheres) of case.in, side by side; the first
/// frame must be the state of `like`. exaDEM: extended XYZ files, one state each. Pose, velocity
/// and spin of free bodies and the time are those of the dump, the rest is that of `like`. Contacts
/// follow from the poses, with the force of their springs along n, and without friction.
/// @throws ParseError with line and column for a dump that ends early, has other bodies or another
/// box than `like`, or numbers that are not finite
void imported(const std::vector<TextReader>& dumps, Target target, const RunInput& like,
              const std::function<void(Conf&&)>& take);

}  // namespace scree::sim
