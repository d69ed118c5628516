// SPDX-License-Identifier: GPL-3.0-or-later
#include "solid_input.hpp"

#include "blocks.hpp"
#include "input.hpp"
#include "particle_shapes.hpp"

#include "scree/clump/pack_transform.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

namespace scree::tools {
namespace {

shape::Shape shapeFrom(const std::string& path, const std::string& name, Diagnostics& diagnostics) {
  const std::vector<shape::Shape> shapes = shape::readShapesOrMesh(path, diagnostics);
  if (name.empty()) {
    if (shapes.size() == 1) return shapes.front();
    throw UsageError(
        fmt::format("{} holds {} shapes; name one with --shape", inputName(path), shapes.size()));
  }
  if (const shape::Shape* found = shape::findShape(shapes, name)) return *found;
  std::vector<std::string_view> names;
  for (const shape::Shape& s : shapes) names.push_back(s.name);
  throw ModelError(
      fmt::format("{} has no shape '{}'{}", inputName(path), name, suggestion(name, names)));
}

/// Where its `position` and `orientation` place it, as for blocks.
shape::Shape placed(shape::Shape s) {
  if (s.position == Vec3::Zero() && s.orientation.coeffs() == Quat::Identity().coeffs()) return s;
  for (Vec3& v : s.vertices) v = s.position + rotated(s.orientation, v);
  return s;
}

}  // namespace

SolidInput solidFrom(const std::string& path, const std::string& shape, int threads,
                     Diagnostics& diagnostics) {
  const shape::Shape solid = placed(shapeFrom(path, shape, diagnostics));
  try {
    return {solid.name, clump::solidOf(solid), mass::massReport(solid, {.threads = threads}).solid};
  } catch (const GeometryError& e) {
    throw GeometryError(fmt::format("{}: {}", inputName(path), e.what()));
  }
}

std::vector<mass::Ball> ballsFrom(const std::string& path, Diagnostics& diagnostics) {
  clump::ShapePack pack = blocksFrom(path, "particle", diagnostics);
  if (pack.particles.size() != 1)
    throw ModelError(fmt::format("{}: expected one clump, found {} particles", inputName(path),
                                 pack.particles.size()));
  clump::PackParticle& particle = pack.particles.front();
  if (particle.unclumped && particle.members.size() > 1)
    throw ModelError(
        fmt::format("{}: expected one clump, found {} spheres that are not clumped: "
                    "particle {} has the mark u",
                    inputName(path), particle.members.size(), particle.id));
  for (const clump::PackMember& member : particle.members)
    if (!clump::isBall(member))
      throw ModelError(fmt::format("{}: expected spheres, found {}", inputName(path),
                                   withArticle(member.type->name)));
  if (const std::size_t count = clump::dropSwallowed(particle); count > 0)
    diagnostics.warn(
        fmt::format("{}: {} sphere(s) lie wholly inside others, or equal them; they "
                    "add nothing and do not count",
                    inputName(path), count));
  std::vector<mass::Ball> balls;
  for (const clump::PackMember& member : particle.members)
    balls.push_back({member.centre, member.radius});
  return balls;
}

}  // namespace scree::tools
