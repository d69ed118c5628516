// SPDX-License-Identifier: GPL-3.0-or-later
// In which order a run keeps its bodies: by place, and by place again where they have mixed.
#include "model.hpp"
#include "model/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {
namespace {

/// A new order justifies rebuilding all lists if contacts then span fewer bodies than this share of
/// those that they span in the old one.
constexpr double worthIt = 0.7;

}  // namespace

BodyOrder startOrder(const Conf& conf, bool may, bool complete, Diagnostics& diagnostics) {
  const std::vector<ParticleRecord>& particles = conf.particles;
  // A file whose bodies somebody has changed goes on in its own order.
  const auto fits = [&] {
    if (conf.order.size() != particles.size()) return false;
    for (std::size_t k = 0; k < std::min<std::size_t>(conf.nDriven, particles.size()); ++k)
      if (conf.order[k] != k) return false;
    return true;
  };
  std::vector<BodyId> numbers;
  if (complete && may && fits()) {
    numbers = conf.order;
  } else {
    if (complete && may && !conf.order.empty())
      diagnostics.warn(conf.errorAt(
          "#scree order", fmt::format("#scree order: does not match {} bodies with {} driven; the "
                                      "order of the file is used, and last digits may differ",
                                      particles.size(), conf.nDriven)));
    if (!complete && may) {
      std::vector<Vec3> places;
      for (const ParticleRecord& p : particles) places.push_back(p.pos);
      numbers = orderByPlace(places, conf.nDriven);
    }
  }
  try {
    return BodyOrder(std::move(numbers), conf.nDriven);
  } catch (const ModelError& error) {
    throw conf.errorAt("#scree order", fmt::format("#scree order: {}", error.what()));
  }
}

std::optional<BodyOrder> betterOrder(const BodyOrder& now, const Bodies& bodies,
                                     const Contacts& contacts) {
  BodyOrder fresh(orderByPlace(now.toFile(bodies.pos), bodies.driven), bodies.driven);
  // By contacts that touch, which are part of the state: lists are not.
  const auto distance = [](std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; };
  std::uint64_t before = 0, then = 0;
  for (const NeighbourPair& pair : contacts.pairs) {
    if (pair.a < bodies.driven) continue;
    bool touching = false;
    contacts.forEachTouching(pair, [&touching](auto&&...) { touching = true; });
    if (!touching) continue;
    before += distance(pair.a, pair.b);
    then += distance(fresh.body(now.number(pair.a)), fresh.body(now.number(pair.b)));
  }
  if (static_cast<double>(then) < worthIt * static_cast<double>(before)) return fresh;
  return std::nullopt;
}

}  // namespace scree::sim
