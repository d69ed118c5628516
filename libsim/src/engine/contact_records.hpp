// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts as files have them, and as a run has them.
#pragma once

#include "engine/contact_kernel.hpp"
#include "model/contacts.hpp"
#include "world.hpp"

#include "scree/base/error.hpp"

#include <functional>
#include <vector>

namespace scree::sim {

/// A contact of a file, with the numbers of the run, of bodies and sub-elements that exist; the
/// lower body first where the pairing allows. @param complaint  makes the error of a message
InteractionRecord checkedContact(const World& world, InteractionRecord r,
                                 const std::function<ParseError(const std::string&)>& complaint);
/// All contacts of a file, with the numbers of the run. @throws ParseError with their line
std::vector<InteractionRecord> checkedInteractions(const Conf& file, const World& world);
/// Gives a listed candidate the state of a contact of a file.
/// @returns false where it touches already: the earlier state is replaced
bool loadContact(const InteractionRecord& r, Contacts& contacts);

/// The contacts that touch, as files have them, with the numbers of the run and in its order.
/// @param seen    images of the periodic cell when contacts were evaluated; null without one
/// @param ofFile  contacts whose velocities hold, where no forces have been evaluated since
std::vector<InteractionRecord> touchingContacts(const World& world, const Contacts& contacts,
                                                const ContactKernel& kernel, const Images* seen,
                                                std::vector<InteractionRecord> ofFile);
/// All that are listed, touching or not, by key; where contacts live by list.
std::vector<InteractionRecord> listedContacts(const Contacts& contacts);

}  // namespace scree::sim
