// SPDX-License-Identifier: GPL-3.0-or-later
// Runs against measurements: distances of samples, likelihoods, profiles.
#include "catch.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/measure/ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::sim;
using Catch::Matchers::Contains;

namespace {

using Sample = std::vector<double>;

Table table(const std::string& columns, std::vector<Row> rows) {
  return {"t.csv", columnsFrom(columns), std::move(rows)};
}
/// Runs of two parameters; `measured` 0 and 2.
Table smallPlan() {
  return table(
      "mu en x",
      {{0.3, 0.1, 0.0}, {0.3, 0.1, 1.0}, {0.3, 0.2, 3.0}, {0.5, 0.1, 8.0}, {0.5, 0.2, 2.0}});
}
const Table twoValues = table("x", {{0.0}, {2.0}});

double density(double x, double mean, double s) {
  return std::exp(-0.5 * (x - mean) * (x - mean) / (s * s)) /
         (s * std::sqrt(2.0 * std::numbers::pi));
}

}  // namespace

TEST_CASE("distances of samples are those of their definitions", "[measure][score]") {
  // Samples of unequal size, with values in common.
  const Sample a{-1.0, 0.0, 0.0, 2.5, 4.0}, b{0.0, 1.0, 4.0};
  // Steps of F - G: 1/5 over 1, 3/5 - 1/3 over 1, 3/5 - 2/3 over 1.5, 4/5 - 2/3 over 1.5.
  CHECK(wassersteinDistance(a, b) == Approx(0.2 + 4.0 / 15.0 + 0.1 + 0.2));
  CHECK(wassersteinDistance(b, a) == wassersteinDistance(a, b));
  CHECK(wassersteinDistance(a, a) == 0.0);
  CHECK(std::isnan(wassersteinDistance(a, {})));
}

TEST_CASE("the likelihood is that of normal errors about the results of the runs",
          "[measure][score]") {
  Diagnostics diagnostics;
  const Table t = score(smallPlan(), twoValues, {{"mu", "en"}, {}, {"x=0.5"}}, diagnostics);
  REQUIRE(t.rows.size() == 4);
  std::map<std::pair<double, double>, double> expected{
      {{0.3, 0.1}, 0.0}, {{0.3, 0.2}, 0.0}, {{0.5, 0.1}, 0.0}, {{0.5, 0.2}, 0.0}};
  for (const double m : {0.0, 2.0}) {
    expected[{0.3, 0.1}] += std::log(0.5 * density(m, 0.0, 0.5) + 0.5 * density(m, 1.0, 0.5));
    expected[{0.3, 0.2}] += std::log(density(m, 3.0, 0.5));
    // Far off, where the density itself is 0 as a double for m = 0 and S = 0.1, say.
    expected[{0.5, 0.1}] += -0.5 * (m - 8.0) * (m - 8.0) / 0.25 + std::log(density(0.0, 0.0, 0.5));
    expected[{0.5, 0.2}] += std::log(density(m, 2.0, 0.5));
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double L = t.number(k, "logLikelihood");
    CHECK(L == Approx(expected.at({t.number(k, "mu"), t.number(k, "en")})).epsilon(1e-12));
    CHECK(t.number(k, "weight") ==
          Approx(t.number(0, "weight") * std::exp(L - t.number(0, "logLikelihood"))));
    if (k > 0) CHECK(L <= t.number(k - 1, "logLikelihood"));
    sum += t.number(k, "weight");
  }
  CHECK(sum == Approx(1.0).epsilon(1e-14));
  CHECK(t.number(0, "runs") == 2.0);  // both measurements near: mu 0.3, en 0.1
  CHECK(t.number(0, "x.mean") == 0.5);
  CHECK(t.number(0, "x.wasserstein") == Approx(0.5));
  CHECK(t.number(0, "distance") == Approx(0.5 / std::sqrt(2.0)));
  REQUIRE(diagnostics.notes().size() == 2);
  // Two quantities that belong together: one run fits both measurements only as pairs.
  const Table pairs = table("p a b", {{1, 0.0, 0.0}, {1, 1.0, 1.0}, {2, 0.0, 1.0}, {2, 1.0, 0.0}});
  const Table joint = score(pairs, table("a b", {{0.0, 0.0}, {1.0, 1.0}}),
                            {{"p"}, {}, {"a=0.1", "b=0.2"}}, diagnostics);
  CHECK(joint.number(0, "p") == 1.0);
  CHECK(joint.number(0, "logLikelihood") ==
        Approx(2.0 * std::log(0.5 * density(0.0, 0.0, 0.1) * density(0.0, 0.0, 0.2))));
  CHECK(joint.number(0, "distance") == 0.0);
  CHECK(joint.number(1, "distance") == 0.0);
  // A share of outliers, over the range from 0 to 2.
  const Table robust =
      score(smallPlan(), twoValues, {{"mu", "en"}, {}, {"x=0.5"}, 0.1}, diagnostics);
  for (std::size_t k = 0; k < 4; ++k)
    if (robust.number(k, "mu") == 0.5 && robust.number(k, "en") == 0.2)
      CHECK(robust.number(k, "logLikelihood") ==
            Approx(std::log(0.9 * density(0.0, 2.0, 0.5) + 0.05) +
                   std::log(0.9 * density(2.0, 2.0, 0.5) + 0.05)));
  CHECK_THROWS_AS(score(smallPlan(), twoValues, {{"mu"}, {}, {"x=1"}, 1.0}, diagnostics),
                  UsageError);
  // An error so small that all densities are 0 as doubles.
  const Table far = score(smallPlan(), twoValues, {{"mu"}, {}, {"x=0.01"}}, diagnostics);
  CHECK(std::isfinite(far.number(1, "logLikelihood")));
}

