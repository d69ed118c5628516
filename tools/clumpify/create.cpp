// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

#include "scree/base/condition.hpp"
#include "scree/base/parallel.hpp"
#include "scree/clump/compose.hpp"
#include "scree/clump/pack_transform.hpp"
#include "scree/sim/pack/clump_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

namespace scree::tools {
namespace {

using Calculate = clump::ComposeOptions::Calculate;
using IdRange = std::pair<std::int64_t, std::int64_t>;

/// Arguments and options of `create` and `add`.
struct CreateWords {
  std::string input, output = "-", ids, select;
  std::vector<std::string> pebbles;
  std::optional<std::int64_t> id;
  std::vector<IdRange> ranges;  ///< of `ids`
  bool recompute = false;       ///< of add: without effect, since it is the default
  sim::BlockOptions blocks;
  clump::ComposeOptions compose;
};

std::vector<clump::PackGroup> groupsFrom(const std::vector<std::string>& words) {
  std::vector<clump::PackGroup> out;
  for (const std::string& word : words) {
    const auto group = clump::parsedGroup(word);
    if (!group)
      throw UsageError(
          fmt::format("a group: expected NAME or NAME:SLOT without blanks, control characters, '#' "
                      "and '='; found '{}'",
                      shown(word)));
    out.push_back(*group);
  }
  return out;
}

/// Ranges of IDs such as 0-3,7. @throws UsageError
std::vector<IdRange> rangesFrom(const std::string& ids) {
  std::vector<IdRange> ranges;
  for (std::string_view rest = ids; ranges.empty() || !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    const std::string_view item = rest.substr(0, comma);
    const auto dash = item.empty() ? item.npos : item.find('-', 1);
    const auto first = parseInteger(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parseInteger(item.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || comma + 1 == rest.size())
      throw UsageError(fmt::format("--ids: expected IDs such as 0-3,7; found '{}'", shown(ids)));
    ranges.emplace_back(*first, *last);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return ranges;
}

/// Adds the options that `create` and `add` share.
void addComposeOptions(CLI::App& verb, CreateWords& w) {
  const auto idsFrom = [&w](const std::string& ids) { w.ranges = rangesFrom(w.ids = ids); };
  CLI::Option* ids = verb.add_option_function<std::string>(
                             "--ids", idsFrom, "Blocks to use, e.g. 0-3,7 (default: all)")
                         ->option_text("RANGE");
  verb.add_option("--select", w.select,
                  "Blocks to use, by an expression as in transform, e.g. \"z < 1\"")
      ->option_text("EXPR")
      ->check(notEmpty)  // an unset variable of a script must not choose all blocks
      ->excludes(ids);
  verb.add_option(
          "--density", w.compose.density,
          "Density of the clump, in the units of the file (default: 1; add: that of the clump)")
      ->check(positiveNumber());
  for (const auto& [name, groups, help] :
       {std::tuple{"--group", &w.compose.groups, "Group of the clump; may be repeated"},
        std::tuple{"--pebble-group", &w.compose.pebbleGroups,
                   "Group of its pebbles; may be repeated"}})
    verb.add_option_function<std::vector<std::string>>(
            name, [groups = groups](const auto& words) { *groups = groupsFrom(words); }, help)
        ->option_text("NAME[:SLOT]")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
  CLI::Option* calculate =
      addChoice(verb, "--calculate", w.compose.calculate,
                {{"exact", Calculate::exact},
                 {"from-rblocks", Calculate::fromBlocks},
                 {"voxel", Calculate::voxel}},
                "exact (default): shared volume counts once. voxel: boxes inside a pebble, "
                "extrapolated. from-rblocks: pebbles added up")
          ->option_text("exact|voxel|from-rblocks");
  verb.add_option("--tolerance", w.compose.tolerance,
                  "With voxel: largest relative change of the extrapolated volume in the last step "
                  "(default 1e-4)")
      ->check(numberFrom(1e-11, 0.999))
      ->needs(calculate);
  verb.add_option("--max-cells", w.compose.maxCells,
                  "With voxel: largest number of boxes (default 1000000)")
      ->check(numberFrom(1, 1e8))
      ->needs(calculate);
  CLI::Option* volume =
      verb.add_option("--volume", w.compose.volume, "Given volume; needs --inertia")
          ->check(positiveNumber());
  CLI::Option* inertia =
      verb.add_option_function<std::vector<double>>(
              "--inertia",
              [&w](const std::vector<double>& six) {
                w.compose.inertia = clump::symmetricTensor(six);
                if (const auto problem = clump::inertiaProblem(*w.compose.inertia);
                    !problem.empty())
                  throw UsageError("--inertia: the tensor " + problem);
              },
              "Given tensor about the centroid, mass included; needs --volume")
          ->option_text("E11 E22 E33 E12 E13 E23")
          ->expected(6)
          ->check(numberFrom(-1e300, 1e300))
          ->needs(volume);
  volume->needs(inertia);
  const auto positionFrom = [&w](const std::vector<double>& p) {
    w.compose.position = Vec3(p[0], p[1], p[2]);
  };
  CLI::Option* position =
      verb.add_option_function<std::vector<double>>("--position", positionFrom, "Given centroid")
          ->option_text("X Y Z")
          ->expected(3)
          ->check(numberFrom(-1e300, 1e300));
  std::vector<CLI::Option*> given{volume, inertia, position};
  for (Eigen::Index k = 0; k < 3; ++k) {
    const auto component = [&w, k](double x) {
      if (!w.compose.position) w.compose.position = Vec3::Zero();
      (*w.compose.position)[k] = x;
    };
    given.push_back(verb.add_option_function<double>(fmt::format("--position-{}", "xyz"[k]),
                                                     component,
                                                     "Given centroid, one component; others are 0")
                        ->check(numberFrom(-1e300, 1e300))
                        ->excludes(position));
  }
  CLI::Option* recompute = verb.get_option_no_throw("--recompute");
  for (CLI::Option* option : given) {
    if (option != volume && option != inertia) option->needs(volume);
    calculate->excludes(option);
    if (recompute) recompute->excludes(option);
  }
  addFromNan(verb, w.blocks.sharedNodes);
  addOutput(verb, w.output);
}

bool isIn(const IdRange& range, std::int64_t id) { return id >= range.first && id <= range.second; }

/// Flags of the particles that `--ids` or `--select` choose; without these, all are chosen.
std::vector<bool> chosen(const clump::ShapePack& pack, const CreateWords& words) {
  std::vector<bool> out;
  for (const clump::PackParticle& p : pack.particles)
    out.push_back(words.ranges.empty() ||
                  std::ranges::any_of(words.ranges, [&](auto& r) { return isIn(r, p.id); }));
  if (words.select.empty()) return out;
  const auto values = particleValues(pack, "--select", words.select, words.compose.threads);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = Condition::isTrue(values[k]);
  return out;
}

/// @throws ModelError if no block is chosen, or none of a range of `--ids`
void checkChoice(const std::vector<clump::PackParticle>& blocks, const CreateWords& words) {
  for (const IdRange& range : words.ranges)
    if (std::ranges::none_of(blocks, [&](const auto& b) { return isIn(range, b.id); }))
      throw ModelError(fmt::format("--ids {}: no block has an ID from {} to {}", words.ids,
                                   range.first, range.second));
  if (blocks.empty()) throw ModelError(inputName(words.input) + ": no block is chosen");
}

/// Completes the options. @throws UsageError
void complete(CreateWords& w, const CLI::App& verb) {
  // A block that no pebble can represent may be left out if it is not chosen. An expression is
  // evaluated only for the blocks that pebbles can represent, so it chooses no other.
  w.blocks.mayLose = [&w](std::int64_t id) {
    return w.ranges.empty() ? !w.select.empty()
                            : std::ranges::none_of(w.ranges, [&](auto& r) { return isIn(r, id); });
  };
  if (w.compose.calculate != Calculate::voxel &&
      verb.count("--tolerance") + verb.count("--max-cells") > 0)
    throw UsageError("--tolerance and --max-cells belong to --calculate voxel");
}

/// Warns of a clump longer than half of the periodic cell: its blocks may be on opposite sides.
void warnLong(const clump::PackParticle& clump, const Vec3& cell, Diagnostics& diagnostics) {
  const Vec3 length = 2.0 * clump::boxOf(clump).halfSize();
  for (Eigen::Index c = 0; c < 3; ++c)
    if (cell[c] > 0.0 && length[c] > 0.5 * cell[c])
      diagnostics.warn(fmt::format(
          "clump {}: it is {:.6g} long along {}, more than half of the periodic cell ({:.6g}). If "
          "it lies across the boundary, move its blocks to one side first",
          clump.id, length[c], "xyz"[c], cell[c]));
}

/// Reads the blocks of a file. Placing them moves points by rounding errors; `words` takes the
/// largest, for the bound of the mass properties.
clump::ShapePack blocksOf(const std::string& path, CreateWords& words, Diagnostics& diagnostics) {
  sim::Blocks blocks = sim::blocksFrom(path, words.blocks, diagnostics);
  words.compose.placing = std::max(words.compose.placing, blocks.placing);
  return std::move(blocks.pack);
}

struct CreatedPack {
  clump::ShapePack pack;
  clump::Composed clump;
};

/// Makes one clump of the chosen blocks, and appends it to the others.
CreatedPack created(CreateWords& words, Diagnostics& diagnostics) {
  CreatedPack result{blocksOf(words.input, words, diagnostics), {}};
  const std::vector<bool> take = chosen(result.pack, words);
  std::vector<clump::PackParticle> blocks, rest;
  std::int64_t largest = -1;
  for (std::size_t k = 0; k < take.size(); ++k) {
    largest = std::max(largest, result.pack.particles[k].id);
    (take[k] ? blocks : rest).push_back(std::move(result.pack.particles[k]));
  }
  checkChoice(blocks, words);
  if (words.id && std::ranges::find(rest, *words.id, &clump::PackParticle::id) != rest.end())
    throw ModelError(fmt::format("--id {}: a block that stays has this ID", *words.id));
  result.clump = inFile(words.input, [&] {
    return clump::composed(blocks, words.id.value_or(largest + 1), words.compose, diagnostics);
  });
  result.pack.particles = std::move(rest);
  result.pack.particles.push_back(result.clump.particle);
  clump::separateIds(result.pack, diagnostics);  // blocks of one ID may be neighbours now
  return result;
}

/// Adds the chosen blocks to the clump `words.id`, which must be given.
CreatedPack added(CreateWords& words, Diagnostics& diagnostics) {
  CreatedPack result{blocksOf(words.input, words, diagnostics), {}};
  auto& particles = result.pack.particles;
  if (const auto count = std::ranges::count(particles, *words.id, &clump::PackParticle::id);
      count != 1)
    throw ModelError(fmt::format("{}: {} particles have ID {}, expected one clump",
                                 inputName(words.input), count, *words.id));
  const auto at = static_cast<std::size_t>(
      std::ranges::find(particles, *words.id, &clump::PackParticle::id) - particles.begin());
  std::vector<clump::PackParticle> blocks;
  std::vector<bool> stays(particles.size(), true);
  for (const std::string& path : words.pebbles) {
    const bool same = sameFile(path, words.input);
    clump::ShapePack other;
    if (!same) other = blocksOf(path, words, diagnostics);
    const clump::ShapePack& pack = same ? result.pack : other;
    const std::vector<bool> take = chosen(pack, words);
    for (std::size_t k = 0; k < take.size(); ++k) {
      if (!take[k] || (same && (k == at || !stays[k]))) continue;
      blocks.push_back(pack.particles[k]);
      if (same) stays[k] = false;
    }
  }
  checkChoice(blocks, words);
  result.clump = inFile(words.input, [&] {
    return clump::extended(particles[at], blocks, words.compose, diagnostics);
  });
  particles[at] = result.clump.particle;
  clump::keepOnly(result.pack, stays);
  clump::separateIds(result.pack, diagnostics);
  return result;
}

int finish(CreateWords& words, const CLI::App& verb, const CommonOptions& common,
           CreatedPack (*make)(CreateWords&, Diagnostics&)) {
  checkReportGoesElsewhere(common.json, words.output);
  std::vector<std::string> inputs{words.input};
  inputs.insert(inputs.end(), words.pebbles.begin(), words.pebbles.end());
  if (!words.pebbles.empty() && sameFile(words.output, words.input))  // changed in place
    std::erase_if(inputs, [&](const std::string& file) { return sameFile(file, words.input); });
  checkFiles(inputs, {words.output}, common);
  complete(words, verb);
  words.compose.threads = threadCount(common.jobs);
  Diagnostics diagnostics(common.strict);
  const CreatedPack result = make(words, diagnostics);
  warnLong(result.clump.particle, result.pack.cell, diagnostics);
  printWarnings(diagnostics, common);
  writeFile(words.output, clump::shapePackText(result.pack), common.existing());
  if (common.json) printResult(massJson({result.clump.mass}, 1.0));
  return 0;
}

}  // namespace

Verb addCreateVerb(CLI::App& app, const CommonOptions& common) {
  const auto words = std::make_shared<CreateWords>();
  CLI::App& verb = addVerb(
      app, "create", "Make one clump of the blocks of a ShapePack, conf-file or shape-file",
      "  printf '0 Sphere 0 0 0 1\\n1 Sphere 0 0 1.2 0.8\\n2 Sphere 5 0 0 1\\n' > balls.txt\n"
      "  clumpify create balls.txt --ids 0-1 --density 2600 --group rock -o clump.txt\n"
      "  clumpify create balls.txt --ids 0,1 --volume 5 --inertia 4 4 2 0 0 0 -o given.txt");
  verb.add_option("BLOCKS", words->input, "Pack, sphere table, conf-file or shape-file")
      ->required();
  verb.add_option("--id", words->id, "ID of the clump (default: the largest plus 1)")
      ->check(numberFrom(0, static_cast<double>(clump::mostId)));
  addComposeOptions(verb, *words);
  return {&verb, [words, &verb, &common] { return finish(*words, verb, common, created); }};
}

Verb addAddVerb(CLI::App& app, const CommonOptions& common) {
  const auto words = std::make_shared<CreateWords>();
  CLI::App& verb = addVerb(app, "add", "Add blocks to a clump of a pack",
                           "  printf '3 Sphere 0 0 0 1\\n3 Sphere 0 0 1.2 0.8\\n' > clump.txt\n"
                           "  printf '0 Sphere 0 1 0 0.5\\n' > ball.txt\n"
                           "  clumpify add clump.txt ball.txt --id 3 -o larger.txt");
  verb.add_option("PACK", words->input, "ShapePack with the clump")->required();
  verb.add_option("PEBBLES", words->pebbles, "Files with the blocks to add, as create takes them")
      ->required();
  verb.add_option("--id", words->id, "ID of the clump (needed)")
      ->required()
      ->check(CLI::NonNegativeNumber);
  verb.add_flag("--recompute", words->recompute,
                "Compute mass properties again; the default unless they are given");
  addComposeOptions(verb, *words);
  return {&verb, [words, &verb, &common] { return finish(*words, verb, common, added); }};
}

}  // namespace scree::tools
