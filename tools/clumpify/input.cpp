// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

#include "scree/base/condition.hpp"
#include "scree/clump/pack_transform.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/pack/clump_files.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace scree::tools {

void addOutput(CLI::App& verb, std::string& output) {
  verb.add_option("-o,--output", output, "File to write; - is standard output")
      ->capture_default_str();
}

void addFromNan(CLI::App& verb, clump::SharedNodes& shared) {
  addChoice(verb, "--from-nan", shared,
            {{"line", clump::SharedNodes::line}, {"particle", clump::SharedNodes::particle}},
            "Whether markers of shared nodes number the corners of the particle or of the line")
      ->option_text("particle|line")
      ->default_str("particle");
}

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
    for (Vec3& v : solid.vertices) v = solid.position + rotated(solid.orientation.normalized(), v);
  // Bent faces are cut in one way for all that is measured.
  solid.faces = shape::triangulated({solid.vertices, solid.faces}).faces;
  return inFile(path, [&]() -> SolidInput {
    return {solid.name, clump::solidOf(solid), mass::massReport(solid, {.threads = threads}).solid};
  });
}

}  // namespace scree::tools
