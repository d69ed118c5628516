// SPDX-License-Identifier: GPL-3.0-or-later
// The table of commands, and those that set velocities, sizes, copies and parameters.
#include "scree/sim/io/commands.hpp"

#include "conf_values.hpp"

#include "scree/base/math.hpp"
#include "scree/base/rng.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

namespace scree::sim {

// Defined in glue_commands.cpp.
void stickClusters(CommandContext& context, TextReader& arguments);
void stickVertices(CommandContext& context, TextReader& arguments, bool walls, bool withArea);

namespace {

/// Random numbers for one command.
class Lots {
 public:
  explicit Lots(Rng rng) : source_(rng) {}
  explicit Lots(LibstdcxxRng rng) : source_(rng) {}

  double uniform(double from, double to) {
    return std::visit([&](auto& rng) { return rng.uniform(from, to); }, source_);
  }
  /// Draws from the law P(X > x) = exp(-(x/scale)^shape).
  double weibull(double shape, double scale) {
    if (auto* libstdcxx = std::get_if<LibstdcxxRng>(&source_))
      return libstdcxx->weibull(shape, scale);
    const double share = -portableLog(1.0 - uniform(0.0, 1.0));  // exponential, mean 1
    return scale * portablePow(share, 1.0 / shape);
  }
  /// Uniform on the unit sphere, by roots and products alone (G. Marsaglia, Ann. Math. Statist.
  /// 43(2), 645-646, 1972). As in Rockable: x turned by a quaternion whose four parts are uniform
  /// from -1 to 1, brought to length 1; that is not uniform.
  Vec3 direction() {
    if (std::holds_alternative<LibstdcxxRng>(source_)) {
      const double w = uniform(-1.0, 1.0), x = uniform(-1.0, 1.0), y = uniform(-1.0, 1.0),
                   z = uniform(-1.0, 1.0);
      return rotated(Quat(w, x, y, z).normalized(), Vec3::UnitX());
    }
    for (;;) {
      const double x = uniform(-1.0, 1.0), y = uniform(-1.0, 1.0), s = x * x + y * y;
      if (!(s < 1.0)) continue;
      const double r = 2.0 * std::sqrt(1.0 - s);
      return {r * x, r * y, 1.0 - 2.0 * s};
    }
  }

 private:
  std::variant<Rng, LibstdcxxRng> source_;
};

/// The random numbers of one command. They depend on Conf::seed (`rockable --seed`) and on the seed
/// that the command itself names. They also depend on how many commands drew random numbers before
/// it; never on the clock. As in Rockable: an engine of libstdc++ for each command, whose seed is
/// the sum of the two; 0 is that program's fixed one. Other seeds make it take the clock.
Lots drawLots(CommandContext& context, std::uint64_t own) {
  Conf& conf = context.conf;
  if (!conf.drewLots)
    context.diagnostics.note(
        fmt::format("{}: drawn with seed {} (--seed)", context.keyword, conf.seed));
  conf.drewLots = true;
  if (context.asPublished) return Lots(LibstdcxxRng(conf.seed + own));
  return Lots(Rng(mixedSeed(conf.seed, {own, ++context.draws})));
}

/// The arguments `first last`, bodies that there are.
std::pair<std::size_t, std::size_t> bodyRange(CommandContext& context, TextReader& arguments) {
  const std::size_t n = context.conf.particles.size();
  if (n == 0) throw arguments.error("there are no bodies");
  const auto last = static_cast<std::int64_t>(n) - 1;
  const std::int64_t first = arguments.integer("first body", 0, last);
  return {static_cast<std::size_t>(first),
          static_cast<std::size_t>(arguments.integer("last body", first, last))};
}

bool isInner(const Conf& conf, const InterfaceRecord& face) {
  return conf.particles[face.i].cluster == conf.particles[face.j].cluster;
}

BondParameters tableOf(const Conf& conf, const InterfaceRecord& face) {
  return bondParameters(conf, isInner(conf, face), conf.particles[face.i].group,
                        conf.particles[face.j].group);
}

/// From here on each interface goes by its own parameters, which are what it went by so far.
void ownParameters(Conf& conf) {
  for (InterfaceRecord& face : conf.interfaces)
    if (!conf.paramsInInterfaces || !face.params) face.params = tableOf(conf, face);
  conf.paramsInInterfaces = 1;
}

void setAllVelocities(CommandContext& context, TextReader& arguments) {
  const Vec3 velocity = arguments.vec3("velocity");
  Conf& conf = context.conf;
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k)
    conf.particles[k].vel = velocity;
}

void randomlyOrientedVelocities(CommandContext& context, TextReader& arguments) {
  const double speed = arguments.notNegative("speed");
  Conf& conf = context.conf;
  Lots lots = drawLots(context, 0);
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k)
    conf.particles[k].vel = speed * lots.direction();
}

