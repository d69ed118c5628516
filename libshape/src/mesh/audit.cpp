// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit_parts.hpp"
#include "base/elementary.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/moments.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::mesh {
namespace {

using shape::Shape;

/// Relative errors: below the first no finding (files with six digits are right), then a note, a
/// warning, an error.
Severity severityOf(double error) {
  return error > 1e-2 ? Severity::error : error > 1e-4 ? Severity::warning : Severity::note;
}
constexpr double noticed = 1e-6;

/// The solid between the planes of the faces, each moved out by r: what a rounded body is where its
/// corners were left sharp. Found as the hull of the planes' poles.
std::optional<mass::SolidProperties> sharpBody(const shape::ConvexHull& hull, double r) {
  if (hull.rank < 3 || !(r > 0.0)) return std::nullopt;
  Vec3 middle = Vec3::Zero();
  for (const Vec3& p : hull.points) middle += p / static_cast<double>(hull.points.size());
  std::vector<Vec3> poles;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const Vec3& n = hull.normals[f];
    poles.push_back(n / (n.dot(hull.points[hull.faces[f][0]] - middle) + r));
  }
  const shape::ConvexHull dual = shape::convexHull(poles, 1e-10);
  if (dual.rank < 3) return std::nullopt;
  std::vector<Vec3> corners;
  for (std::size_t f = 0; f < dual.faces.size(); ++f) {
    const double d = dual.normals[f].dot(dual.points[dual.faces[f][0]]);
    if (!(d > 0.0)) return std::nullopt;
    corners.push_back(middle + dual.normals[f] / d);
  }
  return mass::solidProperties(mass::sweptHullMoments(shape::convexHull(corners, 1e-10), 0.0));
}

/// A body that files state the numbers of instead of the rounded one.
struct Other {
  std::string_view what;
  mass::SolidProperties solid;
};
std::vector<Other> otherBodies(const shape::ConvexHull& hull, double r) {
  std::vector<Other> others;
  if (hull.rank < 3 || !(r > 0.0)) return others;
  if (const auto sharp = sharpBody(hull, r))
    others.push_back({"that of the sharp body, its faces moved out by the radius", *sharp});
  const mass::SolidProperties core = mass::solidProperties(mass::sweptHullMoments(hull, 0.0));
  double reach = 0.0;
  for (const Vec3& p : hull.points) reach = std::max(reach, (p - core.centre).norm());
  Other larger{"that of the sharp body, its corners moved out by the radius", core};
  const double scale = 1.0 + r / reach;
  larger.solid.volume *= scale * scale * scale;
  larger.solid.inertiaPerMass *= scale * scale;
  others.push_back(larger);
  others.push_back({"that of the skeleton without its rounding", core});
  return others;
}

class Audit {
 public:
  explicit Audit(const Shape& s) : s_(s) {
    for (const Vec3& v : s.vertices) box_.add(v);
    size_ = 2.0 * (box_.halfSize().norm() + s.radius);
  }

  std::vector<Finding> all() {
    auditSkeleton(s_, found_);
    orientation();
    solid();
    if (s_.preCompDone) statedBox();
    return std::move(found_);
  }

 private:
  Finding& add(Severity severity, std::string_view what, std::string_view where,
               std::string message) {
    Finding f;
    f.severity = severity;
    f.what = what;
    f.where = where;
    f.message = std::move(message);
    found_.push_back(std::move(f));
    return found_.back();
  }
  Finding& number(std::string_view what, std::string_view where, double stated, double truth,
                  double error, std::string message) {
    Finding& f = add(severityOf(std::abs(error)), what, where, std::move(message));
    f.stated = stated;
    f.truth = truth;
    f.error = error;
    return f;
  }

  void orientation() {
    const double off = s_.orientation.norm() - 1.0;
    if (std::abs(off) > 1e-9)
      number("orientation", "orientation", 1.0 + off, 1.0, off, "norm of the quaternion");
  }

  void solid() {
    try {
      core_ = shape::coreOf(s_);
      report_ = mass::massReport(s_);
    } catch (const GeometryError& error) {
      refused(error.what());
      return;
    }
    if (!core_->convex) auditMesh(s_, found_);
    if (!s_.isSurface && report_->insideOut)
      add(Severity::note, "inside-out", "nf",
          "faces wound clockwise or inconsistently: the format allows it, other programs may not");
    const std::string_view method = mass::methodName(report_->method);
    if (!s_.preCompDone) return;
    if (method == "sheet") return;  // a convention of the program that wrote it
    statedNumbers();
  }

  void refused(const std::string& why) {
    if (s_.faces.empty()) {
      if (!s_.preCompDone)
        add(Severity::error, "no-solid", "nf", "no faces that bound a volume: give volume and I/m")
            .mendable = false;
      return;
    }
    if (core_ && !core_->closed && !s_.isSurface) {
      const shape::MeshCheck mesh = shape::checkMesh({s_.vertices, s_.faces});
      Finding& f =
          add(Severity::error, "open", "nf",
              fmt::format("{}{}; close it, or mark the shape as isSurface",
                          shape::whyNoSolid(*core_), places("face", mesh.openEdges.faces)));
      f.elements = mesh.openEdges.faces;
      f.mendable = false;
      return;
    }
    add(Severity::error, "no-solid", "nf", why).mendable = false;
  }

