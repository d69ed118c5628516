// SPDX-License-Identifier: GPL-3.0-or-later
// Cases for exaDEM 1.2: its dialect of shape-files and conf-files, and a run file in YAML.
#include "exchange/targets.hpp"

#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace scree::sim {
namespace {

std::string list(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

/// A shape in the size of a body, for readers without homothety and without radii of vertices.
shape::Shape inSize(shape::Shape s, double h, const std::string& name) {
  if (std::ranges::any_of(s.radii, [&](double r) { return r != s.radius; }))
    throw ModelError(fmt::format(
        "shape '{}' has vertices of different radii; clumpify cover --equal makes others", s.name));
  s.radii.clear();
  s.name = name;
  s.preCompDone = true;
  for (Vec3& v : s.vertices) v *= h;
  s.radius *= h;
  s.obb.extent *= h;
  s.obb.centre *= h;
  s.volume *= h * h * h;
  s.inertiaPerMass *= h * h;
  return s;
}

/// The free bodies as exaDEM knows them: its reader takes densities by the number of the shape, and
/// homothety 1. @param shapes  gets those of the conf-file, in its order
Conf confOf(const ExportCase& given, std::vector<shape::Shape>& shapes) {
  Conf conf;
  conf.t = given.conf.t;
  conf.tmax = given.conf.tmax;
  conf.dt = given.conf.dt;
  conf.interConf = given.conf.interConf;
  conf.gravity = given.conf.gravity;
  conf.shapeFile = "case.shp";
  std::map<std::tuple<std::uint32_t, double, double>, std::uint32_t> numbers;
  std::set<std::string> taken;
  for (std::size_t k = given.conf.nDriven; k < given.conf.particles.size(); ++k) {
    ParticleRecord p = given.conf.particles[k];
    const double density = given.conf.densityOf(p.group);
    const auto next = static_cast<std::uint32_t>(shapes.size());
    const auto [number, isNew] = numbers.try_emplace({p.shapeName, p.homothety, density}, next);
    if (isNew) {
      std::string name = given.conf.shapeNameOf(p);
      while (!taken.insert(name).second) name += fmt::format("_{}", next);
      shapes.push_back(inSize(given.instant.shapeOf(k), p.homothety, name));
      conf.shapeNames.push_back(name);
      conf.setDensity(next, density);
    }
    p.shapeName = number->second;
    p.homothety = 1.0;
    conf.particles.push_back(p);
  }
  return conf;
}

/// Cells along the axes. @param size  [L] of a cell, at least as given; @param low  of the domain
Vec3 cellsOf(const ExportCase& given, double& size, Vec3& low) {
  const Mat3& h = given.conf.cell.h;
  if (!given.conf.cell.used) {
    shape::Aabb box;
    for (std::size_t k = given.conf.nDriven; k < given.conf.particles.size(); ++k)
      box.add(given.conf.particles[k].pos);
    box = box.grown(given.reach);
    low = box.low;
    const auto cells = [&]() -> Vec3 { return (2.0 * box.halfSize() / size).array().ceil(); };
    const double most = 8.0 * static_cast<double>(given.conf.particles.size()) + 1000.0;
    while (cells().prod() > most) size *= 1.25;
    return cells();
  }
  // Cells are cubes, and exaDEM lengthens a period that is not a whole number of them.
  const Vec3 extent = h.diagonal();
  const double least = size;
  for (double n = std::floor(extent.minCoeff() / least); h.isDiagonal(0.0) && n >= 1.0; n -= 1.0) {
    size = extent.minCoeff() / n;
    const Vec3 cells = extent / size, whole = cells.array().round();
    if (((cells - whole).array().abs() <= 1e-9 * whole.array()).all()) return whole;
  }
  throw ModelError(fmt::format(
      "{}: exaDEM needs a periodic cell along the axes, of multiples of one length of at least "
      "{}; these are {} {} {}",
      given.conf.source, least, extent.x(), extent.y(), extent.z()));
}

/// Rows of law parameters for pairs, as lists of one length.
struct LawLists {
  std::array<std::vector<double>, 7> columns;

  void add(double first, double second, const LinearContact& c) {
    const std::array row{first, second, c.kn, c.kt, 0.0, c.mu, c.damping};
    for (std::size_t k = 0; k < row.size(); ++k) columns[k].push_back(row[k]);
  }
  std::string text(std::string_view first, std::string_view second) const {
    const std::string_view names[] = {first, second, "kn", "kt", "kr", "mu", "damprate"};
    std::string lines;
    for (std::size_t k = 0; k < columns.size(); ++k)
      lines += fmt::format("      {}: [{}]\n", names[k], fmt::join(columns[k], ", "));
    return lines;
  }
};

/// The driver of a wall. @param motion  with the words that it needs
std::string driver(const char* kind, std::size_t id, const std::string& file,
                   const std::string& state, const std::string& motion = "STATIONARY") {
  return fmt::format(
      "  - register_{}: {{ id: {}, {}state: {{ {} }}, params: {{ motion_type: {} }} }}\n", kind, id,
      file, state, motion);
}

/// The driver of a driven body: its shape, which moves as drives impose it all the time.
std::string bodyDriver(const ExportCase& given, std::size_t body, const std::string& file) {
  const ParticleRecord& p = given.conf.particles[body];
  Vec3 vel = Vec3::Zero(), spin = Vec3::Zero();
  for (const Control& c : constantControls(given.scene.drives))
    if (c.body == body && c.what == Imposed::velocity)
      vel += c.value;
    else if (c.body == body && c.what == Imposed::spin)
      spin += c.value;
  const double speed = vel.norm();
  return driver("rshape", body,
                fmt::format("filename: {}, minkowski: {}, ", file,
                            p.homothety * given.instant.shapeOf(body).radius),
                fmt::format("center: {}, vel: {}, vrot: {}, quat: [{}, {}, {}, {}]", list(p.pos),
                            list(vel), list(spin), p.q.w(), p.q.x(), p.q.y(), p.q.z()),
                speed == 0.0 ? "STATIONARY"
                             : fmt::format("LINEAR_MOTION, motion_vector: {}, const_vel: {}",
                                           list(vel / speed), speed));
}

/// The driver of a round or endless wall, which is no cone.
std::string wallDriver(const Boundary& b, std::size_t id) {
  const std::string centre = fmt::format("center: {}, radius: {}", list(b.centre), b.radius);
  if (b.kind == Boundary::Kind::ball) return driver("ball", id, "", centre);
  if (b.kind == Boundary::Kind::plane)
    return driver("surface", id, "",
                  fmt::format("normal: {}, offset: {}", list(b.axis), b.axis.dot(b.centre)));
  // `axis` is a mask: 1 where the distance from the axis counts.
  return driver("cylinder", id, "",
                fmt::format("{}, axis: {}, vrot: {}", centre,
                            list(Vec3::Ones() - Vec3(Vec3::Unit(cylinderAxis(b)))), list(b.spin)));
}

}  // namespace

std::map<std::string, std::string> exademFiles(const ExportCase& given) {
  const Conf& conf = given.conf;
  std::vector<shape::Shape> shapes;
  std::string text = confText(confOf(given, shapes));
  text.insert(text.find('\n') + 1, "# For exaDEM: densities are by shape, not by group.\n");
  std::map<std::string, std::string> files{{"case.conf", text},
                                           {"case.shp", shape::shapesText(shapes)}};

  std::string drivers;
  std::vector<std::uint32_t> groupOfDriver;
  std::map<std::pair<std::uint32_t, double>, std::string> wallFiles;
  for (std::size_t k = 0; k < conf.nDriven; ++k) {
    const ParticleRecord& p = conf.particles[k];
    std::string& file = wallFiles[{p.shapeName, p.homothety}];
    if (file.empty()) {
      file = fmt::format("wall{}.shp", wallFiles.size() - 1);
      files[file] =
          shape::shapesText({inSize(given.instant.shapeOf(k), p.homothety, conf.shapeNameOf(p))});
    }
    drivers += bodyDriver(given, k, file);
    groupOfDriver.push_back(p.group);
  }
  for (const Boundary& b : conf.boundaries)
    if (b.kind != Boundary::Kind::cone) {
      drivers += wallDriver(b, groupOfDriver.size());
      groupOfDriver.push_back(b.group);
    }

  // All pairs from 0 on: one that is missing would have no stiffness.
  const std::uint32_t last = *given.groups.rbegin();
  if (last > 999)
    throw ModelError(fmt::format("{}: exaDEM gets groups up to 999, found {}", conf.source, last));
  LawLists pairs, walls;
  for (std::uint32_t g = 0; g <= last; ++g) {
    for (std::uint32_t h = g; h <= last; ++h) pairs.add(g, h, linearContact(conf, g, h));
    for (std::size_t d = 0; d < groupOfDriver.size(); ++d)
      walls.add(g, static_cast<double>(d), linearContact(conf, g, groupOfDriver[d]));
  }
  std::string lists;
  if (!drivers.empty()) {
    drivers.insert(0, "setup_drivers:\n");
    lists = "  - drivers_contact_params:\n" + walls.text("group", "driver_id");
  }

  const double skin = 0.1 * given.reach;
  double size = 2.0 * given.reach + skin;
  Vec3 low = Vec3::Zero();
  const Vec3 cells = cellsOf(given, size, low);
  files["case.msp"] = fmt::format(
      R"(# {remark}
# mpirun -n 8 exaDEM case.msp --omp_num_threads 4
grid_flavor: grid_flavor_dem
includes: [ config_polyhedra.msp ]
io_tree:
  - io_config: {{ dir_name: OUT }}
{drivers}input_data:
  - read_conf_rockable: {{ filename: case.conf, bounds_mode: DOMAIN }}
  - multimat_contact_params:
{pairs}{walls}compute_force:
  - gravity_force: {{ gravity: {gravity} }}
  - contact_multimat_polyhedron
# States that packgen import reads, also the first one.
dump_data_xyz:
  - timestep_file: "case_%09d.xyz"
  - write_xyz: {{ fields: [ id, type, group, homothety, orient, velocity, vrot ] }}
iteration_dump_writer: [ dump_data_particles, dump_data_xyz ]
# The stock list, with force_to_accel: without it the first half step takes forces for accelerations.
first_iteration: [ init_particle_regions, init_particles, reset_force_moment, compute_force, force_to_accel, dt_critical,
                   default_thermodynamic_state, default_print_thermodynamic_state: {{ print_header: true }},
                   dump_data_paraview, dump_data_xyz, next_time_step ]
domain: {{ bounds: [{low}, {high}], grid_dims: {cells}, cell_size: {size},
          periodic: [{periodic}, {periodic}, {periodic}], expandable: true }}
global: {{ dt: {dt}, rcut_inc: {skin}, simulation_end_iteration: {steps}, simulation_log_frequency: {every},
          simulation_dump_frequency: {every}, simulation_paraview_frequency: {every} }}
)",
      fmt::arg("remark", given.remark), fmt::arg("drivers", drivers),
      fmt::arg("pairs", pairs.text("group1", "group2")), fmt::arg("walls", lists),
      fmt::arg("gravity", list(conf.gravity)), fmt::arg("low", list(low)),
      fmt::arg("high", list(low + size * cells)), fmt::arg("cells", list(cells)),
      fmt::arg("size", size), fmt::arg("periodic", conf.cell.used), fmt::arg("dt", conf.dt),
      fmt::arg("skin", skin), fmt::arg("steps", given.steps), fmt::arg("every", given.every));
  return files;
}

}  // namespace scree::sim