/// One speed with one direction a cluster; option 1 turns directions that point up (+y) down.
void randomlyOrientedVelocitiesClusters(CommandContext& context, TextReader& arguments) {
  const double speed = arguments.notNegative("speed");
  const bool down = arguments.integer("option", 0, 1) == 1;
  Conf& conf = context.conf;
  Lots lots = drawLots(context, 0);
  std::map<std::int32_t, Vec3> ofCluster;
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k) {
    const auto [cluster, isNew] = ofCluster.try_emplace(conf.particles[k].cluster, Vec3::Zero());
    if (isNew) {
      Vec3 direction = lots.direction();
      if (down && direction.y() > 0.0) direction.y() = -direction.y();
      cluster->second = speed * direction;
    }
    conf.particles[k].vel = cluster->second;
  }
}

void homothetyRange(CommandContext& context, TextReader& arguments) {
  const auto [first, last] = bodyRange(context, arguments);
  const double least = arguments.positive("least homothety"),
               most = arguments.positive("largest homothety");
  if (most < least) throw arguments.error("the largest homothety is below the smallest");
  const auto seed = static_cast<std::uint64_t>(arguments.integer("seed", 0, std::int64_t{1} << 53));
  Lots lots = drawLots(context, seed);
  for (std::size_t k = first; k <= last; ++k)
    context.conf.particles[k].homothety = lots.uniform(least, most);
}

/// Copies of the bodies first to last, moved by (dx, dy, dz), at the end of the list. Clusters of
/// copies are new ones, one for each cluster copied; contacts and bonds are not copied.
void particlesClonage(CommandContext& context, TextReader& arguments) {
  const auto [first, last] = bodyRange(context, arguments);
  const Vec3 shift = arguments.vec3("shift");
  Conf& conf = context.conf;
  if (first < conf.nDriven)
    context.diagnostics.warn(
        arguments.error(fmt::format("copies of driven bodies ({} of them) are free bodies",
                                    std::min<std::size_t>(conf.nDriven, last + 1) - first)));
  std::int32_t most = 0;
  for (const ParticleRecord& p : conf.particles) most = std::max(most, p.cluster);
  std::map<std::int32_t, std::int32_t> renamed;
  for (std::size_t k = first; k <= last; ++k) {
    ParticleRecord copy = conf.particles[k];
    const auto [cluster, isNew] = renamed.try_emplace(copy.cluster, 0);
    if (isNew) {
      if (most == INT32_MAX) throw arguments.error("no cluster number is left");
      cluster->second = ++most;
    }
    copy.cluster = cluster->second;
    copy.pos += shift;
    conf.particles.push_back(copy);
    if (k < conf.particleLines.size()) {  // complaints about a copy name the line of the original
      conf.particleLines.resize(conf.particles.size() - 1);
      conf.particleLines.push_back(conf.particleLines[k]);
    }
  }
}

/// Values of the tables into the interfaces inside clusters, or into those between them. As the
/// format has it, rolling and bending parameters are copied between clusters alone.
void copyParamsToInterfaces(CommandContext& context, TextReader& arguments) {
  const bool inner = choice(arguments, "which interfaces", {"inner", "outer"}) == "inner";
  Conf& conf = context.conf;
  ownParameters(conf);
  for (InterfaceRecord& face : conf.interfaces) {
    if (isInner(conf, face) != inner) continue;
    const BondParameters table = tableOf(conf, face);
    const auto copy = [&](auto... members) { ((*face.params.*members = table.*members), ...); };
    using P = BondParameters;
    copy(&P::kn, &P::kt, &P::fn0, &P::ft0, &P::power);
    if (!inner) copy(&P::kr, &P::mom0);
  }
}

