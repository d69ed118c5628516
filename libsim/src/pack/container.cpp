// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/container.hpp"

#include "loads.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// In the order of Container::Kind.
constexpr std::array<OptionForm, 7> containerForms{{{"box", "LX,LY,LZ", 3},
                                                    {"periodic", "LX,LY,LZ", 3},
                                                    {"cylinder", "R,H", 2},
                                                    {"drum", "R,L", 2},
                                                    {"sphere", "R", 1},
                                                    {"hopper", "R,r,ANGLE,H", 4},
                                                    {"mesh", "FILE", 0}}};

/// A rectangle across `axis`, rounded by `radius`, about the origin.
shape::Shape plate(int axis, const Vec3& halfSize, double radius, const std::string& name) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  shape::Shape shape;
  shape.name = name;
  shape.radius = radius;
  for (const auto& [su, sv] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
    Vec3 corner = Vec3::Zero();
    corner[u] = su * halfSize[u];
    corner[v] = sv * halfSize[v];
    shape.vertices.push_back(corner);
  }
  shape.edges = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  shape.faces.add({0, 1, 2, 3});
  // Axes stay as they are: the plate is centred, and its axes are principal.
  mass::survey(shape, {.recompute = true, .keepFrame = true});
  return shape;
}

/// A name that no shape has yet: `name`, or that with underscores behind it.
std::string freshName(const std::vector<shape::Shape>& shapes, std::string name) {
  while (shape::findShape(shapes, name)) name += '_';
  return name;
}

/// Mean thickness [L] of the bodies that move, of all where none does.
double meanSize(const Packing& packing) {
  const bool anyFree = std::ranges::any_of(packing.bodies, [](const auto& b) { return !b.driven; });
  double sum = 0.0;
  std::size_t n = 0;
  for (const PlacedBody& body : packing.bodies) {
    if (anyFree && body.driven) continue;
    sum += 2.0 * boundingBox(packing.shapes[body.shape], body).halfSize().minCoeff();
    ++n;
  }
  return sum / static_cast<double>(n);
}

/// Puts driven bodies in front of all others, which count on.
void putInFront(Packing& packing, const std::vector<PlacedBody>& walls) {
  packing.bodies.insert(packing.bodies.begin(), walls.begin(), walls.end());
  const auto count = static_cast<BodyId>(walls.size());
  for (InterfaceRecord& face : packing.interfaces) face.i += count, face.j += count;
}

/// Pairs of plates in front of all bodies, one across each of `axes`. Their rounded surfaces stand
/// on the sides of `inside`, `gap` [L] off them.
void addPlates(Packing& packing, const shape::Aabb& inside, std::initializer_list<int> axes,
               std::string_view name, double gap = 0.0) {
  const double radius = 0.25 * meanSize(packing);
  const shape::Aabb skeleton = inside.grown(gap + radius);
  std::vector<PlacedBody> walls;
  for (const int axis : axes) {
    const auto number = static_cast<std::uint32_t>(packing.shapes.size());
    // The plates of a box meet edge to edge; ends of a cylinder reach to its wall.
    const shape::Aabb& reach = axes.size() == 3 ? skeleton : inside;
    packing.shapes.push_back(
        plate(axis, reach.halfSize(), radius,
              freshName(packing.shapes, fmt::format("{}{}", name, "XYZ"[axis]))));
    for (const Vec3& corner : {skeleton.low, skeleton.high}) {
      Vec3 pos = reach.centre();
      pos[axis] = corner[axis];
      walls.push_back({number, 0, 0, true, 1.0, pos});
    }
  }
  putInFront(packing, walls);
}

}  // namespace

void addWalls(Packing& packing, double margin) {
  if (packing.bodies.empty()) throw ModelError("there are no bodies to put walls around");
  if (!(margin >= 0.0 && std::isfinite(margin)))
    throw UsageError(fmt::format("--walls: expected a number not below 0, found {:.6g}", margin));
  const shape::Aabb box = boundingBox(packing);
  // A hair of room, so that no body is inside a wall by rounding.
  addPlates(packing, box, {0, 1, 2}, "Wall", margin + 1e-9 * box.halfSize().maxCoeff());
}

