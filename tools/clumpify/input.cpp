// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

#include "run_tool.hpp"

#include "scree/base/condition.hpp"
#include "scree/clump/pack_transform.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/pack/clump_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace scree::tools {

void addOutput(CLI::App& verb, std::string& output) {
  verb.add_option("-o,--output", output, "File to write; - is standard output")
      ->capture_default_str();
}

void addFromNan(CLI::App& verb, clump::SharedNodes& shared) {
  static const std::map<std::string, clump::SharedNodes> words{
      {"particle", clump::SharedNodes::particle}, {"line", clump::SharedNodes::line}};
  verb.add_option_function<std::string>(
          "--from-nan", [&shared](const std::string& word) { shared = words.at(word); },
          "Whether markers of shared nodes number the corners of the particle or of the line")
      ->check(CLI::IsMember(words))
      ->option_text("particle|line")
      ->default_str("particle");
}

namespace {

/// @param holds  of a number
template <class Holds>
CLI::Validator numberCheck(const std::string& expected, Holds&& holds) {
  return CLI::Validator(
      [=](const std::string& word) {
        const auto value = parseNumber(word);
        return value && std::isfinite(*value) && holds(*value)
                   ? std::string()
                   : fmt::format("expected {}, found '{}'", expected, shown(word));
      },
      "");
}

}  // namespace

CLI::Validator from(double least, double most) {
  return numberCheck(fmt::format("a number from {:g} to {:g}", least, most),
                     [=](double v) { return v >= least && v <= most; });
}
CLI::Validator positive() {
  return numberCheck("a finite number above 0", [](double v) { return v > 0.0; });
}
CLI::Validator finite() {
  return numberCheck("a finite number", [](double) { return true; });
}

void checkFiles(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                const CommonOptions& common) {
  if (std::ranges::count(inputs, std::string("-")) > 1)
    throw UsageError("-: standard input can be read only once");
  std::vector<std::string> named;
  for (const std::string& file : outputs)
    if (!file.empty())
      named.push_back(file == "-" ? file : std::filesystem::path(file).lexically_normal().string());
  std::sort(named.begin(), named.end());
  if (const auto twice = std::adjacent_find(named.begin(), named.end()); twice != named.end())
    throw UsageError(fmt::format("two results would go to {}; name another file for one",
                                 *twice == "-" ? "standard output" : shown(*twice)));
  checkNotInputs(named, inputs);
  for (const std::string& file : named) checkMayWrite(file, common.existing());
}

std::string inputName(const std::string& path) { return path == "-" ? "standard input" : path; }

clump::ShapePack packFrom(const std::string& path, clump::SharedNodes shared,
                          Diagnostics& diagnostics) {
  return sim::blocksFrom(path, {.sharedNodes = shared}, diagnostics).pack;
}

std::vector<double> particleValues(const clump::ShapePack& pack, std::string_view option,
                                   const std::string& formula, int threads) {
  try {
    return clump::particleNumbers(pack, Condition(formula, clump::particleNames()),
                                  {.threads = threads});
  } catch (const ExpressionError& error) {
    throw UsageError(fmt::format("{} '{}': character {}: {}", option, shown(formula),
                                 error.at() + 1, error.what()));
  }
}

namespace {

[[noreturn]] void refuseStream(const std::string& format) {
  throw UsageError(fmt::format("format {} has several files: -o NAME names them", format));
}

}  // namespace

std::vector<clump::FormatFile> filesOf(const clump::ShapePack& pack,
                                       const clump::WriteOptions& options,
                                       Diagnostics& diagnostics) {
  return clump::written(pack, options, diagnostics, sim::confFiles);
}

void nameFiles(clump::WriteOptions& options, const std::string& output) {
  if (output != "-")
    options.name = std::filesystem::path(output).filename().string();
  else if (clump::formatNamed(options.format).has(clump::severalFiles))
    refuseStream(options.format);
  clump::checkWriteOptions(options);
}

void writeFiles(const std::vector<clump::FormatFile>& files, const std::string& output,
                const clump::WriteOptions& options, Existing existing) {
  if (output == "-" && files.size() > 1) refuseStream(options.format);
  for (const clump::FormatFile& f : files) checkMayWrite(output + f.suffix, existing);
  for (const clump::FormatFile& f : files) writeFile(output + f.suffix, f.text, existing);
}

SolidInput solidFrom(const std::string& path, const std::string& name, int threads,
                     Diagnostics& diagnostics) {
  const std::vector<shape::Shape> shapes = shape::readShapesOrMesh(path, diagnostics);
  if (name.empty() && shapes.size() != 1)
    throw UsageError(
        fmt::format("{} holds {} shapes; name one with --shape", inputName(path), shapes.size()));
  const shape::Shape* found = name.empty() ? &shapes.front() : shape::findShape(shapes, name);
  if (!found) throw ModelError(fmt::format("{} has no shape '{}'", inputName(path), name));
  shape::Shape solid = *found;
  if (solid.position != Vec3::Zero() || solid.orientation.coeffs() != Quat::Identity().coeffs())
    for (Vec3& v : solid.vertices) v = solid.position + rotated(solid.orientation, v);
  return inFile(path, [&]() -> SolidInput {
    return {solid.name, clump::solidOf(solid), mass::massReport(solid, {.threads = threads}).solid};
  });
}

}  // namespace scree::tools
