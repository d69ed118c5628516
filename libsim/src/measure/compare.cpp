// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace scree::sim {
namespace {

struct Difference {
  std::int64_t body = -1, other = -1;
  std::string sub, quantity;
  double a = 0.0, b = 0.0;
};

class Comparison {
 public:
  explicit Comparison(double tolerance) : tolerance_(tolerance) {}
  std::vector<Difference> found;

  void number(const Difference& what, double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return;
    if (std::abs(a - b) <= tolerance_ * std::max(std::abs(a), std::abs(b))) return;
    found.push_back(what);
    found.back().a = a;
    found.back().b = b;
  }
  void number(std::int64_t body, const char* quantity, double a, double b) {
    number({body, -1, "", quantity, 0, 0}, a, b);
  }
  void vector(Difference what, const std::string& name, const Vec3& a, const Vec3& b) {
    for (int k = 0; k < 3; ++k) {
      what.quantity = name + "xyz"[k];
      number(what, a[k], b[k]);
    }
  }
  void vector(std::int64_t body, const std::string& name, const Vec3& a, const Vec3& b) {
    vector({body, -1, "", "", 0, 0}, name, a, b);
  }

 private:
  double tolerance_;
};

void compareWhole(Comparison& c, const Conf& a, const Conf& b) {
  c.number(-1, "t", a.t, b.t);
  c.number(-1, "dt", a.dt, b.dt);
  c.number(-1, "nDriven", a.nDriven, b.nDriven);
  c.number(-1, "bodies", static_cast<double>(a.particles.size()),
           static_cast<double>(b.particles.size()));
  c.vector(-1, "gravity.", a.gravity, b.gravity);
  for (int k = 0; k < 9; ++k) {
    const std::string at{"xyz"[k / 3], "xyz"[k % 3]};
    c.number({-1, -1, "", "h." + at, 0, 0}, a.cell.h(k / 3, k % 3), b.cell.h(k / 3, k % 3));
    c.number({-1, -1, "", "vh." + at, 0, 0}, a.cell.vh(k / 3, k % 3), b.cell.vh(k / 3, k % 3));
  }
  std::set<std::string> names;
  std::set<std::uint32_t> groups;
  for (const Conf* conf : {&a, &b}) {
    for (const auto& [name, values] : conf->lawParameters) {
      names.insert(name);
      for (const PairValue& v : values) groups.insert(v.group1), groups.insert(v.group2);
    }
    for (const GroupValue& v : conf->density) groups.insert(v.group);
  }
  for (const std::uint32_t g : groups) {
    c.number({-1, -1, fmt::format("{}", g), "density", 0, 0}, a.densityOf(g), b.densityOf(g));
    for (const std::uint32_t h : groups)
      for (const std::string& name : names)
        if (g <= h)
          c.number({-1, -1, fmt::format("{}-{}", g, h), name, 0, 0}, a.lawParameter(name, g, h),
                   b.lawParameter(name, g, h));
  }
}

void compareBodies(Comparison& c, const Conf& a, const Conf& b) {
  for (std::size_t k = 0; k < std::min(a.particles.size(), b.particles.size()); ++k) {
    const ParticleRecord &p = a.particles[k], &q = b.particles[k];
    const auto body = static_cast<std::int64_t>(k);
    c.vector(body, "", p.pos, q.pos);
    c.vector(body, "v", p.vel, q.vel);
    c.vector(body, "a", p.acc, q.acc);
    c.number(body, "qw", p.q.w(), q.q.w());
    c.vector(body, "q", p.q.vec(), q.q.vec());
    c.vector(body, "w", p.vrot, q.vrot);
    c.vector(body, "arot.", p.arot, q.arot);
    c.number(body, "group", p.group, q.group);
    c.number(body, "cluster", p.cluster, q.cluster);
    c.number(body, "homothety", p.homothety, q.homothety);
    // By name: the same shape may have another number.
    if (a.shapeNameOf(p) != b.shapeNameOf(q)) c.number(body, "shape", 1.0, 0.0);
  }
}

/// Walks two sorted lists together.
template <class T, class Key, class Both, class One>
void mergeBy(const std::vector<T>& a, const std::vector<T>& b, Key&& key, Both&& both, One&& one) {
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && key(a[i]) < key(b[j])))
      one(a[i++], true);
    else if (i == a.size() || key(b[j]) < key(a[i]))
      one(b[j++], false);
    else
      both(a[i++], b[j++]);
  }
}

