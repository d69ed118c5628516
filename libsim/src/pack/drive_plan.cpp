// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "loads.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/stress.hpp"
#include "scree/sim/pack/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace scree::sim {
namespace {

struct DriveForm {
  std::string_view name, arguments;
  std::size_t numbers;
};
/// In the order of DrivePlan::Kind.
constexpr std::array<DriveForm, 6> driveForms{{{"isotropic", "P", 1},
                                               {"triaxial", "P,RATE,STRAIN", 3},
                                               {"oedometer", "P", 1},
                                               {"shear", "P,RATE,STRAIN", 3},
                                               {"drum", "SPIN", 1},
                                               {"vibration", "A,F", 2}}};
constexpr double inertialNumber = 1e-3, froudeNumber = 5e-3, acceleration = 2.0;  // [-], in g

/// Largest over smallest stress of a triaxial test, (1 + sin φ) / (1 - sin φ) at a friction angle φ
/// of 37 degrees.
constexpr double triaxialStressRatio = 4.0;

std::string number(double x) { return fmt::format("{}", x); }

/// Means over the free bodies.
struct Grains {
  double size = 0.0;     ///< [L] diameter of a ball of the mean volume
  double density = 0.0;  ///< [M/L³]
  double mass = 0.0;     ///< [M] of all
};
Grains grainsOf(const Instant& instant) {
  double volume = 0.0;
  Grains g;
  const std::size_t driven = instant.conf().nDriven;
  for (std::size_t k = driven; k < instant.bodyCount(); ++k) {
    volume += instant.volumes()[k];
    g.mass += instant.masses()[k];
  }
  if (!(volume > 0.0)) throw ModelError("--drive: there are no free bodies");
  const double mean = volume / static_cast<double>(instant.bodyCount() - driven);
  g.size = elementary::pow(6.0 / pi * mean, 1.0 / 3.0);
  g.density = g.mass / volume;
  return g;
}

int gravityAxis(const Conf& conf) {
  int axis = 1;
  conf.gravity.cwiseAbs().maxCoeff(&axis);
  return conf.gravity.isZero(0.0) ? 1 : axis;
}

/// Six walls x-, x+, y-, y+, z-, z+; nothing where one is missing.
std::optional<std::array<WallFace, 6>> sixFaces(const Instant& instant) {
  const std::vector<WallFace> faces = wallFaces(instant);
  if (faces.size() != 6) return {};
  std::array<WallFace, 6> six;
  std::copy(faces.begin(), faces.end(), six.begin());
  return six;
}

std::string list(const std::array<WallFace, 6>& faces) {
  std::string text;
  for (const WallFace& face : faces) text += fmt::format(" {}", face.body);
  return text;
}

[[noreturn]] void refuseWalls(const std::string& what) {
  throw ModelError(fmt::format(
      "{} needs six flat walls square to the axes, a periodic cell, or a cylinder with two flat "
      "ends: --walls, or a container that has them",
      what));
}

/// The cylinder about `axis` that stands around the bodies, if that is the only round wall.
const Boundary* cylinderAbout(const Conf& conf, int axis) {
  if (conf.boundaries.size() != 1 || conf.boundaries[0].kind != Boundary::Kind::cylinder)
    return nullptr;
  return std::abs(conf.boundaries[0].axis[axis]) > 1.0 - 1e-12 ? &conf.boundaries[0] : nullptr;
}

void giveCellMass(Conf& conf, const Grains& grains) {
  if (conf.cell.mh > 0.0) return;
  conf.cell.mh = 1.0;
  if (conf.cell.dh > 0.0) return;
  // A cell of mass M swings in about 2 (L/d) contact times, of 25 steps each; critical damping is
  // 4 pi M over that period.
  const double length = conf.cell.h.colwise().norm().mean();
  const double period = 2.0 * length / grains.size * 25.0 * conf.dt;
  conf.cell.dh = roundedDown(pi * grains.mass / period);
}

std::string extractorLine(const Conf& conf, const std::string& what, const std::string& file) {
  const double steps = conf.tmax / conf.dt / 1000.0;
  return fmt::format("{} {} {}\n", what, file,
                     std::max<long long>(1, static_cast<long long>(std::floor(steps))));
}

double chosenRate(const DrivePlan& plan, const Grains& grains, DriveFiles& files) {
  if (plan.rate) return *plan.rate;
  const double rate =
      roundedDown(inertialNumber / (grains.size * std::sqrt(grains.density / plan.pressure)));
  files.reasons.push_back(fmt::format(
      "rate of strain {:.6g} 1/s: inertial number rate d sqrt(rho/p) {:g} with d = {:.4g} m, rho = "
      "{:.4g} kg/m3, p = {:.4g} Pa",
      rate, inertialNumber, grains.size, grains.density, plan.pressure));
  return rate;
}

void setDuration(const DrivePlan& plan, double rate, bool keep, Conf& conf, DriveFiles& files) {
  if (keep) return;
  conf.tmax = plan.strain / rate;
  conf.interConf = std::max(conf.tmax / 50.0, conf.dt);
  files.reasons.push_back(fmt::format("tmax {:.6g} s, interConf {:.6g} s: strain {:g} at that rate",
                                      conf.tmax, conf.interConf, plan.strain));
}

double turningRadius(const Conf& conf, std::span<const shape::Shape> shapes) {
  for (const Boundary& b : conf.boundaries)
    if (b.kind == Boundary::Kind::cylinder) return b.radius;
  if (conf.nDriven == 0)
    throw ModelError("--drive drum: there is no cylinder and no driven body to turn");
  double far = 0.0;  // of body 0, which turns about z
  const ParticleRecord& p = conf.particles[0];
  for (const Vec3& v : shapes[p.shapeName].vertices) {
    const Vec3 x = rotated(p.q, p.homothety * v);
    far = std::max(far, std::sqrt(x.x() * x.x() + x.y() * x.y()));
  }
  return far;
}

double chosenSpin(const DrivePlan& plan, const Conf& conf, std::span<const shape::Shape> shapes) {
  if (plan.spin) return *plan.spin;
  const double g = conf.gravity.norm();
  return g > 0.0 ? roundedDown(std::sqrt(froudeNumber * g / turningRadius(conf, shapes))) : 1.0;
}

struct Shaking {
  double amplitude, frequency;
};
Shaking shaking(const DrivePlan& plan, const Conf& conf, const Grains& grains) {
  const double g = conf.gravity.norm() > 0.0 ? conf.gravity.norm() : 9.81;
  const double amplitude = plan.amplitude.value_or(roundedDown(0.05 * grains.size));
  return {amplitude, plan.frequency.value_or(
                         roundedDown(std::sqrt(acceleration * g / amplitude) / (2.0 * pi)))};
}

void turn(const DrivePlan& plan, Conf& conf, std::span<const shape::Shape> shapes,
          DriveFiles& files) {
  const double spin = chosenSpin(plan, conf, shapes);
  const double radius = turningRadius(conf, shapes), g = conf.gravity.norm();
  if (!plan.spin && g > 0.0)
    files.reasons.push_back(
        fmt::format("spin {:.6g} 1/s: Froude number spin^2 R / g {:g} with R = {:.4g} m", spin,
                    froudeNumber, radius));
  Vec3 axis = Vec3::UnitZ();
  bool round = false;
  for (Boundary& b : conf.boundaries) {
    if (b.kind != Boundary::Kind::cylinder) continue;
    b.spin = spin * b.axis;
    axis = b.axis;
    round = true;
  }
  if (const auto faces = wallFaces(Instant(conf, shapes));
      !round && std::ranges::find(faces, BodyId{0}, &WallFace::body) != faces.end())
    throw ModelError(
        "--drive drum: body 0, which would turn, is a flat wall; --container drum:R,L has a round "
        "wall, and a table may have a drum as its first driven body");
  int along = 0;
  axis.cwiseAbs().maxCoeff(&along);
  files.driving = fmt::format("# {} by {} 1/s about {}.\n",
                              round ? "The ends of the drum turn with its round wall, which the "
                                      "conf-file turns,"
                                    : "Body 0 turns",
                              number(spin), "xyz"[along]);
  for (std::uint32_t k = 0; k < (round ? conf.nDriven : 1U); ++k)
    files.driving += fmt::format("Control _{}rot_Vel_ {} {}\n", "xyz"[along], k,
                                 number(axis[along] > 0.0 ? spin : -spin));
  files.extractors = extractorLine(conf, "MeanVelocity", "mean-velocity.txt");
}

void shake(const DrivePlan& plan, Conf& conf, const Grains& grains, DriveFiles& files) {
  if (!conf.boundaries.empty())
    throw ModelError("--drive vibration: round walls do not vibrate; take a box or --walls");
  if (conf.nDriven == 0) throw ModelError("--drive vibration: there is no driven body to shake");
  const Shaking s = shaking(plan, conf, grains);
  if (!plan.amplitude)
    files.reasons.push_back(
        fmt::format("amplitude {:.6g} m, frequency {:.6g} Hz: a twentieth of "
                    "the mean size, and accelerations of {:g} g",
                    s.amplitude, s.frequency, acceleration));
  const Vec3 direction = Vec3::Unit(gravityAxis(conf));
  files.driving = "# All driven bodies shake along gravity.\n";
  for (std::uint32_t k = 0; k < conf.nDriven; ++k)
    files.driving +=
        fmt::format("Servo shaker {}  {:g} {:g} {:g}  {} {}\n", k, direction.x(), direction.y(),
                    direction.z(), number(s.amplitude), number(s.frequency));
  files.extractors = extractorLine(conf, "TrackBody 0", "wall0.txt") +
                     extractorLine(conf, "MeanVelocity", "mean-velocity.txt");
}

}  // namespace

