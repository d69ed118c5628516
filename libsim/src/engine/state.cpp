// SPDX-License-Identifier: GPL-3.0-or-later
// Converts a conf-file to model and state of a run, and back.
#include "engine/state.hpp"

#include "engine/pair_force.hpp"
#include "engine/pair_forces.hpp"

#include "scree/sim/io/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scree::sim {

InteractionRecord checkedContact(const World& world, InteractionRecord r,
                                 const std::function<ParseError(const std::string&)>& complaint) {
  for (const bool first : {true, false}) {
    const BodyId body = first ? r.key.i : r.key.j;
    if (body >= world.bodies.size())
      throw complaint(
          fmt::format("body {} does not exist, there are {} (from 0)", body, world.bodies.size()));
    const std::uint32_t sub = first ? r.key.iSub : r.key.jSub,
                        n = subElementCount(*world.poses[body].shape, r.key.pairing, first);
    if (sub >= n)
      throw complaint(fmt::format("body {} has {} sub-elements of this kind (from 0), found {}",
                                  world.order.number(body), n, sub));
  }
  // Pairings of equals are written with the lower body first; some files have it the other way.
  r.putLowerFirst();
  return r;
}

InteractionRecord interactionInRun(const Conf& file, std::size_t number, const World& world) {
  InteractionRecord record = file.interactions[number];
  world.order.renumberForRun({&record, 1});
  return checkedContact(world, record, [&](const std::string& message) {
    return file.errorAtInteraction(number, "Interactions: " + message);
  });
}

bool loadContact(const InteractionRecord& r, Contacts& contacts) {
  const std::pair pair = bodyPair(r.key.i, r.key.j);
  const auto pairs =
      std::span(contacts.pairs)
          .subspan(contacts.firstStart[pair.first])
          .first(contacts.firstStart[pair.first + 1] - contacts.firstStart[pair.first]);
  const auto nearPair = std::ranges::lower_bound(pairs, pair, {}, &NeighbourPair::bodies);
  if (nearPair == pairs.end() || nearPair->bodies() != pair)
    return true;  // not listed: too far apart to touch, or bonded
  const Candidate wanted{r.key.iSub, r.key.jSub, r.key.pairing, r.key.i > r.key.j, 0.0};
  PairPool& pool = contacts.poolOf(*nearPair);
  const auto begin = pool.candidates.begin() + nearPair->first, end = begin + nearPair->count;
  const auto at = std::ranges::lower_bound(begin, end, wanted.order(), {}, &Candidate::order);
  if (at == end || at->order() != wanted.order() || !(r.dn < 0.0)) return true;
  const bool fresh = !at->touching();
  if (!fresh) pool.end(*at);
  pool.begin(*at) = {r.dn, r.fn, r.ft, r.mom};
  if (nearPair->hasPlanes())
    pool.planes[nearPair->planes].touched.push_back(static_cast<std::uint32_t>(at - begin));
  return fresh;
}

namespace {

/// Contacts that touch, and bonds, as files have them: with the numbers of the file, sorted by key.
struct FileContacts {
  const State& state;
  const World& world;
  const ContactKernel& kernel;
  const Images* seen;  ///< of the periodic cell when contacts were evaluated; null without a cell

  std::vector<InteractionRecord> all() const {
    // Records are counted by their first body, then made at their places.
    const std::size_t n = world.bodies.size(), grain = 1024;
    std::vector<std::size_t> start(n + 1);
    const auto forEachFirst = [&](std::size_t number, auto&& f) {
      forEachOf(state.order.body(number), [&](const ContactKey& key, auto&& make) {
        if (first(key) == number) f(make);
      });
    };
    parallelFor(
        world.model.threads, n,
        [&](std::size_t k) { forEachFirst(k, [&](auto&&) { ++start[k + 1]; }); }, grain);
    for (std::size_t k = 0; k < n; ++k) start[k + 1] += start[k];
    std::vector<InteractionRecord> records;
    reserveOnThreads(records, start[n], world.model.threads);
    records.resize(start[n]);
    parallelFor(
        world.model.threads, n,
        [&](std::size_t k) {
          std::size_t to = start[k];
          forEachFirst(k, [&](auto&& make) { records[to++] = make(); });
          finish(std::span(records).subspan(start[k], to - start[k]));
        },
        grain);
    return records;
  }
  std::vector<InteractionRecord> ofBody(BodyId body) const {
    std::vector<InteractionRecord> records;
    forEachOf(body, [&](const ContactKey&, auto&& make) { records.push_back(make()); });
    finish(records);
    return records;
  }

