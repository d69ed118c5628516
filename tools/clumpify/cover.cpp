// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/cover.hpp"

#include "input.hpp"

#include "scree/sim/pack/clump_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <tuple>

namespace scree::tools {
namespace {

struct CoverVerbOptions {
  std::string input, output = "-", shape, objective, mass = "body", curve;
  clump::CoverOptions cover;
  clump::WriteOptions write{};  ///< format empty: by the name of the output
};

std::string formatByName(const std::string& output) {
  const std::filesystem::path path(output);
  const std::string ending = path.extension().string();
  for (const clump::Format& format : clump::formats())
    if (!ending.empty() && format.ending == ending) return std::string(format.name);
  return path.filename().string().starts_with("conf") ? "conf" : "shapepack";
}

/// Refuses options that the parser cannot judge, before anything is read.
void check(const CoverVerbOptions& options) {
  const clump::CoverOptions& c = options.cover;
  const std::string& objective = options.objective;
  const auto refuseIf = [](bool refused, const char* why) {
    if (refused) throw UsageError(why);
  };
  refuseIf(!(c.spheres || c.volumeRatio || c.iou || c.hausdorff || c.inertiaError),
           "expected one of --spheres, --volume-ratio, --iou, --hausdorff and --inertia-error");
  refuseIf((c.volumeRatio == 1.0 && c.inside) || c.iou == 1.0,
           "--volume-ratio with --inside, and --iou: expected a number below 1; no number of "
           "spheres has exactly the shape of a solid with faces");
  refuseIf(!objective.empty() && c.inside != (objective == "volume"),
           "--objective: volume with --inside, else iou, hausdorff or inertia");
  refuseIf(c.equal && (objective == "hausdorff" || objective == "inertia"),
           "--objective hausdorff and inertia: not with --equal, which leaves no radius to change");
  refuseIf(!c.overlap && (!(c.spheres || c.volumeRatio) || objective == "iou"),
           "--no-overlap: fills a lattice up to --spheres or --volume-ratio");
}

clump::CoverObjective objectiveOf(const CoverVerbOptions& options) {
  using enum clump::CoverObjective;
  if (options.objective == "inertia") return inertia;
  const bool free = !options.cover.inside && !options.cover.equal;
  const bool byGoal = options.objective.empty() && options.cover.hausdorff && free;
  return options.objective == "hausdorff" || byGoal ? hausdorff : volume;
}

/// A cover, or the nearest one to a goal that is not reached.
struct Found {
  std::vector<mass::Ball> balls;
  std::string unreached;
};

Found search(const SolidInput& input, const CoverVerbOptions& options, Diagnostics& diagnostics) {
  const clump::CoverOptions& c = options.cover;
  try {
    Found found{clump::coverOf(input.solid, input.body, c), {}};
    if (c.spheres && found.balls.size() < *c.spheres)
      diagnostics.note(fmt::format(
          "{} spheres of at most {}: no more of the least radius, or with the symmetries of the "
          "solid, fit better",
          found.balls.size(), *c.spheres));
    return found;
  } catch (const clump::GoalNotReached& e) {
    if (e.balls().empty()) throw;
    return {e.balls(), fmt::format("{}: {}", inputName(options.input), e.what())};
  }
}

/// The balls as one clump. With `--mass body` it carries volume, centre and inertia of the body, at
/// density 1; else nothing, and readers take those of the union.
clump::ShapePack clumpOf(const std::vector<mass::Ball>& balls, const SolidInput& input,
                         const CoverVerbOptions& options) {
  clump::ShapePack pack;
  clump::PackParticle& clump = pack.particles.emplace_back();
  for (const mass::Ball& b : balls)
    clump.members.push_back(clump::sphereMember(b.centre, b.radius));
  if (options.mass == "body")
    clump.carried().given = {input.body.volume, input.body.centre,
                             input.body.volume * input.body.inertiaPerMass};
  return pack;
}

/// CSV: the quality of the union of the n largest balls, for n from 1 to all. Lengths in the unit
/// of the file; distances are those that a point reaches, within 1e-3 of the cube root of the
/// volume. IoU, inside and outside have an error of 1e-3 at most.
std::string curveText(const SolidInput& input, std::span<const mass::Ball> balls, int threads) {
  std::string out =
      "spheres,volumeRatio,centreError,inertiaError,uncovered,protruding,rmin,iou,inside,outside,"
      "hausdorff\n";
  for (std::size_t n = 1; n <= balls.size(); ++n) {
    const clump::CoverQuality q =
        clump::coverQuality(input.solid, input.body, balls.first(n), {1e-3, threads});
    const double outside = 0.5 * (q.outside.atLeast + q.outside.atMost) / input.body.volume;
    const double inside = q.volumeRatio - outside;
    out += fmt::format("{},{:.9g},{:.6g},{:.6g},{:.6g},{:.6g},{},{:.6g},{:.6g},{:.6g},{:.6g}\n", n,
                       q.volumeRatio, q.centreError, q.inertiaError, q.uncovered.atLeast,
                       q.protruding.atLeast, q.leastRadius, inside / (1.0 + outside), inside,
                       outside, q.hausdorff().atLeast);
  }
  return out;
}

int run(CoverVerbOptions& options, const CommonOptions& common) {
  clump::CoverOptions& c = options.cover;
  if (options.write.format.empty()) options.write.format = formatByName(options.output);
  nameFiles(options.write, options.output);
  check(options);
  checkReportGoesElsewhere(common.json, options.output);
  checkFiles({options.input}, {options.output, options.curve, common.json ? "-" : ""}, common);
  options.write.remedy = "--equal gives spheres of one radius";
  options.write.threads = c.threads = threadCount(common.jobs);
  c.objective = objectiveOf(options);
  c.progress = progressBar(common, "covering");
  Diagnostics diagnostics(common.strict);
  const SolidInput input = solidFrom(options.input, options.shape, c.threads, diagnostics);
  const Found found = inFile(options.input, [&] { return search(input, options, diagnostics); });
  auto files = clump::written(clumpOf(found.balls, input, options), options.write, diagnostics,
                              sim::confFiles);
  // A comment with the seed, where a file of this format may have one.
  const int after = clump::formatNamed(options.write.format).commentAfter;
  std::string& text = files.front().text;
  std::size_t at = 0;
  for (int line = 0; line < after; ++line) at = text.find('\n', at) + 1;
  if (after >= 0) text.insert(at, fmt::format("# clumpify cover: seed {}\n", c.seed));
  const std::string curve = options.curve.empty() ? "" : curveText(input, found.balls, c.threads);
  printWarnings(diagnostics, common);
  if (!curve.empty()) writeFile(options.curve, curve, common.existing());
  writeFiles(files, options.output, options.write, common.existing());
  if (common.verbosity >= 1 || common.json) {
    const clump::CoverQuality quality = clump::coverQuality(
        input.solid, input.body, found.balls, {.tolerance = 1e-3, .threads = c.threads});
    say(common, fmt::format("{}: {}; seed {}", input.name, qualityLine(quality), c.seed));
    if (common.json) printResult(qualityJson(quality, c.seed));
  }
  if (!found.unreached.empty())
    throw GeometryError(fmt::format(
        "{}; {} this cover", found.unreached,
        options.output == "-" ? "standard output has" : shown(options.output) + " holds"));
  return 0;
}

}  // namespace

Verb addCoverVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<CoverVerbOptions>();
  clump::CoverOptions& c = options->cover;
  CLI::App& verb = addVerb(
      app, "cover", "Approximate a solid by overlapping spheres",
      "  shapeSurvey make box --size 2 1 1 -o box.shp\n"
      "  clumpify cover box.shp --spheres 12 -o fit.txt\n"
      "  clumpify cover box.shp --volume-ratio 0.7 --inside --curve curve.csv -o inside.txt");
  verb.add_option("SHAPE", options->input,
                  "Mesh (STL, OBJ, PLY, OFF) or shape-file; - is a shape-file on standard input")
      ->required();
  verb.add_option("--shape", options->shape, "Name of the shape in a shape-file of several")
      ->option_text("NAME");
  std::vector<CLI::Option*> goals{
      verb.add_option("--spheres", c.spheres,
                      "Use at most N spheres, and search for the best cover")
          ->option_text("N")
          ->check(numberFrom(1, static_cast<double>(clump::coverLimit)))};
  for (const auto& [name, goal, most, help] :
       {std::tuple{"--volume-ratio", &c.volumeRatio, 1.0,
                   "Use the fewest spheres whose union has this share of the volume of the solid"},
        std::tuple{
            "--iou", &c.iou, 1.0,
            "Use the fewest spheres with this ratio of the volumes of intersection and union "
            "(IoU)"},
        std::tuple{"--hausdorff", &c.hausdorff, 1e300,
                   "Use the fewest spheres with both surfaces at most this far apart, in the unit "
                   "of the file"},
        std::tuple{"--inertia-error", &c.inertiaError, 1e300,
                   "Use the fewest spheres whose inertia per mass has at most this relative error. "
                   "They are those of best IoU; --objective inertia needs fewer"}}) {
    CLI::Option* option =
        verb.add_option(name, *goal, help)->check(positiveNumber())->check(numberFrom(0, most));
    for (CLI::Option* other : goals) option->excludes(other);
    goals.push_back(option);
  }
  verb.add_flag("--inside", c.inside,
                "Keep all spheres inside the solid; without this option, maximise the IoU");
  CLI::Option* equal = verb.add_flag("--equal", c.equal, "All spheres have the same radius");
  verb.add_option("--rmin", c.leastRadius,
                  "Least radius, in the unit of the file (default: 0.01 of the cube root of the "
                  "volume). With --inside, a ball of this radius must fit into the solid")
      ->check(numberFrom(0, 1e300));
  verb.add_flag_callback(
          "--no-overlap", [&c] { c.overlap = false; },
          "With --equal: spheres on a lattice inside the solid that touch but do not overlap")
      ->needs(equal);
  const CLI::Option* density =
      verb.add_option("--density", options->write.density,
                      "Density of the solid (default: 2700 in a conf-file, else 1)")
          ->check(positiveNumber());
  verb.add_option("--objective", options->objective,
                  "What to optimise without --inside: iou, hausdorff (largest distance of the "
                  "surfaces) or inertia (default: iou; with --hausdorff, hausdorff). With --inside "
                  "it is always volume")
      ->option_text("iou|hausdorff|inertia|volume")
      ->check(CLI::IsMember({"iou", "hausdorff", "inertia", "volume"}));
  verb.add_option("--curve", options->curve,
                  "CSV file with the quality of the n largest spheres, for each n")
      ->option_text("FILE.csv");
  verb.add_option("--mass", options->mass, "Volume, centre and inertia in the file")
      ->check(CLI::IsMember({"body", "union"}))
      ->option_text("body|union")
      ->capture_default_str();
  verb.add_option("--seed", c.seed, "Seed of the search")->capture_default_str();
  verb.add_option("--format", options->write.format,
                  "Format of the output, as in convert --to (default: by its name, else shapepack)")
      ->option_text("F");
  addOutput(verb, options->output);
  return {&verb, [options, density, &common] {
            options->write.densityGiven = density->count() > 0;
            return run(*options, common);
          }};
}

}  // namespace scree::tools
