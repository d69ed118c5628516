// SPDX-License-Identifier: GPL-3.0-or-later
#include "all_commands.hpp"
#include "contact/bond_geometry.hpp"
#include "contact/kinematics.hpp"
#include "detect/sub_search.hpp"
#include "standing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {
namespace {

struct NearContact {
  Candidate candidate;
  Vec3 point = Vec3::Zero();  ///< from the centre of the lower body
  double dn = 0.0;
};

/// Contacts of two bodies that stand over each other and are nearer than `epsilon`.
std::vector<NearContact> contactsNearerThan(double epsilon, const BodyPose& a, const BodyPose& b,
                                            NearSubElements& near) {
  findNear(a, b, epsilon, near);
  BodyPose thickA = a, thickB = b;  // what is nearer than epsilon touches with half of it on each
  thickA.radius += 0.5 * epsilon;
  thickB.radius += 0.5 * epsilon;
  const Vec3 branch = a.pos - b.pos;
  std::vector<NearContact> found;
  for (const Candidate& c : near.candidates) {
    Touch touch;
    double rest = 0.0;
    const Vec3 d = c.swapped ? Vec3(-branch) : branch;
    if (!touches(c, c.swapped ? thickB : thickA, c.swapped ? thickA : thickB, d, touch, rest))
      continue;
    touch = bondGeometry(c.pairing, c.swapped ? b : a, c.swapped ? a : b, d, c.iSub, c.jSub);
    found.push_back({c, c.swapped ? Vec3(touch.arm + d) : touch.arm, touch.dn});
  }
  return found;
}

/// The contact nearest to the mean point of all. Of several as near (the corners of two faces), the
/// last: rounding does not choose.
const NearContact& central(const std::vector<NearContact>& contacts) {
  Vec3 mean = Vec3::Zero();
  for (const NearContact& c : contacts) mean += c.point;
  mean /= static_cast<double>(contacts.size());
  double farthest = 0.0;
  for (const NearContact& c : contacts) farthest = std::max(farthest, (c.point - mean).norm());
  const NearContact* best = &contacts.front();
  for (const NearContact& c : contacts)
    if ((c.point - mean).norm() <= (best->point - mean).norm() + 1e-9 * farthest) best = &c;
  return *best;
}

}  // namespace

/// Glues bodies of different clusters by one bond each pair, at the contact in their middle.
void stickClusters(CommandContext& context, CommandArguments& arguments) {
  const double epsilon = arguments.positive("epsilon");
  const Conf& conf = context.conf;
  const Standing standing(context);
  Gluing gluing(context, standing);
  NearSubElements near;
  std::size_t hinges = 0;  // which nothing holds from turning
  for (const auto& [a, b] : standing.pairsNearerThan(epsilon)) {
    if (conf.particles[a].cluster == conf.particles[b].cluster || gluing.isGlued(a, b)) continue;
    if (a < conf.nDriven && (b < conf.nDriven || !conf.glueWithWalls)) continue;
    const auto contacts = contactsNearerThan(epsilon, standing.poses[a], standing.poses[b], near);
    if (contacts.empty()) continue;
    const NearContact& chosen = central(contacts);
    const Candidate& c = chosen.candidate;
    InterfaceRecord face;
    face.i = c.swapped ? b : a;
    face.j = c.swapped ? a : b;
    face.dn0 = chosen.dn;
    face.bonds = {{c.pairing, c.iSub, c.jSub, Vec3::Zero()}};
    gluing.add(std::move(face));
    const std::uint32_t ga = conf.particles[a].group, gb = conf.particles[b].group;
    const double* kr = conf.findLawParameter("krOuterBond", ga, gb);
    hinges += contacts.size() > 1 && !(kr && *kr > 0.0);
  }
  gluing.finish([](const Conf& all, const InteractionRecord& r) {
    return r.key.i >= all.nDriven && r.key.j >= all.nDriven &&
           all.particles[r.key.i].cluster != all.particles[r.key.j].cluster;
  });
  context.diagnostics.note(
      fmt::format("stickClusters: {} interfaces of one bond each", gluing.interfaces));
  if (hinges > 0)
    context.diagnostics.note(fmt::format(
        "stickClusters: {} pairs of bodies that meet at several points have one bond and no "
        "contacts: without rolling stiffness (krOuterBond) they rotate about it into each other; "
        "stickVerticesInClusters and stickBCM glue all points of bodies of one cluster",
        hinges));
}

}  // namespace scree::sim