  void statedNumbers() {
    const mass::SolidProperties& truth = report_->solid;
    // A deviation within the bound of our own value is no error of the file. A survey takes axes
    // and a centre within four bounds for what they are given as.
    const mass::MassBound open = report_->bound.value_or(mass::MassBound{});
    const double off = s_.volume / truth.volume - 1.0;
    std::vector<Other> others;
    if (core_->convex) others = otherBodies(core_->hull, s_.radius);
    if (std::abs(off) > noticed + open.volume) {
      std::string_view which = "of the rounded body";
      double nearest = std::min(5e-3, 0.5 * std::abs(off));
      for (const Other& other : others)
        if (const double d = std::abs(s_.volume / other.solid.volume - 1.0); d < nearest) {
          nearest = d;
          which = other.what;
        }
      number("volume", "volume", s_.volume, truth.volume, off, std::string(which));
    }
    const Vec3 moments = truth.inertiaPerMass.diagonal();
    const double largest = moments.maxCoeff();
    int worst = 0;
    const Vec3 difference = s_.inertiaPerMass - moments;
    const double most = difference.cwiseAbs().maxCoeff(&worst);
    if (most > (noticed + open.inertia) * largest) {
      std::string which = fmt::format("moment {} of the rounded body", worst + 1);
      double nearest = std::min(5e-3 * largest, 0.5 * most);
      for (const Other& other : others)
        if (const double d =
                (s_.inertiaPerMass - other.solid.inertiaPerMass.diagonal()).cwiseAbs().maxCoeff();
            d < nearest) {
          nearest = d;
          which = other.what;
        }
      number("inertia", "I/m", s_.inertiaPerMass[worst], moments[worst],
             difference[worst] / largest, which);
    }
    if (s_.isSurface) return;  // surfaces are driven, and keep the frame they were modelled in
    const double diameter = elementary::cbrt(6.0 * truth.volume / pi);
    if (const double away = truth.centre.norm(); away > (noticed + 4.0 * open.centre) * diameter)
      number("centre", "nv", 0.0, away, away / diameter,
             "distance of the centre of mass from the origin of the body frame");
    const Mat3& i = truth.inertiaPerMass;
    const double across = std::max({std::abs(i(0, 1)), std::abs(i(0, 2)), std::abs(i(1, 2))});
    if (across > (noticed + 4.0 * open.inertia) * largest)
      number("frame", "nv", 0.0, across, across / largest,
             "off-diagonal inertia: the axes of the body frame are not principal");
  }

  void statedBox() {
    if (!s_.obbGiven) {
      add(Severity::error, "no-box", "preCompDone",
          "preCompDone y, but no obb: programs that trust it find no neighbours");
      return;
    }
    const Mat3& axes = s_.obb.axes;
    const double skew = (axes.transpose() * axes - Mat3::Identity()).cwiseAbs().maxCoeff();
    if (skew > 1e-6) {
      number("box-axes", "obb.e1", skew, 0.0, skew, "the axes of the box are not orthonormal");
      return;
    }
    double beyond = 0.0;
    Vec3 used = Vec3::Zero();
    for (std::size_t v = 0; v < s_.vertices.size(); ++v)
      used = used.cwiseMax((axes.transpose() * (s_.vertices[v] - s_.obb.centre)).cwiseAbs() +
                           Vec3::Constant(s_.radiusAt(v)));
    const Vec3& wanted = used;
    int worst = 0;
    beyond = (wanted - s_.obb.extent).maxCoeff(&worst);
    if (beyond > 1e-9 * size_) {
      number("box", "obb.extent", s_.obb.extent[worst], wanted[worst],
             -beyond / std::max(wanted[worst], 1e-300), "the box does not contain the body");
      return;
    }
    const shape::Obb tight = shape::boxAlong(s_, axes);
    if (const double loose = s_.obb.volume() / tight.volume() - 1.0;
        loose > 1e-6 && loose < 1e300) {
      Finding& f = number("box-loose", "obb.extent", s_.obb.volume(), tight.volume(), loose,
                          "volume of the box, compared with the smallest one along its axes");
      f.severity = Severity::note;
    }
  }

  const Shape& s_;
  shape::Aabb box_;
  double size_ = 0.0;
  std::optional<shape::Core> core_;
  std::optional<mass::MassReport> report_;
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> audited(const Shape& shape, bool ofBody) {
  std::vector<Finding> findings = Audit(shape).all();
  if (!ofBody || !shape.faces.empty() || !shape.edges.empty()) return findings;
  for (Finding& f : findings) {
    const bool given =
        f.what == "volume" || f.what == "inertia" || f.what == "centre" || f.what == "frame";
    if (!given) continue;
    f.severity = Severity::note;
    f.mendable = false;
    f.message += "; the file gives that of the body for which the spheres stand";
  }
  return findings;
}

}  // namespace scree::mesh
