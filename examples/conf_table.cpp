// SPDX-License-Identifier: GPL-3.0-or-later
// A table of the contacts of a conf-file: bodies, gap, normal and tangential force.
// Usage: conf_table FILE
#include <cstdio>
#include <exception>
#include <scree/base/error.hpp>
#include <scree/sim/io/conf_file.hpp>
#include <scree/sim/measure/instant.hpp>

int main(int count, char** arguments) {
  using namespace scree;
  if (count != 2) {
    std::fprintf(stderr, "usage: conf_table FILE\n");
    return 2;
  }
  try {
    Diagnostics diagnostics;
    const sim::Conf conf = sim::readConfFromFile(arguments[1], diagnostics);
    const auto shapes = sim::shapesOf(conf, diagnostics);
    std::printf("# t = %.9g, %zu bodies\n# i j gap fn ft\n", conf.t, conf.particles.size());
    for (const sim::Link& link : sim::linksOf(conf, shapes)) {
      if (!link.touches() || link.kind != sim::Link::Kind::contact) continue;
      std::printf("%u %u %.9g %.9g %.9g\n", link.i, link.j, link.dn, link.fn, link.ft.norm());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
