// SPDX-License-Identifier: GPL-3.0-or-later
#include "lump.hpp"

#include "input.hpp"

#include "scree/base/json_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::tools {
namespace {

/// A facet may have no thickness. A tetrahedron without volume is likely a mistake of a mesh.
void reportFlat(const clump::ShapePack& pack, Diagnostics& diagnostics) {
  for (const clump::PackParticle& p : pack.particles) {
    const auto thin = std::ranges::count_if(p.members, [](const clump::PackMember& m) {
      return m.kind() == clump::MemberType::Kind::facet && !(clump::facetHalfThickness(m) > 0.0);
    });
    if (thin > 0)
      diagnostics.note(fmt::format(
          "particle {} (line {}): facets without thickness give their nodes no mass: {} of {} "
          "shapes. The tenth number of a facet is half its thickness",
          p.id, p.line, thin, p.members.size()));
    const auto flat = std::ranges::count_if(p.members, [](const clump::PackMember& m) {
      const bool solid =
          m.kind() == clump::MemberType::Kind::tetra
              ? m.rounding() == 0.0
              : m.kind() == clump::MemberType::Kind::facet && clump::facetHalfThickness(m) > 0.0;
      return solid && !(clump::cornerMoments(m, 0).m0 > 0.0);
    });
    if (flat > 0)
      diagnostics.warn(fmt::format(
          "particle {} (line {}): tetrahedra without volume, or facets without area, give their "
          "nodes no mass: {} of {} shapes",
          p.id, p.line, flat, p.members.size()));
  }
}

}  // namespace

std::vector<clump::LumpedNode> lumped(const LumpVerbOptions& options, Diagnostics& diagnostics) {
  if (!(options.density > 0.0) || !std::isfinite(options.density))
    throw UsageError("--density: expected a finite number above 0");
  if (options.share != "particle" && options.share != "pack")
    throw UsageError(
        fmt::format("--share: expected particle or pack, found '{}'", shown(options.share)));
  using Share = clump::LumpOptions::Share;
  const clump::ShapePack pack = packFrom(options.input, diagnostics, options.fromNan);
  reportFlat(pack, diagnostics);
  for (const clump::PackParticle& p : pack.particles)
    if (p.given())
      diagnostics.note(
          fmt::format("particle {}: its given mass properties describe the whole particle and are "
                      "not used; nodes get those of its shapes",
                      p.id));
  return inFile(options.input, [&] {
    return clump::lumpedNodes(pack,
                              {.density = options.density,
                               .share = options.share == "pack" ? Share::pack : Share::particle});
  });
}

std::string lumpTable(const std::vector<clump::LumpedNode>& nodes) {
  std::string out = fmt::format("{:>8} {:^41}  {:>13}  {:^41}  {}\n", "id", "node", "mass",
                                "principal moments", "shapes");
  double mass = 0.0;
  for (const clump::LumpedNode& n : nodes) {
    mass += n.mass;
    const Vec3& p = n.principal.moments;
    out += fmt::format(
        "{:>8} {:>13.6g} {:>13.6g} {:>13.6g}  {:>13.7g}  {:>13.6g} {:>13.6g} {:>13.6g}  {}\n", n.id,
        n.position.x(), n.position.y(), n.position.z(), n.mass, p.x(), p.y(), p.z(), n.shapes);
  }
  return out + fmt::format("{:>8} {:>41}  {:>13.7g}  {} nodes\n", "total", "", mass, nodes.size()) +
         "\nLengths L in the unit of the file; masses in the unit of the density times L³, moments "
         "in that times L²\n";
}

std::string lumpJson(const std::vector<clump::LumpedNode>& nodes) {
  JsonWriter json;
  double mass = 0.0;
  json.beginObject().member("schema", 1).key("nodes").beginArray();
  for (const clump::LumpedNode& n : nodes) {
    mass += n.mass;
    json.newLine().beginObject().member("id", n.id).member("x", n.position.x());
    json.member("y", n.position.y()).member("z", n.position.z()).member("mass", n.mass);
    json.member("firstMoment", n.firstMoment).member("inertiaTensor", n.inertia);
    json.member("principal", n.principal.moments);
    json.member("orientation", n.principal.orientation).member("shapes", n.shapes).end();
  }
  json.newLine().end().key("total").beginObject().member("nodes", nodes.size());
  return json.member("mass", mass).end().end().take() + "\n";
}

}  // namespace scree::tools
