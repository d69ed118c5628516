// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

#include "scree/base/json_writer.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::tools {
namespace {

/// A line a node, for people.
std::string lumpTable(const std::vector<clump::LumpedNode>& nodes) {
  std::string out = fmt::format("{:>8} {:^41}  {:>13}  {:^41}  {}\n", "id", "node", "mass",
                                "principal moments", "shapes");
  for (const clump::LumpedNode& n : nodes) {
    const Vec3& p = n.principal.moments;
    out += fmt::format(
        "{:>8} {:>13.6g} {:>13.6g} {:>13.6g}  {:>13.7g}  {:>13.6g} {:>13.6g} {:>13.6g}  {}\n", n.id,
        n.position.x(), n.position.y(), n.position.z(), n.mass, p.x(), p.y(), p.z(), n.shapes);
  }
  return out +
         "\nLengths L in the unit of the file; masses in the unit of the density times L³, moments "
         "in that times L²\n";
}

/// Nodes as docs/tools/clumpify.md describes them.
std::string lumpJson(const std::vector<clump::LumpedNode>& nodes) {
  JsonWriter json;
  json.beginObject().member("schema", 1).key("nodes").beginArray();
  for (const clump::LumpedNode& n : nodes) {
    json.newLine().beginObject().member("id", n.id).member("x", n.position.x());
    json.member("y", n.position.y()).member("z", n.position.z()).member("mass", n.mass);
    json.member("firstMoment", n.firstMoment).member("inertiaTensor", n.inertia);
    json.member("principal", n.principal.moments);
    json.member("orientation", n.principal.orientation).member("shapes", n.shapes).end();
  }
  return json.newLine().end().end().take() + "\n";
}

}  // namespace

Verb addLumpVerb(CLI::App& app, const CommonOptions& common) {
  struct Options {
    std::string input, output = "-";
    double density = 1.0;
    clump::SharedNodes shared = clump::SharedNodes::particle;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& verb =
      addVerb(app, "lump", "Lump mass and inertia of facets and tetrahedra to their nodes",
              "  printf '0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\\n' > tetra.txt\n"
              "  clumpify lump tetra.txt --density 2600\n"
              "  clumpify lump tetra.txt --json -o nodes.json");
  verb.add_option("PACK", options->input,
                  "Pack, sphere table, conf-file or shape-file; - is standard input")
      ->required();
  verb.add_option("--density", options->density,
                  "Density of particles without one, in the units of the file")
      ->check(positiveNumber())
      ->capture_default_str();
  addFromNan(verb, options->shared);
  addOutput(verb, options->output);
  return {&verb, [options, &common] {
            checkFiles({options->input}, {options->output}, common);
            Diagnostics diagnostics(common.strict);
            const clump::ShapePack pack = packFrom(options->input, options->shared, diagnostics);
            const auto nodes =
                inFile(options->input, [&] { return clump::lumpedNodes(pack, options->density); });
            printWarnings(diagnostics, common);
            writeFile(options->output, common.json ? lumpJson(nodes) : lumpTable(nodes),
                      common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
