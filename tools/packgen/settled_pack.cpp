// SPDX-License-Identifier: GPL-3.0-or-later
#include "settled_pack.hpp"

#include "carried_load.hpp"
#include "drive_output.hpp"
#include "run_tool.hpp"
#include "write_pack.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

constexpr int mostStiffenings = 4;  ///< each brings overlaps near to what is allowed

void requirePositive(const char* option, const std::optional<double>& value) {
  if (value && !(*value > 0.0 && std::isfinite(*value)))
    throw UsageError(fmt::format("{}: expected a number above 0, found {:.6g}", option, *value));
}

/// Where the shapes go: the file that is there where it stands in the same folder, else a copy.
struct ShapeOutput {
  std::string path, name;  ///< name: as the conf-file has it
  bool write = true;
};
ShapeOutput shapeOutput(const SettledPackOptions& options, const sim::Conf& conf) {
  const std::string folder = fs::path(options.output).parent_path().string();
  if (options.library.empty()) {
    const std::string source = sim::shapeFileOf(conf);
    if (options.output == "-") return {source, source, false};
    const std::string beside = relativeTo(source, folder);
    if (beside == fs::path(source).filename().string()) return {source, beside, false};
  }
  ShapeOutput out;
  out.path =
      options.library.empty() ? std::string(withoutZst(options.output)) + ".shp" : options.library;
  out.name = options.output == "-" ? out.path : relativeTo(out.path, folder);
  return out;
}

/// The text of the input's file with this role; empty where there is none.
std::string inputText(const sim::RunInput& input, const std::string& role) {
  for (const sim::InputFile& file : input.files)
    if (file.role == role) return readFile(file.path);
  return {};
}

/// Refuses outputs that cannot be written, or would overwrite each other.
void checkOutputs(const SettledPackOptions& options, const ShapeOutput& shapes,
                  const DriveOutput& drives, const CommonOptions& common) {
  requireNoBlanks(shapes.name);
  std::vector<std::string> outputs = drives.paths(options.output);
  outputs.insert(outputs.end(), {options.output, shapes.path});
  refuseSameFiles(outputs);
  drives.check(options.output, common);
  checkCanWrite(options.output, common.existing());
  if (shapes.write) checkCanWrite(shapes.path, common.existing());
}

void refuseInputs(const SettledPackOptions& options, const ShapeOutput& shapes,
                  const sim::RunInput& input) {
  std::vector<std::string> read;
  for (const sim::InputFile& file : input.files) read.push_back(file.path);
  checkNotInputs({options.output, shapes.write ? shapes.path : ""}, read);
}

}  // namespace

void addSettledPackOptions(CLI::App& verb, SettledPackOptions& options, bool always) {
  verb.add_option("CONF", options.conf, "Conf-file with the bodies and their container")
      ->required();
  verb.add_option("-o,--output", options.output, "Conf-file to write, default conf0");
  verb.add_option("--library", options.library,
                  "Shape-file to write beside it; default the name of the conf-file with .shp");
  verb.add_option("--gravity", options.gravity,
                  always ? "Gravity [m/s2]; default 0 0 0" : "Gravity [m/s2]; default that of CONF")
      ->expected(3)
      ->option_text("GX GY GZ");
  if (!always)
    verb.add_flag("--until-rest", options.untilRest,
                  "End once all bodies are at rest; exit code 3 if they do not come to rest");
  verb.add_option(
          "--rest", options.rest,
          std::string("UNBALANCED,ENERGY,SECONDS: bodies are at rest if both ratios stay below "
                      "these limits for this time, as in rockable; default for 1000 steps, ") +
              (always ? "1e-3,0.05" : "1e-3,1e-3; implies --until-rest"))
      ->option_text("U,E,S");
  verb.add_option("--until", options.until,
                  always
                      ? "Longest time to simulate [s]; default 500 d sqrt(density/P), or ten times "
                        "tmax of CONF"
                      : "Longest time to simulate [s]; default tmax of CONF, 100 times that with "
                        "--until-rest")
      ->option_text("T");
  verb.add_option("--drive", options.drive,
                  "Drive to write for the result: isotropic[:P] triaxial[:P[,RATE[,STRAIN]]] "
                  "oedometer[:P] shear[:P[,RATE[,STRAIN]]] drum[:SPIN] vibration[:A,F]")
      ->option_text("DRIVE");
  verb.add_option("--duration", options.duration,
                  "Time to simulate in a run of the result [s]; default tmax of CONF");
  verb.add_option("--interconf", options.interConf,
                  "Time between its conf-files [s]; default that of CONF");
  verb.add_option("--overlap", options.overlap,
                  "Allowed overlap, as a share of a size. Contacts are stiffened if a new gravity "
                  "or pressure would exceed it; default 0.005");
  verb.add_flag("--keep-stiffness", options.keepStiffness, "Keep the stiffness of the contacts");
}

