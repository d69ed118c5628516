// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape {

/// Polygons of any number of corners in two flat arrays; a corner is the index of a vertex.
class Polygons {
 public:
  std::size_t size() const noexcept { return start_.size() - 1; }
  bool empty() const noexcept { return start_.size() == 1; }
  /// Corners of all polygons together.
  std::size_t cornerCount() const noexcept { return corner_.size(); }

  std::span<const std::uint32_t> operator[](std::size_t f) const {
    return {corner_.data() + start_[f], corner_.data() + start_[f + 1]};
  }
  std::span<std::uint32_t> operator[](std::size_t f) {
    return {corner_.data() + start_[f], corner_.data() + start_[f + 1]};
  }
  void add(std::span<const std::uint32_t> corners) {
    corner_.insert(corner_.end(), corners.begin(), corners.end());
    start_.push_back(corner_.size());
  }
  void add(std::initializer_list<std::uint32_t> corners) {
    add(std::span<const std::uint32_t>(corners.begin(), corners.size()));
  }
  bool operator==(const Polygons&) const = default;

 private:
  std::vector<std::size_t> start_{0};
  std::vector<std::uint32_t> corner_;
};

}  // namespace scree::shape