DrivePlan DrivePlan::parse(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  const auto form = std::ranges::find(driveForms, name, &DriveForm::name);
  if (form == driveForms.end()) {
    std::vector<std::string_view> names;
    for (const DriveForm& f : driveForms) names.push_back(f.name);
    throw UsageError(fmt::format("--drive: unknown drive '{}'{}; drives are {}", name.substr(0, 40),
                                 suggestion(name, names), fmt::join(names, " ")));
  }
  DrivePlan plan;
  plan.kind = static_cast<Kind>(form - driveForms.begin());
  plan.text = text;
  // A drum may turn, and a cell be sheared, either way.
  const std::optional<std::size_t> either = plan.kind == Kind::drum    ? std::optional(0UL)
                                            : plan.kind == Kind::shear ? std::optional(1UL)
                                                                       : std::nullopt;
  const auto v = numbersOf("--drive", text, form->numbers,
                           fmt::format("{}:{}", form->name, form->arguments), either);
  const auto at = [&](std::size_t k) { return v.size() > k ? v[k] : std::nullopt; };
  if (plan.hasPressure()) {
    plan.pressureGiven = at(0).has_value();
    plan.pressure = at(0).value_or(plan.pressure);
    plan.rate = at(1);
    plan.strain = at(2).value_or(plan.strain);
    if (plan.kind == Kind::triaxial && !(plan.strain < 1.0))
      throw UsageError(fmt::format(
          "--drive {}: expected a strain below 1, at which no height is left, found {:.6g}",
          text.substr(0, 60), plan.strain));
  } else if (plan.kind == Kind::drum) {
    plan.spin = at(0);
  } else {
    plan.amplitude = at(0);
    plan.frequency = at(1);
  }
  return plan;
}

