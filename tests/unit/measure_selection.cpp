// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/sim/measure/selection.hpp"

#include <cmath>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::sim;

namespace {

/// Four bodies on a line along z; the first is driven.
struct FourBodies {
  Conf conf;
  std::vector<shape::Shape> shapes{2};

  FourBodies() {
    conf.shapeNames = {"plate", "rock.7"};
    conf.nDriven = 1;
    conf.particles.resize(4);
    conf.setDensity(2, 10.0);
    shapes[1].volume = 3.0;
    for (std::size_t k = 0; k < 4; ++k) {
      ParticleRecord& p = conf.particles[k];
      p.shapeName = k > 0;
      p.group = k > 1 ? 2 : 1;
      p.cluster = static_cast<std::int32_t>(k) - 2;
      p.pos = {1.0, -2.0, 0.25 * static_cast<double>(k)};
      p.vel = {0, 3.0, 4.0 * static_cast<double>(k == 3)};
      p.vrot = {1.0, 2.0, static_cast<double>(k)};
    }
    conf.particles[3].homothety = 2.0;
  }
  /// Numbers of the bodies that are chosen, as digits.
  std::string chosen(std::string_view expression) const {
    const auto flags = Selection(expression).of(conf, shapes);
    std::string text;
    for (std::size_t k = 0; k < flags.size(); ++k)
      if (flags[k]) text += std::to_string(k);
    return text;
  }
};

}  // namespace

TEST_CASE("a selection chooses bodies by their quantities", "[selection]") {
  const FourBodies four;
  const auto [expression, bodies] = GENERATE(table<std::string, std::string>({
      {"id == 2", "2"},
      {"group == 2 && z < 0.6", "2"},
      {"driven", "0"},
      {"cluster < 0", "01"},
      {"speed == 5", "3"},
      {"volume == 24", "3"},
      {"mass > 20", "23"},
      {"shape == 'plate'", "0"},
      {"shape == \"rock.7\" && id > 1", "23"},
  }));
  INFO(expression);
  CHECK(four.chosen(expression) == bodies);
}

TEST_CASE("no selection chooses every body", "[selection]") {
  const FourBodies four;
  CHECK(Selection().all());
  CHECK(Selection().of(four.conf) == std::vector<char>(4, 1));
  CHECK_FALSE(Selection("z < 1").needsShapes());
  CHECK(Selection("z < 1 || mass > 3").needsShapes());
  CHECK(Selection("mass > 0").of(four.conf) == std::vector<char>(4, 0));  // nan without shapes
}
