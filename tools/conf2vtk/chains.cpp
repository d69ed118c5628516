// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree::tools {
namespace {

struct PairSums {
  Vec3 force = Vec3::Zero(), normal = Vec3::Zero(), point = Vec3::Zero();
  double weight = 0.0;
  Vec3 plainPoint = Vec3::Zero();
  std::int32_t count = 0;
};

}  // namespace

std::vector<Chain> chainsOf(const Scene& scene) {
  std::map<std::pair<sim::BodyId, sim::BodyId>, PairSums> pairs;
  for (const sim::InteractionRecord& record : scene.conf->interactions) {
    if (!acts(record)) continue;
    const double sign = record.key.i < record.key.j ? 1.0 : -1.0;
    PairSums& sums = pairs[std::minmax(record.key.i, record.key.j)];
    const double weight = std::abs(record.fn);
    sums.force += sign * (record.fn * record.n + record.ft);
    sums.normal += sign * weight * record.n;
    sums.point += weight * record.pos;
    sums.weight += weight;
    sums.plainPoint += record.pos;
    ++sums.count;
  }
  std::vector<Chain> chains;
  double sumOfForces = 0.0;
  for (const auto& [bodies, sums] : pairs) {
    Chain chain{bodies.first, bodies.second};
    const Vec3 point =
        sums.weight > 0.0 ? Vec3(sums.point / sums.weight) : Vec3(sums.plainPoint / sums.count);
    // The centre of a driven body may be anywhere: the line ends at the contact.
    chain.from = scene.driven(chain.i) ? point : scene.conf->particles[chain.i].pos;
    chain.to = scene.driven(chain.j) ? point : scene.conf->particles[chain.j].pos;
    const Vec3 normal = sums.normal.norm() > 0.0 ? Vec3(sums.normal.normalized()) : Vec3::Zero();
    chain.fn = sums.force.dot(normal);
    chain.ft = (sums.force - chain.fn * normal).norm();
    chain.points = sums.count;
    sumOfForces += std::abs(chain.fn);
    chains.push_back(chain);
  }
  if (sumOfForces > 0.0) {
    const double mean = sumOfForces / static_cast<double>(chains.size());
    for (Chain& chain : chains) {
      const bool freeI = !scene.driven(chain.i), freeJ = !scene.driven(chain.j);
      const double size = freeI && freeJ ? 0.5 * (scene.size(chain.i) + scene.size(chain.j))
                                         : scene.size(freeI ? chain.i : chain.j);
      chain.tubeRadius = size * std::min(0.5, 0.15 * std::sqrt(std::abs(chain.fn) / mean));
    }
  }
  return chains;
}

}  // namespace scree::tools