void checkSettled(const SettledPackOptions& options, const CommonOptions& common) {
  checkReportGoesElsewhere(common.json, options.output);
  requireLibraryName(options.library);
  requirePositive("--until", options.until);
  requirePositive("--duration", options.duration);
  requirePositive("--interconf", options.interConf);
  if (!(options.overlap > 0.0 && options.overlap <= 0.1))
    throw UsageError(fmt::format("--overlap: expected a number above 0, up to 0.1, found {:.6g}",
                                 options.overlap));
  if (!options.drive.empty()) sim::DrivePlan::parse(options.drive);
  if (!options.rest.empty()) sim::restRule(options.rest);
}

void requirePressure(double pressure) {
  if (!(pressure > 0.0 && std::isfinite(pressure)))
    throw UsageError(fmt::format("--pressure: expected a number above 0, found {:.6g}", pressure));
}

void checkPressed(sim::Conf conf, std::span<const shape::Shape> shapes,
                  const SettledPackOptions& options, const Pressing& pressing,
                  const CommonOptions& common) {
  DriveOutput drives;
  if (pressing.axes)
    drives.driving = sim::pressureLines(conf, shapes, pressing.pressure, *pressing.axes);
  if (!options.drive.empty()) {
    sim::DriveFiles planned = sim::driveFiles(sim::DrivePlan::parse(options.drive), conf, shapes,
                                              options.duration.has_value());
    drives = {std::move(planned.driving), std::move(planned.extractors)};
  }
  checkOutputs(options, shapeOutput(options, conf), drives, common);
}

int settledPack(const SettledPackOptions& options, const Pressing& pressing, const char* verb,
                const CommonOptions& common) {
  checkSettled(options, common);
  Diagnostics diagnostics(common.strict);
  sim::Conf conf = sim::readConfFromFile(options.conf, diagnostics, threadCount(common.jobs));
  const auto files = sim::confFilesOf(conf, options.conf);
  sim::RunInput input = sim::readRunInput(std::move(conf), files, diagnostics);
  printWarnings(diagnostics, common);
  return settledPack(std::move(input), options, pressing, verb, common);
}

