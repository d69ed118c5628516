// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any bytes are read as a mesh or refused with an Error, and so is any mesh as a
// solid; a solid has a positive volume, and a box that is finite.
#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh_io.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace scree;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto format :
       {shape::MeshFormat::guess, shape::MeshFormat::stl, shape::MeshFormat::obj,
        shape::MeshFormat::ply, shape::MeshFormat::off}) {
    try {
      const shape::SurfaceMesh mesh = shape::readMesh("fuzz", bytes, format);
      if (mesh.vertices.size() > 200)
        continue;  // the geometry of small ones is as odd, and quicker
      for (const double radius : {0.0, 0.1}) {
        shape::Shape s = shape::shapeFromMesh(shape::withoutLooseVertices(mesh), radius);
        try {
          mass::survey(s);
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
