// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that glue bodies of one cluster at their vertices.
#include "all_commands.hpp"
#include "contact/bond_area.hpp"
#include "contact/bond_geometry.hpp"
#include "detect/sub_search.hpp"
#include "standing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {
namespace {

/// Glues all pairs of vertices nearer than `epsilon` of bodies of one cluster.
void stickVertices(CommandContext& context, CommandArguments& arguments, bool walls,
                   bool withArea) {
  const double epsilon = arguments.positive("epsilon");
  const Conf& conf = context.conf;
  const Standing standing(context);
  Gluing gluing(context, standing);
  NearSubElements near;
  double least = HUGE_VAL, most = 0.0, total = 0.0;
  for (const auto& [a, b] : standing.pairsNearerThan(epsilon)) {
    if (conf.particles[a].cluster != conf.particles[b].cluster || gluing.isGlued(a, b)) continue;
    if (a < conf.nDriven && !walls) continue;
    const BodyPose &i = standing.poses[a], &j = standing.poses[b];
    findNear(i, j, epsilon, near);
    InterfaceRecord face;
    face.i = a;
    face.j = b;
    std::vector<Vec3> points;
    for (const Candidate& c : near.candidates) {
      if (c.pairing != Pairing::vertexVertex) continue;
      const Touch touch = bondGeometry(c.pairing, i, j, i.pos - j.pos, c.iSub, c.jSub);
      if (touch.dn >= epsilon) continue;
      face.bonds.push_back({c.pairing, c.iSub, c.jSub, Vec3::Zero()});
      points.push_back(touch.arm);
    }
    if (face.bonds.empty()) continue;
    if (withArea) {
      face.area = bondArea(points);
      least = std::min(least, *face.area);
      most = std::max(most, *face.area);
      total += *face.area;
    }
    gluing.add(std::move(face));
  }
  gluing.finish();
  std::string note = fmt::format("{}: {} bonds in {} interfaces", arguments.keyword(), gluing.bonds,
                                 gluing.interfaces);
  if (withArea && gluing.interfaces > 0)
    note += fmt::format(", areas from {:.6g} to {:.6g}, {:.6g} in all", least, most, total);
  context.diagnostics.note(note);
}

}  // namespace

void stickVerticesInClusters(CommandContext& context, CommandArguments& arguments) {
  stickVertices(context, arguments, false, false);
}

void stickVerticesInClustersMoments(CommandContext& context, CommandArguments& arguments) {
  stickVertices(context, arguments, context.conf.glueWithWalls, false);
}

void stickBCM(CommandContext& context, CommandArguments& arguments) {
  stickVertices(context, arguments, context.conf.glueWithWalls, true);
}

}  // namespace scree::sim
