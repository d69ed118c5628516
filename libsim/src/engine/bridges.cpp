// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bridges.hpp"

#include "engine/contact_records.hpp"

#include "scree/sim/io/commands.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace scree::sim {
namespace {

/// Whether a file of our own, at full precision, is a state to the bit. This holds only while its
/// clock still has the time: nobody has changed t or dt.
bool holdsState(const Conf& conf, bool summed) {
  if (!conf.runState || !hasAllDigits(conf.precision)) return false;
  if (summed)
    return conf.summedClock && conf.summedClock->t == conf.t && conf.summedClock->dt == conf.dt;
  return conf.runState->t0 + static_cast<double>(conf.runState->step) * conf.dt == conf.t;
}

}  // namespace

Model modelFrom(Conf& file, std::vector<shape::Shape> shapes, int threads, const Rules& rules,
                Diagnostics& diagnostics) {
  runCommands(file, shapes, diagnostics);
  refuseWhatIsMissing(file);
  Model model;
  model.shapes = std::move(shapes);
  for (const shape::Shape& s : model.shapes) model.geometries.push_back(shapeGeometry(s));
  model.dt = file.dt;
  model.gravity = file.gravity;
  model.bodyForce = file.bodyForce;
  model.joints = file.joints;
  model.tempos = file.tempos;
  model.integrator = integratorNamed(file.integrator);
  model.rules = rules;
  model.threads = std::max(threads, 1);
  model.complete = holdsState(file, rules.summedClock);
  model.mayOrder = !rules.orderOfFile && file.joints.empty();
  model.source = file.source;
  return model;
}

std::vector<InteractionRecord> interactionsOf(const State& state, const World& world,
                                              const ContactKernel& kernel) {
  std::optional<Images> seen;
  if (state.cell.used()) {
    seen = state.cell.images;
    seen->velocity = state.cell.velocityOfContacts;
  }
  std::vector<InteractionRecord> records =
      touchingContacts(world, state.lists.contacts, kernel, seen ? &*seen : nullptr, state.ofFile);
  state.bonds.appendContacts(world.poses, records);
  state.order.renumberForFile(records);
  std::sort(records.begin(), records.end(),
            [](const InteractionRecord& x, const InteractionRecord& y) { return x.key < y.key; });
  return records;
}

Conf confFrom(const Model& model, const State& state, const World& world,
              const ContactKernel& kernel) {
  Conf conf = model.file;
  static_cast<Parameters&>(conf) = state.parameters;
  conf.t = world.time;
  conf.iconf = state.iconf;
  conf.joints = model.joints;
  conf.cell = state.cell.cell;
  conf.boundaries = state.walls.boundaries();
  conf.runState = state.clock;
  conf.summedClock = state.summedClock;
  conf.order = state.order.numbers();
  for (std::size_t number = 0; number < conf.particles.size(); ++number) {
    ParticleRecord& p = conf.particles[number];
    const BodyId k = state.order.body(number);
    p.pos = state.bodies.pos[k];
    p.vel = state.bodies.vel[k];
    p.acc = state.bodies.acc[k];
    p.q = state.bodies.q[k];
    p.vrot = state.bodies.spin[k];
    p.arot = state.bodies.spinAcc[k];
  }
  conf.earlierMotion = state.order.toFile(state.earlier);
  conf.energy = state.energy.ledger;
  conf.interactions = interactionsOf(state, world, kernel);
  conf.boundaryTouches = wallTouches(world, state.walls);
  conf.interfaces = state.bonds.records();
  conf.bondedArea = state.bonds.area();
  conf.idle.clear();
  if (state.summedClock) {
    conf.idle = listedContacts(state.lists.contacts);
    std::erase_if(conf.idle, [](const InteractionRecord& r) { return r.dn < 0.0; });
  }
  conf.particleLines.clear();
  conf.interactionLines.clear();
  conf.interfaceLines.clear();
  return conf;
}

}  // namespace scree::sim
