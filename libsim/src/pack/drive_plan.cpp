// SPDX-License-Identifier: GPL-3.0-or-later
#include "loads.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/stress.hpp"
#include "scree/sim/pack/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// In the order of DrivePlan::Kind.
constexpr std::array<OptionForm, 6> driveForms{{{"isotropic", "P", 1},
                                                {"triaxial", "P,RATE,STRAIN", 3},
                                                {"oedometer", "P", 1},
                                                {"shear", "P,RATE,STRAIN", 3},
                                                {"drum", "SPIN", 1},
                                                {"vibration", "A,F", 2}}};
constexpr double inertialNumber = 1e-3, froudeNumber = 5e-3, acceleration = 2.0;  // [-], in g

/// Largest over smallest stress of a triaxial test, (1 + sin φ) / (1 - sin φ), φ = 37 degrees.
constexpr double triaxialStressRatio = 4.0;

[[noreturn]] void refuseWalls(const std::string& what) {
  throw ModelError(fmt::format(
      "{} needs --walls square to the axes, a periodic cell, or a cylinder with flat ends", what));
}

/// Six walls x-, x+, y-, y+, z-, z+ without round ones; else none.
std::vector<WallFace> sixFaces(const Conf& conf, std::span<const shape::Shape> shapes) {
  std::vector<WallFace> faces = wallFaces(Instant(conf, shapes));
  if (faces.size() != 6 || !conf.boundaries.empty()) faces.clear();
  return faces;
}

std::string list(const std::vector<WallFace>& faces) {
  std::string text;
  for (const WallFace& face : faces) text += fmt::format(" {}", face.body);
  return text;
}

void giveCellMass(Conf& conf, const Grains& grains) {
  if (conf.cell.mh > 0.0) return;
  conf.cell.mh = 1.0;
  if (conf.cell.dh > 0.0) return;
  // A cell of mass M swings in 2 (L/d) contact times of 25 steps; 4 pi M over that is critical.
  const double length = conf.cell.h.colwise().norm().mean();
  const double period = 2.0 * length / grains.size * 25.0 * conf.dt;
  conf.cell.dh = roundedDown(pi * grains.mass / period);
}

std::string extractorLine(const Conf& conf, const std::string& what, const std::string& file) {
  const double steps = conf.tmax / conf.dt / 1000.0;
  return fmt::format("{} {} {}\n", what, file,
                     std::max<long long>(1, static_cast<long long>(std::floor(steps))));
}

/// Spin of a drum, and its round wall.
struct Turning {
  double spin;
  const Boundary* wall;
};
Turning turningOf(const DrivePlan& plan, const Conf& conf) {
  const auto wall = std::ranges::find(conf.boundaries, Boundary::Kind::cylinder, &Boundary::kind);
  if (wall == conf.boundaries.end())
    throw ModelError("--drive drum: there is no round wall to turn: --container drum:R,L has one");
  const double g = conf.gravity.norm();
  const double spin = g > 0.0 ? roundedDown(std::sqrt(froudeNumber * g / wall->radius)) : 1.0;
  return {plan.spin.value_or(spin), &*wall};
}

struct Shaking {
  double amplitude, frequency;
};
Shaking shaking(const DrivePlan& plan, const Conf& conf, std::span<const shape::Shape> shapes) {
  const double g = conf.gravity.norm() > 0.0 ? conf.gravity.norm() : 9.81;
  const double amplitude = plan.amplitude.value_or(roundedDown(0.05 * grainsOf(conf, shapes).size));
  return {amplitude, plan.frequency.value_or(
                         roundedDown(std::sqrt(acceleration * g / amplitude) / (2.0 * pi)))};
}

void turn(const DrivePlan& plan, Conf& conf, DriveFiles& files) {
  const Turning t = turningOf(plan, conf);
  const Vec3 axis = t.wall->axis;
  if (!plan.spin)
    files.reasons.push_back(
        fmt::format("spin {:.6g} 1/s: Froude number spin^2 R / g {:g} with R = {:.4g} m", t.spin,
                    froudeNumber, t.wall->radius));
  for (Boundary& b : conf.boundaries)
    if (b.kind == Boundary::Kind::cylinder) b.spin = t.spin * b.axis;
  int along = 0;
  axis.cwiseAbs().maxCoeff(&along);
  files.driving =
      fmt::format("# The ends of the drum turn with its round wall, by {} 1/s.\n", t.spin);
  for (std::uint32_t k = 0; k < conf.nDriven; ++k)
    files.driving += fmt::format("Control _{}rot_Vel_ {} {}\n", "xyz"[along], k,
                                 axis[along] > 0.0 ? t.spin : -t.spin);
  files.extractors = extractorLine(conf, "MeanVelocity", "mean-velocity.txt");
}

