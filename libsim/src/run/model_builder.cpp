// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model_builder.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace scree::sim {

ModelBuilder::ModelBuilder() {
  conf.source = "model";
  conf.shapeFile = "model.shp";
  conf.forceLaw = "Default";
}

BodyId ModelBuilder::add(const shape::Shape& shape, const Vec3& pos, std::uint32_t group,
                         const Quat& q) {
  ParticleRecord p;
  p.shapeName = conf.internShapeName(shape.name);
  if (p.shapeName == shapes.size()) {
    shapes.push_back(shape);
    if (!shape.preCompDone) mass::survey(shapes.back());
  }
  p.group = group;
  p.pos = pos;
  p.q = q;
  conf.particles.push_back(p);
  return static_cast<BodyId>(conf.particles.size() - 1);
}

BodyId ModelBuilder::addDriven(const shape::Shape& shape, const Vec3& pos, std::uint32_t group,
                               const Quat& q) {
  if (conf.nDriven != conf.particles.size())
    throw ModelError("a driven body is added after a free one; driven bodies come first");
  const BodyId number = add(shape, pos, group, q);
  ++conf.nDriven;
  return number;
}

ParticleRecord& ModelBuilder::body(BodyId number) {
  if (number >= conf.particles.size())
    throw ModelError(fmt::format("no body {}: the model has {}", number, conf.particles.size()));
  return conf.particles[number];
}

void ModelBuilder::density(std::uint32_t group, double value) { conf.setDensity(group, value); }

void ModelBuilder::parameter(std::string_view name, std::uint32_t group1, std::uint32_t group2,
                             double value) {
  if (std::ranges::count(lawParameterNames(), name) == 0)
    throw ModelError(fmt::format("no law has a parameter '{}'", name));
  conf.setLawParameter(std::string(name), group1, group2, value);
}

void ModelBuilder::law(std::uint32_t group1, std::uint32_t group2, double kn, double en2, double kt,
                       double mu) {
  parameter("knContact", group1, group2, kn);
  parameter("en2Contact", group1, group2, en2);
  parameter("ktContact", group1, group2, kt);
  parameter("muContact", group1, group2, mu);
}

void ModelBuilder::elastic(std::uint32_t group, double young, double poisson) {
  conf.setGroupParameter("youngModulus", group, young);
  conf.setGroupParameter("poissonRatio", group, poisson);
}

std::unique_ptr<Simulation> ModelBuilder::start(const SimulationOptions& options, Drives drives,
                                                Diagnostics* diagnostics) const {
  Diagnostics dropped;
  return std::make_unique<Simulation>(conf, shapes, std::move(drives), options,
                                      diagnostics ? *diagnostics : dropped);
}

}  // namespace scree::sim
