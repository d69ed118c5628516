// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree::tools {
namespace {

struct PairSums {
  Vec3 force = Vec3::Zero(), normal = Vec3::Zero();
  double weight = 0.0;
  // Contact points as seen from the centres of both bodies, which may be images of each other.
  Vec3 armI = Vec3::Zero(), armJ = Vec3::Zero();            // weighted by forces
  Vec3 plainArmI = Vec3::Zero(), plainArmJ = Vec3::Zero();  // not weighted
  Vec3 point = Vec3::Zero(), plainPoint = Vec3::Zero();     // of the contacts themselves
  std::int32_t count = 0, wall = -1;
};

}  // namespace

std::vector<Chain> chainsOf(const Scene& scene) {
  std::map<std::pair<sim::BodyId, sim::BodyId>, PairSums> pairs;
  for (const sim::Link& link : scene.links()) {
    if (!acts(link)) continue;
    const bool atWall = link.j == Scene::noBody;
    const bool inOrder = atWall || link.i < link.j;
    const sim::BodyId low = inOrder ? link.i : link.j, high = inOrder ? link.j : link.i;
    PairSums& sums = pairs[{low, atWall ? Scene::noBody - link.jSub : high}];
    const double sign = inOrder ? 1.0 : -1.0, weight = std::abs(link.fn);
    const Vec3 &armI = inOrder ? link.armI : link.armJ, &armJ = inOrder ? link.armJ : link.armI;
    sums.force += sign * link.force();
    sums.normal += sign * weight * link.n;
    sums.weight += weight;
    sums.armI += weight * armI;
    sums.armJ += weight * armJ;
    sums.plainArmI += armI;
    sums.plainArmJ += armJ;
    sums.point += weight * link.pos;
    sums.plainPoint += link.pos;
    ++sums.count;
    if (atWall) sums.wall = static_cast<std::int32_t>(link.jSub);
  }
  std::vector<Chain> chains;
  double sumOfForces = 0.0;
  for (const auto& [bodies, sums] : pairs) {
    Chain chain{bodies.first, sums.wall >= 0 ? Scene::noBody : bodies.second};
    chain.wall = sums.wall;
    const bool weighted = sums.weight > 0.0;
    const double share = weighted ? sums.weight : sums.count;
    const Vec3 armI = (weighted ? sums.armI : sums.plainArmI) / share,
               armJ = (weighted ? sums.armJ : sums.plainArmJ) / share;
    // The free body stands where it is; the other one, or its image, is seen from it. The centre of
    // a driven body may be anywhere: the line ends at the contact.
    const auto centre = [&](sim::BodyId body) { return scene.conf->particles[body].pos; };
    const Vec3 point = (weighted ? sums.point : sums.plainPoint) / share;
    const bool cell = scene.conf->cell.used;
    if (sums.wall >= 0) {
      chain.from = centre(chain.i);
      chain.to = cell ? Vec3(chain.from + armI) : point;
    } else if (!scene.driven(chain.i)) {
      chain.from = centre(chain.i);
      if (scene.driven(chain.j))
        chain.to = cell ? Vec3(chain.from + armI) : point;
      else
        chain.to = cell ? Vec3(chain.from + armI - armJ) : centre(chain.j);
    } else {
      chain.from = cell ? Vec3(centre(chain.j) + armJ) : point;
      chain.to = scene.driven(chain.j) ? chain.from : centre(chain.j);
    }
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
      const bool freeI = !scene.driven(chain.i), freeJ = chain.wall < 0 && !scene.driven(chain.j);
      const double size = freeI && freeJ ? 0.5 * (scene.size(chain.i) + scene.size(chain.j))
                                         : scene.size(freeI ? chain.i : chain.j);
      chain.tubeRadius = size * std::min(0.5, 0.15 * std::sqrt(std::abs(chain.fn) / mean));
    }
  }
  return chains;
}

}  // namespace scree::tools
