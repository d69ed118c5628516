// SPDX-License-Identifier: GPL-3.0-or-later
#include "arrays.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::tools {
namespace {

using enum NumberType;

void put(const Vec3& v, double* out) { std::copy_n(v.data(), 3, out); }

}  // namespace

const std::vector<ArrayRow<BodyItem>>& bodyArrays() {
  using B = BodyItem;
  static const std::vector<ArrayRow<B>> rows{
      {"id", "", "index in the conf-file", true, int64, 1,
       [](const B& b, double* out) { *out = static_cast<double>(b.body); }},
      {"group", "", "row of the parameter tables", true, int32, 1,
       [](const B& b, double* out) { *out = b.record().group; }},
      {"cluster", "", "body of bonded particles", true, int32, 1,
       [](const B& b, double* out) { *out = b.record().cluster; }},
      {"shape", "", "index into the field array shape_names", true, int32, 1,
       [](const B& b, double* out) { *out = b.record().shapeName; }},
      {"driven", "", "1 for driven and fixed bodies", true, uint8, 1,
       [](const B& b, double* out) { *out = b.scene.driven(b.body) ? 1.0 : 0.0; }},
      {"wall", "", "1 for flat driven bodies", true, uint8, 1,
       [](const B& b, double* out) {
         *out = b.scene.driven(b.body) && b.scene.shapeOf(b.body).area > 0.0 ? 1.0 : 0.0;
       }},
      {"radius", "m", "of the rounding (Minkowski radius)", true, float32, 1,
       [](const B& b, double* out) { *out = b.scene.radius(b.body); }},
      {"velocity", "m/s", "of the centre of mass", true, float32, 3,
       [](const B& b, double* out) { put(b.record().vel, out); }},
      {"speed", "m/s", "its norm", true, float32, 1,
       [](const B& b, double* out) { *out = b.record().vel.norm(); }},
      {"angular_velocity", "rad/s", "global frame", true, float32, 3,
       [](const B& b, double* out) { put(b.record().vrot, out); }},
      {"orientation", "", "quaternion w x y z, body frame to global; centres only", true, float32,
       4,
       [](const B& b, double* out) {
         const Quat& q = b.record().q;
         out[0] = q.w(), out[1] = q.x(), out[2] = q.y(), out[3] = q.z();
       }},
      {"coordination", "", "bodies it touches", true, int32, 1,
       [](const B& b, double* out) {
         *out = static_cast<double>(b.scene.counts[b.body].partners);
       }},
      {"homothety", "", "scale of the shape", false, float64, 1,
       [](const B& b, double* out) { *out = b.record().homothety; }},
      {"mass", "kg", "density times volume", false, float64, 1,
       [](const B& b, double* out) { *out = b.scene.instant->masses()[b.body]; }},
      {"volume", "m3", "of the shape, scaled", false, float64, 1,
       [](const B& b, double* out) { *out = b.scene.volume(b.body); }},
      {"inertia", "kg m2", "principal moments", false, float64, 3,
       [](const B& b, double* out) { put(b.scene.instant->inertias()[b.body], out); }},
      {"acceleration", "m/s2", "of the centre of mass", false, float32, 3,
       [](const B& b, double* out) { put(b.record().acc, out); }},
      {"angular_acceleration", "rad/s2", "global frame", false, float32, 3,
       [](const B& b, double* out) { put(b.record().arot, out); }},
      {"force", "N",
       "sum of all forces but gravity and damping: contacts, bonds, joints, BodyForce", false,
       float32, 3,
       [](const B& b, double* out) { put(b.scene.instant->actions()[b.body].force, out); }},
      {"moment", "N m", "of these, about the centre of mass", false, float32, 3,
       [](const B& b, double* out) { put(b.scene.instant->actions()[b.body].moment, out); }},
      {"kinetic_energy", "J", "of translation and rotation", false, float64, 1,
       [](const B& b, double* out) { *out = b.scene.instant->kineticEnergy(b.body).sum(); }},
      {"displacement", "m", "since the first file converted; by the nearest image", false, float64,
       3, [](const B& b, double* out) { put(b.scene.displacement(b.body), out); }},
      {"rotation_angle", "rad", "of the turn since the first file converted, 0 to pi", false,
       float32, 1, [](const B& b, double* out) { *out = b.scene.rotationAngle(b.body); }},
      {"damage", "", "broken share of its bonds since the first file converted", false, float32, 1,
       [](const B& b, double* out) { *out = b.scene.damage[b.body]; }},
      {"potential_energy", "J", "-m g x, 0 at the origin", false, float64, 1,
       [](const B& b, double* out) {
         *out = -b.scene.instant->masses()[b.body] * b.scene.conf->gravity.dot(b.record().pos);
       }},
      {"contact_points", "", "contacts, several of which may be with one body", false, int32, 1,
       [](const B& b, double* out) { *out = static_cast<double>(b.scene.counts[b.body].points); }},
      {"overlap_max", "m", "largest overlap of its contacts", false, float32, 1,
       [](const B& b, double* out) { *out = b.scene.counts[b.body].overlap; }},
      {"stress", "Pa", "-1/V sum of force x (point - centre), compression positive", false, float64,
       9,
       [](const B& b, double* out) {
         const Mat3 stress = b.scene.stress(b.body);
         for (int r = 0; r < 3; ++r)
           for (int c = 0; c < 3; ++c) out[3 * r + c] = stress(r, c);
       }},
      {"pressure", "Pa", "mean of the diagonal of stress", false, float64, 1,
       [](const B& b, double* out) { *out = sim::meanStress(b.scene.stress(b.body)); }},
      {"deviator", "Pa", "sqrt(3/2 s:s) of stress", false, float64, 1,
       [](const B& b, double* out) { *out = sim::deviatoricStress(b.scene.stress(b.body)); }},
      {"fragment", "", "lowest id among the bodies glued to it", false, int32, 1,
       [](const B& b, double* out) { *out = b.scene.fragment[b.body]; }},
  };
  return rows;
}

