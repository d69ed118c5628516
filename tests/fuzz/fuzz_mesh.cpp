// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes are read as a mesh or refused with an Error, and so is any mesh as a
// solid. A solid has a positive volume, and a box that is finite. Each step of an import either
// refuses or gives finite coordinates. What was read comes back the same from each format that
// holds it to the bit.
#include "bounds.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace scree;

bool same(const shape::SurfaceMesh& a, const shape::SurfaceMesh& b) {
  return a.vertices == b.vertices && a.faces == b.faces;
}

/// Written and read again in each format that holds it to the bit.
void tryRoundTrip(const shape::SurfaceMesh& mesh) {
  for (const char* name : {"again.obj", "again.ply", "again.off"}) {
    const shape::MeshFormat format = shape::meshFormatOf(name);
    const std::string once = shape::meshBytes(mesh, format);
    const shape::SurfaceMesh again = shape::readMesh(name, once);
    if (!same(mesh, again) || shape::meshBytes(again, format) != once) std::abort();
  }
}

/// Steps of import; it refuses coordinates beyond this before.
void tryImport(const shape::SurfaceMesh& mesh) {
  if (mesh.vertices.size() > 60) return;
  for (const Vec3& v : mesh.vertices)
    if (!(v.cwiseAbs().maxCoeff() <= 1e50)) return;
  const auto attempt = [](auto&& step) {
    try {
      const shape::SurfaceMesh result = step();
      for (const Vec3& v : result.vertices)
        if (!v.allFinite()) std::abort();
    } catch (const GeometryError&) {
    }
  };
  shape::findings(shape::checkMesh(mesh));
  attempt([&] { return shape::mergedCoplanar(mesh, 3.0).mesh; });
  attempt([&] { return shape::filledHoles(mesh).mesh; });
  attempt([&] { return shape::simplified(mesh, 5); });
  attempt([&] { return shape::insetBy(mesh, 0.05).skeleton; });
  attempt([&] {
    shape::convexParts(mesh, 3);
    return mesh;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // The search for the least box takes some seconds a solid under sanitizers: few get one.
  bool leastBox = size % 128 == 0;
  shape::SurfaceMesh before;
  for (const char* name : {"fuzz", "fuzz.stl", "fuzz.obj", "fuzz.ply", "fuzz.off"}) {
    try {
      shape::SurfaceMesh mesh;
      {
        const fuzz::ReadingBounds bounds(size);
        mesh = shape::readMesh(name, bytes);
      }
      if (size < 20'000) tryRoundTrip(mesh);
      if (mesh.vertices.size() > 200 || mesh.faces.size() > 1000)
        continue;                        // the geometry of small ones is as odd, and quicker
      if (same(mesh, before)) continue;  // the guessed format and its own name are one mesh
      before = mesh;
      tryImport(mesh);
      for (const double radius : {0.0, 0.1}) {
        shape::Shape s = shape::shapeFromMesh(shape::withoutLooseVertices(mesh), radius);
        try {
          mass::survey(s, {.box = leastBox ? shape::BoxMethod::minimum : shape::BoxMethod::pca});
          leastBox = false;
          if (!(s.volume > 0.0) || !s.obb.extent.allFinite() || !s.vertices[0].allFinite())
            std::abort();
        } catch (const GeometryError&) {
          s.isSurface = true;
        }
        shape::roundedSurface(s, 2);
      }
    } catch (const Error&) {
    }
  }
  return 0;
}