/// Draws one parameter of each interface from a Weibull law: P(X > x) = exp(-(x/lambda)^m).
void setVariableStickParams(CommandContext& context, TextReader& arguments) {
  using Member = double BondParameters::*;
  const std::map<std::string, Member> members{
      {"kn", &BondParameters::kn},   {"kt", &BondParameters::kt},
      {"kr", &BondParameters::kr},   {"fn0", &BondParameters::fn0},
      {"ft0", &BondParameters::ft0}, {"mom0", &BondParameters::mom0}};
  const Member member =
      members.at(choice(arguments, "parameter", {"kn", "kt", "kr", "fn0", "ft0", "mom0"}));
  const bool inner = choice(arguments, "which interfaces", {"inner", "outer"}) == "inner";
  const double lambda = arguments.positive("lambda"), m = arguments.positive("m");
  const std::int64_t seed = arguments.integer("seed", 0, INT64_MAX);
  Conf& conf = context.conf;
  ownParameters(conf);
  Lots lots = drawLots(context, static_cast<std::uint64_t>(seed));
  std::size_t count = 0;
  for (InterfaceRecord& face : conf.interfaces) {
    if (isInner(conf, face) != inner) continue;
    (*face.params).*member = lots.weibull(m, lambda);
    ++count;
  }
  context.diagnostics.note(
      fmt::format("setVariableStickParams: {} interfaces, seed {}", count, seed));
}

void setStiffnessRatioInterfaces(CommandContext& context, TextReader& arguments) {
  const double ratio = arguments.notNegative("ratio");
  ownParameters(context.conf);
  for (InterfaceRecord& face : context.conf.interfaces) face.params->kt = ratio * face.params->kn;
}

}  // namespace

const std::vector<CommandInfo>& allCommands() {
  static const std::vector<CommandInfo> table{
      {"setAllVelocities", "x y z", "one velocity for all bodies that are not driven",
       setAllVelocities},
      {"randomlyOrientedVelocities", "speed",
       "one speed for all bodies that are not driven, each in a random direction",
       randomlyOrientedVelocities},
      {"randomlyOrientedVelocitiesClusters", "speed option",
       "the same with one direction per cluster; option 1: no direction points up (+y)",
       randomlyOrientedVelocitiesClusters},
      {"homothetyRange", "first last hmin hmax seed",
       "random sizes of the bodies first to last, uniform from hmin to hmax", homothetyRange},
      {"particlesClonage", "first last dx dy dz",
       "copies of the bodies first to last, shifted, in new clusters, without contacts",
       particlesClonage},
      {"stickVerticesInClusters", "epsilon",
       "glue bodies of a cluster where vertices are nearer than epsilon; driven bodies are not "
       "glued",
       [](auto& c, auto& in) { stickVertices(c, in, false, false); }},
      {"stickVerticesInClustersMoments", "epsilon",
       "the same, and with glue_with_walls yes driven bodies too",
       [](auto& c, auto& in) { stickVertices(c, in, c.conf.glueWithWalls, false); }},
      {"stickBCM", "epsilon",
       "the same for law BCM: each interface also gets the area between its bonds",
       [](auto& c, auto& in) { stickVertices(c, in, c.conf.glueWithWalls, true); }},
      {"stickClusters", "epsilon",
       "glue bodies of different clusters nearer than epsilon, each pair by one bond in the middle",
       stickClusters},
      {"copyParamsToInterfaces", "inner|outer",
       "copy parameters of the tables into the interfaces within or between clusters; sets "
       "ParamsInInterfaces 1",
       copyParamsToInterfaces},
      {"setVariableStickParams", "name inner|outer lambda m seed",
       "draw kn, kt, kr, fn0, ft0 or mom0 of each interface from a Weibull distribution of scale "
       "lambda and shape m; sets ParamsInInterfaces 1",
       setVariableStickParams},
      {"setStiffnessRatioInterfaces", "ratio",
       "kt = ratio kn in every interface; sets ParamsInInterfaces 1", setStiffnessRatioInterfaces},
  };
  return table;
}

void runCommands(Conf& conf, std::span<const shape::Shape> shapes, Diagnostics& diagnostics,
                 bool asPublished) {
  CommandContext context{conf, shapes, diagnostics, asPublished};
  for (PendingCommand& command : std::exchange(conf.commands, {}))
    for (const CommandInfo& info : allCommands())
      if (info.name == command.keyword) {
        context.keyword = info.name;
        info.run(context, command.arguments);
      }
}

}  // namespace scree::sim