const std::vector<ArrayRow<ContactItem>>& contactArrays() {
  using C = ContactItem;
  static const std::vector<ArrayRow<C>> rows{
      {"id_i", "", "first body: normal and forces are what it feels", true, int32, 1,
       [](const C& c, double* out) { *out = c.link().i; }},
      {"id_j", "", "second body; -1 - k for the round wall k", true, int32, 1,
       [](const C& c, double* out) { *out = c.atWall() ? -1.0 - c.link().jSub : c.link().j; }},
      {"type", "", "0 vertex-vertex, 1 vertex-edge, 2 vertex-face, 3 edge-edge", true, uint8, 1,
       [](const C& c, double* out) { *out = static_cast<double>(c.link().pairing); }},
      {"sub_i", "", "index of the vertex or edge of i", true, int32, 1,
       [](const C& c, double* out) { *out = c.link().iSub; }},
      {"sub_j", "", "index of the vertex, edge or face of j", true, int32, 1,
       [](const C& c, double* out) { *out = c.link().jSub; }},
      {"normal", "", "unit vector from j to i", true, float32, 3,
       [](const C& c, double* out) { put(c.link().n, out); }},
      {"dn", "m", "gap, negative where they overlap", true, float64, 1,
       [](const C& c, double* out) { *out = c.link().dn; }},
      {"fn", "N", "normal force, positive in compression", true, float64, 1,
       [](const C& c, double* out) { *out = c.link().fn; }},
      {"ft_norm", "N", "norm of the tangential force", true, float32, 1,
       [](const C& c, double* out) { *out = c.link().ft.norm(); }},
      {"force_normal", "N", "fn times normal, on i", true, float32, 3,
       [](const C& c, double* out) { put(c.link().fn * c.link().n, out); }},
      {"force_tangential", "N", "on i", true, float32, 3,
       [](const C& c, double* out) { put(c.link().ft, out); }},
      {"moment", "N m", "rolling moment on i", false, float64, 3,
       [](const C& c, double* out) { put(c.link().mom, out); }},
      {"velocity", "m/s", "of j relative to i", false, float32, 3,
       [](const C& c, double* out) { put(c.link().vel, out); }},
      {"mobilisation", "", "tangential force over the friction bound of the law", false, float32, 1,
       [](const C& c, double* out) { *out = c.scene.mobilisation(c.contact); }},
      {"damping", "N s/m", "viscosity of the pair", false, float64, 1,
       [](const C& c, double* out) { *out = c.scene.damping(c.contact); }},
      {"mean_radius", "m", "mean of the two rounding radii", false, float32, 1,
       [](const C& c, double* out) {
         const double own = c.scene.radius(c.link().i);
         *out = c.atWall() ? own : 0.5 * (own + c.scene.radius(c.link().j));
       }},
  };
  return rows;
}

