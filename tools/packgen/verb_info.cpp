// SPDX-License-Identifier: GPL-3.0-or-later
// info and material: figures of a conf-file, and parameters of a material.
#include "packgen.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/material.hpp"
#include "scree/sim/pack/packing_info.hpp"
#include "scree/sim/run_input.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::tools {
namespace {

struct InfoOptions {
  std::string conf;
  double gap = 0.0;  ///< [-] of the size of a body
};

std::string jsonOf(const sim::PackingInfo& i, const std::string& file) {
  const sim::SizeQuantiles& q = i.grading.byMass;
  JsonWriter json;
  json.beginObject().member("schema", 1).member("file", file);
  json.member("bodies", i.bodies).member("driven", i.driven);
  json.member("mass", i.mass).member("solidVolume", i.solidVolume).key("sizes").beginObject();
  json.member("smallest", q.smallest).member("d10", q.d10).member("d30", q.d30);
  json.member("d50", q.d50).member("d60", q.d60).member("d90", q.d90);
  json.member("largest", q.largest).end().member("solidFraction", i.solidFraction);
  json.member("solidFractionOf", sim::nameOf(i.space.kind)).member("volume", i.space.volume);
  json.member("coordination", i.coordination.mean);
  json.member("coordinationWithoutRattlers", i.coordination.withoutRattlers);
  json.member("rattlers", i.coordination.rattlers).member("contacts", i.coordination.contacts);
  json.member("overlap", i.overlaps.worst).member("deepOverlaps", i.overlaps.deep);
  json.member("bodiesInsideOthers", i.bodiesInsideOthers).end();
  return json.take() + "\n";
}

std::string textOf(const sim::PackingInfo& i) {
  if (i.bodies == i.driven) return fmt::format("bodies          {}, all driven\n", i.bodies);
  const sim::SizeQuantiles& q = i.grading.byMass;
  std::string text =
      fmt::format("bodies          {}, {} driven\n", i.bodies, i.driven) +
      fmt::format("mass            {:.6g} kg, solid volume {:.6g} m3 (free bodies)\n", i.mass,
                  i.solidVolume) +
      fmt::format("sizes           {:.6g} to {:.6g} m, diameters of balls of equal volume\n",
                  q.smallest, q.largest) +
      fmt::format(
          "grading by mass d10 {:.6g}, d30 {:.6g}, d50 {:.6g}, d60 {:.6g}, d90 {:.6g} m, "
          "d60/d10 {:.4g}\n",
          q.d10, q.d30, q.d50, q.d60, q.d90, q.d10 > 0.0 ? q.d60 / q.d10 : 0.0) +
      fmt::format("solid fraction  {:.6f} of the {}, {:.6g} m3\n", i.solidFraction,
                  sim::nameOf(i.space.kind), i.space.volume) +
      fmt::format("coordination    {:.4f}; {:.4f} without {} rattlers; {} pairs touch\n",
                  i.coordination.mean, i.coordination.withoutRattlers, i.coordination.rattlers,
                  i.coordination.contacts);
  if (i.overlaps.worst > 0.0)
    text +=
        fmt::format("overlaps        worst {:.3g} of the size, {}; {} above 1 %\n",
                    i.overlaps.worst, sim::pairName(i.overlaps.i, i.overlaps.j), i.overlaps.deep);
  else
    text += "overlaps        none\n";
  if (i.bodiesInsideOthers > 0)
    text += fmt::format("inside others   {} pairs\n", i.bodiesInsideOthers);
  return text;
}

int info(const InfoOptions& options, const CommonOptions& common) {
  const int threads = threadCount(common.jobs);
  Diagnostics diagnostics(common.strict);
  sim::Conf conf = sim::readConfFromFile(options.conf, diagnostics);
  const auto files = sim::confFilesOf(conf, options.conf);
  sim::RunInput input = sim::readRunInput(std::move(conf), files, diagnostics);
  std::vector<shape::Shape> grown = input.shapes;
  sim::Conf grownConf = input.conf;
  const sim::Simulation simulation(std::move(input.conf), std::move(input.shapes),
                                   std::move(input.drives), threads, diagnostics);
  sim::PackingInfo result = sim::packingInfo(simulation);
  if (options.gap > 0.0) {
    for (sim::ParticleRecord& p : grownConf.particles) p.homothety *= 1.0 + options.gap;
    grownConf.interactions.clear();
    grownConf.boundaryTouches.clear();
    Diagnostics ignored;
    const sim::Simulation wider(std::move(grownConf), std::move(grown), {}, threads, ignored);
    result.coordination = sim::coordinationOf(wider);
  }
  printWarnings(diagnostics, common);
  printResult(common.json ? jsonOf(result, options.conf) : textOf(result));
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
  const auto options = std::make_shared<InfoOptions>();
  CLI::App& verb = addVerb(
      app, "info", "Print bodies, sizes, solid fraction, coordination and overlaps of a conf-file",
      "  shapeSurvey make sphere --size 1 -o ball.shp\n"
      "  packgen lattice --shape ball.shp --type fcc --cells 3 3 3 --walls -o fcc/conf0\n"
      "  packgen info fcc/conf0\n"
      "  packgen info fcc/conf0 --gap 1e-6 --json");
  verb.add_option("CONF", options->conf, "Conf-file; '-' is standard input")->required();
  verb.add_option("--gap", options->gap,
                  "Scale bodies by 1 + GAP before contacts are counted (default 0), so that bodies "
                  "that nearly touch count")
      ->check(CLI::Range(0.0, 0.1))
      ->option_text("GAP");
  return {&verb, [options, &common] { return info(*options, common); }};
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