void shake(const DrivePlan& plan, Conf& conf, std::span<const shape::Shape> shapes,
           DriveFiles& files) {
  if (!conf.boundaries.empty() || conf.nDriven == 0)
    throw ModelError("--drive vibration: needs driven bodies, and no round walls");
  const Shaking s = shaking(plan, conf, shapes);
  if (!plan.amplitude)
    files.reasons.push_back(
        fmt::format("amplitude {:.6g} m, frequency {:.6g} Hz: a twentieth of "
                    "the mean size, and accelerations of {:g} g",
                    s.amplitude, s.frequency, acceleration));
  int axis = 1;
  if (!conf.gravity.isZero(0.0)) conf.gravity.cwiseAbs().maxCoeff(&axis);
  const Vec3 direction = Vec3::Unit(axis);
  files.driving = "# All driven bodies shake along gravity.\n";
  for (std::uint32_t k = 0; k < conf.nDriven; ++k)
    files.driving += fmt::format("Servo shaker {}  {:g} {:g} {:g}  {} {}\n", k, direction.x(),
                                 direction.y(), direction.z(), s.amplitude, s.frequency);
  files.extractors = extractorLine(conf, "TrackBody 0", "wall0.txt") +
                     extractorLine(conf, "MeanVelocity", "mean-velocity.txt");
}

/// Sets rate and duration, and writes the lines of a triaxial or a shear test.
void strain(const DrivePlan& plan, Conf& conf, std::span<const shape::Shape> shapes,
            bool keepDuration, DriveFiles& files) {
  const std::vector<WallFace> six = sixFaces(conf, shapes);
  if (plan.kind == DrivePlan::Kind::shear && !conf.cell.used)
    throw ModelError("--drive shear needs a periodic cell: --container periodic:LX,LY,LZ");
  if (!conf.cell.used && six.empty()) refuseWalls("--drive triaxial");
  const Grains grains = grainsOf(conf, shapes);
  const double rate = plan.rate.value_or(
      roundedDown(inertialNumber / (grains.size * std::sqrt(grains.density / plan.pressure))));
  if (!plan.rate)
    files.reasons.push_back(
        fmt::format("rate of strain {:.6g} 1/s: inertial number {:g} with d = {:.4g} m, {:.4g} "
                    "kg/m3, {:.4g} Pa",
                    rate, inertialNumber, grains.size, grains.density, plan.pressure));
  if (!keepDuration) {
    conf.tmax = plan.strain / std::abs(rate);
    conf.interConf = std::max(conf.tmax / 50.0, conf.dt);
    files.reasons.push_back(
        fmt::format("tmax {:.6g} s: strain {:g} at that rate", conf.tmax, plan.strain));
  }
  if (conf.cell.used) {
    giveCellMass(conf, grains);
    files.driving +=
        plan.kind == DrivePlan::Kind::shear
            ? fmt::format("PeriodicLoading SimpleShearDeformable XY {} {}\n", plan.pressure, rate)
            : fmt::format("PeriodicLoading TriaxialCompression Y {} {}\n", plan.pressure, -rate);
    return;
  }
  const double height = six[3].position - six[2].position;
  files.driving += fmt::format(
      "# The wall y+ moves in by {} 1/s of the height {} m at the start.\n"
      "Servo tritriBiaxialCompression{}  {} {}\n",
      rate, height, list(six), plan.pressure, rate * height);
}

}  // namespace

DrivePlan DrivePlan::parse(const std::string& text) {
  DrivePlan plan;
  const std::size_t form = formOf("--drive", text, driveForms);
  plan.kind = static_cast<DrivePlan::Kind>(form);
  // A drum may turn, and a cell be sheared, either way.
  const std::optional<std::size_t> either = plan.kind == DrivePlan::Kind::drum ? std::optional(0UL)
                                            : plan.kind == DrivePlan::Kind::shear
                                                ? std::optional(1UL)
                                                : std::nullopt;
  auto v = numbersOf("--drive", text, driveForms[form], either);
  v.resize(3);
  if (plan.hasPressure()) {
    plan.pressureGiven = v[0].has_value();
    plan.pressure = v[0].value_or(plan.pressure);
    plan.rate = v[1];
    plan.strain = v[2].value_or(plan.strain);
    if (plan.kind == DrivePlan::Kind::triaxial && !(plan.strain < 1.0))
      throw UsageError(fmt::format("--drive {}: expected a strain below 1, found {:.6g}",
                                   text.substr(0, 60), plan.strain));
  } else if (plan.kind == DrivePlan::Kind::drum) {
    plan.spin = v[0];
  } else {
    plan.amplitude = v[0];
    plan.frequency = v[1];
  }
  return plan;
}