  /// Number of the body that stands first in the file.
  BodyId first(const ContactKey& key) const {
    InteractionRecord r{.key = key};
    state.order.renumberForFile({&r, 1});
    return r.key.i;
  }
  void finish(std::span<InteractionRecord> records) const {
    state.order.renumberForFile(records);
    std::ranges::sort(records, {}, &InteractionRecord::key);
  }

  /// Calls f(key, make) for each contact and bond of a body, with the key that it has in the run;
  /// make() is its record there.
  template <class F>
  void forEachOf(BodyId body, F&& f) const {
    const Contacts& contacts = state.lists.contacts;
    if (!contacts.pairs.empty()) {
      for (std::uint32_t r = contacts.firstStart[body]; r < contacts.firstStart[body + 1]; ++r)
        forEachOfPair(contacts.pairs[r], f);
      for (const std::uint32_t r : contacts.pairsAsSecond(body))
        forEachOfPair(contacts.pairs[r], f);
    }
    state.bonds.forEachContactOf(body, world.poses, f);
  }
  template <class F>
  void forEachOfPair(const NeighbourPair& nearPair, F&& f) const {
    std::optional<BodyPose> b;  // only for pairs that touch: an image takes time
    state.lists.contacts.forEachTouching(
        nearPair, [&](std::uint32_t k, const Candidate& c, const ContactState& memory) {
          const ContactKey key{c.swapped ? nearPair.b : nearPair.a,
                               c.swapped ? nearPair.a : nearPair.b, c.pairing, c.iSub, c.jSub};
          f(key, [&] {
            if (!b) b = beside(nearPair);
            return record(key, nearPair, k, c, memory, *b);
          });
        });
  }

  /// Second body of a pair, or the image of it that was evaluated as the neighbour of the first.
  BodyPose beside(const NeighbourPair& nearPair) const {
    if (!seen) return world.poses[nearPair.b];
    const Contacts& contacts = state.lists.contacts;
    const auto r = static_cast<std::size_t>(&nearPair - contacts.pairs.data());
    return imageOf(world.poses[nearPair.b], *seen, contacts.shifts[r]);
  }

  InteractionRecord record(const ContactKey& key, const NeighbourPair& nearPair, std::uint32_t k,
                           const Candidate& candidate, const ContactState& memory,
                           const BodyPose& b) const {
    InteractionRecord r{
        .key = key, .dn = memory.dn, .fn = memory.fn, .ft = memory.ft, .mom = memory.mom};
    Touch touch;
    double rest = 0.0;  // not used here
    const BodyPose &poseI = candidate.swapped ? b : world.poses[key.i],
                   &poseJ = candidate.swapped ? world.poses[key.j] : b;
    const bool byList = world.model.rules.byList;
    if (touchesInRun(byList, candidate, poseI, poseJ, poseI.pos - poseJ.pos, touch, rest)) {
      r.n = touch.n;
      r.pos = world.poses[key.i].pos + touch.arm;
    }
    if (byList) {
      r.vel = state.lists.contacts.listedOf(nearPair)[k].vel;
    } else if (!state.velOfFile.empty()) {
      const auto& ofPool = state.velOfFile[state.lists.contacts.poolNumber(nearPair.a, nearPair.b)];
      const auto after =
          std::ranges::upper_bound(ofPool, key, {}, &std::pair<ContactKey, Vec3>::first);
      if (after != ofPool.begin() && std::prev(after)->first == key)
        r.vel = std::prev(after)->second;
    } else {
      // at() takes an arm from the centre of b; touch.arm from that of i, which is b if swapped.
      const BodyPose& a = world.poses[nearPair.a];
      const Vec3 branch = a.pos - b.pos;
      r.vel = RelativeMotion(a, b, branch, candidate.swapped ? -1.0 : 1.0)
                  .at(candidate.swapped ? touch.arm : Vec3(touch.arm + branch));
    }
    const Rounding rounding =
        roundingOf<true>(candidate.pairing, poseI, poseJ, candidate.iSub, candidate.jSub);
    r.damp = byList ? state.lists.contacts.listedOf(nearPair)[k].damp
                    : kernel.viscosity(nearPair.parameters, nearPair.damp, memory.dn,
                                       contactRadius(candidate.pairing, rounding.i, rounding.j));
    return r;
  }
};

/// Whether a file holds a state to the bit: Scree wrote it with all digits, and its t and dt still
/// agree with its clock, so that nobody has changed them since.
/// @param summed  the clock is a sum of steps (Rules::summedClock)
bool holdsState(const Conf& conf, bool summed) {
  const auto& clock = conf.state().runState;
  const auto& sum = conf.state().summedClock;
  if (!clock || !hasAllDigits(conf.precision)) return false;
  if (summed) return sum && sum->t == conf.t && sum->dt == conf.dt;
  return clock->t0 + static_cast<double>(clock->step) * conf.dt == conf.t;
}

}  // namespace

