// SPDX-License-Identifier: GPL-3.0-or-later
#include "convert.hpp"
#include "verbs.hpp"

#include "scree/base/parallel.hpp"

#include <cmath>
#include <memory>

namespace scree::tools {

Verb addConvertVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<ConvertOptions>();
  const auto output = std::make_shared<std::string>("-");
  CLI::App& verb =
      *app.add_subcommand("convert", "Write a pack in another format, or in canonical form");
  verb.footer(
      "Examples:\n"
      "  printf '0 Sphere 0 0 0 1\\n0 Sphere 0 0 1.2 0.8\\n' > pack.txt\n"
      "  clumpify convert pack.txt --to shapepack -o canonical.txt");
  verb.add_option("IN", options->input, "File to read; - is standard input")->required();
  verb.add_option("--from", options->from, "Format of the file: shapepack")->capture_default_str();
  verb.add_option("--to", options->to, "Format to write: shapepack")->required();
  verb.add_option("--from-nan", options->fromNan,
                  "Over which corners markers of shared nodes count: particle or line")
      ->capture_default_str();
  verb.add_option("-o,--output", *output, "Where the result goes; - is standard output")
      ->capture_default_str();
  return {&verb, [options, output, &common] {
            Diagnostics diagnostics(common.strict);
            checkMayWrite(*output, common.existing());
            const std::string result = converted(*options, diagnostics);
            printWarnings(diagnostics, common);
            writeFile(*output, result, common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
