// SPDX-License-Identifier: GPL-3.0-or-later
// run.json says which program made a run and what state each conf-file held, so that one can find
// out why a result changed.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using nlohmann::json;

TEST_CASE("run.json names the program and the state of each conf-file", "[golden][run]") {
  const Folder folder;
  writeRocks(folder);
  REQUIRE(run(folder, "rockable conf0 -o whole -q").code == 0);
  const json whole = parseJson(folder.read("whole/run.json"));
  const json program = parseJson(run(folder, "rockable --version --json").out);
  CHECK(whole["revision"] == program["commit"]);
  CHECK(whole["compiler"] == program["compiler"]);
  CHECK(whole["architecture"] == program["architecture"]);
  REQUIRE(whole["confHashes"].size() == 9);  // conf0 to conf8
  CHECK(whole["confHashes"]["conf8"] == whole["stateHash"]);
  CHECK(whole["confHashes"]["conf7"] != whole["stateHash"]);

  // Stopped and resumed, and without the conf-files themselves.
  REQUIRE(run(folder, "rockable conf0 -o parts -q --steps 333 --keep last:1").code == 0);
  REQUIRE(run(folder, "rockable conf0 -o parts -q --resume --keep last:1").code == 0);
  CHECK(parseJson(folder.read("parts/run.json"))["confHashes"] == whole["confHashes"]);
}

TEST_CASE("a replay whose state differs names both programs", "[golden][run]") {
  const Folder folder;
  writeRocks(folder);
  REQUIRE(run(folder, "rockable conf0 -o out -q").code == 0);
  CHECK(run(folder, "rockable --replay out/run.json -q").code == 0);
  json record = parseJson(folder.read("out/run.json"));
  record["stateHash"] = "0123456789abcdef";
  record["revision"] = "abcdef012345";
  folder.write("out/run.json", record.dump());
  const Outcome replayed = run(folder, "rockable --replay out/run.json -q");
  CHECK(replayed.code == 3);
  CHECK_THAT(replayed.err, Catch::Contains("revision abcdef012345"));
}
