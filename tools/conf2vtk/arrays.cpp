// SPDX-License-Identifier: GPL-3.0-or-later
#include "arrays.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <array>

namespace scree::tools {
using enum NumberType;

const std::vector<ArrayRow<BodyItem>>& bodyArrays() {
  using B = BodyItem;
  static const std::vector<ArrayRow<B>> rows{
      {"id", "", true, int64, &B::body},
      {"group", "", true, int32, [](const B& b) { return b->group; }},
      {"cluster", "", true, int32, [](const B& b) { return b->cluster; }},
      {"shape", "", true, int32, [](const B& b) { return b->shapeName; }},
      {"driven", "", true, uint8, [](const B& b) { return b.scene.driven(b.body); }},
      {"wall", "", true, uint8, [](const B& b) { return b.scene.isFlatWall(b.body); }},
      {"radius", "m", true, float32, [](const B& b) { return b.scene.radius(b.body); }},
      {"velocity", "m/s", true, float32, [](const B& b) { return b->vel; }},
      {"speed", "m/s", true, float32, [](const B& b) { return b->vel.norm(); }},
      {"angular_velocity", "rad/s", true, float32, [](const B& b) { return b->vrot; }},
      {"orientation", "", true, float32,
       [](const B& b) { return Eigen::Vector4d(b->q.w(), b->q.x(), b->q.y(), b->q.z()); }},
      {"coordination", "", true, int32, [](const B& b) { return b.scene.counts[b.body].partners; }},
      {"homothety", "", false, float64, [](const B& b) { return b->homothety; }},
      {"mass", "kg", false, float64, [](const B& b) { return b.scene.instant->masses()[b.body]; }},
      {"volume", "m3", false, float64,
       [](const B& b) { return b.scene.instant->volumes()[b.body]; }},
      {"inertia", "kg m2", false, float64,
       [](const B& b) { return b.scene.instant->inertias()[b.body]; }},
      {"acceleration", "m/s2", false, float32, [](const B& b) { return b->acc; }},
      {"angular_acceleration", "rad/s2", false, float32, [](const B& b) { return b->arot; }},
      {"force", "N", false, float32,
       [](const B& b) { return b.scene.instant->actions()[b.body].force; }},
      {"moment", "N m", false, float32,
       [](const B& b) { return b.scene.instant->actions()[b.body].moment; }},
      {"kinetic_energy", "J", false, float64,
       [](const B& b) { return b.scene.instant->kineticEnergy(b.body).sum(); }},
      {"displacement", "m", false, float64,
       [](const B& b) { return b.scene.displacement(b.body); }},
      {"rotation_angle", "rad", false, float32,
       [](const B& b) { return b.scene.rotationAngle(b.body); }},
      {"damage", "", false, float32, [](const B& b) { return b.scene.damage[b.body]; }},
      {"potential_energy", "J", false, float64,
       [](const B& b) {
         return -b.scene.instant->masses()[b.body] * b.scene.conf->gravity.dot(b->pos);
       }},
      {"contact_points", "", false, int32,
       [](const B& b) { return b.scene.counts[b.body].points; }},
      {"overlap_max", "m", false, float32,
       [](const B& b) { return b.scene.counts[b.body].overlap; }},
      {"stress", "Pa", false, float64, [](const B& b) { return b.scene.stress(b.body); }},
      {"pressure", "Pa", false, float64,
       [](const B& b) { return sim::meanStress(b.scene.stress(b.body)); }},
      {"deviator", "Pa", false, float64,
       [](const B& b) { return sim::deviatoricStress(b.scene.stress(b.body)); }},
      {"fragment", "", false, int32, [](const B& b) { return b.scene.fragment[b.body]; }},
  };
  return rows;
}

const std::vector<ArrayRow<ContactItem>>& contactArrays() {
  using C = ContactItem;
  static const std::vector<ArrayRow<C>> rows{
      {"id_i", "", true, int32, [](const C& c) { return c->i; }},
      {"id_j", "", true, int32,
       [](const C& c) { return c.atWall() ? -1.0 - c->jSub : static_cast<double>(c->j); }},
      {"type", "", true, uint8, [](const C& c) { return c->pairing; }},
      {"sub_i", "", true, int32, [](const C& c) { return c->iSub; }},
      {"sub_j", "", true, int32, [](const C& c) { return c->jSub; }},
      {"normal", "", true, float32, [](const C& c) { return c->n; }},
      {"dn", "m", true, float64, [](const C& c) { return c->dn; }},
      {"fn", "N", true, float64, [](const C& c) { return c->fn; }},
      {"ft_norm", "N", true, float32, [](const C& c) { return c->ft.norm(); }},
      {"force_normal", "N", true, float32, [](const C& c) { return Vec3(c->fn * c->n); }},
      {"force_tangential", "N", true, float32, [](const C& c) { return c->ft; }},
      {"moment", "N m", false, float64, [](const C& c) { return c->mom; }},
      {"velocity", "m/s", false, float32, [](const C& c) { return c->vel; }},
      {"mobilisation", "", false, float32,
       [](const C& c) { return c.scene.mobilisation(c.contact); }},
      {"damping", "N s/m", false, float64,
       [](const C& c) {
         const auto& listed = c.scene.conf->interactions;
         return c.contact < listed.size() ? listed[c.contact].damp : 0.0;
       }},
      {"mean_radius", "m", false, float32,
       [](const C& c) {
         const double own = c.scene.radius(c->i);
         return c.atWall() ? own : 0.5 * (own + c.scene.radius(c->j));
       }},
  };
  return rows;
}

const std::vector<ArrayRow<Chain>>& chainArrays() {
  static const std::vector<ArrayRow<Chain>> rows{
      {"id_i", "", true, int32, &Chain::i},
      {"id_j", "", true, int32,
       [](const Chain& c) { return c.wall >= 0 ? -1.0 - c.wall : static_cast<double>(c.j); }},
      {"fn", "N", true, float64, &Chain::fn},
      {"ft_norm", "N", true, float64, &Chain::ft},
      {"n_points", "", true, int32, &Chain::points},
      {"multiplicity", "", true, uint8, [](const Chain& c) { return std::min(c.points, 3); }},
      {"tube_radius", "m", true, float32, &Chain::tubeRadius},
  };
  return rows;
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
  for (const std::string& name : names_)
    if (std::ranges::find(known, name) == known.end())
      throw UsageError(
          fmt::format("--arrays: there is no array '{}'{}", shown(name), suggestion(name, known)));
}

bool ArrayChoice::wants(std::string_view name, bool byDefault) const {
  if (names_.empty()) return byDefault;
  return std::ranges::any_of(names_, [&](const auto& n) { return n == "all" || n == name; });
}

bool ArrayChoice::wantsContactSums() const {
  static constexpr std::array<std::string_view, 11> sums{
      "all",    "coordination", "contact_points", "force",    "moment", "overlap_max",
      "stress", "pressure",     "deviator",       "fragment", "damage"};
  return std::ranges::any_of(names_, [](const std::string& name) { return among(sums, name); });
}

std::string ArrayChoice::text() const {
  return fmt::format("{}{}", doubles_ ? "double " : "", fmt::join(names_, ","));
}

}  // namespace scree::tools