std::vector<InteractionRecord> listedContacts(const Contacts& contacts) {
  std::vector<InteractionRecord> records;
  for (const NeighbourPair& nearPair : contacts.pairs)
    for (std::uint32_t k = 0; k < nearPair.count; ++k) {
      const ListedContact& contact = contacts.listedOf(nearPair)[k];
      const ContactState& state = contact.state;
      const Candidate& c = contacts.candidatesOf(nearPair)[k];
      const ContactKey key{c.swapped ? nearPair.b : nearPair.a, c.swapped ? nearPair.a : nearPair.b,
                           c.pairing, c.iSub, c.jSub};
      const Vec3 none = Vec3::Zero();
      records.push_back(
          {key, none, state.dn, none, contact.vel, state.fn, state.ft, state.mom, contact.damp});
    }
  std::ranges::sort(records, {}, &InteractionRecord::key);
  return records;
}

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
                                              const ContactKernel& kernel,
                                              std::optional<BodyId> ofBody) {
  std::optional<Images> seen;
  if (state.cell.used()) {
    seen = state.cell.images;
    seen->velocity = state.cell.velocityOfContacts;
  }
  const FileContacts contacts{state, world, kernel, seen ? &*seen : nullptr};
  return ofBody ? contacts.ofBody(*ofBody) : contacts.all();
}

Conf confFrom(const Model& model, const State& state, const World& world,
              const ContactKernel& kernel) {
  Conf conf = model.file;
  static_cast<Parameters&>(conf) = state.parameters;
  conf.t = world.time;
  conf.iconf = state.iconf;
  conf.joints = model.joints;
  conf.cell = state.cell.cell;
  conf.boundaries = state.atBoundaries.boundaries();
  SavedState& saved = conf.makeState();
  saved.runState = state.clock;
  saved.summedClock = state.summedClock;
  saved.order = state.order.numbers();
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
  saved.earlierMotion = state.order.toFile(state.earlier);
  saved.energy = state.energy.ledger;
  conf.interactions = interactionsOf(state, world, kernel);
  conf.boundaryTouches = touchesOf(world, state.atBoundaries);
  conf.interfaces = state.bonds.records();
  saved.bondedArea = state.bonds.area();
  if (state.summedClock) {  // contacts live by list: those that do not touch, too
    saved.idle = listedContacts(state.lists.contacts);
    std::erase_if(saved.idle, [](const InteractionRecord& r) { return r.dn < 0.0; });
  }
  // The lines are those of the file read, not of the one to write.
  conf.particleLines.clear();
  conf.interactionLines.clear();
  conf.interfaceLines.clear();
  return conf;
}

}  // namespace scree::sim
