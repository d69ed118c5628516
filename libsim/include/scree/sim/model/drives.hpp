// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/sim/model/contact_key.hpp"
#include "scree/sim/model/surroundings.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace scree::sim {

/// Quantity that a control imposes on a driven body.
enum class Imposed : std::uint8_t { velocity, force, spin, moment };

/// One imposed component (axis 0, 1, 2) or a whole vector (axis 3) of one driven body.
struct Control {
  Imposed what = Imposed::velocity;
  int axis = 0;
  BodyId body = 0;
  Vec3 value = Vec3::Zero();  ///< [L/T], [F], [1/T] or [F L]; one component in value[axis]
  /// Mean of the value over the last step minus `value`. A value that varies in time moves its body
  /// by its exact integral, while contacts see the value at the end of the step.
  Vec3 lag = Vec3::Zero();
  /// Whether it is the first of several spins of a body or loads on a component: it has their sum.
  bool leads = true;
};

/// The word for a control in drivingSystem.txt: `_x_Vel_` and so on, `_xyzrot_Vel_` for axis 3.
struct ControlMode {
  std::string_view name;
  Imposed what;
  int axis;
};
const std::vector<ControlMode>& controlModes();

// Servos: each sets the values of its own controls, from the time and the positions of walls alone.
struct Ramp {  ///< v0 until t0, linear, v1 from t1 on; as Control::value
  Vec3 v0 = Vec3::Zero(), v1 = Vec3::Zero();
  double t0 = 0, t1 = 0;  ///< [T]
};
struct Shaker {  ///< displacement A sin(2πft) along a unit direction
  Vec3 direction = Vec3::UnitX();
  double amplitude = 0, frequency = 0;  ///< [L], [1/T]
};
/// Triangle wave of the displacement, between -A and A, which rises through 0 at `start`.
struct TriangleShaker {
  Vec3 direction = Vec3::UnitX();
  double amplitude = 0, frequency = 0, start = 0;  ///< [L], [1/T], [T]
};
/// Six walls x-, x+, y-, y+, z-, z+; each follows a velocity or a pressure, which may grow in time.
struct Triaxial {
  std::array<BodyId, 6> walls{};
  std::array<bool, 6> byPressure{};
  std::array<double, 6> value{};  ///< [F/L²] > 0: compression; [L/T] > 0: towards the inside
  std::array<double, 6> rate{};   ///< [F/L²/T] of a pressure: value + rate t acts
};
using AnyServo = std::variant<Ramp, Shaker, TriangleShaker, Triaxial>;

struct Servo {
  AnyServo servo;
  std::vector<std::size_t> controls;  ///< indices of its controls
};

struct DriveRules {
  bool allServos = true;       ///< all servos act; else the last one alone
  bool meanMotion = true;      ///< bodies move by the mean of a step; else by the value at its end
  bool addsUp = true;          ///< loads on one component add up; else the last one counts
  bool releases = true;        ///< components that are no longer driven come to rest
  bool phaseFromStart = true;  ///< of a triangle wave; else t = 0, less whole periods since start
};

/// All that moves driven bodies: the content of drivingSystem.txt.
struct Drives {
  std::vector<Control> controls;
  std::vector<Servo> servos;
  std::optional<CellLoading> cell = {};  ///< of the periodic cell
  DriveRules rules = {};
};

}  // namespace scree::sim