PressedAxes pressedAxes(const std::string& text) {
  PressedAxes axes{};
  for (const char c : text) {
    if (c < 'x' || c > 'z' || axes[static_cast<std::size_t>(c - 'x')])
      throw UsageError(
          fmt::format("--axes: expected x, y, z or several of them, found '{}'", text));
    axes[static_cast<std::size_t>(c - 'x')] = true;
  }
  if (text.empty()) throw UsageError("--axes: expected x, y, z or several of them, found nothing");
  return axes;
}

std::string pressureLines(Conf& conf, std::span<const shape::Shape> shapes, double pressure,
                          const PressedAxes& axes) {
  const Instant instant(conf, shapes);
  const auto count = std::ranges::count(axes, true);
  const auto first = [&](bool pressed) {
    return static_cast<int>(std::ranges::find(axes, pressed) - axes.begin());
  };
  if (conf.cell.used) {
    giveCellMass(conf, grainsOf(instant));
    if (count == 3) return fmt::format("PeriodicLoading IsotropicCompression {}\n", pressure);
    if (count == 2)
      return fmt::format("PeriodicLoading TriaxialCompression {} {} 0\n", "XYZ"[first(false)],
                         pressure);
    return fmt::format("PeriodicLoading UniaxialCompression {} {}\n", "XYZ"[first(true)], pressure);
  }
  if (const auto six = sixFaces(instant); six && conf.boundaries.empty()) {
    std::string text = "Servo tritriCustom" + list(*six);
    for (const bool pressed : axes)
      text += pressed ? fmt::format("  0 0 1 {}", pressure) : "  0 0 0 0";
    return text + "\n";
  }
  const int axis = first(true);
  const Boundary* cylinder = count == 1 ? cylinderAbout(conf, axis) : nullptr;
  std::vector<WallFace> ends;
  for (const WallFace& face : wallFaces(instant))
    if (face.axis == axis) ends.push_back(face);
  if (!cylinder || ends.size() != 2) refuseWalls("a pressure");
  const double area = pi * cylinder->radius * cylinder->radius;
  return fmt::format("Control _{}_For_ {} {}\n", "xyz"[axis], ends[1].body, -pressure * area);
}

