// SPDX-License-Identifier: GPL-3.0-or-later
#include "transform.hpp"

#include "input.hpp"

#include "scree/base/text_writer.hpp"
#include "scree/clump/pack_transform.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace scree::tools {
namespace {

double finiteNumber(const TransformStep& step, std::size_t k) {
  const auto value = parseNumber(step.words[k]);
  if (!value || !std::isfinite(*value))
    throw UsageError(
        fmt::format("--{}: expected a finite number, found '{}'", step.name, shown(step.words[k])));
  return *value;
}

void needWords(const TransformStep& step, std::size_t n) {
  if (step.words.size() != n)
    throw UsageError(
        fmt::format("--{}: expected {} value(s), found {}", step.name, n, step.words.size()));
}

void turn(clump::ShapePack& pack, const TransformStep& step) {
  const std::string_view axes = "xyz";
  const std::string& axis = step.words[0];
  const auto found = axis.size() == 1 ? axes.find(axis[0]) : std::string_view::npos;
  if (found == std::string_view::npos)
    throw UsageError(fmt::format("--rotate: expected an axis x, y or z, found '{}'", shown(axis)));
  clump::rotate(pack, static_cast<int>(found), finiteNumber(step, 1));
}

void tile(clump::ShapePack& pack, const TransformStep& step) {
  std::array<std::int64_t, 3> counts{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto value = parseInteger(step.words[k]);
    if (!value || *value < 1)
      throw UsageError(fmt::format("--tile: expected a whole number of at least 1, found '{}'",
                                   shown(step.words[k])));
    counts[k] = *value;
  }
  clump::tile(pack, counts);
}

std::vector<double> numbers(const clump::ShapePack& pack, const TransformStep& step,
                            const clump::ClumpMassOptions& mass) {
  return particleValues(pack, "--" + step.name, step.words[0], mass);
}

/// Steps between coordinates over the size of each particle.
std::vector<double> coarseness(const clump::ShapePack& pack) {
  std::vector<double> out;
  for (const clump::PackParticle& p : pack.particles) {
    const clump::ParticleBox box = clump::boxOf(p);
    const double farthest = box.least.cwiseAbs().cwiseMax(box.most.cwiseAbs()).maxCoeff();
    out.push_back(std::numeric_limits<double>::epsilon() * farthest /
                  (box.most - box.least).maxCoeff());
  }
  return out;
}

/// Particles whose coordinates kept six digits of their size or more until this step.
void warnCoarse(const clump::ShapePack& pack, const std::vector<double>& before,
                const std::string& name, Diagnostics& diagnostics) {
  constexpr double most = 1e-6;
  const std::vector<double> after = coarseness(pack);
  std::size_t count = 0, first = 0;
  for (std::size_t k = 0; k < before.size(); ++k)
    if (!(after[k] <= most) && before[k] <= most && count++ == 0) first = k;
  if (count > 0)
    diagnostics.warn(fmt::format(
        "--{}: so far from the origin, the coordinates of {} particle(s) keep fewer than six "
        "digits of their size, and their shape changes; the first is particle {}",
        name, count, pack.particles[first].id));
}

void filter(clump::ShapePack& pack, const TransformStep& step, const clump::ClumpMassOptions& mass,
            Diagnostics& diagnostics) {
  const std::vector<double> values = numbers(pack, step, mass);
  std::vector<bool> keep;
  for (const double value : values)
    keep.push_back(Condition::isTrue(value) == (step.name == "keep"));
  clump::keepOnly(pack, keep);
  diagnostics.note(
      fmt::format("--{}: {} of {} particles stay", step.name, pack.particles.size(), keep.size()));
  if (pack.particles.empty())
    diagnostics.warn(fmt::format("--{} '{}' leaves no particle", step.name, step.words[0]));
}

void shuffle(clump::ShapePack& pack, std::uint64_t seed, Diagnostics& diagnostics) {
  clump::shuffle(pack, seed);
  diagnostics.note(fmt::format("--shuffle: seed {}", seed));
  if (!pack.particles.empty()) {
    auto& before = pack.particles.front().members.front().before();
    before.insert(before.begin(), fmt::format("# shuffled with seed {}", seed));
  }
}

clump::ShapePack input(const TransformOptions& options, Diagnostics& diagnostics) {
  if (options.inputs.size() > 1 && !options.merge)
    throw UsageError(
        fmt::format("{} packs are given: --merge makes one pack of them", options.inputs.size()));
  checkInputs(options.inputs);
  std::vector<clump::ShapePack> packs;
  for (const std::string& path : options.inputs)
    packs.push_back(packFrom(path, diagnostics, options.fromNan));
  if (packs.size() == 1) return std::move(packs.front());
  return clump::merged(packs, diagnostics);
}

}  // namespace

clump::ShapePack transformed(const TransformOptions& options, Diagnostics& diagnostics) {
  clump::ShapePack pack = input(options, diagnostics);
  const clump::ClumpMassOptions mass{.threads = options.threads};
  const std::string file =
      options.inputs.size() == 1 ? options.inputs.front() : std::string("the merged pack");
  for (const TransformStep& step : options.steps) {
    const std::string& name = step.name;
    if (name == "translate") {
      needWords(step, 3);
      const std::vector<double> before = coarseness(pack);
      clump::translate(pack, {finiteNumber(step, 0), finiteNumber(step, 1), finiteNumber(step, 2)});
      warnCoarse(pack, before, name, diagnostics);
    } else if (name == "rotate") {
      needWords(step, 2);
      turn(pack, step);
    } else if (name == "scale") {
      needWords(step, 1);
      const double factor = finiteNumber(step, 0);
      if (!(factor > 0.0))
        throw UsageError(
            fmt::format("--scale: expected a number above 0, found '{}'", shown(step.words[0])));
      clump::scale(pack, factor);
    } else if (name == "tile") {
      needWords(step, 3);
      tile(pack, step);
    } else if (name == "canonicalize") {
      clump::canonicalize(pack, inFile(file, [&] { return clump::particleCentres(pack, mass); }));
    } else if (name == "keep" || name == "drop") {
      needWords(step, 1);
      inFile(file, [&] { filter(pack, step, mass, diagnostics); });
    } else if (name == "sort") {
      needWords(step, 1);
      clump::sortBy(pack, inFile(file, [&] { return numbers(pack, step, mass); }));
    } else if (name == "shuffle") {
      shuffle(pack, options.seed, diagnostics);
    } else {
      throw UsageError(fmt::format("unknown operation '{}'", name));
    }
  }
  clump::separateIds(pack, diagnostics);
  return pack;
}

}  // namespace scree::tools
