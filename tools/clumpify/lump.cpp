// SPDX-License-Identifier: GPL-3.0-or-later
#include "lump.hpp"

#include "input.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::tools {

std::vector<clump::LumpedNode> lumped(const LumpVerbOptions& options, Diagnostics& diagnostics) {
  if (!(options.density > 0.0) || !std::isfinite(options.density))
    throw UsageError("--density: expected a finite number above 0");
  if (options.share != "particle" && options.share != "pack")
    throw UsageError(
        fmt::format("--share: expected particle or pack, found '{}'", shown(options.share)));
  using Share = clump::LumpOptions::Share;
  const clump::ShapePack pack = packFrom(options.input, diagnostics, options.fromNan);
  for (const clump::PackParticle& p : pack.particles)
    if (p.carried.given)
      diagnostics.note(fmt::format(
          "particle {}: its given mass properties are of the whole; nodes get those of its shapes",
          p.id));
  return clump::lumpedNodes(pack,
                            {.density = options.density,
                             .share = options.share == "pack" ? Share::pack : Share::particle});
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
  return out + fmt::format("{:>8} {:>41}  {:>13.7g}  {} nodes\n", "total", "", mass, nodes.size());
}

std::string lumpJson(const std::vector<clump::LumpedNode>& nodes) {
  std::string out = "{\"schema\":1,\"nodes\":[";
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const clump::LumpedNode& n = nodes[k];
    Json j;
    j["id"] = n.id;
    j["x"] = n.position.x();
    j["y"] = n.position.y();
    j["z"] = n.position.z();
    j["mass"] = n.mass;
    j["firstMoment"] = jsonArray(n.firstMoment);
    j["inertiaTensor"] = jsonRows(n.inertia);
    j["principal"] = jsonArray(n.principal.moments);
    j["orientation"] = jsonQuat(n.principal.orientation);
    j["shapes"] = n.shapes;
    out += (k == 0 ? "\n" : ",\n") + j.dump();
  }
  return out + "\n]}\n";
}

}  // namespace scree::tools
