// SPDX-License-Identifier: GPL-3.0-or-later
// Covers of public meshes as users make them: what their files say of the mass of the body.
#include "tool_test.hpp"

#include "scree/base/math.hpp"

namespace {

template <class Fixed>
Fixed numbersOf(const json& list) {
  Fixed out;
  REQUIRE(list.size() == static_cast<std::size_t>(out.size()));
  for (Eigen::Index k = 0; k < out.size(); ++k) out.data()[k] = list[static_cast<std::size_t>(k)];
  return out;
}

}  // namespace

TEST_CASE("the file of a cover has the mass properties that shapeSurvey info states of the mesh",
          "[golden][clumpify][cover]") {
  const std::string mesh =
      publicData(GENERATE("authume/STL/SP3A.stl", "meshes/rock.stl", "meshes/Human_femur.stl"));
  if (mesh.empty()) return;
  INFO(mesh);
  const Folder folder;
  for (const char* file : {"cover.txt", "cover.shp"})
    mustRun(folder, "clumpify cover " + mesh + " --inside --spheres 4 -q -o " + file);
  const json body = jsonOf(folder, "shapeSurvey info " + mesh + " --json").at("shapes").at(0);
  const double volume = body.at("volume");
  const Vec3 centre = numbersOf<Vec3>(body.at("centre"));
  const Mat3 tensor = numbersOf<Mat3>(body.at("inertiaTensorPerMass"));
  const double size = std::cbrt(volume);

  const json pack =
      jsonOf(folder, "clumpify mass cover.txt --density 2600 --json").at("particles").at(0);
  CHECK(pack.at("method") == "given");
  CHECK(pack.at("spheres") == 4);
  CHECK(std::fabs(pack.at("mass").get<double>() / (2600.0 * volume) - 1.0) < 1e-12);
  CHECK((numbersOf<Vec3>(pack.at("centre")) - centre).norm() < 1e-12 * size);
  const Mat3 inertia = numbersOf<Mat3>(pack.at("inertiaTensor"));
  CHECK((inertia / (2600.0 * volume) - tensor).norm() < 1e-12 * tensor.norm());

  // A shape-file has the principal moments, and the frame of the shape turns them.
  const json shape = jsonOf(folder, "shapeSurvey info cover.shp --json").at("shapes").at(0);
  CHECK(std::fabs(shape.at("volume").get<double>() / volume - 1.0) < 1e-12);
  Vec3 found = numbersOf<Vec3>(shape.at("inertiaPerMass"));
  Vec3 wanted = numbersOf<Vec3>(body.at("inertiaPerMass"));
  std::sort(found.begin(), found.end());
  std::sort(wanted.begin(), wanted.end());
  CHECK((found - wanted).norm() < 1e-12 * wanted.norm());
}
