// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is taken as a --config file or refused, by an Error or by the parser of
// options. What was taken comes back the same from the options in force.
#include "bounds.hpp"
#include "run_tool.hpp"

#include "scree/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// The options of a tool, as far as a file may set them.
struct Tool {
  CLI::App app{"fuzz", "fuzz"};
  std::string output;
  int jobs = 0;
  bool strict = false, edges = true;
  std::vector<double> sizes, unused;
  std::vector<std::string> names;

  Tool() {
    app.set_config("--config");
    app.add_option("-o,--output", output);
    app.add_option("-j,--jobs", jobs);
    app.add_flag("--strict", strict);
    app.add_flag("--edges,!--no-edges", edges);
    app.add_option("--size", sizes)->expected(1, 3);
    app.add_option("--name", names);
    app.add_subcommand("make")->add_option("--size", unused)->expected(1, 3);
    scree::tools::readConfigStrictly(app);
  }
  /// The options in force after `text`; nothing where it is refused.
  std::optional<std::string> take(const std::string& text) {
    try {
      std::istringstream in(text);
      app.parse_from_stream(in);
      return scree::tools::optionsInForce(app);
    } catch (const CLI::Error&) {
    } catch (const scree::Error&) {
    }
    return std::nullopt;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::optional<std::string> once;
  Tool tool, again;
  {
    const scree::fuzz::ReadingBounds bounds(size);
    once = tool.take(text);
  }
  if (once && again.take(*once) != once) std::abort();
  return 0;
}
