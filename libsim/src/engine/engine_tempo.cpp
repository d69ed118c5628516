// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters that follow a course in time.

#include "engine.hpp"

namespace scree::sim {

void Engine::applyTempo() {
  const double t = time();
  for (const Tempo& tempo : conf_.tempos) {
    const double value = tempo.at(t);
    switch (tempo.what) {
      case Tempo::What::damping:
        conf_.numericalDampingCoeff = model_.restraint.damping = value;
        break;
      case Tempo::What::pair:
        if (conf_.lawParameter(tempo.parameter, tempo.group1, tempo.group2) == value) break;
        conf_.setLawParameter(tempo.parameter, tempo.group1, tempo.group2, value);
        refreshPair(tempo.group1, tempo.group2);
        break;
      case Tempo::What::density:
        if (conf_.densityOf(tempo.group1) == value) break;
        conf_.setDensity(tempo.group1, value);
        if (!compat_) refreshDensity(tempo.group1);
        break;
    }
  }
}

void Engine::refreshPair(std::uint32_t g1, std::uint32_t g2) {
  if (!field_.knows(g1, g2)) return;  // no body has this group
  field_.setParameters(conf_, g1, g2);
  bonds_.refresh(world());
  if (compat_) return;  // there, the viscosity of a contact is that of its beginning
  const std::uint32_t index = field_.index(g1, g2);
  for (PairRow& row : lists_.contacts.rows)
    if (row.parameters == index) field_.setUp(bodies_, row);
  field_.setUpWalls(bodies_);
}

void Engine::refreshDensity(std::uint32_t group) {
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (bodies_.group[k] == group) setMass(conf_, model_, bodies_, k);
  cell_.setMass(world());
  bonds_.refresh(world());
  for (PairRow& row : lists_.contacts.rows)
    if (bodies_.group[row.a] == group || bodies_.group[row.b] == group) field_.setUp(bodies_, row);
  field_.setUpWalls(bodies_);
}

}  // namespace scree::sim
