// SPDX-License-Identifier: GPL-3.0-or-later
#define CATCH_CONFIG_RUNNER
#include "paths.hpp"

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

int skips = 0;
constexpr int skippedCode = 77;  // CTest shows a test that ends with it as skipped

}  // namespace

namespace scree::testing {

void skip(const std::string& reason) {
  ++skips;
  std::printf("skipped: %s\n", reason.c_str());
}

}  // namespace scree::testing

int main(int argc, char** argv) {
  const int failures = Catch::Session().run(argc, argv);
  if (failures != 0 || skips == 0) return failures;
  if (const char* require = std::getenv("SCREE_REQUIRE_DATA"); require && *require) {
    std::printf("SCREE_REQUIRE_DATA is set: what is skipped counts as failed\n");
    return 1;
  }
  return skippedCode;
}
