// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/measure/table.hpp"

#include <cmath>
#include <limits>

using namespace scree;
using namespace scree::sim;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string written(TableFormat format) {
  const TableHeader header{
      "extract 1.0 (Scree)", "extract X 'a \"b\"'", {{"t", "s"}, {"n", "-"}, {"name", ""}}};
  return tableText(format, header,
                   {{0.1, std::int64_t{1000000}, "rock, big"}, {-nan, std::int64_t{-2}, "a"}});
}

}  // namespace

TEST_CASE("csv has three comment lines, a header, exact numbers, and quotes only where needed",
          "[extract][table]") {
  CHECK(written(TableFormat::csv) ==
        "# extract 1.0 (Scree)\n# extract X 'a \"b\"'\n# units: t=s\nt,n,name\n"
        "0.1,1000000,\"rock, big\"\nnan,-2,a\n");
}

TEST_CASE("tsv is the same with tabs", "[extract][table]") {
  CHECK(written(TableFormat::tsv) ==
        "# extract 1.0 (Scree)\n# extract X 'a \"b\"'\n# units: t=s\nt\tn\tname\n"
        "0.1\t1000000\trock, big\nnan\t-2\ta\n");
}

TEST_CASE("txt has one comment line and blanks, none inside a cell", "[extract][table]") {
  CHECK(written(TableFormat::txt) == "# t n name\n0.1 1000000 rock,_big\nnan -2 a\n");
}

TEST_CASE("json is one object, with null for what is unknown", "[extract][table]") {
  CHECK(
      written(TableFormat::json) ==
      "{\"schema\":1,\"program\":\"extract 1.0 (Scree)\",\"command\":\"extract X 'a \\\"b\\\"'\",\n"
      "\"units\":{\"t\":\"s\"},\n\"columns\":[\"t\",\"n\",\"name\"],\n\"rows\":[\n"
      "[0.1,1000000,\"rock, big\"],\n[null,-2,\"a\"]\n]}\n");
}

TEST_CASE("jsonl is one object a line", "[extract][table]") {
  CHECK(written(TableFormat::jsonl) ==
        "{\"t\":0.1,\"n\":1000000,\"name\":\"rock, big\"}\n{\"t\":null,\"n\":-2,\"name\":\"a\"}\n");
}

TEST_CASE("a table can be taken piece by piece, as a run writes it", "[extract][table]") {
  TableWriter writer(TableFormat::txt, {"", "", {{"t", "s"}}});
  CHECK(writer.take() == "# t\n");
  writer.row({1.0});
  CHECK(writer.take() == "1\n");
  writer.row({2.5});
  writer.finish();
  CHECK(writer.take() == "2.5\n");
}

TEST_CASE("an unknown table format is refused with the nearest one", "[extract][table]") {
  CHECK(tableFormat("jsonl") == TableFormat::jsonl);
  CHECK_THROWS_AS(tableFormat("cvs"), UsageError);
  CHECK_THROWS_WITH(tableFormat("tsvv"), Catch::Matchers::Contains("did you mean 'tsv'?"));
}
