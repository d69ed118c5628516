// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/files.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/shape_file.hpp"

#include <cctype>
#include <filesystem>
#include <utility>

namespace scree::shape {

bool namesMesh(const std::string& path) {
  std::string ending = std::filesystem::path(withoutZst(path)).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending == ".stl" || ending == ".obj" || ending == ".ply" || ending == ".off";
}

std::vector<Shape> readShapesOrMesh(const std::string& path, Diagnostics& diagnostics) {
  if (!namesMesh(path)) return readShapesFromFile(path, diagnostics);
  const SurfaceMesh mesh = readMeshFromFile(path);
  for (const Vec3& v : mesh.vertices)
    if (!(v.cwiseAbs().maxCoeff() <= 1e50))
      throw GeometryError(path +
                          ": a coordinate is beyond 1e50: moments would leave the range of "
                          "double");
  Shape shape = shapeFromMesh(mesh, 0.0);
  shape.name = std::filesystem::path(withoutZst(path)).stem().string();
  shape.isSurface = !coreOf(shape).closed;
  return {std::move(shape)};
}

}  // namespace scree::shape