int settledPack(sim::RunInput input, const SettledPackOptions& options, const Pressing& pressing,
                const char* verb, const CommonOptions& common) {
  std::optional<sim::DrivePlan> plan;
  if (!options.drive.empty()) plan = sim::DrivePlan::parse(options.drive);
  sim::SettleOptions settling;
  if (options.untilRest || !options.rest.empty())
    settling.rest = !options.rest.empty() ? sim::restRule(options.rest)
                    : pressing.axes       ? sim::restUnderPressure()
                                          : sim::RestRule();

  const int threads = threadCount(common.jobs);
  Diagnostics diagnostics(common.strict);
  const ShapeOutput shapeFile = shapeOutput(options, input.conf);
  refuseInputs(options, shapeFile, input);

  // The drives that act while the packing settles, and that hold it afterwards.
  DriveOutput drives;
  if (pressing.axes) {
    const std::string lines =
        sim::pressureLines(input.conf, input.shapes, pressing.pressure, *pressing.axes);
    TextReader in("--pressure", lines);
    input.drives =
        sim::readDriving(in, input.conf.nDriven, input.conf.particles.size(), diagnostics);
    drives.driving = fmt::format("# packgen {}: {} Pa.\n{}", verb, pressing.pressure, lines);
  } else {
    drives.driving = inputText(input, "driving");
  }
  drives.extractors = inputText(input, "extractors");
  for (int k = 0; k < 3 && !options.gravity.empty(); ++k) {
    if (!std::isfinite(options.gravity[static_cast<std::size_t>(k)]))
      throw UsageError("--gravity: expected three finite numbers");
    input.conf.gravity[k] = options.gravity[static_cast<std::size_t>(k)];
  }
  if (pressing.axes && options.gravity.empty() && input.conf.gravity != Vec3::Zero()) {
    // Weight would push walls out that a lower pressure holds, and bodies to one side.
    say(common, "gravity becomes 0 0 0; --gravity sets another");
    input.conf.gravity = Vec3::Zero();
  }
  if (plan)  // with the outputs: refused before the packing moves
    checkPressed(input.conf, input.shapes, options, pressing, common);
  else
    checkOutputs(options, shapeFile, drives, common);
  Diagnostics ofDrive(common.strict);
  if (plan) warnOfRoughWalls(*plan, input.conf, input.shapes, ofDrive);
  printWarnings(ofDrive, common);
  double pressure = pressing.pressure;
  if (plan) pressure = std::max(pressure, sim::driveLoad(*plan, input.conf, input.shapes).pressure);
  const bool mayStiffen = !options.keepStiffness && (pressure > 0.0 || !options.gravity.empty());
  if (mayStiffen)
    for (const std::string& reason :
         sim::stiffen(input.conf, input.shapes, pressure, options.overlap))
      say(common, reason);

  // Only a guard against bodies that never rest: balls that roll need many times their fall.
  const double mostTimes = pressing.axes ? 10.0 : 100.0;
  double longest = settling.rest ? mostTimes * input.conf.tmax : input.conf.tmax;
  if (pressing.axes)
    longest = std::max(longest, sim::pressingTime(input.conf, input.shapes, pressing.pressure));
  settling.longest = options.until.value_or(longest);
  settling.progress = progressBar(common, verb);
  const double tmax = options.duration.value_or(input.conf.tmax);
  const sim::Drives acting = input.drives;
  std::unique_ptr<sim::Simulation> settledState;
  sim::Settled settled;
  sim::Overlaps overlaps;
  // Few contacts may carry all of the load, which no rule foresees.
  for (int attempt = 0;; ++attempt) {
    if (pressing.axes)
      settling.leastElastic =
          sim::pressingEnergy(input.conf, input.shapes, pressing.pressure, options.overlap);
    const bool last = !mayStiffen || attempt == mostStiffenings;
    settledState.reset();  // never two at a time
    settledState =
        last ? std::make_unique<sim::Simulation>(std::move(input.conf), std::move(input.shapes),
                                                 std::move(input.drives), threads, diagnostics)
             : std::make_unique<sim::Simulation>(input.conf, input.shapes, input.drives, threads,
                                                 diagnostics);
    printWarnings(diagnostics, common);
    settled = sim::settle(*settledState, acting, settling);
    if (settling.rest && !settled.atRest)
      throw ModelError(fmt::format(
          "{}: not at rest after {:.6g} s: {}{}; --until sets a longer time, --rest other limits",
          options.conf, settled.time, sim::describe(settled.ratios),
          settled.imbalance > settling.balance
              ? fmt::format(", forces of walls are off their target by {:.2g}", settled.imbalance)
              : ""));
    sayDetail(common, fmt::format("{} steps simulated", settled.steps));
    overlaps = sim::overlapsOf(*settledState);
    if (last || !(overlaps.worst > 2.0 * options.overlap)) break;
    const double factor = sim::stiffnessFactor(input.conf, overlaps.worst, options.overlap);
    sim::scaleStiffness(input.conf, factor);
    say(common, fmt::format("{} overlap by {:.2g} % of a size: repeated with contacts {:.3g} times "
                            "as stiff; the time step becomes {:.6g} s",
                            sim::pairName(overlaps.i, overlaps.j), 100.0 * overlaps.worst, factor,
                            input.conf.dt));
  }
  sim::Simulation& simulation = *settledState;
  const std::string state = sim::describe(settled.ratios);

  sim::Conf result = sim::asBeginning(simulation);
  result.tmax = tmax;
  if (options.duration) result.interConf = std::max(tmax / 50.0, result.dt);
  if (options.interConf) result.interConf = *options.interConf;
  result.iconf = outputNumber(options.output);
  result.shapeFile = shapeFile.name;
  std::vector<std::string> reasons;
  if (plan) {
    sim::DriveFiles planned =
        sim::driveFiles(*plan, result, simulation.shapes(), options.duration.has_value());
    if (options.interConf) result.interConf = *options.interConf;
    drives = {std::move(planned.driving), std::move(planned.extractors)};
    reasons = std::move(planned.reasons);
  }
  Diagnostics findings(common.strict);
  if (overlaps.deep > 0)
    findings.warn(
        fmt::format("{}: {} overlap by {:.2g} % of a size; stiffer contacts (the choice of "
                    "packgen, or a larger --kn) keep it below 1 %",
                    options.conf, sim::pairName(overlaps.i, overlaps.j), 100.0 * overlaps.worst));
  if (pressing.axes)
    checkCarried(carriedLoad(simulation), pressing, options.conf, common, findings);
  printWarnings(findings, common);

  PackFiles files(common.existing());
  if (shapeFile.write) files.write(shapeFile.path, shape::shapesText(simulation.shapes()));
  const std::string remark =
      !options.remark.empty()
          ? options.remark
          : fmt::format("packgen {}: the bodies of {} {}", verb,
                        fs::path(options.conf).filename().string(),
                        pressing.axes ? fmt::format("pressed by {} Pa", pressing.pressure)
                                      : fmt::format("after {:.6g} s{}", settled.time,
                                                    settled.atRest ? ", at rest" : ""));
  files.write(options.output, withRemark(sim::confText(result), remark));
  const std::vector<std::string> driveFiles = drives.write(options.output, files, common);
  files.keep();
  for (const std::string& reason : reasons) say(common, reason);
  say(common, fmt::format("{:.6g} s in {} steps{}: {}", settled.time, settled.steps,
                          settled.atRest ? ", at rest" : "", state));
  say(common,
      fmt::format("{}: {}, {} driven, largest overlap {:.2g} % of a size{}", options.output,
                  bodyCount(result.particles.size()), result.nDriven, 100.0 * overlaps.worst,
                  driveFiles.empty() ? "" : fmt::format("; {}", fmt::join(driveFiles, " "))));
  if (!common.json) return 0;
  JsonWriter json;
  json.beginObject().key("schema").value(1).key("conf").value(options.output);
  json.key("shapeFile").value(result.shapeFile).key("bodies").value(result.particles.size());
  json.key("driven").value(result.nDriven).key("dt").value(result.dt);
  json.key("duration").value(result.tmax).key("time").value(settled.time);
  json.key("steps").value(settled.steps).key("atRest").value(settled.atRest);
  json.key("unbalanced").value(settled.ratios.unbalanced);
  json.key("energyRatio").value(settled.ratios.energy);
  json.key("overlap").value(overlaps.worst);
  json.key("contacts").value(overlaps.contacts);
  if (pressing.extra) pressing.extra(json, simulation);
  json.key("files").beginArray().value(options.output);
  if (shapeFile.write) json.value(shapeFile.path);
  for (const std::string& path : driveFiles) json.value(path);
  json.end().end();
  printResult(json.take() + "\n");
  return 0;
}

}  // namespace scree::tools
