// SPDX-License-Identifier: GPL-3.0-or-later
// The entries of the table of kinds; each stands in the file of its name.
#pragma once

#include "kind.hpp"

#include "scree/sim/extract/extractors.hpp"

namespace scree::tools {

std::vector<KindEntry> runKinds();  ///< those that a run records as well
/// The kind that an extractor of dataExtractors.txt is.
std::unique_ptr<Kind> kindOf(const sim::AnyExtractor& extractor);

// State.
KindEntry bodiesKind();
KindEntry contactsKind();
KindEntry energyKind();
KindEntry balanceKind();
KindEntry coordinationKind();
KindEntry overlapsKind();
KindEntry slidingKind();

// Tensors.
KindEntry stressKind();
KindEntry fabricKind();
KindEntry macroKind();

// Space.
KindEntry porosityKind();
KindEntry profileKind();
KindEntry grKind();

// Forces.
KindEntry forcesKind();
KindEntry wallsKind();
KindEntry chainsKind();

// Breakage.
KindEntry fragmentsKind();
KindEntry sieveKind();
KindEntry damageKind();

// Rockfall.
KindEntry runoutKind();
KindEntry impactsKind();
KindEntry reachKind();

}  // namespace scree::tools
