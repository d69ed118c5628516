// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"

#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/core.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace scree::tools {
namespace {

using shape::Shape;
using shape::SurfaceMesh;

void checkOptions(const ImportOptions& o) {
  const auto above0 = [](const std::optional<double>& value, const char* name) {
    if (value && !(*value > 0.0 && std::isfinite(*value)))
      throw UsageError(fmt::format("{}: expected a number above 0", name));
  };
  above0(o.scale, "--scale");
  above0(o.size, "--size");
  above0(o.volume, "--volume");
  above0(o.mass, "--mass");
  above0(o.density, "--density");
  if (!(o.radius >= 0.0) || !std::isfinite(o.radius))
    throw UsageError("--radius: expected a number not below 0");
  if (o.weld && !(*o.weld >= 0.0 && std::isfinite(*o.weld)))
    throw UsageError("--weld: expected a number not below 0");
  if (o.mass.has_value() != o.density.has_value())
    throw UsageError("--mass and --density belong together");
  if (o.scale.has_value() + o.size.has_value() + o.volume.has_value() + o.mass.has_value() > 1)
    throw UsageError("give one of --scale, --size, --volume, --mass with --density");
  if (o.surface && (o.volume || o.mass || o.hull))
    throw UsageError("--surface: a surface has no volume and no hull to take");
  if (!o.name.empty() && o.meshes.size() > 1)
    throw UsageError("--name: names one shape, but there are several meshes");
  if (o.name.find_first_of(" \t\r\n") != std::string::npos)
    throw UsageError("--name: a shape's name has no blank");
}

std::string nameOf(const std::string& path) {
  if (path == "-") return "mesh";
  std::string name = std::filesystem::path(path).stem().string();
  for (char& c : name)
    if (c == ' ' || (c >= '\t' && c <= '\r')) c = '_';
  return name.empty() ? "mesh" : name;
}

void multiply(Shape& shape, double factor) {
  for (Vec3& v : shape.vertices) v *= factor;
}

/// Multiplies the skeleton, not the radius, until the volume is the wanted one: volume grows with
/// the factor, so a bracket closes on it.
void scaleToVolume(Shape& shape, double wanted) {
  const auto volumeAt = [&](double factor) {
    Shape scaled = shape;
    multiply(scaled, factor);
    return mass::massReport(scaled).solid.volume;
  };
  double low = 0.0, high = 1.0;
  while (volumeAt(high) < wanted) {
    low = high;
    high *= 2.0;
    if (high > 1e30) throw UsageError("--volume: too large");
  }
  if (low == 0.0) {
    low = 0.5;
    while (volumeAt(low) > wanted) {
      high = low;
      low *= 0.5;
      if (low < 1e-12)
        throw UsageError(fmt::format("--volume {:g}: the rounding of radius {:g} alone takes more",
                                     wanted, shape.radius));
    }
  }
  double below = volumeAt(low) - wanted, above = volumeAt(high) - wanted;
  for (int k = 0; k < 60 && high - low > 1e-15 * high; ++k) {
    // Alternate the secant and the middle: fast, and the bracket closes from both sides.
    double middle = k % 2 ? 0.5 * (low + high) : low - below * (high - low) / (above - below);
    if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
    const double excess = volumeAt(middle) - wanted;
    if (std::abs(excess) <= 1e-15 * wanted) {
      low = high = middle;
      break;
    }
    (excess < 0.0 ? low : high) = middle;
    (excess < 0.0 ? below : above) = excess;
  }
  multiply(shape, high);
}

void scale(Shape& shape, const ImportOptions& o) {
  if (o.scale) multiply(shape, *o.scale);
  if (o.size) {
    shape::Aabb box;
    for (const Vec3& v : shape.vertices) box.add(v);
    const double side = 2.0 * box.halfSize().maxCoeff(), wanted = *o.size - 2.0 * shape.radius;
    if (!(wanted > 0.0))
      throw UsageError("--size includes the rounding: it must be more than twice the radius");
    if (side > 0.0) multiply(shape, wanted / side);
  }
  if (o.volume) scaleToVolume(shape, *o.volume);
  if (o.mass) scaleToVolume(shape, *o.mass / *o.density);
}

Shape importOne(const std::string& path, const ImportOptions& o, Diagnostics& diagnostics) {
  SurfaceMesh mesh = shape::readMeshFromFile(path);
  if (o.weld) mesh = shape::welded(mesh, *o.weld);
  mesh = shape::withoutLooseVertices(mesh);
  if (mesh.faces.empty())
    throw GeometryError(fmt::format("{}: no face is left; is --weld too large?", path));
  if (o.hull) {
    // Coordinates of scans are single precision: flat to that is flat.
    const shape::ConvexHull hull = shape::convexHull(mesh.vertices, 1e-7);
    if (hull.rank < 3)
      throw GeometryError(fmt::format("{}: the mesh is flat, its hull no solid", path));
    mesh.vertices = hull.points;
    mesh.faces = hull.faces;
  }
  Shape shape = shape::shapeFromMesh(mesh, o.radius);
  shape.name = o.name.empty() ? nameOf(path) : o.name;
  shape.isSurface = o.surface;
  if (!o.surface) {
    const shape::Core core = shape::coreOf(shape);
    if (!core.closed)
      throw GeometryError(fmt::format(
          "{}: the mesh is open ({} edge{} without a second face); close it, or import it with "
          "--surface as a surface that bounds no volume",
          path, core.openEdges, core.openEdges == 1 ? "" : "s"));
    if (core.turned) {
      diagnostics.warn(fmt::format("{}: faces are inside out or not wound alike; turned", path));
      shape.faces = core.faces;
    }
  }
  scale(shape, o);
  return shape;
}

}  // namespace

std::vector<Shape> imported(const ImportOptions& options, Diagnostics& diagnostics) {
  checkOptions(options);
  std::vector<Shape> shapes;
  std::set<std::string> names;
  for (const std::string& path : options.meshes) {
    shapes.push_back(importOne(path, options, diagnostics));
    if (!names.insert(shapes.back().name).second)
      throw UsageError(fmt::format(
          "two meshes make a shape '{}': import them one by one with --name", shapes.back().name));
  }
  return shapes;
}

}  // namespace scree::tools
