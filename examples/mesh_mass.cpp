// SPDX-License-Identifier: GPL-3.0-or-later
// Volume, centre and inertia of the solid that a closed mesh bounds: STL, OBJ, PLY or OFF.
// Usage: mesh_mass FILE [DENSITY]
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <scree/mass/moments.hpp>
#include <scree/shape/mesh.hpp>
#include <scree/shape/mesh_check.hpp>

int main(int count, char** arguments) {
  using namespace scree;
  if (count < 2) {
    std::fprintf(stderr, "usage: mesh_mass FILE [DENSITY]\n");
    return 2;
  }
  try {
    const shape::SurfaceMesh mesh = shape::readMeshFromFile(arguments[1]);
    const shape::MeshCheck check = shape::checkEdges(mesh.faces);
    if (!check.closed() || !check.manifold() || !check.oriented()) {
      std::fprintf(stderr, "%s: not a closed surface with its faces outwards\n", arguments[1]);
      return 3;
    }
    const double density = count > 2 ? std::atof(arguments[2]) : 1.0;
    const mass::SolidProperties solid =
        mass::solidProperties(mass::meshMoments(mesh.vertices, mesh.faces));
    const mass::PrincipalFrame frame = mass::principalFrame(solid.inertiaPerMass);
    const double mass = density * solid.volume;
    std::printf("volume  %.9g\nmass    %.9g\n", solid.volume, mass);
    std::printf("centre  %.9g %.9g %.9g\n", solid.centre.x(), solid.centre.y(), solid.centre.z());
    std::printf("moments %.9g %.9g %.9g\n", mass * frame.moments[0], mass * frame.moments[1],
                mass * frame.moments[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
