// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/background.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace scree {
namespace {

/// Exception that `job` throws, if any.
std::exception_ptr failureOf(const std::function<void()>& job) {
  try {
    job();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

BackgroundJobs::BackgroundJobs(std::size_t most) : most_(std::max<std::size_t>(most, 1)) {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    // A limit of the system: the caller does the work.
  }
}

BackgroundJobs::~BackgroundJobs() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void BackgroundJobs::awaitRoom() { await(most_ - 1); }

void BackgroundJobs::submit(std::function<void()> job) {
  awaitRoom();
  if (!thread_.joinable()) {
    failure_ = failureOf(job);
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    jobs_.push(std::move(job));
  }
  changed_.notify_all();
}

std::size_t BackgroundJobs::pending() {
  const std::scoped_lock lock(mutex_);
  return jobs_.size();
}

void BackgroundJobs::finish() { await(0); }

void BackgroundJobs::await(std::size_t left) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.size() <= left; });
  if (failure_) std::rethrow_exception(failure_);
}

void BackgroundJobs::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    if (!failure_) {
      std::function<void()> job = std::move(jobs_.front());
      lock.unlock();
      const std::exception_ptr failure = failureOf(job);
      job = nullptr;  // what it holds goes before there is room for the next
      lock.lock();
      failure_ = failure;
    }
    jobs_.pop();
    changed_.notify_all();
  }
}

}  // namespace scree
