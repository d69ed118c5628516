// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/pack/clump_files.hpp"

#include <fmt/format.h>

#include <memory>

namespace scree::tools {

Verb addConvertVerb(CLI::App& app, const CommonOptions& common) {
  struct Options {
    std::string input, output = "-";
    sim::BlockOptions blocks;
    clump::WriteOptions write;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& verb = addVerb(app, "convert", "Write a pack in another format, or in canonical form",
                           "  printf '0 Sphere 0 0 0 1\\n0 Sphere 0 0 1.2 0.8\\n' > pack.txt\n"
                           "  clumpify convert pack.txt --to shapepack -o canonical.txt\n"
                           "  clumpify convert pack.txt --to lammps --density 2600 -o clump.data\n"
                           "  clumpify convert pack.txt --to conf --density 2600 -o clump.conf");
  verb.add_option("IN", options->input, "File to read; - is standard input")->required();
  verb.add_option("--from", options->blocks.format,
                  "Format of the input; auto recognises it from the content")
      ->check(CLI::IsMember({"auto", "shapepack", "conf", "shp", "yade", "csv"}))
      ->option_text("auto|shapepack|conf|shp|yade|csv")
      ->capture_default_str();
  verb.add_option("--to", options->write.format,
                  fmt::format("Format to write: {}", fmt::join(clump::formatNames(), ", ")))
      ->required();
  verb.add_flag("--lossy", options->write.lossy,
                "Continue if the target format cannot hold a body or its shape");
  const CLI::Option* density = verb.add_option("--density", options->write.density,
                                               "Density of particles without one (default: 2700 to "
                                               "conf, else 1); to shapepack it is written if given")
                                   ->check(positiveNumber());
  addFromNan(verb, options->blocks.sharedNodes);
  verb.add_option(
          "-o,--output", options->output,
          "File to write; - is standard output. Names of further files begin with this name")
      ->capture_default_str();
  return {&verb, [options, density, &common] {
            if (common.json)
              throw UsageError("--json: the result is a pack; clumpify mass --json describes it");
            clump::WriteOptions& write = options->write;
            write.densityGiven = density->count() > 0;
            write.threads = threadCount(common.jobs);
            nameFiles(write, options->output);
            Diagnostics diagnostics(common.strict);
            options->blocks.mayLose = [&write](std::int64_t) { return write.lossy; };
            options->blocks.remedy = "; " + write.remedy;
            sim::Blocks blocks = sim::blocksFrom(options->input, options->blocks, diagnostics);
            write.shapeNames = blocks.names;
            const auto files = inFile(options->input, [&] {
              return clump::written(std::move(blocks.pack), write, diagnostics, sim::confFiles);
            });
            for (const clump::FormatFile& file : files)
              checkNotInputs({options->output + file.suffix}, {options->input});
            printWarnings(diagnostics, common);
            writeFiles(files, options->output, write, common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
