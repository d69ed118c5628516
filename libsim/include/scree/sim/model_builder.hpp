// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/drives.hpp"
#include "scree/sim/simulation.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace scree::sim {

/// A model built in code, without files: shapes, bodies, parameters of the law, and a start.
///
/// Units are those of the caller; all must belong together, as SI units do. `conf` holds what a
/// conf-file would say, and may be changed before the start: time step, gravity, cell, walls.
/// docs/formats/conf.md explains each value.
class ModelBuilder {
 public:
  Conf conf;
  std::vector<shape::Shape> shapes;  ///< one for each name in conf.shapeNames

  /// Law Default, gravity -9.81 along y, a time step of 1e-6: those of a conf-file without lines.
  ModelBuilder();

  /// Adds a free body. A shape that has no mass properties yet is surveyed: then its vertices move
  /// to its centre of mass and principal axes. Shapes of one name are the same shape.
  /// @param pos    [L] centre of mass
  /// @param group  row and column of the parameter tables
  /// @param q      body frame to global frame; unit
  /// @returns the number of the body @throws GeometryError for a shape without volume
  BodyId add(const shape::Shape& shape, const Vec3& pos, std::uint32_t group = 0,
             const Quat& q = Quat::Identity());
  /// The same for a body that drives move, or that stands still. Its shape may be a surface.
  /// @throws ModelError after a free body: driven bodies come first
  BodyId addDriven(const shape::Shape& shape, const Vec3& pos, std::uint32_t group = 0,
                   const Quat& q = Quat::Identity());
  /// The body, to set its velocity, spin, cluster or scale. @throws ModelError if there is none
  ParticleRecord& body(BodyId number);

  /// [M/L³] of all bodies of a group.
  void density(std::uint32_t group, double value);
  /// A parameter of the law for a pair of groups, such as "knContact". `rockable --list laws` and
  /// docs/laws/ have the names. @throws ModelError for a name that no law has
  void parameter(std::string_view name, std::uint32_t group1, std::uint32_t group2, double value);
  /// The four of a linear law. @param kn, kt  [F/L] @param en2  square of the restitution
  void law(std::uint32_t group1, std::uint32_t group2, double kn, double en2, double kt, double mu);
  /// Elastic constants of a group, for HertzMindlin. @param young  [F/L²]
  void elastic(std::uint32_t group, double young, double poisson);

  /// A run of the model as it stands; the builder may go on. @throws ModelError as Simulation does
  /// @param diagnostics  takes warnings; null: they are dropped
  std::unique_ptr<Simulation> start(const SimulationOptions& options = {}, Drives drives = {},
                                    Diagnostics* diagnostics = nullptr) const;
};

}  // namespace scree::sim
