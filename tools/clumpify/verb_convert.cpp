// SPDX-License-Identifier: GPL-3.0-or-later
#include "convert.hpp"
#include "run_tool.hpp"
#include "targets.hpp"
#include "verbs.hpp"

#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

namespace scree::tools {

Verb addConvertVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<ConvertOptions>();
  const auto output = std::make_shared<std::string>("-");
  CLI::App& verb =
      *app.add_subcommand("convert",
                          "Write a pack in another format, or in canonical form\n\nExamples:\n"
                          "  printf '0 Sphere 0 0 0 1\\n0 Sphere 0 0 1.2 0.8\\n' > pack.txt\n"
                          "  clumpify convert pack.txt --to shapepack -o canonical.txt\n"
                          "  clumpify convert pack.txt --to lammps --density 2600 -o clump.data\n"
                          "  clumpify convert pack.txt --to conf --density 2600 -o clump.conf");
  verb.add_option("IN", options->input, "File to read; - is standard input")->required();
  verb.add_option("--from", options->from,
                  "Format of the input: shapepack, conf, shp, yade or csv; auto recognises it from "
                  "the content")
      ->capture_default_str();
  verb.add_option("--to", options->to,
                  fmt::format("Format to write: {}", fmt::join(targetNames(), ", ")))
      ->required();
  verb.add_flag("--lossy", options->lossy,
                "Continue if the target format cannot hold a body, its shape or its given mass");
  const CLI::Option* density =
      verb.add_option("--density", options->density,
                      "Density of particles without one; to shapepack it is written if given")
          ->capture_default_str();
  verb.add_option(
          "--from-nan", options->fromNan,
          "Whether markers of shared nodes number the corners of the particle or of the line")
      ->capture_default_str();
  verb.add_option(
          "-o,--output", *output,
          "File to write; - is standard output. Names of further files begin with this name")
      ->capture_default_str();
  return {&verb, [options, output, density, &common] {
            if (common.json)
              throw UsageError("--json: the result is a pack; clumpify mass --json describes it");
            if (!(options->density > 0.0) || !std::isfinite(options->density))
              throw UsageError("--density: expected a finite number above 0");
            options->densityGiven = density->count() > 0;
            const Target& target = targetNamed(options->to);
            const std::string format = "--to " + options->to;
            if (*output == "-" && target.severalFiles) refuseStandardOutput(format);
            Diagnostics diagnostics(common.strict);
            options->threads = threadCount(common.jobs);
            if (*output != "-") {
              options->name = std::filesystem::path(*output).filename().string();
              options->toFile = true;
            }
            const std::vector<ConvertedFile> files = converted(*options, diagnostics);
            std::vector<std::string> names;
            for (const ConvertedFile& file : files) names.push_back(*output + file.suffix);
            checkNotInputs(names, {options->input});
            if (*output == "-" && files.size() > 1) refuseStandardOutput(format);
            printWarnings(diagnostics, common);
            writeConverted(files, *output, format, common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
