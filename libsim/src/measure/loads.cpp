// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/loads.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace scree::sim {

WallLoads wallLoads(const Instant& instant) {
  const Conf& conf = instant.conf();
  WallLoads loads;
  loads.driven.resize(conf.nDriven);
  loads.round.resize(conf.boundaries.size());
  for (const Link& link : instant.links()) {
    if (link.j == Link::none) {
      const Vec3 f = link.force();
      WallLoad& load = loads.round[link.jSub];
      load.points += 1;
      load.fn += link.fn;
      load.force -= f;
      load.moment -= (link.pos - conf.boundaries[link.jSub].centre).cross(f) + link.mom;
      continue;
    }
    for (const BodyId body : {link.i, link.j}) {
      if (body >= conf.nDriven) continue;
      loads.driven[body].points += link.touches() || link.kind == Link::Kind::bond;
      loads.driven[body].fn += link.fn;
    }
  }
  for (std::size_t k = 0; k < loads.driven.size(); ++k) {
    loads.driven[k].force = instant.actions()[k].force;
    loads.driven[k].moment = instant.actions()[k].moment;
  }
  return loads;
}

WallPressures wallPressures(const Instant& instant, const WallLoads& loads) {
  const Conf& conf = instant.conf();
  const std::optional<Domain> domain = conf.cell.used ? cellDomain(instant) : wallDomain(instant);
  WallPressures walls;
  walls.driven.resize(loads.driven.size());
  walls.round.resize(loads.round.size());
  if (domain)
    for (const WallSide& side : domain->sides) {
      if (side.body == WallSide::plane) {
        walls.round[side.face].area = side.area;
        continue;
      }
      WallPressure& wall = walls.driven[side.body];
      if (wall.area > 0.0) continue;  // one body on two sides: the first counts
      wall.area = side.area;
      // The sum turns -0 into 0.
      wall.pressure = side.space.normal.dot(loads.driven[side.body].force) / wall.area + 0.0;
    }
  for (std::size_t k = 0; k < loads.round.size(); ++k) {
    const Boundary& b = conf.boundaries[k];
    const auto ends = domain ? domain->region.squareEnds() : std::nullopt;
    WallPressure& wall = walls.round[k];
    if (b.kind == Boundary::Kind::ball)
      wall.area = 4.0 * pi * b.radius * b.radius;
    else if (b.kind == Boundary::Kind::cylinder && ends)
      wall.area = 2.0 * pi * b.radius * (ends->second - ends->first);
    wall.pressure = loads.round[k].fn / wall.area;
  }
  return walls;
}

namespace {

using Faces = std::vector<std::uint32_t>;

/// Which faces of a shape have a vertex or an edge.
class FacesAround {
 public:
  explicit FacesAround(const shape::Shape& shape)
      : shape_(shape), ofVertex_(shape.vertices.size()) {
    for (std::uint32_t f = 0; f < shape.faces.size(); ++f) {
      const auto corners = shape.faces[f];
      Vec3 twice = Vec3::Zero();
      for (std::size_t k = 0; k < corners.size(); ++k) {
        const std::uint32_t a = corners[k], b = corners[(k + 1) % corners.size()];
        ofVertex_[a].push_back(f);
        ofEdge_[bodyPair(a, b)].push_back(f);
        twice += (shape.vertices[a] - shape.vertices[corners[0]])
                     .cross(shape.vertices[b] - shape.vertices[corners[0]]);
      }
      areas_.push_back(0.5 * twice.norm());
    }
  }
  const std::vector<double>& areas() const { return areas_; }

  /// The faces that bear what acts on sub-element `sub` of the body, the first of the pair or not.
  Faces at(Pairing pairing, bool first, std::uint32_t sub) const {
    if (pairing == Pairing::vertexFace && !first) {
      check(sub, shape_.faces.size(), "face");
      return {sub};
    }
    if (pairing == Pairing::edgeEdge || (pairing == Pairing::vertexEdge && !first)) {
      check(sub, shape_.edges.size(), "edge");
      const shape::Edge& edge = shape_.edges[sub];
      const auto found = ofEdge_.find(bodyPair(edge[0], edge[1]));
      return found == ofEdge_.end() ? Faces{} : found->second;
    }
    check(sub, ofVertex_.size(), "vertex");
    return ofVertex_[sub];
  }

 private:
  void check(std::uint32_t sub, std::size_t count, const char* what) const {
    if (sub >= count)
      throw ModelError(fmt::format("a contact names {} {} of shape {}, which has {}", what, sub,
                                   shape_.name, count));
  }
  const shape::Shape& shape_;
  std::vector<Faces> ofVertex_;
  std::map<std::pair<BodyId, BodyId>, Faces> ofEdge_;
  std::vector<double> areas_;
};

}  // namespace

std::vector<std::vector<FaceLoad>> faceLoads(const Instant& instant) {
  const std::size_t driven = instant.conf().nDriven;
  std::vector<std::vector<FaceLoad>> loads(driven);
  std::map<std::uint32_t, FacesAround> around;  // by shape
  const auto facesOf = [&](std::size_t body) -> const FacesAround& {
    return around.try_emplace(instant.body(body).shapeName, instant.shapeOf(body)).first->second;
  };
  for (std::size_t b = 0; b < driven; ++b) {
    const double scale = instant.body(b).homothety * instant.body(b).homothety;
    for (const double area : facesOf(b).areas()) loads[b].push_back({scale * area});
  }
  for (const Link& link : instant.links()) {
    if (link.j == Link::none) continue;
    for (const bool first : {true, false}) {
      const BodyId body = first ? link.i : link.j;
      if (body >= driven) continue;
      const Faces faces = facesOf(body).at(link.pairing, first, first ? link.iSub : link.jSub);
      const double share = 1.0 / static_cast<double>(faces.size());
      for (const std::uint32_t f : faces) {
        loads[body][f].fn += share * link.fn;
        loads[body][f].force += (first ? share : -share) * link.force();
      }
    }
  }
  return loads;
}

}  // namespace scree::sim