void compareContacts(Comparison& c, const Conf& a, const Conf& b) {
  constexpr const char* types[] = {"vv", "ve", "vf", "ee"};
  const auto nameOf = [&](const InteractionRecord& r) {
    return Difference{
        r.key.i,
        r.key.j,
        fmt::format("{}:{}:{}", types[static_cast<int>(r.key.pairing)], r.key.iSub, r.key.jSub),
        "",
        0,
        0};
  };
  auto sorted = [](std::vector<InteractionRecord> list) {
    std::ranges::stable_sort(list, {}, &InteractionRecord::key);
    return list;
  };
  mergeBy(
      sorted(a.interactions), sorted(b.interactions),
      [](const InteractionRecord& r) { return r.key; },
      [&](const InteractionRecord& r, const InteractionRecord& s) {
        Difference what = nameOf(r);
        const auto number = [&](const char* name, double x, double y) {
          what.quantity = name;
          c.number(what, x, y);
        };
        number("dn", r.dn, s.dn);
        number("fn", r.fn, s.fn);
        number("damp", r.damp, s.damp);
        c.vector(what, "n", r.n, s.n);
        c.vector(what, "point.", r.pos, s.pos);
        c.vector(what, "vel.", r.vel, s.vel);
        c.vector(what, "ft", r.ft, s.ft);
        c.vector(what, "mom.", r.mom, s.mom);
      },
      [&](const InteractionRecord& r, bool first) {
        Difference what = nameOf(r);
        what.quantity = "contact";
        c.number(what, first, !first);
      });
  const auto keyOf = [](const BoundaryTouch& t) {
    return std::tuple(t.boundary, t.body, t.vertex);
  };
  const auto touchName = [](const BoundaryTouch& t) {
    return Difference{t.body, -1, fmt::format("wall:{}:{}", t.boundary, t.vertex), "", 0, 0};
  };
  mergeBy(
      a.boundaryTouches, b.boundaryTouches, keyOf,
      [&](const BoundaryTouch& s, const BoundaryTouch& t) {
        Difference what = touchName(s);
        what.quantity = "dn";
        c.number(what, s.dn, t.dn);
        what.quantity = "fn";
        c.number(what, s.fn, t.fn);
        c.vector(what, "ft", s.ft, t.ft);
        c.vector(what, "mom.", s.mom, t.mom);
      },
      [&](const BoundaryTouch& t, bool first) {
        Difference what = touchName(t);
        what.quantity = "touch";
        c.number(what, first, !first);
      });
}

void compareInterfaces(Comparison& c, const Conf& a, const Conf& b) {
  std::map<std::pair<BodyId, BodyId>, std::pair<double, double>> bonds;
  for (const InterfaceRecord& face : a.interfaces)
    bonds[bodyPair(face.i, face.j)].first = static_cast<double>(face.bonds.size());
  for (const InterfaceRecord& face : b.interfaces)
    bonds[bodyPair(face.i, face.j)].second = static_cast<double>(face.bonds.size());
  for (const auto& [pair, count] : bonds)
    c.number({pair.first, pair.second, "", "interface", 0, 0}, count.first, count.second);
}

}  // namespace

std::vector<Column> differenceColumns() {
  return columnsFrom("step t:s body other sub quantity a b difference");
}

std::vector<Row> differences(const Conf& a, const Conf& b, double tolerance) {
  Comparison c(tolerance);
  compareWhole(c, a, b);
  compareBodies(c, a, b);
  compareContacts(c, a, b);
  compareInterfaces(c, a, b);
  const auto size = [](const Difference& d) {
    const double by = std::abs(d.a - d.b);
    return std::isnan(by) ? std::numeric_limits<double>::infinity() : by;
  };
  std::ranges::stable_sort(c.found, std::ranges::greater(), size);
  const Cell step = a.runState ? Cell(static_cast<std::int64_t>(a.runState->step)) : Cell(notKnown);
  std::vector<Row> rows;
  for (const Difference& d : c.found)
    rows.push_back({step, a.t, d.body, d.other, d.sub.empty() ? std::string("-") : d.sub,
                    d.quantity, d.a, d.b, size(d)});
  return rows;
}

}  // namespace scree::sim
