// SPDX-License-Identifier: GPL-3.0-or-later
#include "aggregate.hpp"

#include "particle_shapes.hpp"
#include "sphere_sources.hpp"

#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/complete.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace scree::tools {

std::vector<ConvertedFile> aggregateConf(std::span<const mass::Ball> balls,
                                         const AggregateOptions& options,
                                         Diagnostics& diagnostics) {
  const double radius = balls.front().radius;
  clump::PackParticle unit;
  unit.members.push_back(sphereMember(Vec3::Zero(), 1.0));
  sim::Packing packing;
  packing.shapes.push_back(particleShape(unit));
  packing.shapes.back().name = "ball";
  for (const mass::Ball& ball : balls) {
    sim::PlacedBody body;
    body.cluster = 1;
    body.homothety = radius;
    body.pos = ball.centre;
    packing.bodies.push_back(body);
  }
  sim::PackSettings settings;
  settings.density = options.density;
  sim::CompletedConf done = sim::completed(packing, settings);
  for (const std::string& warning : done.warnings) diagnostics.warn(warning);
  for (const std::string& reason : done.reasons) diagnostics.note(reason);

  sim::Conf& conf = done.conf;
  conf.forceLaw = "StickedLinks";  // which takes the contacts of Default, and has bonds
  const double kn = conf.lawParameter("knContact", 1, 1), section = pi * radius * radius;
  const double arm = radius / 4.0;
  for (const auto& [name, value] :
       {std::pair{"knInnerBond", kn}, std::pair{"ktInnerBond", 0.8 * kn},
        std::pair{"krInnerBond", kn * radius * arm}, std::pair{"en2InnerBond", 0.1},
        std::pair{"fn0InnerBond", options.strength * section},
        std::pair{"ft0InnerBond", options.strength * section},
        std::pair{"mom0InnerBond", options.strength * section * arm},
        std::pair{"powInnerBond", 2.0}})
    conf.setLawParameter(name, 1, 1, value);
  for (std::uint32_t i = 0; i < balls.size(); ++i)
    for (std::uint32_t j = i + 1; j < balls.size(); ++j) {
      const Vec3 between = balls[i].centre - balls[j].centre;
      const double distance = between.norm();
      if (distance > 2.0 * radius * (1.0 + 1e-6)) continue;
      sim::InterfaceRecord& interface = conf.interfaces.emplace_back();
      interface.i = i;
      interface.j = j;
      interface.dn0 = distance - 2.0 * radius;
      interface.bonds.push_back({});
      sim::InteractionRecord& unloaded = conf.interactions.emplace_back();
      unloaded.key = {i, j};
      unloaded.n = between / distance;
      unloaded.dn = interface.dn0;
      unloaded.pos = balls[j].centre + (radius + 0.5 * interface.dn0) * unloaded.n;
    }
  diagnostics.note(fmt::format(
      "{} balls of radius {:.6g}, {} bonds{}", balls.size(), radius, conf.interfaces.size(),
      options.strength > 0.0 ? fmt::format(" that break at {:.6g}", options.strength * section)
                             : " without a limit; --bond-strength sets one"));
  conf.shapeFile = options.name + ".shp";
  return {{"", sim::confText(conf)}, {".shp", shape::shapesText(packing.shapes)}};
}

}  // namespace scree::tools
