// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace scree::sim {
namespace {

struct Difference {
  std::int64_t body = -1, other = -1;
  std::string sub = {}, quantity = {};
  double a = 0.0, b = 0.0;
};

/// Members of a record that are compared, by their names.
template <class T>
struct Compared {
  std::vector<std::pair<const char*, double T::*>> numbers;
  std::vector<std::pair<const char*, Vec3 T::*>> vectors;
};

class Comparison {
 public:
  explicit Comparison(double tolerance) : tolerance_(tolerance) {}
  std::vector<Difference> found;

  void number(Difference what, const std::string& quantity, double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return;
    if (std::abs(a - b) <= tolerance_ * std::max(std::abs(a), std::abs(b))) return;
    what.quantity = quantity;
    what.a = a;
    what.b = b;
    found.push_back(std::move(what));
  }
  void vector(const Difference& what, const std::string& name, const Vec3& a, const Vec3& b) {
    for (int k = 0; k < 3; ++k) number(what, name + "xyz"[k], a[k], b[k]);
  }
  template <class T>
  void records(const Difference& what, const Compared<T>& fields, const T& a, const T& b) {
    for (const auto& [name, field] : fields.numbers) number(what, name, a.*field, b.*field);
    for (const auto& [name, field] : fields.vectors) vector(what, name, a.*field, b.*field);
  }
  /// Compares two lists by the keys of their records. One that only one list has is 1 against 0.
  template <class T>
  void lists(std::vector<T> a, std::vector<T> b, auto&& key, const Compared<T>& fields,
             auto&& nameOf, const char* existence) {
    std::ranges::stable_sort(a, {}, key);
    std::ranges::stable_sort(b, {}, key);
    for (auto i = a.begin(), j = b.begin(); i != a.end() || j != b.end();) {
      const bool first = j == b.end() || (i != a.end() && key(*i) < key(*j)),
                 second = i == a.end() || (j != b.end() && key(*j) < key(*i));
      if (first || second)
        number(nameOf(first ? *i : *j), existence, first, second);
      else
        records(nameOf(*i), fields, *i, *j);
      i += !second;
      j += !first;
    }
  }