Container Container::parse(const std::string& text) {
  Container c;
  const std::size_t form = formOf("--container", text, containerForms);
  c.kind_ = static_cast<Kind>(form);
  c.text_ = text;
  std::vector<double> v;
  if (c.kind_ != Kind::mesh) v = positiveNumbers("--container", text, containerForms[form]);
  const auto ends = [&](int axis, double high) {
    for (const double side : {1.0, -1.0}) {
      Boundary& plane = c.walls_.emplace_back();
      plane.kind = Boundary::Kind::plane;
      plane.axis = side * Vec3::Unit(axis);
      if (side < 0.0) plane.centre[axis] = high;
    }
    c.box_.low[axis] = 0.0;
    c.box_.high[axis] = high;
  };
  const auto round = [&](Boundary::Kind kind, int axis) -> Boundary& {
    Boundary& wall = c.walls_.emplace_back();
    wall.kind = kind;
    wall.axis = Vec3::Unit(axis);
    wall.radius = v[0];
    c.box_ = {Vec3::Constant(-v[0]), Vec3::Constant(v[0])};
    return wall;
  };
  switch (c.kind_) {
    case Kind::box:
    case Kind::periodic:
      for (int axis = 0; axis < 3; ++axis) ends(axis, v[static_cast<std::size_t>(axis)]);
      c.volume_ = c.box_.high.prod();
      if (c.periodic()) c.walls_.clear();
      break;
    case Kind::cylinder:
    case Kind::drum: {
      const int axis = c.kind_ == Kind::cylinder ? 1 : 2;
      round(Boundary::Kind::cylinder, axis);
      ends(axis, v[1]);
      c.volume_ = pi * v[0] * v[0] * v[1];
      break;
    }
    case Kind::sphere:
      round(Boundary::Kind::ball, 2);
      c.volume_ = 4.0 / 3.0 * pi * v[0] * v[0] * v[0];
      break;
    case Kind::hopper: {
      const double R = v[0], r = v[1], height = v[3];
      if (!(r < R && v[2] < 90.0))
        throw UsageError(fmt::format(
            "--container {}: expected an outlet narrower than the bin, and an angle below 90",
            text));
      const double slope = sinOfTurns(v[2] / 360.0) / cosOfTurns(v[2] / 360.0);
      const double high = (R - r) / slope;
      if (!(high < height))
        throw UsageError(fmt::format("--container {}: the cone alone is {:.6g} high", text, high));
      Boundary& cone = round(Boundary::Kind::cone, 1);
      cone.centre = Vec3(0.0, -r / slope, 0.0);
      cone.radius = r;
      cone.setAngle(v[2]);
      round(Boundary::Kind::cylinder, 1);
      ends(1, height);
      c.volume_ = pi * (high / 3.0 * (R * R + R * r + r * r) + (height - high) * R * R);
      break;
    }
    case Kind::mesh:
      c.readMesh(text.substr(std::min(text.size(), text.find(':') + 1)));
      break;
  }
  if (!std::isfinite(c.volume_)) throw UsageError(fmt::format("--container {}: too large", text));
  return c;
}

void Container::readMesh(const std::string& file) {
  if (file.empty() || file == text_)
    throw UsageError(fmt::format("--container {}: expected mesh:FILE", text_));
  auto mesh = std::make_shared<shape::SurfaceMesh>(shape::readMeshFromFile(file));
  const shape::MeshCheck check = shape::checkEdges(mesh->faces);
  if (!check.closed() || !check.manifold())
    throw ParseError(SourcePlace{file},
                     fmt::format("the mesh is not closed: {} open edges, {} edges with more than "
                                 "two faces; shapeSurvey import can repair it",
                                 check.openEdges.count, check.nonManifoldEdges.count));
  for (const Vec3& p : mesh->vertices) box_.add(p);
  const shape::Core core = shape::coreOf(shape::shapeFromMesh(*mesh, 0.0));
  if (!core.closed || core.hull.rank < 3)
    throw ParseError(SourcePlace{file}, shape::whyNoSolid(core));
  volume_ = shape::signedVolume(core.vertices, core.faces);
  solid_ = std::make_shared<clump::SolidDistance>(shape::SurfaceMesh{core.vertices, core.faces}, 0);
  mesh_ = std::move(mesh);
}

double Container::depth(const Vec3& x) const {
  if (solid_) return solid_->depth(x);
  double least = HUGE_VAL;
  for (const Boundary& wall : walls_) {
    Vec3 inwards;
    least = std::min(least, wall.distance(x, inwards));
  }
  return least;
}

std::array<bool, 3> Container::pressedAxes() const {
  if (kind_ == Kind::box || kind_ == Kind::periodic) return {true, true, true};
  if (kind_ == Kind::cylinder) return {false, true, false};
  if (kind_ == Kind::drum) return {false, false, true};
  throw UsageError(
      fmt::format("--container {}: has no walls that can press; choose box, periodic, cylinder or "
                  "drum",
                  text_));
}

Vec3 Container::randomPoint(Rng& rng) const {
  for (;;) {
    Vec3 x;
    for (int k = 0; k < 3; ++k) x[k] = rng.uniform(box_.low[k], box_.high[k]);
    if (kind_ == Kind::box || kind_ == Kind::periodic || depth(x) > 0.0) return x;
  }
}

bool Container::holds(const shape::Shape& shape, const PlacedBody& body) const {
  if (periodic()) return true;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    if (!(depth(body.pos + rotated(body.q, body.homothety * shape.vertices[v])) >=
          body.homothety * shape.radiusAt(v)))
      return false;
  return true;
}

void Container::addWalls(Packing& packing) const {
  if (kind_ == Kind::box) addPlates(packing, box_, {0, 1, 2}, "Wall");
  if (periodic()) {
    packing.cell.used = true;
    packing.cell.h = box_.high.asDiagonal();
  }
  for (const Boundary& wall : walls_)
    if (wall.kind != Boundary::Kind::plane) packing.boundaries.push_back(wall);
  if (kind_ == Kind::cylinder || kind_ == Kind::hopper) addPlates(packing, box_, {1}, "End");
  if (kind_ == Kind::drum) addPlates(packing, box_, {2}, "End");
  if (convex()) return;
  shape::Shape surface;
  surface.name = freshName(packing.shapes, "Wall");
  surface.radius = 0.01 * meanSize(packing);
  surface.vertices = mesh_->vertices;
  surface.faces = mesh_->faces;
  surface.edges = shape::edgesOf(mesh_->faces);
  surface.isSurface = true;
  mass::survey(surface);
  putInFront(packing, {{static_cast<std::uint32_t>(packing.shapes.size()), 0, 0, true, 1.0,
                        surface.position, surface.orientation}});
  packing.shapes.push_back(std::move(surface));
}

std::vector<shape::Shape> Container::withMeshWall(const std::vector<shape::Shape>& shapes,
                                                  std::vector<PlacedBody>& bodies) const {
  if (convex()) return shapes;
  Packing walled{shapes, std::move(bodies), {}, {}};
  addWalls(walled);
  bodies = std::move(walled.bodies);
  return std::move(walled.shapes);
}

}  // namespace scree::sim
