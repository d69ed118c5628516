// SPDX-License-Identifier: GPL-3.0-or-later
// info and material: figures of a conf-file, and parameters of a material.
#include "packgen.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/pack/material.hpp"
#include "scree/sim/pack/packing_info.hpp"
#include "scree/sim/run_input.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::tools {
namespace {

int info(const std::string& file, const CommonOptions& common) {
  const int threads = threadCount(common.jobs);
  Diagnostics diagnostics(common.strict);
  sim::RunInput input = inputFrom(file, diagnostics);
  const sim::Simulation simulation(std::move(input.conf), std::move(input.shapes),
                                   std::move(input.drives), threads, diagnostics);
  const sim::PackingInfo i = sim::packingInfo(simulation);
  printWarnings(diagnostics, common);

  JsonWriter json;
  json.beginObject().member("schema", 1).member("file", file);
  std::string text;
  const auto add = [&](const char* name, const auto& value) {
    json.member(name, value);
    if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>)
      text += fmt::format("{:<28}{}\n", name, value);
    else
      text += fmt::format("{:<28}{:.6}\n", name, value);
  };
  add("bodies", i.bodies);
  add("driven", i.driven);
  add("mass", i.mass);
  add("solidVolume", i.solidVolume);
  json.key("sizes").beginObject();
  for (const auto& [name, size] : i.sizes) add(name, size);
  json.end();
  add("solidFraction", i.solidFraction);
  add("solidFractionOf", std::string_view(sim::nameOf(i.space.kind)));
  add("volume", i.space.volume);
  add("coordination", i.coordination.mean);
  add("contacts", i.coordination.contacts);
  add("overlap", i.overlaps.worst);
  add("deepOverlaps", i.overlaps.deep);
  add("bodiesInsideOthers", i.bodiesInsideOthers);
  printResult(common.json ? json.end().take() + "\n" : text);
  return 0;
}

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

Verb addInfoVerb(CLI::App& app, const CommonOptions& common) {
  const auto conf = std::make_shared<std::string>();
  CLI::App& verb = addVerb(
      app, "info", "Print bodies, sizes, solid fraction, coordination and overlaps of a conf-file",
      "  shapeSurvey make sphere --size 1 -o ball.shp\n"
      "  packgen lattice --shape ball.shp --type fcc --cells 3 3 3 --walls -o fcc/conf0\n"
      "  packgen info fcc/conf0\n"
      "  packgen info fcc/conf0 --json");
  verb.add_option("CONF", *conf, "Conf-file; '-' is standard input")->required();
  return {&verb, [conf, &common] { return info(*conf, common); }};
}

Verb addMaterialVerb(CLI::App& app, const CommonOptions& common) {
  const auto m = std::make_shared<sim::Material>();
  CLI::App& verb = addVerb(
      app, "material", "Print contact parameters of a material, with the reasons",
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
