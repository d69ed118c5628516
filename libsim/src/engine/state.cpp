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

/// Records in the order of their keys, which are unique. Sorts keys, then moves each record once,
/// since records are large.
std::vector<InteractionRecord> sorted(std::vector<InteractionRecord> records) {
  if (std::ranges::is_sorted(records, {}, &InteractionRecord::key)) return records;
  std::vector<std::pair<ContactKey, std::size_t>> keys;
  keys.reserve(records.size());
  for (const InteractionRecord& r : records) keys.emplace_back(r.key, keys.size());
  std::ranges::sort(keys);
  for (std::size_t k = 0; k < keys.size(); ++k) {  // each cycle of records that change places
    const InteractionRecord first = records[k];
    std::size_t to = k;
    for (std::size_t from; (from = std::exchange(keys[to].second, to)) != k; to = from)
      records[to] = records[from];
    records[to] = first;
  }
  return records;
}

/// Records of the contacts that touch, as files have them, with the numbers of the run and in its
/// order.
/// @param seen    images of the periodic cell when contacts were evaluated; null without a cell
/// @param velOfFile  velocities of the file, see State
/// @param ofBody  selects the contacts of one body, by its number in the run
std::vector<InteractionRecord> touchingContacts(
    const World& world, const Contacts& contacts, const ContactKernel& kernel, const Images* seen,
    std::span<const std::pair<ContactKey, Vec3>> velOfFile, std::optional<BodyId> ofBody) {
  std::vector<InteractionRecord> records;
  const auto setVelocity = [&](InteractionRecord& r, const NeighbourPair& nearPair,
                               const Candidate& candidate, std::uint32_t k, const Touch& touch,
                               const BodyPose& b) {
    if (world.model.rules.byList) {
      r.vel = contacts.listedOf(nearPair)[k].vel;
    } else if (!velOfFile.empty()) {
      const auto after =
          std::ranges::upper_bound(velOfFile, r.key, {}, &std::pair<ContactKey, Vec3>::first);
      if (after != velOfFile.begin() && std::prev(after)->first == r.key)
        r.vel = std::prev(after)->second;
    } else {
      // at() takes an arm from the centre of b; touch.arm from that of i, which is b if swapped.
      const BodyPose& a = world.poses[nearPair.a];
      const Vec3 branch = a.pos - b.pos;
      r.vel = RelativeMotion(a, b, branch, candidate.swapped ? -1.0 : 1.0)
                  .at(candidate.swapped ? touch.arm : Vec3(touch.arm + branch));
    }
  };
  // Second body of a pair, or the image of it that was evaluated as the neighbour of the first.
  const auto beside = [&](const NeighbourPair& nearPair) {
    if (!seen) return world.poses[nearPair.b];
    const auto r = static_cast<std::size_t>(&nearPair - contacts.pairs.data());
    return imageOf(world.poses[nearPair.b], *seen, contacts.shifts[r]);
  };
  const auto add = [&](const NeighbourPair& nearPair) {
    std::optional<BodyPose> b;  // only for pairs that touch: an image takes time
    contacts.forEachTouching(
        nearPair, [&](std::uint32_t k, const Candidate& candidate, const ContactState& state) {
          if (!b) b = beside(nearPair);
          const BodyId i = candidate.swapped ? nearPair.b : nearPair.a,
                       j = candidate.swapped ? nearPair.a : nearPair.b;
          InteractionRecord r{.key = {i, j, candidate.pairing, candidate.iSub, candidate.jSub},
                              .dn = state.dn,
                              .fn = state.fn,
                              .ft = state.ft,
                              .mom = state.mom};
          Touch touch;
          double rest = 0.0;  // not used here
          const BodyPose &poseI = candidate.swapped ? *b : world.poses[i],
                         &poseJ = candidate.swapped ? world.poses[j] : *b;
          if (touchesInRun(world.model.rules.byList, candidate, poseI, poseJ, poseI.pos - poseJ.pos,
                           touch, rest)) {
            r.n = touch.n;
            r.pos = world.poses[i].pos + touch.arm;
          }
          setVelocity(r, nearPair, candidate, k, touch, *b);
          const Rounding rounding =
              roundingOf<true>(candidate.pairing, poseI, poseJ, candidate.iSub, candidate.jSub);
          r.damp = world.model.rules.byList
                       ? contacts.listedOf(nearPair)[k].damp
                       : kernel.viscosity(nearPair.parameters, nearPair.damp, state.dn,
                                          contactRadius(candidate.pairing, rounding.i, rounding.j));
          records.push_back(r);
        });
  };
  if (!ofBody) {
    std::size_t touching = 0;
    for (const PairPool& pool : contacts.pools)
      touching += pool.states.size() - pool.freeStates.size();
    records.reserve(touching);
    for (const NeighbourPair& nearPair : contacts.pairs) add(nearPair);
    return records;
  }
  for (std::uint32_t r = contacts.firstStart[*ofBody]; r < contacts.firstStart[*ofBody + 1]; ++r)
    add(contacts.pairs[r]);
  for (const std::uint32_t r : contacts.pairsAsSecond(*ofBody)) add(contacts.pairs[r]);
  return records;
}

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
  return sorted(std::move(records));
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
  std::vector<InteractionRecord> records = touchingContacts(
      world, state.lists.contacts, kernel, seen ? &*seen : nullptr, state.velOfFile, ofBody);
  state.bonds.appendContacts(world.poses, records, ofBody);
  state.order.renumberForFile(records);
  return sorted(std::move(records));
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
