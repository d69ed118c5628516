// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tool.hpp"

#include <csignal>
#include <unistd.h>

namespace scree::tools {
namespace {

std::atomic<bool> requested{false}, saves{false}, isQuiet{false};

void onSignal(int signal) {
  if (!saves.load()) {
    constexpr std::string_view message =
        "rockable: stopped before the first step; nothing is changed\n";
    if (!isQuiet.load() && ::write(STDERR_FILENO, message.data(), message.size()) < 0) {
      // Nobody reads it.
    }
    ::_exit(stoppedResumable);
  }
  requested.store(true);
  // A closing terminal, or a scheduler, may send its signal twice.
  if (signal == SIGINT || signal == SIGTERM) (void)std::signal(signal, SIG_DFL);
}

void takeSignals() {
  (void)std::signal(SIGINT, onSignal);
  (void)std::signal(SIGTERM, onSignal);
  (void)std::signal(SIGUSR1, onSignal);
  // nohup and the like have it ignored.
  if (std::signal(SIGHUP, onSignal) == SIG_IGN) (void)std::signal(SIGHUP, SIG_IGN);
}

}  // namespace

void endOnSignals(bool quiet) {
  isQuiet.store(quiet);
  takeSignals();
}

void stopOnSignals() {
  saves.store(true);
  takeSignals();
}

const std::atomic<bool>& stopRequested() { return requested; }

}  // namespace scree::tools