 private:
  double tolerance_;
};

void compareWhole(Comparison& c, const Conf& a, const Conf& b) {
  c.number({}, "t", a.t, b.t);
  c.number({}, "dt", a.dt, b.dt);
  c.number({}, "nDriven", a.nDriven, b.nDriven);
  c.number({}, "bodies", static_cast<double>(a.particles.size()),
           static_cast<double>(b.particles.size()));
  c.vector({}, "gravity.", a.gravity, b.gravity);
  for (int k = 0; k < 9; ++k) {
    const std::string at{"xyz"[k / 3], "xyz"[k % 3]};
    c.number({}, "h." + at, a.cell.h(k / 3, k % 3), b.cell.h(k / 3, k % 3));
    c.number({}, "vh." + at, a.cell.vh(k / 3, k % 3), b.cell.vh(k / 3, k % 3));
  }
  c.number({}, "numericalDampingCoeff", a.numericalDampingCoeff, b.numericalDampingCoeff);
  const auto word = [&](const char* keyword, const std::string Conf::*member) {
    if (a.*member != b.*member) c.number({}, keyword, 1.0, 0.0);
  };
  word("forceLaw", &Conf::forceLaw);
  word("Integrator", &Conf::integrator);
  word("ContactPartnership", &Conf::contactPartnership);
  std::set<std::string> names, ofGroups;
  std::set<std::uint32_t> groups;
  for (const Conf* conf : {&a, &b}) {
    for (const auto& [name, values] : conf->lawParameters) {
      names.insert(name);
      for (const auto& [pair, v] : values) groups.insert({pair.first, pair.second});
    }
    for (const auto& [group, v] : conf->density) groups.insert(group);
    for (const auto& [name, values] : conf->groupParameters) {
      ofGroups.insert(name);
      for (const auto& [group, v] : values) groups.insert(group);
    }
  }
  for (const std::uint32_t g : groups) {
    const Difference group{.sub = fmt::format("{}", g)};
    c.number(group, "density", a.densityOf(g), b.densityOf(g));
    for (const std::string& name : ofGroups)
      c.number(group, name, a.groupParameter(name, g), b.groupParameter(name, g));
    for (const std::uint32_t h : groups)
      for (const std::string& name : names)
        if (g <= h)
          c.number({.sub = fmt::format("{}-{}", g, h)}, name, a.lawParameter(name, g, h),
                   b.lawParameter(name, g, h));
  }
}

void compareBoundaries(Comparison& c, const Conf& a, const Conf& b) {
  using B = Boundary;
  const Compared<B> fields{
      {{"radius", &B::radius}, {"angle", &B::angle}},
      {{"centre.", &B::centre}, {"axis.", &B::axis}, {"v", &B::vel}, {"w", &B::spin}}};
  c.number({}, "boundaries", static_cast<double>(a.boundaries.size()),
           static_cast<double>(b.boundaries.size()));
  for (std::size_t k = 0; k < std::min(a.boundaries.size(), b.boundaries.size()); ++k) {
    const B &p = a.boundaries[k], &q = b.boundaries[k];
    const Difference wall{.sub = fmt::format("wall:{}", k)};
    if (p.kind != q.kind) c.number(wall, "kind", 1.0, 0.0);
    c.number(wall, "group", p.group, q.group);
    c.records(wall, fields, p, q);
  }
}

void compareBodies(Comparison& c, const Conf& a, const Conf& b) {
  const Compared<ParticleRecord> fields{{{"homothety", &ParticleRecord::homothety}},
                                        {{"", &ParticleRecord::pos},
                                         {"v", &ParticleRecord::vel},
                                         {"a", &ParticleRecord::acc},
                                         {"w", &ParticleRecord::vrot},
                                         {"arot.", &ParticleRecord::arot}}};
  for (std::size_t k = 0; k < std::min(a.particles.size(), b.particles.size()); ++k) {
    const ParticleRecord &p = a.particles[k], &q = b.particles[k];
    const Difference body{.body = static_cast<std::int64_t>(k)};
    c.records(body, fields, p, q);
    c.number(body, "qw", p.q.w(), q.q.w());
    c.vector(body, "q", p.q.vec(), q.q.vec());
    c.number(body, "group", p.group, q.group);
    c.number(body, "cluster", p.cluster, q.cluster);
    // By name: the same shape may have another number.
    if (a.shapeNameOf(p) != b.shapeNameOf(q)) c.number(body, "shape", 1.0, 0.0);
  }
}

void compareContacts(Comparison& c, const Conf& a, const Conf& b) {
  using R = InteractionRecord;
  using T = BoundaryTouch;
  constexpr const char* types[] = {"vv", "ve", "vf", "ee"};
  c.lists(
      a.interactions, b.interactions, [](const R& r) { return r.key; },
      Compared<R>{{{"dn", &R::dn}, {"fn", &R::fn}, {"damp", &R::damp}},
                  {{"n", &R::n},
                   {"point.", &R::pos},
                   {"vel.", &R::vel},
                   {"ft", &R::ft},
                   {"mom.", &R::mom}}},
      [&](const R& r) {
        return Difference{r.key.i, r.key.j,
                          fmt::format("{}:{}:{}", types[static_cast<int>(r.key.pairing)],
                                      r.key.iSub, r.key.jSub)};
      },
      "contact");
  c.lists(
      a.boundaryTouches, b.boundaryTouches,
      [](const T& t) { return std::tuple(t.boundary, t.body, t.vertex); },
      Compared<T>{{{"dn", &T::dn}, {"fn", &T::fn}}, {{"ft", &T::ft}, {"mom.", &T::mom}}},
      [](const T& t) {
        return Difference{t.body, -1, fmt::format("wall:{}:{}", t.boundary, t.vertex)};
      },
      "touch");
}

void compareInterfaces(Comparison& c, const Conf& a, const Conf& b) {
  std::map<std::pair<BodyId, BodyId>, std::pair<double, double>> bonds;
  for (const InterfaceRecord& face : a.interfaces)
    bonds[bodyPair(face.i, face.j)].first = static_cast<double>(face.bonds.size());
  for (const InterfaceRecord& face : b.interfaces)
    bonds[bodyPair(face.i, face.j)].second = static_cast<double>(face.bonds.size());
  for (const auto& [pair, count] : bonds)
    c.number({pair.first, pair.second}, "interface", count.first, count.second);
}

}  // namespace

std::vector<Column> differenceColumns() {
  return columnsFrom("step t:s body other sub quantity a b difference");
}

std::vector<Row> differences(const Conf& a, const Conf& b, double tolerance) {
  Comparison c(tolerance);
  compareWhole(c, a, b);
  compareBoundaries(c, a, b);
  compareBodies(c, a, b);
  compareContacts(c, a, b);
  compareInterfaces(c, a, b);
  const auto size = [](const Difference& d) {
    const double by = std::abs(d.a - d.b);
    return std::isnan(by) ? std::numeric_limits<double>::infinity() : by;
  };
  std::ranges::stable_sort(c.found, std::ranges::greater(), size);
  const Cell step = a.state().runState ? Cell(static_cast<std::int64_t>(a.state().runState->step))
                                       : Cell(notKnown);
  std::vector<Row> rows;
  for (const Difference& d : c.found)
    rows.push_back({step, a.t, d.body, d.other, d.sub.empty() ? std::string("-") : d.sub,
                    d.quantity, d.a, d.b, size(d)});
  return rows;
}

}  // namespace scree::sim
