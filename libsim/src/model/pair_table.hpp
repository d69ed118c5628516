// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace scree::sim {

/// A value for each unordered pair of groups; groups may have any numbers.
template <class T>
class PairTable {
 public:
  PairTable() = default;
  explicit PairTable(std::vector<std::uint32_t> groups) : groups_(std::move(groups)) {
    std::sort(groups_.begin(), groups_.end());
    groups_.erase(std::unique(groups_.begin(), groups_.end()), groups_.end());
    values_.resize(groups_.size() * groups_.size());
  }
  const std::vector<std::uint32_t>& groups() const { return groups_; }
  /// Place of the value of two groups, to be kept where it is used often. O(log groups).
  std::uint32_t index(std::uint32_t g1, std::uint32_t g2) const {
    return static_cast<std::uint32_t>(rank(std::min(g1, g2)) * groups_.size() +
                                      rank(std::max(g1, g2)));
  }
  T& operator[](std::uint32_t index) { return values_[index]; }
  const T& operator[](std::uint32_t index) const { return values_[index]; }

 private:
  std::size_t rank(std::uint32_t g) const {
    return static_cast<std::size_t>(std::lower_bound(groups_.begin(), groups_.end(), g) -
                                    groups_.begin());
  }
  std::vector<std::uint32_t> groups_;
  std::vector<T> values_;
};

}  // namespace scree::sim