double pressingTime(const Conf& conf, std::span<const shape::Shape> shapes, double pressure) {
  const Grains grains = grainsOf(Instant(conf, shapes));
  return 500.0 * grains.size * std::sqrt(grains.density / pressure);
}

double pressingEnergy(const Conf& conf, std::span<const shape::Shape> shapes, double pressure,
                      double overlap) {
  const Grains grains = grainsOf(Instant(conf, shapes));
  return 1.5 * overlap * pressure * grains.mass / grains.density / 0.6;
}

DriveFiles driveFiles(const DrivePlan& plan, Conf& conf, std::span<const shape::Shape> shapes,
                      bool keepDuration) {
  using Kind = DrivePlan::Kind;
  DriveFiles files;
  const Instant instant(conf, shapes);
  const Grains grains = grainsOf(instant);
  if (plan.kind == Kind::drum) {
    turn(plan, conf, shapes, files);
    return files;
  }
  if (plan.kind == Kind::vibration) {
    shake(plan, conf, grains, files);
    return files;
  }
  files.driving = fmt::format("# {} under {} Pa.\n",
                              driveForms[static_cast<std::size_t>(plan.kind)].name, plan.pressure);
  const auto six = sixFaces(instant);
  if (plan.kind == Kind::isotropic || plan.kind == Kind::oedometer) {
    const bool all = plan.kind == Kind::isotropic;
    files.driving += pressureLines(conf, shapes, plan.pressure, {all, true, all});
  } else {
    if (plan.kind == Kind::shear && !conf.cell.used)
      throw ModelError("--drive shear needs a periodic cell: --container periodic:LX,LY,LZ");
    if (!conf.cell.used && (!six || !conf.boundaries.empty())) refuseWalls("--drive triaxial");
    const double rate = chosenRate(plan, grains, files);
    setDuration(plan, std::abs(rate), keepDuration, conf, files);
    if (conf.cell.used) {
      giveCellMass(conf, grains);
      files.driving +=
          plan.kind == Kind::shear
              ? fmt::format("PeriodicLoading SimpleShearDeformable XY {} {}\n", plan.pressure, rate)
              : fmt::format("PeriodicLoading TriaxialCompression Y {} {}\n", plan.pressure, -rate);
    } else {
      const double height = (*six)[3].position - (*six)[2].position;
      files.driving += fmt::format(
          "# The wall y+ moves in by {} 1/s of the height {} m at the start.\n"
          "Servo tritriBiaxialCompression{}  {} {}\n",
          rate, height, list(*six), plan.pressure, rate * height);
    }
  }
  if (conf.cell.used) {
    files.extractors = extractorLine(conf, "MeanVelocity", "mean-velocity.txt");
    return files;
  }
  for (const WallFace& face : wallFaces(instant))
    if (face.side > 0)
      files.extractors += extractorLine(conf, fmt::format("TrackBody {}", face.body),
                                        fmt::format("wall-{}.txt", "xyz"[face.axis]));
  return files;
}

std::vector<PairValue> roughWalls(const DrivePlan& plan, const Conf& conf,
                                  std::span<const shape::Shape> shapes) {
  if (plan.kind != DrivePlan::Kind::isotropic && plan.kind != DrivePlan::Kind::triaxial) return {};
  const auto six = conf.cell.used ? std::nullopt : sixFaces(Instant(conf, shapes));
  if (!six) return {};
  std::set<std::uint32_t> walls, free;
  for (const WallFace& face : *six) walls.insert(conf.particles[face.body].group);
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k)
    free.insert(conf.particles[k].group);
  std::vector<PairValue> rough;
  for (const std::uint32_t wall : walls)
    for (const std::uint32_t group : free)
      if (const double mu = conf.lawParameter("muContact", wall, group); mu > 0.0)
        rough.push_back({wall, group, mu});
  return rough;
}

DriveLoad driveLoad(const DrivePlan& plan, const Conf& conf, std::span<const shape::Shape> shapes) {
  DriveLoad load;
  if (plan.hasPressure())
    load.pressure = plan.kind == DrivePlan::Kind::triaxial ? triaxialStressRatio * plan.pressure
                                                           : plan.pressure;
  if (plan.kind == DrivePlan::Kind::drum)
    load.speed = std::abs(chosenSpin(plan, conf, shapes)) * turningRadius(conf, shapes);
  if (plan.kind == DrivePlan::Kind::vibration) {
    const Shaking s = shaking(plan, conf, grainsOf(Instant(conf, shapes)));
    load.speed = 2.0 * pi * s.frequency * s.amplitude;
  }
  return load;
}

}  // namespace scree::sim