TEST_CASE("the standard error of a likelihood is its scatter over other draws of the runs",
          "[measure][score]") {
  Rng rng(5);
  const auto draw = [&] {
    double sum = -6.0;
    for (int k = 0; k < 12; ++k) sum += rng.uniform(0.0, 1.0);
    return sum;
  };
  std::vector<Row> measured;
  for (int k = 0; k < 20; ++k) measured.push_back({draw()});
  double mean = 0.0, squares = 0.0, error = 0.0;
  const int ensembles = 400;
  std::vector<Row> rows;
  for (int k = 0; k < ensembles; ++k)
    for (int r = 0; r < 50; ++r) rows.push_back({std::int64_t{k}, draw()});
  Diagnostics diagnostics;
  const double outliers = GENERATE(0.0, 0.2);
  const Table t = score(table("p x", rows), table("x", measured), {{"p"}, {}, {"x=0.7"}, outliers},
                        diagnostics);
  for (std::size_t k = 0; k < t.rows.size(); ++k) {
    mean += t.number(k, "logLikelihood") / ensembles;
    error += t.number(k, "error") / ensembles;
  }
  for (std::size_t k = 0; k < t.rows.size(); ++k)
    squares += std::pow(t.number(k, "logLikelihood") - mean, 2.0) / (ensembles - 1);
  CHECK(error == Approx(std::sqrt(squares)).epsilon(0.15));
}

TEST_CASE("a profile keeps the best point of each value and the weight of all",
          "[measure][score]") {
  Diagnostics diagnostics;
  const Table all = score(smallPlan(), twoValues, {{"mu", "en"}, {}, {"x=0.5"}}, diagnostics),
              t = score(smallPlan(), twoValues, {{"mu", "en"}, {}, {"x=0.5"}, 0.0, "mu"},
                        diagnostics);
  REQUIRE(t.rows.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    double weight = 0.0, best = -HUGE_VAL;
    for (std::size_t p = 0; p < 4; ++p)
      if (all.number(p, "mu") == t.number(k, "mu")) {
        weight += all.number(p, "weight");
        best = std::max(best, all.number(p, "logLikelihood"));
      }
    CHECK(t.number(k, "mu") == (k == 0 ? 0.3 : 0.5));
    CHECK(t.number(k, "weight") == Approx(weight).epsilon(1e-14));
    CHECK(t.number(k, "logLikelihood") == best);
  }
}

TEST_CASE("missing values are counted and left out, and what cannot be compared is refused",
          "[measure][score]") {
  Diagnostics diagnostics;
  Table runs = smallPlan();
  runs.rows[0][2] = std::nan("");
  runs.rows[2][2] = std::string("lost");
  Table measured = twoValues;
  measured.rows.push_back({std::nan("")});
  const Table t = score(runs, measured, {{"mu", "en"}, {}, {"x=0.5"}}, diagnostics);
  REQUIRE(diagnostics.warnings().size() == 2);
  CHECK_THAT(diagnostics.warnings()[0], Contains("1 of 3 rows"));
  CHECK_THAT(diagnostics.warnings()[1], Contains("2 of 5 rows"));
  // The point without a run comes last.
  CHECK(t.number(3, "runs") == 0.0);
  CHECK(std::isnan(t.number(3, "logLikelihood")));
  CHECK(t.number(3, "weight") == 0.0);
  const auto refuses = [&](const Table& own, const Table& other, const ScoreOptions& o) {
    CHECK_THROWS_AS(score(own, other, o, diagnostics), Error);
  };
  refuses(smallPlan(), table("y", {{0.0}, {2.0}}), {{"mu"}});             // no common column
  refuses(smallPlan(), table("x", {{0.0}}), {{"mu"}});                    // one measurement
  refuses(smallPlan(), table("x", {{1.0}, {1.0}}), {{"mu"}});             // no spread
  refuses(table("mu x", {{0.3, 1.0}, {0.3, 2.0}}), twoValues, {{"mu"}});  // nothing varies
  refuses(smallPlan(), twoValues, {{"mu"}, {}, {"x=0"}});
}
