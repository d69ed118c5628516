// SPDX-License-Identifier: GPL-3.0-or-later
// Models whose stress, fabric and packing are known in closed form, built as conf-files hold them.
#pragma once

#include "scenes.hpp"

#include "scree/sim/model/images.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <utility>
#include <vector>

namespace scree::scenes {

/// A conf and its shapes, for sim::Instant.
struct Model {
  sim::Conf conf;
  std::vector<shape::Shape> shapes;
};

/// No body yet; density 1000.
inline Model modelOf(std::vector<shape::Shape> shapes) {
  Model m;
  for (const shape::Shape& s : shapes) m.conf.shapeNames.push_back(s.name);
  m.shapes = std::move(shapes);
  m.conf.setDensity(0, 1000.0);
  return m;
}
/// Free balls of one radius at these places.
inline Model freeBalls(double r, const std::vector<Vec3>& places) {
  Model m = modelOf({ball("ball", r)});
  for (const Vec3& x : places) m.conf.particles.emplace_back().pos = x;
  return m;
}
/// Adds a contact. @param n  points from the second body of the key to the first
inline sim::InteractionRecord& touch(Model& m, const sim::ContactKey& key, const Vec3& n,
                                     const Vec3& pos, double dn, double fn) {
  sim::InteractionRecord& r = m.conf.interactions.emplace_back();
  r.key = key;
  r.n = n;
  r.pos = pos;
  r.dn = dn;
  r.fn = fn;
  return r;
}

/// A ball of radius R about `centre`, pressed with F along x by two driven plates beside it.
inline Model squeezedBall(double R, double F, const Vec3& centre = Vec3::Zero()) {
  Model m = modelOf({plate("plate", R, 0.0), ball("ball", R)});
  m.conf.nDriven = 2;
  m.conf.particles.resize(3);
  for (int side : {0, 1}) {
    const double sign = side == 0 ? -1.0 : 1.0;
    sim::ParticleRecord& p = m.conf.particles[static_cast<std::size_t>(side)];
    p.pos = centre + Vec3(sign * R, 0, 0);
    p.q = Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5));  // its normal y becomes x
    touch(m, {2, static_cast<sim::BodyId>(side), sim::Pairing::vertexFace, 0, 0}, Vec3(-sign, 0, 0),
          p.pos, -1e-6 * R, F);
  }
  m.conf.particles[2].shapeName = 1;
  m.conf.particles[2].pos = centre;
  return m;
}

/// Balls of radius R on a lattice that fills a periodic cell of `cells` lattice cells along each
/// axis. There are at least 3, so that no pair touches twice. Each touching pair is pressed with F
/// along its normal. Numbered as the sites of the lattice, cell by cell.
inline Model ballLattice(sim::LatticeType type, int cells, double R, double F,
                         const Vec3& origin = Vec3::Zero()) {
  Model m = modelOf({ball("ball", R)});
  const sim::LatticeCell cell = sim::lattice(m.shapes, {.type = type, .spacing = 2.0 * R}).cell;
  m.conf.cell.used = true;
  m.conf.cell.h = (static_cast<double>(cells) * cell.size).asDiagonal();
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j)
      for (int k = 0; k < cells; ++k)
        for (const Vec3& site : cell.sites)
          m.conf.particles.emplace_back().pos =
              origin + site + Vec3(i, j, k).cwiseProduct(cell.size);
  sim::Images images;
  images.set(m.conf.cell.h);
  for (sim::BodyId a = 0; a < m.conf.particles.size(); ++a)
    for (sim::BodyId b = a + 1; b < m.conf.particles.size(); ++b) {
      Vec3 between = m.conf.particles[a].pos - m.conf.particles[b].pos;
      between -= images.offset(images.nearest(between));
      if (between.norm() > 2.0 * R * (1.0 + 1e-9)) continue;
      const Vec3 n = between.normalized();
      touch(m, {a, b, sim::Pairing::vertexVertex, 0, 0}, n, m.conf.particles[a].pos - R * n,
            -1e-9 * R, F);
    }
  return m;
}

}  // namespace scree::scenes
