// SPDX-License-Identifier: GPL-3.0-or-later
// The only bridges between what files say and what runs.
#pragma once

#include "engine/force_field.hpp"
#include "engine/model.hpp"
#include "engine/state.hpp"

#include "scree/base/error.hpp"

#include <vector>

namespace scree::sim {

/// What a run resolves once: carries out the commands of the file in it, and refuses what cannot
/// run. An Engine takes the state from the file after this (Engine::load).
/// @throws ParseError, ModelError as Simulation does
Model modelFrom(Conf& file, std::vector<shape::Shape> shapes, int threads, const Rules& rules,
                Diagnostics& diagnostics);

/// What a conf-file says of a run: contacts in key order, all numbers those of the file.
Conf confFrom(const Model& model, const State& state, const World& world,
              const ContactKernel& kernel);

/// The contacts of a state, bonds among them, with the numbers of the file; sorted by key.
std::vector<InteractionRecord> interactionsOf(const State& state, const World& world,
                                              const ContactKernel& kernel);

}  // namespace scree::sim
