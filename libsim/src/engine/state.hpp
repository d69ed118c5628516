// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "detect/neighbour_list.hpp"
#include "engine/bond_system.hpp"
#include "engine/boundaries.hpp"
#include "engine/cell_motion.hpp"
#include "engine/contact_kernel.hpp"
#include "engine/drive_system.hpp"
#include "engine/energy_account.hpp"
#include "engine/force_field.hpp"
#include "engine/world.hpp"
#include "model/contacts.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/conf.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace scree::sim {

/// All that a step changes. A value: a copy is a checkpoint, from which a run goes on to the bit.
///
/// Bodies, contacts, bonds, boundaries and earlier motion are in the order of the run, `order`.
struct State {
  RunState clock;                          ///< t = t0 + step dt
  std::optional<SummedClock> summedClock;  ///< where the time is a sum of steps
  int iconf = 0;                           ///< number of the conf-file that was written last
  Parameters parameters;                   ///< as courses in time have them now
  Restraint restraint;                     ///< the same of what holds accelerations back

  BodyOrder order;
  Bodies bodies;
  std::vector<EarlierMotion> earlier;  ///< motion one step back, for Beeman; empty: not known
  NeighbourList lists;                 ///< with the history of all contacts
  /// [L/T] Relative velocities at the contacts of the file, pool by pool, sorted by key there. They
  /// hold until forces are evaluated; empty then, and where contacts live by list.
  std::vector<std::vector<std::pair<ContactKey, Vec3>>> velOfFile;
  BoundaryContacts atBoundaries;  ///< with the history of contacts with boundaries
  BondSystem bonds;
  CellMotion cell;
  DriveSystem drives;  ///< with the values that its controls have now
  EnergyAccount energy;
};

// Contacts as files have them, and as a run has them.
/// A contact of a file, with the numbers of the run, of bodies and sub-elements that exist; the
/// lower body first where the pairing allows. @param complaint  makes the error of a message
InteractionRecord checkedContact(const World& world, InteractionRecord r,
                                 const std::function<ParseError(const std::string&)>& complaint);
/// Line `number` (from 0) of Interactions of a file as a checkedContact().
/// @throws ParseError with its place
InteractionRecord interactionInRun(const Conf& file, std::size_t number, const World& world);
/// Gives a listed candidate the state of a contact of a file.
/// @returns false where it touches already: the earlier state is replaced
bool loadContact(const InteractionRecord& r, Contacts& contacts);

/// All that are listed, touching or not, by key; where contacts live by list.
std::vector<InteractionRecord> listedContacts(const Contacts& contacts);

// The only bridges between what files say and what runs.
/// Resolves what stays fixed in a run: carries out the commands of the file in it, and refuses what
/// cannot run. An Engine takes the state from the file after this (Engine::load).
/// @throws ParseError, ModelError as Simulation does
Model modelFrom(Conf& file, std::vector<shape::Shape> shapes, int threads, const Rules& rules,
                Diagnostics& diagnostics);

/// The conf-file of a state: contacts in key order, all numbers those of the file.
Conf confFrom(const Model& model, const State& state, const World& world,
              const ContactKernel& kernel);

/// The contacts of a state, bonds among them, with the numbers of the file; sorted by key. Those of
/// one body, by its number in the run, cost no more than its own.
std::vector<InteractionRecord> interactionsOf(const State& state, const World& world,
                                              const ContactKernel& kernel,
                                              std::optional<BodyId> ofBody = {});

}  // namespace scree::sim
