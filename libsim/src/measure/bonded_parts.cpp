// SPDX-License-Identifier: GPL-3.0-or-later
#include "detect/images.hpp"

#include "scree/sim/measure/fabric.hpp"

#include <algorithm>

namespace scree::sim {

BondedParts bondedParts(const Conf& conf, std::span<const char> chosen) {
  std::vector<std::vector<BodyId>> bonded(chosen.size());
  for (const InterfaceRecord& face : conf.interfaces) {
    if (face.i >= chosen.size() || face.j >= chosen.size()) continue;
    if (!chosen[face.i] || !chosen[face.j]) continue;
    bonded[face.i].push_back(face.j);
    bonded[face.j].push_back(face.i);
  }
  Images images;
  if (conf.cell.used) images.set(conf.cell.h);
  BondedParts parts;
  parts.shift.assign(chosen.size(), Vec3::Zero());
  std::vector<char> met(chosen.size(), 0);
  for (BodyId first = 0; first < chosen.size(); ++first) {
    if (!chosen[first] || met[first]) continue;
    std::vector<BodyId> part{first};
    met[first] = 1;
    for (std::size_t at = 0; at < part.size(); ++at) {
      const BodyId k = part[at];
      for (const BodyId other : bonded[k]) {
        if (met[other]) continue;
        met[other] = 1;
        if (conf.cell.used)
          parts.shift[other] = images.offset(
              images.nearest(conf.particles[k].pos + parts.shift[k] - conf.particles[other].pos));
        part.push_back(other);
      }
    }
    std::ranges::sort(part);
    parts.bodies.push_back(std::move(part));
  }
  return parts;
}

std::vector<BodyId> fragmentLabels(const Conf& conf) {
  const std::vector<char> all(conf.particles.size(), 1);
  std::vector<BodyId> labels(all.size(), 0);
  for (const std::vector<BodyId>& part : bondedParts(conf, all).bodies)
    for (const BodyId body : part) labels[body] = part.front();
  return labels;
}

}  // namespace scree::sim
