// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of the state is a checkpoint: a run that goes back to it ends in the same bits.
#include "catch.hpp"
#include "state_cases.hpp"

#include "scree/sim/io/conf_file.hpp"

using namespace scree;

TEST_CASE("a run that goes back to a copy of its state ends in the same bits",
          "[state][checkpoints]") {
  for (const scenes::StateCase& c : scenes::stateCases()) {
    INFO(c.name);
    const auto run = scenes::started(c);
    const int half = c.steps / 2;
    run->steps(static_cast<std::uint64_t>(half));
    const auto saved = run->state();
    const std::uint64_t hashThen = run->stateHash();
    run->steps(static_cast<std::uint64_t>(c.steps - half));
    const std::uint64_t hash = run->stateHash();
    const double residual = run->energyBudget().residual;
    const sim::Conf conf = run->conf();

    run->restore(*saved);
    CHECK(run->stateHash() == hashThen);
    run->steps(static_cast<std::uint64_t>(c.steps - half));
    CHECK(run->stateHash() == hash);
    CHECK(run->energyBudget().residual == residual);
    CHECK(sim::confText(run->conf()) == sim::confText(conf));
    CHECK(hash != hashThen);

    // Drives are part of the state: those of then return.
    run->restore(*saved);
    run->setDrives({});
    run->steps(3);
    run->restore(*saved);
    run->steps(static_cast<std::uint64_t>(c.steps - half));
    CHECK(run->stateHash() == hash);
    CHECK(run->energyBudget().residual == residual);
  }
}
