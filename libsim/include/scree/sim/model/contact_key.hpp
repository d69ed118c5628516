// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <utility>

namespace scree::sim {

using BodyId = std::uint32_t;

/// Two bodies, lower one first.
inline std::pair<BodyId, BodyId> bodyPair(BodyId a, BodyId b) {
  return a < b ? std::pair(a, b) : std::pair(b, a);
}

/// Pieces of two shapes that meet. In vertexEdge and vertexFace the first body has the vertex.
enum class Pairing : std::uint8_t { vertexVertex, vertexEdge, vertexFace, edgeEdge };

/// How many vertices, edges or faces a shape may have, so that a place among them takes 29 bits.
inline constexpr std::uint32_t mostSubElements = 1u << 29;

/// Key of a contact; its order is the order of the conf-file.
struct ContactKey {
  BodyId i = 0, j = 0;
  Pairing pairing = Pairing::vertexVertex;
  std::uint32_t iSub = 0, jSub = 0;  ///< index of the vertex, edge or face in its shape
  auto operator<=>(const ContactKey&) const = default;
};

}  // namespace scree::sim
