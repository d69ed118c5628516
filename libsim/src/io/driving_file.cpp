// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/math.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace scree::sim {
namespace {

class Reader {
 public:
  Reader(TextReader& in, std::uint32_t nDriven, std::size_t nBodies, Diagnostics& diagnostics)
      : in_(in), nDriven_(nDriven), nBodies_(nBodies), diagnostics_(diagnostics) {}

  void control() {
    here_ = in_.place();
    const ControlMode mode = this->mode();
    Control control{mode.what, mode.axis, body(), Vec3::Zero()};
    if (mode.axis == 3)
      control.value = in_.vec3(mode.name);
    else
      control.value[mode.axis] = in_.number(mode.name);
    // Most likely one of two lines is left over.
    if (const std::size_t line = lineOf(control.what, control); line > 0 && !repeats_) {
      repeats_ = true;
      diagnostics_.warn(ParseError(
          here_, fmt::format("Control: line {} imposes the same component of body {}, and their "
                             "values add up; write one line with the sum",
                             line, control.body)));
    }
    add(control);
  }

  void servo() {
    here_ = in_.place();
    const std::string_view name = in_.word("Servo");
    if (name == "ramp") {
      const ControlMode mode = this->mode();
      Control control{mode.what, mode.axis, body()};
      const auto value = [&](std::string_view what) {
        if (mode.axis == 3) return in_.vec3(what);
        return Vec3(in_.number(what) * Vec3::Unit(mode.axis));
      };
      Ramp ramp;
      control.value = ramp.v0 = value("ramp: first value");
      ramp.v1 = value("ramp: last value");
      ramp.t0 = in_.number("ramp: first time");
      ramp.t1 = in_.number("ramp: last time");
      if (ramp.t1 < ramp.t0) throw in_.error("ramp: the last time is before the first");
      add(ramp, {control});
    } else if (name == "shaker") {
      shake<Shaker>();
    } else if (name == "triangle_shaker") {
      shake<TriangleShaker>();
    } else if (name == "sawtooth_shaker") {
      shake<TriangleShaker>([&](TriangleShaker& s) { s.start = in_.number("t_ini"); });
    } else if (name == "tritriIsostaticCompression") {
      const auto walls = sixWalls();
      const double p = in_.number("pressure");
      triaxial(walls, {false, true, false, true, false, true}, {0, p, 0, p, 0, p});
    } else if (name == "tritriBiaxialCompression") {
      const auto walls = sixWalls();
      const double p = in_.number("pressure"), v = in_.number("velocity");
      triaxial(walls, {false, true, false, false, false, true}, {0, p, 0, v, 0, p});
    } else if (name == "tritriCustom") {
      const auto walls = sixWalls();
      std::array<bool, 6> byPressure{};
      std::array<double, 6> value{};
      for (std::size_t k = 0; k < 6; ++k) {
        byPressure[k] =
            in_.integer("tritriCustom: type (0 velocity, 1 pressure)", INT32_MIN, INT32_MAX) != 0;
        value[k] = in_.number("tritriCustom: value");
      }
      triaxial(walls, byPressure, value);
    } else if (name == "tritriLodeAngle") {
      const auto walls = sixWalls();
      const double p = in_.number("pressure"), angle = in_.number("Lode angle"),
                   rate = in_.number("rate of stress");
      if (!(angle >= 0.0 && angle <= 60.0))
        throw in_.error(fmt::format("Lode angle: expected degrees from 0 to 60, found {}", angle));
      // Stress differences in the ratio 1 : a : b, a + b = -1, of the angle in that plane.
      const double tangent = cosOfTurns(angle / 360.0 - 0.25) / cosOfTurns(angle / 360.0);
      const double a = (3.0 * tangent - std::sqrt(3.0)) / (2.0 * std::sqrt(3.0)), b = -(1.0 + a);
      triaxial(walls, {false, true, false, true, false, true}, {0, p, 0, p, 0, p},
               {0, rate, 0, a * rate, 0, b * rate});
    } else {
      throw in_.error(fmt::format("unknown servo '{}'{}; `rockable --list servos` prints the names",
                                  name.substr(0, 40), suggestion(name, namesOf(allServos()))));
    }
  }

