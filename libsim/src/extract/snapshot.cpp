// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/extract/snapshot.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace scree::sim {

std::vector<double> partnershipWeights(const Conf& conf) {
  const bool byOverlap = conf.contactPartnership == "OverlapWeight";
  if (!byOverlap && conf.contactPartnership != "NumberWeight") return {};
  std::vector<ContactKey> glued;
  for (const InterfaceRecord& face : conf.interfaces)
    for (const BondRecord& b : face.bonds)
      glued.push_back({face.i, face.j, b.pairing, b.iSub, b.jSub});
  std::sort(glued.begin(), glued.end());
  const auto shares = [&](const InteractionRecord& r) {
    return r.dn < 0.0 && !std::binary_search(glued.begin(), glued.end(), r.key);
  };
  const auto part = [&](const InteractionRecord& r) { return byOverlap ? r.dn : 1.0; };
  std::map<std::pair<BodyId, BodyId>, double> sums;
  for (const InteractionRecord& r : conf.interactions)
    if (shares(r)) sums[bodyPair(r.key.i, r.key.j)] += part(r);
  std::vector<double> weights;
  weights.reserve(conf.interactions.size());
  for (const InteractionRecord& r : conf.interactions)
    weights.push_back(shares(r) ? part(r) / sums[bodyPair(r.key.i, r.key.j)] : 1.0);
  return weights;
}

}  // namespace scree::sim
