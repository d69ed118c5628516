// SPDX-License-Identifier: GPL-3.0-or-later
#include "verbs.hpp"
#include "write_pack.hpp"

#include "scree/sim/pack/material.hpp"

#include <memory>

namespace scree::tools {
namespace {

int material(const sim::Material& m, const CommonOptions& common) {
  const sim::MaterialParameters p = sim::materialParameters(m);
  Diagnostics diagnostics(common.strict);
  warnOfDensity(m.density, diagnostics);
  printWarnings(diagnostics, common);
  if (common.json) {
    JsonWriter json;
    json.beginObject().member("schema", 1).member("kn", p.kn).member("kt", p.kt);
    json.member("en2", p.en2).member("dt", p.dt).member("contactTime", p.duration);
    json.member("overlap", m.overlap).member("force", p.force);
    json.key("reasons").list(p.reasons).end();
    printResult(json.take() + "\n");
    return 0;
  }
  std::string text;
  for (const std::string& reason : p.reasons) text += reason + "\n";
  printResult(text);
  return 0;
}

}  // namespace

Verb addMaterialVerb(CLI::App& app, const CommonOptions& common) {
  const auto m = std::make_shared<sim::Material>();
  CLI::App& verb = *app.add_subcommand(
      "material",
      "Print contact parameters of a material, with the reasons\n\nExamples:\n"
      "  packgen material --young 50e9 --poisson 0.25 --size 0.01\n"
      "  packgen material --young 5e6 --poisson 0.3 --size 0.05 --density 2600 --restitution 0.5\n"
      "  packgen material --young 1e8 --poisson 0.2 --size 0.02 --json");
  verb.add_option("--young", m->young, "Young's modulus [Pa]")->required();
  verb.add_option("--poisson", m->poisson, "Poisson's ratio, from 0 to 0.5")->required();
  verb.add_option("--size", m->size, "Diameter of a grain [m]")->required();
  verb.add_option("--density", m->density, "Density [kg/m3], default 2700");
  verb.add_option("--restitution", m->restitution,
                  "Restitution of speeds, from 0 to 1; default 0.3");
  verb.add_option("--overlap", m->overlap,
                  "Overlap over size at which the linear spring carries the force of Hertz's law; "
                  "default 0.005");
  return {&verb, [m, &common] { return material(*m, common); }};
}

}  // namespace scree::tools
