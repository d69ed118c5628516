// SPDX-License-Identifier: GPL-3.0-or-later
// settle and compact: a conf-file in, the same bodies in balance out.
#include "packgen.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace scree::tools {
namespace {

struct SettleOptions {
  std::string conf, rest, axes = "xyz";
  bool untilRest = false;
  PressRequest request;
};

void addOptions(CLI::App& verb, SettleOptions& options, bool compact) {
  sim::PressOptions& press = options.request.press;
  verb.add_option("CONF", options.conf, "Conf-file with the bodies and their container")
      ->required();
  addOutputOptions(verb, options.request.out, &press.drive);
  addVector(verb, "--gravity", press.gravity, "GX GY GZ",
            compact ? "Gravity [m/s2], default 0 0 0" : "Gravity [m/s2], default that of CONF");
  addOption(verb, "--rest", options.rest, "U,E,S",
            std::string("UNBALANCED,ENERGY,SECONDS: bodies are at rest if both ratios stay below "
                        "these limits for this time, as in rockable; default for 1000 steps, ") +
                (compact ? "1e-3,0.05" : "1e-3,1e-3; implies --until-rest"));
  addOption(
      verb, "--until", press.until, "T",
      compact
          ? "Longest time to simulate [s]; default 500 d sqrt(density/P), or ten times tmax of CONF"
          : "Longest time to simulate [s]; default tmax of CONF, 100 times that with --until-rest",
      CLI::PositiveNumber);
  for (const sim::LawOption& row : sim::lawOptions())
    if (row.value && !row.ofGroup)  // a stiffness would change what the contacts carry
      addLawOption(verb, row,
                   fmt::format("{} in a run of the result; default that of CONF", row.keyword),
                   press.contacts);
  verb.add_option("--duration", press.duration,
                  "Time to simulate in a run of the result [s]; default tmax of CONF")
      ->check(CLI::PositiveNumber);
  verb.add_option("--interconf", press.interConf,
                  "Time between its conf-files [s]; default that of CONF, or duration / 50")
      ->check(CLI::PositiveNumber);
  verb.add_option("--overlap", press.overlap,
                  "Allowed overlap, as a share of a size. Contacts are stiffened if a new gravity "
                  "or pressure would exceed it; default 0.005")
      ->check(CLI::Range(1e-12, 0.1));
  verb.add_flag("--keep-stiffness", press.keepStiffness, "Keep the stiffness of the contacts")
      ->excludes(verb.get_option("--overlap"));
}

int run(SettleOptions& options, bool compact, const CommonOptions& common) {
  sim::PressOptions& press = options.request.press;
  press.name = options.conf;
  if (compact) press.axes = sim::pressedAxes(options.axes);
  if (compact && press.drive) press.drive->follow(press.pressure);
  if (!options.rest.empty())
    press.rest = sim::restRule(options.rest);
  else if (compact || options.untilRest)
    press.rest = compact ? sim::restUnderPressure() : sim::RestRule();

  Diagnostics diagnostics(common.strict);
  sim::RunInput input = inputFrom(options.conf, diagnostics);
  printWarnings(diagnostics, common);
  PackOutput& out = options.request.out;
  nameShapeFile(out, sim::shapeFileOf(input.conf));
  out.drive = {textOf(input, "driving"), textOf(input, "extractors"), {}};
  for (const sim::InputFile& file : input.files) out.inputs.push_back(file.path);
  const char* verb = compact ? "compact" : "settle";
  checkPress(options.request, input.conf, input.shapes, verb, common);
  return pressAndWrite(std::move(input), options.request, verb, common);
}

}  // namespace

void checkPress(PressRequest& request, const sim::Conf& conf, std::span<const shape::Shape> shapes,
                const char* verb, const CommonOptions& common) {
  const sim::PressOptions& press = request.press;
  sim::DriveFiles drive = sim::heldBy(press, conf, shapes);
  if (press.drive)
    request.out.drive = std::move(drive);
  else if (press.axes)
    request.out.drive.driving =
        fmt::format("# packgen {}: {} Pa.\n{}", verb, press.pressure, drive.driving);
  checkOutput(request.out, common);
}

