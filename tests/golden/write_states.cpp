// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of tests/support/state_cases.hpp: a folder each, as rockable takes it. Or the hash of
// each last state, as tests/golden/states.txt keeps it.
//     `write_states DIR`      writes DIR/NAME/{case.conf,scene.shp,drivingSystem.txt,options,stop}.
//     `write_states`          prints a line `NAME HASH` each.
//     `write_states --values` prints the numbers that tests/golden/state_values.txt keeps.
#include "state_cases.hpp"

#include "scree/base/files.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string_view>

using namespace scree;
using namespace scree::scenes;

namespace {

void write(StateCase c, const std::string& folder) {
  const auto put = [&](const char* name, const std::string& text) {
    writeFile(folder + "/" + name, text, Existing::replace);
  };
  std::filesystem::create_directories(folder);
  c.scene.conf.tmax = c.scene.conf.t + (c.steps - 0.5) * c.scene.conf.dt;
  put("case.conf", sim::confText(c.scene.conf));
  put("scene.shp", shape::shapesText(c.scene.shapes));
  if (!c.drives.empty()) put("drivingSystem.txt", c.drives);
  put("options", c.compat ? "--compat rockable\n" : "\n");
  put("stop", fmt::format("{}\n", c.steps / 3 + 1));  // steps before a stop on the way
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 2) {
    fmt::print(stderr, "usage: write_states [DIR | --values]\n");
    return 2;
  }
  if (argc == 2 && std::string_view(argv[1]) == "--values") {
    for (const StateCase& c : stateCases()) {
      if (std::ranges::find(casesWithValues, c.name) == std::end(casesWithValues)) continue;
      const std::vector<StateValue> values = valuesOf(*lastState(c, 1));
      fmt::print("{} {}\n", c.name, values.size());
      for (const StateValue& v : values) fmt::print("{} {:.17g}\n", v.name, v.value);
    }
    return 0;
  }
  for (const StateCase& c : stateCases()) {
    if (argc == 2)
      write(c, std::string(argv[1]) + "/" + c.name);
    else
      fmt::print("{} {:016x}\n", c.name, lastHash(c, 1));
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "write_states: {}\n", error.what());
  return 1;
}