const std::vector<ArrayRow<ChainItem>>& chainArrays() {
  using L = ChainItem;
  static const std::vector<ArrayRow<L>> rows{
      {"id_i", "", "lower of the two bodies", true, int32, 1,
       [](const L& l, double* out) { *out = l.chain.i; }},
      {"id_j", "", "higher of the two bodies; -1 - k for the round wall k", true, int32, 1,
       [](const L& l, double* out) {
         *out = l.chain.wall >= 0 ? -1.0 - l.chain.wall : static_cast<double>(l.chain.j);
       }},
      {"fn", "N", "sum of the forces along the mean normal, positive in compression", true, float64,
       1, [](const L& l, double* out) { *out = l.chain.fn; }},
      {"ft_norm", "N", "what remains across it", true, float64, 1,
       [](const L& l, double* out) { *out = l.chain.ft; }},
      {"n_points", "", "contacts of the pair", true, int32, 1,
       [](const L& l, double* out) { *out = l.chain.points; }},
      {"multiplicity", "", "1 simple, 2 double, 3 three contacts or more", true, uint8, 1,
       [](const L& l, double* out) { *out = std::min(l.chain.points, 3); }},
      {"tube_radius", "m", "for the Tube filter: grows with the root of fn", true, float32, 1,
       [](const L& l, double* out) { *out = l.chain.tubeRadius; }},
  };
  return rows;
}

vtp::DataArray realArray(std::string name, std::string unit, std::vector<double> values,
                         bool doubles) {
  vtp::DataArray array{std::move(name), std::move(unit), 1, {}};
  if (doubles)
    array.values = std::move(values);
  else
    array.values = std::vector<float>(values.begin(), values.end());
  return array;
}

ArrayChoice::ArrayChoice(const std::vector<std::string>& names, bool doubles)
    : names_(names), doubles_(doubles) {
  std::vector<std::string_view> known{"all"};
  const auto learn = [&](const auto& rows) {
    for (const auto& row : rows) known.push_back(row.name);
  };
  learn(bodyArrays());
  learn(contactArrays());
  learn(chainArrays());
  for (const std::string& name : names_) {
    if (name == "all") all_ = true;
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string help = suggestion(name, known);
    if (help.empty()) {
      std::ranges::sort(known);
      known.erase(std::unique(known.begin(), known.end()), known.end());
      help = fmt::format("; there are {}", fmt::join(known, ", "));
    }
    throw UsageError(fmt::format("--arrays: there is no array '{}'{}", shown(name), help));
  }
  std::ranges::sort(names_);
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

bool ArrayChoice::wantsContactSums() const {
  static constexpr std::array sums{"coordination", "contact_points", "force",
                                   "moment",       "overlap_max",    "stress",
                                   "pressure",     "deviator",       "fragment"};
  return all_ || std::ranges::any_of(names_, [](const std::string& name) {
           return std::ranges::find(sums, name) != sums.end();
         });
}

std::string ArrayChoice::text() const {
  std::string text = doubles_ ? "double " : "";
  if (all_) return text + "all";
  if (names_.empty()) return text + "default";
  for (std::size_t k = 0; k < names_.size(); ++k) text += (k > 0 ? "," : "") + names_[k];
  return text;
}

}  // namespace scree::tools
