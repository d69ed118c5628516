// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

namespace scree {

/// Carries out jobs one after another, in the order they came, on a thread of its own while the
/// caller continues. An example is the writing of large files.
///
/// Where the system gives no thread, the caller carries them out as they come.
/// A job that throws ends the work: those behind it are dropped, and the next call throws its
/// exception. Calls come from one thread.
class BackgroundJobs {
 public:
  /// @param most  jobs that may be under way or waiting, at least 1: this bounds what memory jobs
  ///              hold
  explicit BackgroundJobs(std::size_t most);
  /// Carries out what is left. What a job throws then is lost: `finish` first.
  ~BackgroundJobs();
  BackgroundJobs(const BackgroundJobs&) = delete;
  BackgroundJobs& operator=(const BackgroundJobs&) = delete;

  /// Waits until one more job may come: before making what it will hold.
  /// @throws what an earlier job threw
  void awaitRoom();
  /// Hands `job` over, once there is room for it. @throws what an earlier job threw
  void submit(std::function<void()> job);
  /// Jobs under way or waiting.
  std::size_t pending();
  /// Returns when all jobs are done. @throws what one of them threw
  void finish();

 private:
  void work();
  /// Waits until at most `left` jobs are there, then throws where one has failed.
  void await(std::size_t left);

  const std::size_t most_;
  std::mutex mutex_;  // guards all below but the thread
  std::condition_variable changed_;
  std::queue<std::function<void()>> jobs_;  // the first is under way
  std::exception_ptr failure_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace scree
