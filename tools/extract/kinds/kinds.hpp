// SPDX-License-Identifier: GPL-3.0-or-later
// The entries of the table of kinds; each stands in the file of its name.
#pragma once

#include "kind.hpp"

#include "scree/sim/measure/extractors.hpp"

#include <algorithm>

namespace scree::tools {

std::vector<KindEntry> runKinds();  ///< those that a run records as well
/// The entries of `table` that `--columns` names, so that a kind computes no others. All of them
/// where the option is missing, or names a column that is not among them: an added one, or one to
/// complain about.
template <class Entry, std::size_t count>
std::vector<const Entry*> columnsToCompute(const Entry (&table)[count],
                                           const KindOptions& options) {
  const std::string wanted = ',' + options.text("columns", "") + ',';
  std::vector<const Entry*> some, all;
  for (const Entry& entry : table) {
    all.push_back(&entry);
    if (wanted.find(',' + std::string(entry.name) + ',') != std::string::npos)
      some.push_back(&entry);
  }
  const auto commas = static_cast<std::size_t>(std::ranges::count(wanted, ','));
  return some.size() + 1 == commas ? some : all;
}

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
KindEntry surfaceKind();
KindEntry fieldKind();

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
