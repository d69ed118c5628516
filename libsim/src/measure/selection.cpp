// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/selection.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <array>

namespace scree::sim {
namespace {

struct Subject {
  const Conf& conf;
  std::span<const shape::Shape> shapes;
  std::size_t k;
  const ParticleRecord& p;

  double volume() const {
    if (p.shapeName >= shapes.size()) return std::nan("");
    return p.homothety * p.homothety * p.homothety * shapes[p.shapeName].volume;
  }
};

/// A name and where its number comes from; `shape` alone is a text.
struct Quantity {
  std::string_view name;
  double (*value)(const Subject&);
  bool needsShapes = false;
};
using S = Subject;
constexpr std::array<Quantity, 18> quantities{{
    {"id", [](const S& s) { return static_cast<double>(s.k); }},
    {"group", [](const S& s) -> double { return s.p.group; }},
    {"cluster", [](const S& s) -> double { return s.p.cluster; }},
    {"x", [](const S& s) { return s.p.pos.x(); }},
    {"y", [](const S& s) { return s.p.pos.y(); }},
    {"z", [](const S& s) { return s.p.pos.z(); }},
    {"vx", [](const S& s) { return s.p.vel.x(); }},
    {"vy", [](const S& s) { return s.p.vel.y(); }},
    {"vz", [](const S& s) { return s.p.vel.z(); }},
    {"wx", [](const S& s) { return s.p.vrot.x(); }},
    {"wy", [](const S& s) { return s.p.vrot.y(); }},
    {"wz", [](const S& s) { return s.p.vrot.z(); }},
    {"speed", [](const S& s) { return s.p.vel.norm(); }},
    {"mass", [](const S& s) { return s.volume() * s.conf.densityOf(s.p.group); }, true},
    {"volume", [](const S& s) { return s.volume(); }, true},
    {"homothety", [](const S& s) { return s.p.homothety; }},
    {"driven", [](const S& s) -> double { return s.k < s.conf.nDriven ? 1.0 : 0.0; }},
    {"shape", nullptr},
}};

}  // namespace

Selection::Selection(std::string_view expression) {
  std::vector<Condition::Name> names;
  for (const Quantity& q : quantities) names.push_back({q.name, q.value == nullptr});
  try {
    condition_.emplace(expression, names);
  } catch (const ExpressionError& error) {
    throw UsageError(
        fmt::format("'{}': column {}: {}", shown(expression), error.at() + 1, error.what()));
  }
}

bool Selection::needsShapes() const {
  for (std::size_t k = 0; condition_ && k < quantities.size(); ++k)
    if (quantities[k].needsShapes && condition_->uses(k)) return true;
  return false;
}

std::vector<double> Selection::values(const Conf& conf,
                                      std::span<const shape::Shape> shapes) const {
  std::vector<double> numbers(conf.particles.size(), 1.0);
  for (std::size_t k = 0; condition_ && k < numbers.size(); ++k) {
    const Subject subject{conf, shapes, k, conf.particles[k]};
    numbers[k] = condition_->number([&](std::size_t name) -> Condition::Value {
      const Quantity& q = quantities[name];
      if (q.value == nullptr) return conf.shapeNameOf(subject.p);
      return q.value(subject);
    });
  }
  return numbers;
}

std::vector<char> Selection::of(const Conf& conf, std::span<const shape::Shape> shapes) const {
  std::vector<char> chosen;
  for (const double value : values(conf, shapes)) chosen.push_back(Condition::isTrue(value));
  return chosen;
}

}  // namespace scree::sim