  void periodicLoading() {
    const std::string_view name = in_.word("PeriodicLoading");
    CellLoading loading;
    using Kind = CellLoading::Kind;
    if (name == "TriaxialCompression" || name == "UniaxialCompression") {
      loading.kind = name == "TriaxialCompression" ? Kind::triaxial : Kind::uniaxial;
      loading.row = loading.column = axis();
    } else if (name == "SimpleShearDeformable") {
      loading.kind = Kind::simpleShear;
      std::string word(in_.peek());
      if (word.size() == 2) {
        in_.word("plane of shear");
        loading.row = axis(word.substr(0, 1));
        loading.column = axis(word.substr(1));
      } else {
        loading.row = axis();
        loading.column = axis();
      }
      if (loading.row == loading.column)
        throw in_.error("SimpleShearDeformable: expected two different axes");
    } else if (name != "IsotropicCompression") {
      constexpr std::string_view known[] = {"IsotropicCompression", "TriaxialCompression",
                                            "UniaxialCompression", "SimpleShearDeformable"};
      throw in_.error(fmt::format(
          "unknown loading '{}'{}; there are IsotropicCompression, TriaxialCompression, "
          "UniaxialCompression and SimpleShearDeformable",
          name.substr(0, 40), suggestion(name, known)));
    }
    loading.pressure = in_.number("pressure");
    if (loading.kind == Kind::triaxial) loading.rate = in_.number("rate of strain");
    if (loading.kind == Kind::simpleShear) loading.rate = in_.number("rate of shear");
    drives.cell = loading;
  }

  Drives drives;

 private:
  /// Last line of a control of this kind that concerns a component, or a whole vector; 0: none.
  std::size_t lineOf(Imposed what, const Control& c) {
    std::size_t found = 0;
    for (const int axis : {0, 1, 2, 3})
      if (axis == c.axis || axis == 3 || c.axis == 3)
        found = std::max(found, lines_[{what, c.body}][static_cast<std::size_t>(axis)]);
    return found;
  }

  int axis() { return axis(in_.word("axis")); }
  int axis(std::string_view word) {
    constexpr std::string_view names = "XYZxyz";
    const std::size_t at = names.find(word);
    if (word.size() != 1 || at == std::string_view::npos)
      throw in_.error(fmt::format("expected an axis X, Y or Z, found '{}'", word.substr(0, 40)));
    return static_cast<int>(at % 3);
  }

  ControlMode mode() {
    const std::string_view word = in_.word("mode of control");
    for (const ControlMode& m : controlModes())
      if (m.name == word) return m;
    throw in_.error(fmt::format("unknown mode of control '{}'{}", word.substr(0, 40),
                                suggestion(word, namesOf(controlModes()))));
  }

  BodyId body() {
    const auto k = in_.integer("body", 0, UINT32_MAX - 1);
    if (static_cast<std::size_t>(k) >= nBodies_)
      throw in_.error(fmt::format("body {} does not exist, there are {} (from 0)", k, nBodies_));
    if (k >= nDriven_)
      throw in_.error(
          fmt::format("body {} is not driven: nDriven is {}, so driven bodies have lower numbers",
                      k, nDriven_));
    return static_cast<BodyId>(k);
  }

  std::array<BodyId, 6> sixWalls() {
    std::array<BodyId, 6> walls{};
    for (BodyId& wall : walls) wall = body();
    return walls;
  }

  /// Drives may add up on a component. More than this is a mistake, and would take much memory.
  std::size_t most() const { return 1000 * std::max<std::size_t>(nDriven_, 1); }

  /// @throws ParseError where a component follows a motion and a load
  void add(const Control& c) {
    if (drives.controls.size() >= most())
      throw in_.error(
          fmt::format("expected at most {} controls, 1000 for each driven body; a servo "
                      "has up to 6",
                      most()));
    constexpr std::array opposites{Imposed::force, Imposed::velocity, Imposed::moment,
                                   Imposed::spin};  // as Imposed
    if (const std::size_t line = lineOf(opposites[static_cast<std::size_t>(c.what)], c); line > 0)
      throw ParseError(here_, fmt::format("body {} is driven both by a motion and by a load in one "
                                          "direction; the other one is in line {}; remove one",
                                          c.body, line));
    lines_[{c.what, c.body}][static_cast<std::size_t>(c.axis)] = here_.line;
    drives.controls.push_back(c);
  }

