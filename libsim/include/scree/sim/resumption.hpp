// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/sim/run.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace scree::sim {

/// The run that has left its files in a folder, and the rules of continuing it. Its run.json is
/// read once.
class Resumption {
 public:
  struct Request {
    std::string folder;
    std::string conf;  ///< the conf-file that is named now; - is standard input
    int threads = 1;   ///< that read large files
    bool compat = false;
    std::optional<std::uint64_t> seed;  ///< the one given
    std::function<void(const std::string&)> tell = [](const std::string&) {};
  };
  explicit Resumption(Request request)
      : request_(std::move(request)), record_(earlierRun(request_.folder)) {}

  const RunRecord& record() const { return record_; }
  /// Whether the run came to its end, and that is no earlier than tmax.
  bool isDone(double tmax, double dt) const;
  /// The seed that commands draw with: the one given, or that of the run.
  /// @throws ModelError where another one is given than that run began with
  std::uint64_t seed() const;
  /// Replaces `conf` by the newest state in the folder, with tmax and interConf of `conf`, and sets
  /// how `run` begins: resumed, or again from `conf` where there is no such state.
  /// @throws ModelError where the run cannot be one of `conf`, nor of the request
  void continueFrom(Conf& conf, RunOptions& run, Diagnostics& diagnostics) const;
  /// The inputs of a resumed run are those that it began with; `run` has those of this call.
  /// Warns where shapes, or the tables that are requested, are others now.
  void keepInputs(RunOptions& run, double time, Diagnostics& diagnostics) const;
  /// The checks of continueFrom() for a run that is done.
  void checkDone(const Conf& conf, Diagnostics& diagnostics) const;

 private:
  bool isSameConfFile() const;
  void requireSameMechanics(bool asRockable) const;
  void compare(const Conf& conf, const Conf& saved, const std::string& state,
               Diagnostics& diagnostics) const;

  Request request_;
  RunRecord record_;
};

}  // namespace scree::sim