PressedAxes pressedAxes(const std::string& text) {
  PressedAxes axes{};
  for (const char c : text) {
    if (c < 'x' || c > 'z' || axes[static_cast<std::size_t>(c - 'x')]) return pressedAxes("");
    axes[static_cast<std::size_t>(c - 'x')] = true;
  }
  if (text.empty()) throw UsageError("--axes: expected x, y, z or several of them");
  return axes;
}

std::string pressureLines(Conf& conf, std::span<const shape::Shape> shapes, double pressure,
                          const PressedAxes& axes) {
  const auto count = std::ranges::count(axes, true);
  const auto first = [&](bool pressed) {
    return static_cast<int>(std::ranges::find(axes, pressed) - axes.begin());
  };
  if (conf.cell.used) {
    giveCellMass(conf, grainsOf(conf, shapes));
    if (count == 3) return fmt::format("PeriodicLoading IsotropicCompression {}\n", pressure);
    if (count == 2)
      return fmt::format("PeriodicLoading TriaxialCompression {} {} 0\n", "XYZ"[first(false)],
                         pressure);
    return fmt::format("PeriodicLoading UniaxialCompression {} {}\n", "XYZ"[first(true)], pressure);
  }
  if (const std::vector<WallFace> six = sixFaces(conf, shapes); !six.empty()) {
    std::string text = "Servo tritriCustom" + list(six);
    for (const bool pressed : axes)
      text += pressed ? fmt::format("  0 0 1 {}", pressure) : "  0 0 0 0";
    return text + "\n";
  }
  // The upper end of a cylinder along the axis, if that is the only round wall.
  const int axis = first(true);
  std::vector<WallFace> ends = wallFaces(Instant(conf, shapes));
  std::erase_if(ends, [&](const WallFace& face) { return face.axis != axis; });
  if (count != 1 || ends.size() != 2 || conf.boundaries.size() != 1 ||
      conf.boundaries[0].kind != Boundary::Kind::cylinder ||
      !(std::abs(conf.boundaries[0].axis[axis]) > 1.0 - 1e-12))
    refuseWalls("a pressure");
  const double area = pi * conf.boundaries[0].radius * conf.boundaries[0].radius;
  return fmt::format("Control _{}_For_ {} {}\n", "xyz"[axis], ends[1].body, -pressure * area);
}

DriveFiles driveFiles(const DrivePlan& plan, Conf& conf, std::span<const shape::Shape> shapes,
                      bool keepDuration) {
  DriveFiles files;
  if (!plan.hasPressure()) {
    if (plan.kind == DrivePlan::Kind::drum)
      turn(plan, conf, files);
    else
      shake(plan, conf, shapes, files);
    return files;
  }
  files.driving = fmt::format("# {} under {} Pa.\n",
                              driveForms[static_cast<std::size_t>(plan.kind)].name, plan.pressure);
  if (const bool all = plan.kind == DrivePlan::Kind::isotropic;
      all || plan.kind == DrivePlan::Kind::oedometer)
    files.driving += pressureLines(conf, shapes, plan.pressure, {all, true, all});
  else
    strain(plan, conf, shapes, keepDuration, files);
  if (conf.cell.used)
    files.extractors = extractorLine(conf, "MeanVelocity", "mean-velocity.txt");
  else
    for (const WallFace& face : wallFaces(Instant(conf, shapes)))
      if (face.side > 0)
        files.extractors += extractorLine(conf, fmt::format("TrackBody {}", face.body),
                                          fmt::format("wall-{}.txt", "xyz"[face.axis]));
  return files;
}

DriveLoad driveLoad(const DrivePlan& plan, const Conf& conf, std::span<const shape::Shape> shapes) {
  DriveLoad load;
  if (plan.hasPressure())
    load.pressure =
        (plan.kind == DrivePlan::Kind::triaxial ? triaxialStressRatio : 1.0) * plan.pressure;
  if (plan.kind == DrivePlan::Kind::drum) {
    const Turning turning = turningOf(plan, conf);
    load.speed = std::abs(turning.spin) * turning.wall->radius;
  }
  if (plan.kind == DrivePlan::Kind::vibration) {
    const Shaking s = shaking(plan, conf, shapes);
    load.speed = 2.0 * pi * s.frequency * s.amplitude;
  }
  return load;
}

}  // namespace scree::sim