  void add(AnyServo servo, std::initializer_list<Control> controls) {
    Servo s{std::move(servo), {}};
    s.controls.reserve(controls.size());
    for (const Control& c : controls) {
      s.controls.push_back(drives.controls.size());
      add(c);
    }
    drives.servos.push_back(std::move(s));
  }

  template <class S, class More = void (*)(S&)>
  void shake(More more = [](S&) {}) {
    S servo;
    const BodyId b = body();
    servo.direction = in_.vec3("direction");
    if (!(servo.direction.norm() > 0.0))
      throw in_.error("direction: expected a vector that is not zero");
    servo.direction.normalize();
    servo.amplitude = in_.number("amplitude");
    servo.frequency = in_.notNegative("frequency");
    more(servo);
    add(servo, {{Imposed::velocity, 0, b, Vec3::Zero()},
                {Imposed::velocity, 1, b, Vec3::Zero()},
                {Imposed::velocity, 2, b, Vec3::Zero()}});
  }

  void triaxial(const std::array<BodyId, 6>& walls, const std::array<bool, 6>& byPressure,
                const std::array<double, 6>& value, const std::array<double, 6>& rate = {}) {
    const auto control = [&](std::size_t k) {
      return Control{byPressure[k] ? Imposed::force : Imposed::velocity, static_cast<int>(k / 2),
                     walls[k], Vec3::Zero()};
    };
    add(Triaxial{walls, byPressure, value, rate},
        {control(0), control(1), control(2), control(3), control(4), control(5)});
  }

  TextReader& in_;
  std::uint32_t nDriven_;
  std::size_t nBodies_;
  SourcePlace here_;  ///< of the keyword of this line
  std::map<std::pair<Imposed, BodyId>, std::array<std::size_t, 4>> lines_;  ///< by axis
  Diagnostics& diagnostics_;
  bool repeats_ = false;
};

}  // namespace

const std::vector<ServoInfo>& allServos() {
  static const std::vector<ServoInfo> servos{
      {"ramp", "mode body v0 v1 t0 t1",
       "a value, or a vector of three, that goes from v0 at t0 to v1 at t1"},
      {"shaker", "body dx dy dz A f", "displacement A sin(2 pi f t) along d"},
      {"triangle_shaker", "body dx dy dz A f",
       "displacement a triangle wave of half stroke A and frequency f"},
      {"sawtooth_shaker", "body dx dy dz A f t_ini", "the same wave with phase 0 at t_ini"},
      {"tritriIsostaticCompression", "x- x+ y- y+ z- z+ p",
       "pressure on three of six walls, the others at rest"},
      {"tritriBiaxialCompression", "x- x+ y- y+ z- z+ p v",
       "pressure along x and z, velocity along y"},
      {"tritriCustom", "x- x+ y- y+ z- z+ 6 x (type value)",
       "velocity (type 0) or pressure (type 1) for each of six walls"},
      {"tritriLodeAngle", "x- x+ y- y+ z- z+ p theta rate",
       "pressure p on three of six walls, plus stress differences that grow by rate at a Lode "
       "angle (degrees)"},
  };
  return servos;
}

Drives readDriving(TextReader& in, std::uint32_t nDriven, std::size_t nBodies,
                   Diagnostics& diagnostics) {
  Reader reader(in, nDriven, nBodies, diagnostics);
  constexpr std::string_view known[] = {"Control", "Servo", "PeriodicLoading"};
  while (!in.atEnd()) {
    const std::string_view word = in.word("keyword");
    if (word[0] == '#' || word[0] == '!' || word[0] == '/')
      in.skipLine();
    else if (word == "Control")
      reader.control();
    else if (word == "Servo")
      reader.servo();
    else if (word == "PeriodicLoading")
      reader.periodicLoading();
    else {
      diagnostics.warn(in.error(
          fmt::format("unknown keyword '{}'{}", word.substr(0, 40), suggestion(word, known))));
      in.skipLine();
    }
  }
  return std::move(reader.drives);
}

}  // namespace scree::sim
