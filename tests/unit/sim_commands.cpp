// SPDX-License-Identifier: GPL-3.0-or-later
// Processing commands: read anywhere in the file, carried out in its order once all is read.
#include "catch.hpp"
#include "conf_text.hpp"

#include "scree/sim/io/commands.hpp"

#include <string>

using namespace scree;
using namespace scree::samples;
using namespace scree::sim;
using Catch::Contains;

namespace {

const std::string twoBodiesTail = "shapeFile a.shp\nParticles 2\n" + bodyLine + bodyLine;

Conf done(const std::string& text) {
  Diagnostics strict(true);
  Conf conf = read(text, strict);
  runCommands(conf, {}, strict);
  return conf;
}

}  // namespace

TEST_CASE("commands are carried out in the order of the file, after all of it is read",
          "[sim][command]") {
  // Before the bodies are listed, with arguments over two lines, and a comment behind it.
  const Conf conf = done("Rockable 21-08-2022\nsetAllVelocities 1 2\n 3 # remark\nnDriven 1\n" +
                         twoBodiesTail + "setAllVelocities 4 5 6\n");
  CHECK(conf.commands.empty());
  CHECK(conf.particles[0].vel == Vec3::Zero());
  CHECK(conf.particles[1].vel == Vec3(4, 5, 6));
  CHECK(confText(conf).find("setAllVelocities") == std::string::npos);
}

TEST_CASE("a command that cannot be understood is refused where it stands", "[sim][command]") {
  CHECK_THROWS_WITH(done("Rockable 21-08-2022\n" + twoBodiesTail + "setAllVelocities 1 x 3\n"),
                    Contains("conf:6:1: setAllVelocities: velocity: expected a number, found 'x'"));
  CHECK_THROWS_AS(done("Rockable 21-08-2022\n" + twoBodiesTail + "setAllVelocities 1 2"),
                  ParseError);
}
