// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/background.hpp"

#include <algorithm>

namespace scree {
BackgroundJobs::BackgroundJobs(std::size_t most) : most_(std::max<std::size_t>(most, 1)) {
  thread_ = std::thread([this] { work(); });
}

BackgroundJobs::~BackgroundJobs() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BackgroundJobs::awaitRoom() { await(most_ - 1); }

void BackgroundJobs::submit(std::function<void()> job) {
  awaitRoom();
  {
    const std::scoped_lock lock(mutex_);
    jobs_.push(std::move(job));
  }
  changed_.notify_all();
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
      std::exception_ptr failure;
      try {
        job();
      } catch (...) {
        failure = std::current_exception();
      }
      job = nullptr;  // what it holds goes before there is room for the next
      lock.lock();
      failure_ = failure;
    }
    jobs_.pop();
    changed_.notify_all();
  }
}

}  // namespace scree