int pressAndWrite(sim::RunInput input, PressRequest& request, const char* verb,
                  const CommonOptions& common) {
  sim::PressOptions& press = request.press;
  press.threads = threadCount(common.jobs);
  press.progress = progressBar(common, verb);
  press.note = [&](const std::string& text) { say(common, text); };
  Diagnostics diagnostics(common.strict);
  sim::PressedPacking made = sim::pressedPacking(std::move(input), press, diagnostics);
  const sim::Settled& settled = made.settled;
  printWarnings(diagnostics, common);
  if (press.drive) request.out.drive = made.drive;
  Report report = request.report;
  if (report.remark.empty())
    report.remark = fmt::format("packgen {}: the bodies of {} {}", verb,
                                std::filesystem::path(press.name).filename().string(),
                                press.axes ? fmt::format("pressed by {} Pa", press.pressure)
                                           : fmt::format("after {:.6g} s{}", settled.time,
                                                         settled.atRest ? ", at rest" : ""));
  std::vector<std::string>& reasons = report.reasons;
  reasons.insert(reasons.end(), made.drive.reasons.begin(), made.drive.reasons.end());
  if (press.axes)
    reasons.push_back(
        fmt::format("stress inside {:.4g} {:.4g} {:.4g} Pa along x y z; solid fraction {:.6f}",
                    made.stress[0], made.stress[1], made.stress[2], made.solidFraction));
  reasons.push_back(fmt::format("{:.6g} s in {} steps{}: {}; largest overlap {:.2g} % of a size",
                                settled.time, settled.steps, settled.atRest ? ", at rest" : "",
                                sim::describe(settled.ratios), 100.0 * made.overlaps.worst));
  report.extra = [&](JsonWriter& json) {
    json.member("time", settled.time);
    json.member("steps", settled.steps).member("atRest", settled.atRest);
    json.member("unbalanced", settled.ratios.unbalanced);
    json.member("energyRatio", settled.ratios.energy);
    json.member("overlap", made.overlaps.worst).member("contacts", made.overlaps.contacts);
    if (press.axes) json.member("stress", made.stress).member("solidFraction", made.solidFraction);
    if (request.report.extra) request.report.extra(json);
  };
  writeProduct(request.out, std::move(made.conf), made.shapes, report, common);
  return 0;
}

Verb addSettleVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<SettleOptions>();
  CLI::App& verb =
      addVerb(app, "settle", "Let the bodies of a conf-file fall and come to rest",
              "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
              "  packgen scatter --shapes box.shp --container box:3,4,3 --number 4 -o loose/conf0\n"
              "  packgen settle loose/conf0 --until-rest -o heap/conf0\n"
              "  packgen settle loose/conf0 --gravity 0 0 -9.81 --until 0.5 -o early/conf0");
  verb.add_flag("--until-rest", options->untilRest,
                "End once all bodies are at rest; exit code 3 if they do not come to rest");
  addOptions(verb, *options, false);
  return {&verb, [options, &common] { return run(*options, false, common); }};
}

Verb addCompactVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<SettleOptions>();
  CLI::App& verb = addVerb(
      app, "compact",
      "Press a packing with its walls or its periodic cell, until it carries a pressure at rest",
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen scatter --shapes box.shp --container box:3.5,3.5,3.5 --number 6 --gravity 0 0 0 "
      "--mu 0,1=0 -o loose/conf0\n"
      "  packgen compact loose/conf0 --pressure 1e5 -o dense/conf0\n"
      "  packgen compact loose/conf0 --pressure 1e5 --axes y --drive oedometer:2e5 -o odo/conf0");
  addOption(verb, "--pressure", options->request.press.pressure, "P", "Pressure [Pa]",
            CLI::PositiveNumber)
      ->required();
  addOption(verb, "--axes", options->axes, "AXES",
            "Axes that are pressed, xyz (isotropic, default), two of them (biaxial) or one "
            "(oedometric); the others stay");
  addOptions(verb, *options, true);
  return {&verb, [options, &common] { return run(*options, true, common); }};
}

}  // namespace scree::tools
