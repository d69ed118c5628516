// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::tools {
namespace {

using Json = nlohmann::ordered_json;
using mass::MassReport;
using shape::Shape;

Json list(const Vec3& v) { return Json{v.x(), v.y(), v.z()}; }
Json rows(const Mat3& m) {
  Json out = Json::array();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.push_back(m(i, j));
  return out;
}

/// Volume, centre, inertia and box in the frame of the file, wherever they come from.
struct Facts {
  bool known = false;
  std::string method;
  double volume = 0.0;
  Vec3 centre = Vec3::Zero(), moments = Vec3::Zero();
  Mat3 tensor = Mat3::Zero();
  Quat orientation = Quat::Identity();
  shape::Obb box;
};

Facts factsOf(const ShapeInfo& info) {
  Facts facts;
  const Shape& s = info.surveyed;
  facts.known = info.given.preCompDone || info.report.has_value();
  facts.volume = s.volume;
  facts.moments = s.inertiaPerMass;
  facts.box = s.obb;
  if (info.given.preCompDone) {
    facts.method = "given";
    facts.tensor = s.inertiaPerMass.asDiagonal();
    if (!info.given.obbGiven) facts.box = shape::orientedBox(s, info.box);
  } else if (info.report) {
    facts.method = mass::methodName(info.report->method);
    // A surface keeps its frame; its centroid is printed all the same.
    facts.centre = info.report->solid.centre;
    facts.tensor = info.report->solid.inertiaPerMass;
    facts.orientation = s.orientation;
    const Mat3 turn = rotationMatrix(s.orientation);
    facts.box.centre = s.position + rotated(s.orientation, s.obb.centre);
    facts.box.axes = turn * s.obb.axes;
    if (s.position == Vec3::Zero() && !s.isSurface) facts.centre.setZero();
  } else {
    facts.method = "none";
    facts.box = shape::orientedBox(s, info.box);
  }
  return facts;
}

/// One radius, or null where each vertex has its own: those then follow.
void addRadius(Json& out, const Shape& s) {
  out["radius"] = s.radii.empty() ? Json(s.radius) : Json();
  if (!s.radii.empty()) out["radii"] = s.radii;
}

Json orNull(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json measures(const ShapeInfo& info) {
  const shape::Morphology& m = info.morphology;
  Json out;
  out["sphericity"] = orNull(m.sphericity);
  out["zingg"] =
      m.flatness ? Json{{"flatness", *m.flatness}, {"elongation", m.elongation.value()}} : Json();
  out["equivalentDiameter"] = orNull(m.equivalentDiameter);
  out["convexity"] = orNull(m.convexity);
  out["roundness"] = orNull(m.roundness);
  return out;
}

Json jsonOf(const ShapeInfo& info) {
  const Shape& s = info.given;
  const Facts facts = factsOf(info);
  Json out;
  out["name"] = s.name;
  addRadius(out, s);
  out["vertices"] = s.vertices.size();
  out["edges"] = s.edges.size();
  out["faces"] = s.faces.size();
  out["isSurface"] = s.isSurface;
  out["preCompDone"] = s.preCompDone;
  out["closed"] = info.report && info.report->closed;
  out["convex"] = info.report && info.report->convex;
  out["volume"] = facts.known ? Json(facts.volume) : Json();
  out["centre"] = facts.known ? list(facts.centre) : Json();
  out["inertiaTensorPerMass"] = facts.known ? rows(facts.tensor) : Json();
  out["inertiaPerMass"] = facts.known ? list(facts.moments) : Json();
  const Quat& q = facts.orientation;
  out["orientation"] = Json{q.w(), q.x(), q.y(), q.z()};
  out["obb"] = {{"extent", list(facts.box.extent)},
                {"centre", list(facts.box.centre)},
                {"axes", rows(facts.box.axes.transpose())},  // e1, e2, e3 one after the other
                {"volume", facts.box.volume()}};
  const shape::Aabb bounds = shape::boundsOf(s);
  out["bounds"] = {{"low", list(bounds.low)}, {"high", list(bounds.high)}};
  if (info.density) out["density"] = *info.density;
  if (info.density) out["mass"] = facts.known ? Json(*info.density * facts.volume) : Json();
  const auto& area = info.morphology.area;
  out["area"] = area ? Json(area->area) : Json();
  out["areaAccuracy"] = area ? Json(area->accuracy) : Json();
  out["method"] = facts.method;
  const bool ours = info.report && info.report->bound && !s.preCompDone;
  out["bound"] = ours ? Json{{"volume", info.report->bound->volume},
                             {"centre", info.report->bound->centre},
                             {"inertia", info.report->bound->inertia}}
                      : Json();
  out.update(measures(info));
  if (s.preCompDone && info.report && !s.isSurface)
    out["computed"] = {{"volume", info.report->solid.volume},
                       {"centre", list(info.report->solid.centre)},
                       {"inertiaTensorPerMass", rows(info.report->solid.inertiaPerMass)},
                       {"method", mass::methodName(info.report->method)}};
  return out;
}

std::string numbers(const Vec3& v) {
  return fmt::format("{:.12g} {:.12g} {:.12g}", v.x(), v.y(), v.z());
}

std::string tableOf(const ShapeInfo& info) {
  const Shape& s = info.given;
  const Facts facts = factsOf(info);
  const Json more = measures(info);
  std::string out = s.name + "\n";
  const auto row = [&](const char* what, const std::string& value) {
    out += fmt::format("  {:<22}{}\n", what, value);
  };
  if (s.radii.empty()) row("radius", fmt::format("{:.12g}", s.radius));
  if (!s.radii.empty()) {
    const auto [least, most] = std::ranges::minmax(s.radii);
    row("radii", fmt::format("{:.12g} to {:.12g}", least, most));
  }
  row("skeleton", fmt::format("{} vertices, {} edges, {} faces", s.vertices.size(), s.edges.size(),
                              s.faces.size()));
  const char* kind = s.isSurface           ? "surface"
                     : !info.report        ? "no solid"
                     : info.report->convex ? "convex solid"
                     : shape::isOfBalls(s) ? "union of balls"
                                           : "closed, not convex";
  row("kind", kind);
  const shape::Aabb bounds = shape::boundsOf(s);
  row("bounding box", fmt::format("{} to {}", numbers(bounds.low), numbers(bounds.high)));
  row("  its sides", numbers(bounds.high - bounds.low));
  if (info.density && facts.known)
    row("mass",
        fmt::format("{:.12g}  (of density {:.12g})", *info.density * facts.volume, *info.density));
  if (facts.known) {
    row("volume", fmt::format("{:.12g}  ({})", facts.volume, facts.method));
    row("centre", numbers(facts.centre));
    row("I/m", numbers(facts.moments));
    const Quat& q = facts.orientation;
    row("orientation (w x y z)",
        fmt::format("{:.12g} {:.12g} {:.12g} {:.12g}", q.w(), q.x(), q.y(), q.z()));
  }
  if (s.preCompDone && info.report && !s.isSurface) {
    row("computed: volume", fmt::format("{:.12g}  ({})", info.report->solid.volume,
                                        mass::methodName(info.report->method)));
    row("computed: I/m", numbers(info.report->solid.inertiaPerMass.diagonal()));
  }
  row("box, half sides", numbers(facts.box.extent));
  row("box, volume", fmt::format("{:.12g}", facts.box.volume()));
  if (const auto& area = info.morphology.area)
    row("area", area->accuracy > 0.0
                    ? fmt::format("{:.6g}  (to about {:.0e})", area->area, area->accuracy)
                    : fmt::format("{:.12g}", area->area));
  for (const char* key : {"sphericity", "equivalentDiameter", "convexity", "roundness"})
    if (!more[key].is_null()) row(key, fmt::format("{:.6g}", more[key].get<double>()));
  if (!more["zingg"].is_null())
    row("flatness, elongation",
        fmt::format("{:.6g} {:.6g}", more["zingg"]["flatness"].get<double>(),
                    more["zingg"]["elongation"].get<double>()));
  return out;
}

}  // namespace

void measureForm(ShapeInfo& info) {
  // The file's own volume may be that of another body (see `check`): ours is taken where there is
  // one. A sheet counts what its joints have in common twice.
  std::optional<double> volume;
  if (info.report && info.report->method != mass::Method::sheet) volume = info.report->solid.volume;
  info.morphology = shape::morphology(info.given, volume, factsOf(info).box);
}

std::string infoTable(const std::vector<ShapeInfo>& shapes) {
  std::string out;
  for (const ShapeInfo& info : shapes) out += tableOf(info) + "\n";
  out += "Lengths L in the unit of the file; area L², volume L³, I/m L²";
  if (std::any_of(shapes.begin(), shapes.end(),
                  [](const auto& i) { return i.density.has_value(); }))
    out += "; mass in the unit of the density times L³";
  return out + ".\n";
}

std::string infoJson(const std::vector<ShapeInfo>& shapes) {
  Json out{{"schema", 1}, {"shapes", Json::array()}};
  for (const ShapeInfo& info : shapes) out["shapes"].push_back(jsonOf(info));
  return out.dump(1) + "\n";
}

std::string listTable(const std::vector<Shape>& shapes) {
  std::size_t width = 4;
  for (const Shape& s : shapes) width = std::max(width, s.name.size());
  std::string out = fmt::format("{:<{}}  {:>12} {:>9} {:>9} {:>9}  {}\n", "name", width, "radius",
                                "vertices", "edges", "faces", "state");
  for (const Shape& s : shapes)
    out += fmt::format("{:<{}}  {:>12.6g} {:>9} {:>9} {:>9}  {}{}\n", s.name, width, s.radius,
                       s.vertices.size(), s.edges.size(), s.faces.size(),
                       s.preCompDone ? "computed" : "raw", s.isSurface ? ", surface" : "");
  return out;
}

std::string listJson(const std::vector<Shape>& shapes) {
  Json out{{"schema", 1}, {"shapes", Json::array()}};
  for (const Shape& s : shapes) {
    Json one{{"name", s.name}};
    addRadius(one, s);
    one.update(Json{{"vertices", s.vertices.size()},
                    {"edges", s.edges.size()},
                    {"faces", s.faces.size()},
                    {"preCompDone", s.preCompDone},
                    {"isSurface", s.isSurface}});
    out["shapes"].push_back(std::move(one));
  }
  return out.dump(1) + "\n";
}

}  // namespace scree::tools
