// SPDX-License-Identifier: GPL-3.0-or-later
// Section 3.10: each pairing of sub-elements, its degenerate cases, and what stands beside it.
#include "contact_scenes.hpp"
#include "table.hpp"

#include "scree/base/rng.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace scree;
using namespace scree::scenes;

namespace scree::verification {
namespace {

/// Two bodies, the second at the origin, and what is known of their distance.
struct Pose {
  shape::Shape first, second;
  Vec3 posFirst = Vec3::Zero();
  Quat qFirst = Quat::Identity();
  Vec3 foot = Vec3::Zero();     ///< of the shortest line, on the core of the second
  Vec3 normal = Vec3::UnitY();  ///< from the second to the first
};

/// All contacts of the two, the first body named first or second, moved as a whole.
std::vector<sim::InteractionRecord> contactsOf(const Pose& p, bool exchanged, const Quat& frame,
                                               const Vec3& shift,
                                               const std::string& weights = "None") {
  Scene scene;
  scene.conf.contactPartnership = weights;
  const auto add = [&](bool isFirst) {
    scene.add(isFirst ? p.first : p.second,
              shift + rotated(frame, isFirst ? p.posFirst : Vec3(0, 0, 0)), 0,
              frame * (isFirst ? p.qFirst : Quat(1, 0, 0, 0)));
  };
  add(!exchanged);
  add(exchanged);
  scene.conf.setDensity(0, 1000);
  scene.law(0, 0, 1e6, 1.0, 0, 0);
  return scene.start()->interactions();
}

Quat aboutY(double angle) { return Quat(Eigen::AngleAxisd(angle, Vec3::UnitY())); }

struct Sweep {
  double gap = 0.0, normal = 0.0, point = 0.0;  ///< largest errors
  std::size_t misjudged = 0;  ///< touching or not, more or fewer contacts than said
};
constexpr double radii = 0.4;  ///< [m] sum of both, of all poses that are swept

/// Takes the gap from -0.05 to 0.05, and compares each contact with the pose.
/// @param meeting   where the cores meet; the first body is moved off along the normal
/// @param contacts  while they overlap; 0: one or more, where rounding has to decide
Sweep swept(const Pose& meeting, std::size_t contacts) {
  Sweep worst;
  Rng rng(3);
  for (int k = -20; k <= 20; ++k) {
    const double d = 2.5e-3 * k + 1e-5;
    Pose p = meeting;
    p.posFirst += (radii + d) * p.normal;
    for (const bool exchanged : {false, true})
      for (const bool moved : {false, true}) {
        const Quat frame = moved ? rng.orientation() : Quat(1, 0, 0, 0);
        const Vec3 shift = moved ? rng.direction() : Vec3(0, 0, 0);
        const auto found = contactsOf(p, exchanged, frame, shift);
        const bool right = d > 0           ? found.empty()
                           : contacts == 0 ? !found.empty()
                                           : found.size() == contacts;
        if (!right) ++worst.misjudged;
        for (const auto& c : found) {
          const bool firstIsI = (c.key.i == 0) != exchanged;
          const Vec3 n = turnedBack(frame, firstIsI ? c.n : Vec3(-c.n)),
                     at = turnedBack(frame, c.pos - shift);
          worst.gap = std::max(worst.gap, std::abs(c.dn - d));
          worst.normal = std::max(worst.normal, (n - p.normal).norm());
          worst.point = std::max(worst.point, (at - p.foot).cross(p.normal).norm());
        }
      }
  }
  return worst;
}

/// Gaps are differences of places and radii of about 1, so they carry some roundings of that.
constexpr double rounding = 4e-15;

void tell(Report& report, const std::string& what, const Sweep& s, bool onLine = true) {
  report.atMost(what + ": gap, off [m]", s.gap, rounding);
  report.atMost(what + ": normal, off", s.normal, 4 * rounding);
  if (onLine) report.atMost(what + ": contact point, beside the line [m]", s.point, 4 * rounding);
  report.count(what + ": misjudged", s.misjudged, 0);
}

const shape::Shape small = ball("small", 0.1), large = ball("large", 0.3);

void pairings(Report& report) {
  const shape::Shape shortRod = rod("short", 1.5, 0.1), longRod = rod("rod", 2.0, 0.3),
                     square = plate("plate", 2.0, 0.3);
  tell(report, "vertex-vertex",
       swept({.first = small, .second = large, .normal = Vec3(1, 2, -2) / 3}, 1));
  const Vec3 onRod(0.3, 0, 0), onPlate(0.3, 0, -0.7);
  tell(report, "vertex-edge",
       swept({.first = small,
              .second = longRod,
              .posFirst = onRod,
              .foot = onRod,
              .normal = Vec3(0, 0.6, -0.8)},
             1));
  tell(report, "vertex-face",
       swept({.first = small, .second = square, .posFirst = onPlate, .foot = onPlate}, 1));
  const Quat turned = aboutY(0.7);
  tell(report, "edge-edge",
       swept({.first = shortRod,
              .second = longRod,
              .posFirst = onRod + rotated(turned, Vec3(0.2, 0, 0)),
              .qFirst = turned,
              .foot = onRod},
             1));
}

void degenerate(Report& report) {
  const shape::Shape shortRod = rod("short", 1.5, 0.1), longRod = rod("rod", 2.0, 0.3),
                     square = plate("plate", 2.0, 0.3);
  // Two rods side by side: an end of each stands over the other.
  tell(report, "parallel edges",
       swept({.first = shortRod, .second = longRod, .posFirst = Vec3(0.9, 0, 0)}, 2), false);
  // The foot is an end of the first rod, to the bit: 0.75 is half its length.
  tell(report, "edge over the end of an edge",
       swept({.first = shortRod,
              .second = longRod,
              .posFirst = Vec3(0.25, 0, 0.75),
              .qFirst = Quat(std::sqrt(0.5), 0, std::sqrt(0.5), 0),
              .foot = Vec3(0.25, 0, 0)},
             0));
  for (const auto& [what, at] : {std::pair("side", Vec3(2.0, 0, -0.7)), {"corner", Vec3(2, 0, -2)}})
    tell(report, fmt::format("vertex over the {} of a face", what),
         swept({.first = small, .second = square, .posFirst = at, .foot = at}, 0));
  shape::Shape point = large;
  point.name = "point";
  point.vertices = {Vec3::Zero(), Vec3::Zero()};
  point.edges = {{0, 1}};
  tell(report, "edge without length", swept({.first = small, .second = point}, 2));
  shape::Shape cornered = square;
  cornered.name = "cornered";
  cornered.vertices.push_back({2, 0, 0.5});  // on the first side
  cornered.edges = {{0, 4}, {4, 1}, {1, 2}, {2, 3}, {3, 0}};
  cornered.faces = {};
  cornered.faces.add({0, 4, 1, 2, 3});
  const Vec3 at(0.3, 0, -0.7);
  tell(report, "face with three corners in line",
       swept({.first = small, .second = cornered, .posFirst = at, .foot = at}, 1));
}

void crossing(Report& report) {
  // Rods that turn through the parallel: their nearest contact is the distance of two segments,
  // whatever pairing finds it.
  std::size_t lost = 0;
  double worst = 0.0;
  for (int k = -400; k <= 400; ++k) {
    const double angle =
        (k < 0 ? -1 : 1) * (k == 0 ? 0.0 : std::pow(10.0, -9 + std::abs(k) / 50.0));
    Pose p{rod("short", 1.5, 0.1), rod("rod", 2.0, 0.3)};
    p.qFirst = aboutY(angle);
    p.posFirst = Vec3(0.1, 0.39, 0);
    const auto found = contactsOf(p, false, Quat::Identity(), Vec3::Zero());
    double least = 0.0;
    for (const auto& c : found) least = std::min(least, c.dn);
    if (found.empty()) ++lost;
    worst = std::max(worst, std::abs(least + 0.01));
  }
  report.count("rods that turn through the parallel: steps without contact", lost, 0);
  // At sines below 1e-6 ends alone touch, up to 0.75 × 1e-6 away along the slant: in height
  // nothing.
  report.atMost("rods that turn through the parallel: least gap, off [m]", worst, 1e-8 / 0.78);
}

void numberOfContacts(Report& report) {
  const auto points = [](const Quat& q, double height) {
    Scene scene = cubeOnPlane(height);
    scene.conf.particles[1].q = q;
    scene.law(0, 1, 1e6, 1, 1e6, 0.3);
    return scene.start()->contactCount();
  };
  const double c = std::cos(pi / 8), s = std::sin(pi / 8);
  report.count("cube on its side", points(Quat::Identity(), 0.5 - 1e-4), 4);
  report.count("cube on an edge", points(Quat(c, 0, 0, s), 0.4 * std::sqrt(2.0) + 0.1 - 1e-4), 2);
  report.count("cube on a corner",
               points(shortestTurn(Vec3(1, 1, 1).normalized(), Vec3(0, -1, 0)),
                      0.4 * std::sqrt(3.0) + 0.1 - 1e-4),
               1);
}

/// Passes a ball over the rim of a plate, 1e-3 deep, from 0.1 m inside to 0.1 m outside.
void overTheRim(Report& report) {
  const double overlap = 1e-3, stepSize = 1e-5;
  const auto ends = [&](bool corner, const std::string& weights, double& gapJump) {
    double jump = 0.0, last = 0.0, lastGap = 0.0;
    gapJump = 0.0;
    for (int k = -10000; k <= 2000; ++k) {
      const double x = stepSize * k + 0.37e-5;
      Pose p{small, plate("plate", 1.0, 0.05)};
      p.posFirst = Vec3(1.0 + x, 0.15 - overlap, corner ? 1.0 + x : 0.0);
      double force = 0.0, least = 0.0;
      Vec3 sum = Vec3::Zero();
      for (const auto& c : contactsOf(p, false, Quat::Identity(), Vec3::Zero(), weights)) {
        sum += c.fn * c.n;
        least = std::min(least, c.dn);
      }
      force = sum.norm() / (1e6 * overlap);
      if (k > -10000) {
        jump = std::max(jump, std::abs(force - last));
        gapJump = std::max(gapJump, std::abs(least - lastGap));
      }
      last = force;
      lastGap = least;
    }
    return jump;
  };
  double gapJump = 0.0;
  // The gap itself is as steep as 1 beyond the rim.
  const double none = ends(false, "None", gapJump);
  report.atMost("side: jump of the least gap [m]", gapJump, 1.01 * stepSize);
  report.absolute("side, None: jump of the force over kn × overlap", none, 1.0, 0.02);
  report.absolute("side, NumberWeight: jump of the force over kn × overlap",
                  ends(false, "NumberWeight", gapJump), 0.5, 0.02);
  report.absolute("side, OverlapWeight: jump of the force over kn × overlap",
                  ends(false, "OverlapWeight", gapJump), 0.0, 0.02);
  report.absolute("corner, OverlapWeight: jump of the force over kn × overlap",
                  ends(true, "OverlapWeight", gapJump), 0.0, 0.02);
}

}  // namespace

std::vector<Problem> geometryProblems() {
  return {
      {"3.10", "each pairing", "distance of the cores less both radii; rounding at places of 1",
       false, pairings},
      {"3.10", "degenerate pairings", "as before; parallel edges touch through their ends", false,
       degenerate},
      {"3.10", "edges through the parallel", "distance of two segments", false, crossing},
      {"3.10", "contacts of a cube on a plane", "4, 2, 1", false, numberOfContacts},
      {"3.10", "a ball over the rim of a plate",
       "gaps are continuous; each pair of sub-elements counts, so forces are not, see below", true,
       overTheRim},
  };
}

}  // namespace scree::verification
