// SPDX-License-Identifier: GPL-3.0-or-later
// The order of bodies by itself: how a run begins, and when another order is worth it.
#include "catch.hpp"
#include "detect/neighbour_list.hpp"
#include "engine/world.hpp"
#include "lone_bodies.hpp"

#include "scree/base/rng.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

using namespace scree;
using namespace scree::sim;

namespace {

constexpr std::size_t rowLength = 200;

/// The numbers from 0 on, the first of them in place, the others shuffled.
std::vector<BodyId> shuffled(std::size_t n, std::size_t first) {
  std::vector<BodyId> numbers(n);
  std::iota(numbers.begin(), numbers.end(), BodyId{0});
  Rng rng(3);
  for (std::size_t k = n; k > first + 1; --k)
    std::swap(
        numbers[k - 1],
        numbers[first + static_cast<std::size_t>(rng.uniform() * static_cast<double>(k - first))]);
  return numbers;
}

/// A file with balls in a row; body k stands at place `places[k]` of the row.
Conf rowFile(const std::vector<BodyId>& places, std::uint32_t driven) {
  Conf file;
  file.nDriven = driven;
  for (const BodyId place : places) {
    ParticleRecord p;
    p.pos.x() = place;
    file.particles.push_back(p);
  }
  return file;
}

/// Balls in a row of which neighbours overlap; body k stands at place `places[k]` of the row.
struct RowOfBalls : LoneBodies {
  NeighbourList list;

  explicit RowOfBalls(const std::vector<BodyId>& places) : LoneBodies(places.size()) {
    for (std::size_t k = 0; k < places.size(); ++k) setPos(k, {0.99 * places[k], 0.0, 0.0});
    list.update(bodies, poses, 1);
  }
  void beginContacts() {
    for (const NeighbourPair& pair : list.contacts.pairs)
      list.contacts.poolOf(pair).begin(list.contacts.candidatesOf(pair)[0]);
  }
  std::optional<BodyOrder> better() const { return betterOrder(order, bodies, list.contacts); }
};

}  // namespace

TEST_CASE("a run begins with its free bodies sorted by place", "[parts][order]") {
  const std::vector<BodyId> places = shuffled(rowLength, 0);
  Conf file = rowFile(places, 4);
  Diagnostics quiet;
  const BodyOrder order = startOrder(file, true, false, quiet);
  REQUIRE_FALSE(order.ofFile());
  for (BodyId k = 0; k < 4; ++k) CHECK(order.number(k) == k);
  const std::vector<BodyId> run = order.toRun(places);
  CHECK(run != places);
  CHECK(std::is_sorted(run.begin() + 4, run.end()));
  CHECK(order.toFile(run) == places);

  CHECK(startOrder(file, false, false, quiet).ofFile());
  // A state goes on in its own order, here that of the file.
  CHECK(startOrder(file, true, true, quiet).ofFile());
  CHECK(quiet.warnings().empty());
}

TEST_CASE("bodies that have mixed get a better order, by what touches", "[parts][order]") {
  const std::vector<BodyId> places = shuffled(rowLength, 0);
  RowOfBalls mixed(places);
  CHECK_FALSE(mixed.better());  // neighbours, but none that touch: lists are not part of the state
  mixed.beginContacts();
  const std::optional<BodyOrder> better = mixed.better();
  REQUIRE(better);
  const std::vector<BodyId> run = better->toRun(places);
  CHECK(std::is_sorted(run.begin(), run.end()));

  RowOfBalls sorted(run);
  sorted.order = *better;
  sorted.beginContacts();
  CHECK_FALSE(sorted.better());

  // The next better order, too, has the numbers of the file.
  RowOfBalls mixedAgain(places);
  mixedAgain.order = *better;
  mixedAgain.beginContacts();
  const std::optional<BodyOrder> next = mixedAgain.better();
  REQUIRE(next);
  const std::vector<BodyId> nextRun = next->toRun(better->toFile(places));
  CHECK(std::is_sorted(nextRun.begin(), nextRun.end()));
}

TEST_CASE("an order that saves less than three tenths of the distances is not worth it",
          "[parts][order]") {
  std::vector<BodyId> places(rowLength);
  std::iota(places.begin(), places.end(), BodyId{0});
  const auto swapUpTo = [&places](std::size_t end) {
    for (std::size_t k = 0; k + 3 < end; k += 4) std::swap(places[k + 1], places[k + 2]);
  };
  // Each swap of two neighbours adds 2 to the sum of distances, which is 199 in a row.
  SECTION("40 swaps: 199 is 0.71 of 279") {
    swapUpTo(160);
    RowOfBalls row(places);
    row.beginContacts();
    CHECK_FALSE(row.better());
  }
  SECTION("44 swaps: 199 is 0.69 of 287") {
    swapUpTo(176);
    RowOfBalls row(places);
    row.beginContacts();
    CHECK(row.better());
  }
}
