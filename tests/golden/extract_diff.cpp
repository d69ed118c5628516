// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs of 600 bodies that part between two files: extract names the step, the body, the
// quantity.
#include "heap_scenes.hpp"
#include "tool_test.hpp"

#include "scree/shape/shape_file.hpp"

namespace {

constexpr int interval = 50;  ///< steps between two files

/// Writes the case NAME/case.conf of 600 bodies and runs it for 3 intervals into NAME/out.
void runCase(const Folder& folder, const std::string& name, const std::string& drives) {
  scenes::Scene scene = scenes::heap("Default", {600});
  scene.conf.shapeFile = "shapes.shp";
  scene.conf.tmax = 3 * interval * scene.conf.dt;
  scene.conf.interConf = interval * scene.conf.dt;
  folder.write(name + "/shapes.shp", shape::shapesText(scene.shapes));
  folder.write(name + "/case.conf", sim::confText(scene.conf));
  if (!drives.empty()) folder.write(name + "/drivingSystem.txt", drives);
  const Outcome o = run(folder, fmt::format("rockable -q {0}/case.conf -o {0}/out", name));
  INFO(o.err);
  // Bodies that overlap so much at the start make energy.
  REQUIRE((o.code == 0 || o.code == 3));
}

}  // namespace

TEST_CASE("diff --first: a servo that starts, and the last bit of a file, in runs of 600 bodies",
          "[golden][extract][diff]") {
  const Folder folder;
  const double dt = 1e-4;
  runCase(folder, "a", "");
  // The plate, body 0, begins to move within step 68: between the files of steps 50 and 100.
  runCase(folder, "servo",
          fmt::format("Servo ramp _y_Vel_ 0 0 0.5 {} {}\n", 67.5 * dt, 135.0 * dt));
  const Outcome servo =
      expect(folder, "extract diff a/out servo/out --first --columns step,body,quantity", 3);
  bool plate = false;
  const auto lines = linesOf(servo.out);
  REQUIRE(lines.size() >= 2);
  for (std::size_t k = 1; k < lines.size(); ++k) {
    CHECK(lines[k].starts_with("68,"));
    plate |= lines[k] == "68,0,vy";
  }
  CHECK(plate);
  CHECK_THAT(servo.err, Contains("18 steps of each run"));

  // The last bit of one velocity of body 17 in a file, which no run wrote.
  sim::Conf conf = confAt(folder.path("a/out/conf2"));
  mustRun(folder, "cp -r a copy");
  double& vz = conf.particles[17].vel.z();
  vz = std::nextafter(vz, 9.0);
  folder.write("copy/out/conf2", sim::confText(conf));
  const Outcome bit = expect(folder, "extract diff a/out copy/out --columns step,body,quantity", 3);
  CHECK(linesOf(bit.out) == std::vector<std::string>{"step,body,quantity", "100,17,vz"});
  const Outcome first =
      expect(folder, "extract diff a/out copy/out --first --columns step,body,quantity", 3);
  CHECK(linesOf(first.out) == linesOf(bit.out));
  CHECK_THAT(first.err, Contains("conf2 differ") && Contains("50 steps of each run"));
}
