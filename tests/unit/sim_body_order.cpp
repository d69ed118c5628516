// SPDX-License-Identifier: GPL-3.0-or-later
// The order of bodies by place, and what it does to numbers.
#include "catch.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/model/bodies.hpp"

#include <algorithm>
#include <limits>

using namespace scree;
using sim::BodyId;
using sim::BodyOrder;

namespace {

/// A grid of nx by ny by nz points, in random order behind `driven` others far away.
std::vector<Vec3> grid(int nx, int ny, int nz, std::size_t driven = 0) {
  std::vector<Vec3> points;
  for (int k = 0; k < nx * ny * nz; ++k)
    points.emplace_back(0.5 * (k % nx), 0.5 * (k / nx % ny), 0.5 * (k / (nx * ny)));
  Rng rng(11);
  for (std::size_t k = points.size(); k > 1; --k)
    std::swap(points[k - 1],
              points[static_cast<std::size_t>(rng.uniform(0.0, 1.0) * static_cast<double>(k))]);
  points.insert(points.begin(), driven, Vec3(1e3, -1e4, 1e5));
  return points;
}

/// How far apart neighbours of such a grid stand in an order, on average.
double meanDistance(const std::vector<Vec3>& points, const std::vector<BodyId>& numbers) {
  double sum = 0.0, count = 0.0;
  for (std::size_t a = 0; a < numbers.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if ((points[numbers[a]] - points[numbers[b]]).norm() < 0.6) {
        sum += static_cast<double>(a - b);
        ++count;
      }
  return sum / count;
}
/// The same where slabs, rows and places in rows are those of the grid, of n points with nx slabs
/// of ny rows.
double leastDistance(double nx, double ny, double nz) {
  const double alongX = (nx - 1) * ny * nz, alongY = nx * (ny - 1) * nz,
               alongZ = nx * ny * (nz - 1);
  return (alongX * ny * nz + alongY * nz + alongZ) / (alongX + alongY + alongZ);
}
bool isPermutation(std::vector<BodyId> numbers) {
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (numbers[k] != k) return false;
  return true;
}

}  // namespace

TEST_CASE("a packing is cut across its longest extent, then across the next one", "[unit][order]") {
  const auto points = grid(20, 5, 10);
  const auto numbers = sim::orderByPlace(points, 0);
  REQUIRE(isPermutation(numbers));
  CHECK(meanDistance(points, numbers) < 1.2 * leastDistance(20, 10, 5));
  for (std::size_t k = 50; k < numbers.size(); ++k)  // slabs of 50, or of a few more
    CHECK(points[numbers[k]].x() >= points[numbers[k - 50]].x());

  const auto upright = grid(6, 21, 12, 4);
  const auto order = sim::orderByPlace(upright, 4);
  REQUIRE(isPermutation(order));
  for (BodyId k = 0; k < 4; ++k) CHECK(order[k] == k);
  CHECK(meanDistance(upright, order) < 1.1 * leastDistance(21, 12, 6));
}

TEST_CASE("the order by place does not depend on the order before", "[unit][order]") {
  const auto points = grid(9, 9, 9);
  std::vector<Vec3> turned(points.rbegin(), points.rend());
  const auto a = sim::orderByPlace(points, 0), b = sim::orderByPlace(turned, 0);
  for (std::size_t k = 0; k < a.size(); ++k) REQUIRE(points[a[k]] == turned[b[k]]);
}

TEST_CASE("the order of the file stays where nothing is gained", "[unit][order]") {
  CHECK(sim::orderByPlace(grid(5, 5, 5), 0).empty());         // few
  CHECK(sim::orderByPlace(grid(5, 5, 5, 100), 100).empty());  // few that are free
  CHECK(sim::orderByPlace(std::vector<Vec3>(200, Vec3(1, 2, 3)), 0).empty());
  auto points = grid(20, 10, 5);
  const auto order = sim::orderByPlace(points, 0);
  std::vector<Vec3> ordered;
  for (const BodyId k : order) ordered.push_back(points[k]);
  CHECK(sim::orderByPlace(ordered, 0).empty());
  points[7].y() = std::numeric_limits<double>::quiet_NaN();
  CHECK(sim::orderByPlace(points, 0).empty());
  CHECK(sim::orderByPlace({}, 0).empty());
}

TEST_CASE("numbers and values go to the order of a run and back", "[unit][order]") {
  const BodyOrder order({0, 3, 1, 2}, 1), plain;
  CHECK(order.number(1) == 3);
  CHECK(order.body(3) == 1);
  CHECK(order.toRun(std::vector<int>{10, 11, 12, 13}) == std::vector<int>{10, 13, 11, 12});
  CHECK(order.toFile(std::vector<int>{10, 13, 11, 12}) == std::vector<int>{10, 11, 12, 13});
  CHECK(plain.ofFile());
  CHECK(plain.number(5) == 5);
  CHECK(plain.toRun(std::vector<int>{1, 2}) == std::vector<int>{1, 2});
}

TEST_CASE(
    "a contact of two vertices or edges begins with the lower body in each order, others keep "
    "theirs",
    "[unit][order]") {
  const BodyOrder order({0, 3, 1, 2}, 1);
  std::vector<sim::InteractionRecord> contacts(2);
  for (auto& r : contacts) {
    r.n = Vec3(0, 0, 1);
    r.fn = 5;
    r.ft = Vec3(1, 2, 0);
    r.mom = Vec3(0, 0, 3);
    r.vel = Vec3(4, 0, 0);
  }
  contacts[0].key = {1, 3, sim::Pairing::edgeEdge, 7, 8};
  contacts[1].key = {1, 3, sim::Pairing::vertexFace, 7, 8};
  const auto ofFile = contacts;
  order.renumberForRun(contacts);
  CHECK(contacts[0].key == sim::ContactKey{1, 2, sim::Pairing::edgeEdge, 8, 7});
  CHECK(contacts[0].n == Vec3(0, 0, -1));
  CHECK(contacts[0].fn == 5);
  CHECK(contacts[0].ft == Vec3(-1, -2, 0));
  CHECK(contacts[0].mom == Vec3(0, 0, -3));
  CHECK(contacts[0].vel == Vec3(-4, 0, 0));
  CHECK(contacts[1].key == sim::ContactKey{2, 1, sim::Pairing::vertexFace, 7, 8});
  CHECK(contacts[1].ft == Vec3(1, 2, 0));
  order.renumberForFile(contacts);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(contacts[k].key == ofFile[k].key);
    CHECK(contacts[k].n == ofFile[k].n);
    CHECK(contacts[k].ft == ofFile[k].ft);
  }
}
