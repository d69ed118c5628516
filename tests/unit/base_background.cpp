// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/background.hpp"
#include "catch.hpp"

#include "scree/base/error.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace scree;

TEST_CASE("background jobs are done in the order they came", "[base][background]") {
  std::vector<int> done;  // written by one thread at a time, read once all is finished
  BackgroundJobs jobs(2);
  for (int k = 0; k < 1000; ++k) jobs.submit([&done, k] { done.push_back(k); });
  jobs.finish();
  REQUIRE(done.size() == 1000);
  for (int k = 0; k < 1000; ++k) CHECK(done[static_cast<std::size_t>(k)] == k);
  jobs.submit([&done] { done.clear(); });  // goes on after a finish
  jobs.finish();
  CHECK(done.empty());
}

TEST_CASE("no more jobs are alive than were allowed", "[base][background]") {
  struct Counted {
    explicit Counted(std::atomic<int>& n) : alive(n) { ++alive; }
    ~Counted() { --alive; }
    std::atomic<int>& alive;
  };
  for (const std::size_t most : {1u, 2u, 5u}) {
    std::atomic<int> alive{0};
    int worst = 0;
    BackgroundJobs jobs(most);
    for (int k = 0; k < 50; ++k) {
      jobs.awaitRoom();
      auto held = std::make_shared<Counted>(alive);
      worst = std::max(worst, alive.load());
      jobs.submit([held] { std::this_thread::sleep_for(std::chrono::microseconds(200)); });
    }
    jobs.finish();
    CHECK(alive.load() == 0);
    CHECK(worst <= static_cast<int>(most));
  }
}

TEST_CASE("a job that fails ends the work, and the caller learns it", "[base][background]") {
  std::atomic<int> done{0};
  BackgroundJobs jobs(2);
  jobs.submit([&] { ++done; });
  jobs.submit([] { throw IoError("disk: full"); });
  const auto submitMany = [&] {
    for (int k = 0; k < 4; ++k) jobs.submit([&] { ++done; });
  };
  CHECK_THROWS_WITH(submitMany(), "disk: full");
  CHECK_THROWS_AS(jobs.awaitRoom(), IoError);
  CHECK_THROWS_AS(jobs.finish(), IoError);
  CHECK(done.load() == 1);
}

TEST_CASE("what was handed over is done before the object goes", "[base][background]") {
  std::atomic<int> done{0};
  {
    BackgroundJobs jobs(3);
    for (int k = 0; k < 3; ++k)
      jobs.submit([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        ++done;
      });
  }
  CHECK(done.load() == 3);
  { BackgroundJobs idle(1); }
  {  // also where a job has failed and nobody asks
    BackgroundJobs jobs(1);
    jobs.submit([] { throw IoError("lost"); });
  }
}
