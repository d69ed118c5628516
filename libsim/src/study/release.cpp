// SPDX-License-Identifier: GPL-3.0-or-later
// Releases: one body above a terrain in each run.
#include "scree/base/parallel.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/terrain.hpp"
#include "scree/sim/study/study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

namespace scree::sim {

StudyCase releaseCase(const shape::Shape& body, std::optional<double> above, const Scene& terrain,
                      Table& runs, const PackSettings& settings, Diagnostics& diagnostics) {
  const Conf& conf = terrain.conf;
  Packing packing;
  std::vector<TerrainTriangle> triangles;
  packing.shapes = terrain.shapes;
  packing.boundaries = conf.boundaries;
  packing.cell = conf.cell;
  for (std::size_t k = 0; k < conf.nDriven; ++k) {
    const ParticleRecord& p = conf.particles[k];
    packing.bodies.push_back(
        {p.shapeName, p.group, p.cluster, true, p.homothety, p.pos, p.q, p.vel, p.vrot});
    addTriangles(terrain.shapes[p.shapeName], packing.bodies.back(), triangles);
  }
  if (triangles.empty())
    throw ModelError(
        fmt::format("{}: expected a terrain of driven bodies with faces", conf.source));
  const HeightField ground(std::move(triangles));
  keepUsedShapes(packing);
  if (shape::findShape(packing.shapes, body.name))
    throw ModelError(fmt::format("{}: has a shape '{}', too; give the body another name",
                                 conf.source, body.name));
  packing.shapes.push_back(body);

  const std::size_t x = runs.column("x"), y = x + 1, z = x + 2, q = runs.column("qw"),
                    v = runs.column("vx");
  std::vector<PlacedBody> bodies(runs.rows.size());
  std::vector<std::optional<double>> clear(bodies.size());
  parallelJobs(settings.threads, bodies.size(), [&](std::size_t k) {
    const auto at = [&](std::size_t c) { return numberOf(runs.rows[k][c]); };
    bodies[k] = {static_cast<std::uint32_t>(packing.shapes.size() - 1), 1, 1};
    bodies[k].q = Quat(at(q), at(q + 1), at(q + 2), at(q + 3)).normalized();
    bodies[k].vel = Vec3(at(v), at(v + 1), at(v + 2));
    clear[k] = ground.clearHeight(body, 1.0, bodies[k].q, at(x), at(z));
    if (clear[k] && above) runs.rows[k][y] = fmt::format("{}", *clear[k] + *above);
    bodies[k].pos = Vec3(at(x), at(y), at(z));
  });
  std::size_t fastest = 0;  // where it lands
  double most = -HUGE_VAL;
  const double gravity = settings.gravity.value_or(Vec3(0.0, -9.81, 0.0)).norm();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const Vec3& at = bodies[k].pos;
    if (!clear[k] || !(at.y() > *clear[k]))
      throw ModelError(fmt::format(
          "run {}: at x = {}, z = {} {}", std::get<std::string>(runs.rows[k][0]), at.x(), at.z(),
          clear[k] ? fmt::format("the body is clear of the terrain above y = {:.9g}; see --above",
                                 *clear[k])
                   : "there is no terrain below the body"));
    const double energy = 0.5 * bodies[k].vel.squaredNorm() + gravity * at.y();
    if (energy > most) most = energy, fastest = k;
  }
  packing.bodies.push_back(bodies[fastest]);
  CompletedConf done = completed(packing, settings, diagnostics);
  done.conf.shapeFile = "../shapes/release.shp";
  std::string text = confText(done.conf);
  const std::size_t line = text.rfind('\n', text.find("\nInteractions ") - 1) + 1;
  text.replace(
      line, text.find('\n', line) - line,
      fmt::format("{} 1 1 1 @x@ @y@ @z@ @vx@ @vy@ @vz@ 0 0 0 @qw@ @qx@ @qy@ @qz@ 0 0 0 0 0 0",
                  body.name));
  return {
      "", "conf0", {{"conf0", std::move(text)}}, shape::shapesText(packing.shapes), done.reasons};
}

}  // namespace scree::sim
