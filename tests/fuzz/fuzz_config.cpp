// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is taken as a --config file or refused, by an Error or by the parser of
// options.
#include "config_file.hpp"

#include "scree/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  CLI::App app("fuzz", "fuzz");
  app.set_config("--config");
  std::string output;
  int jobs = 0;
  bool strict = false;
  std::vector<double> sizes;
  app.add_option("-o,--output", output);
  app.add_option("-j,--jobs", jobs);
  app.add_flag("--strict", strict);
  app.add_subcommand("make")->add_option("--size", sizes)->expected(1, 3);
  scree::tools::readConfigStrictly(app);
  try {
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    app.parse_from_stream(in);
    scree::tools::optionsInForce(app);
  } catch (const CLI::Error&) {
  } catch (const scree::Error&) {
  }
  return 0;
}
