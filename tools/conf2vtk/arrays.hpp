// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "links.hpp"
#include "scene.hpp"
#include "vtk/poly_piece.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

enum class NumberType { float32, float64, int32, int64, uint8 };

/// One array of the output: the row that fills and documents it. `Item` says of what: a scene and
/// an index.
template <class Item>
struct ArrayRow {
  std::string_view name, unit, help;
  bool byDefault;
  NumberType type;
  std::size_t components;
  void (*fill)(const Item&, double* out);  ///< `components` numbers
};

struct BodyItem {
  const Scene& scene;
  std::size_t body;
  const sim::ParticleRecord& record() const { return scene.conf->particles[body]; }
};
struct ContactItem {
  const Scene& scene;
  std::size_t contact;
  const sim::Link& link() const { return scene.links()[contact]; }
  bool atWall() const { return link().j == Scene::noBody; }
};
struct ChainItem {
  const Scene& scene;
  const Chain& chain;
};

const std::vector<ArrayRow<BodyItem>>& bodyArrays();
const std::vector<ArrayRow<ContactItem>>& contactArrays();
const std::vector<ArrayRow<ChainItem>>& chainArrays();

/// Which arrays a user wants.
class ArrayChoice {
 public:
  /// @param names  of arrays of any kind, or "all"; empty for the default ones
  /// @throws UsageError naming the nearest one, for a name that is none
  /// @param doubles  numbers of 32 bits become 64-bit ones
  explicit ArrayChoice(const std::vector<std::string>& names, bool doubles = false);
  template <class Item>
  bool wants(const ArrayRow<Item>& row) const {
    if (all_) return true;
    if (names_.empty()) return row.byDefault;
    for (const std::string& name : names_)
      if (name == row.name) return true;
    return false;
  }
  /// Whether bodies carry sums over contacts by name: not those that are there by default.
  bool wantsContactSums() const;
  bool doubles() const { return doubles_; }
  bool byDefault() const { return !all_ && names_.empty(); }  ///< no names were given
  std::string text() const;                                   ///< for the settings

 private:
  std::vector<std::string> names_;
  bool all_ = false, doubles_ = false;
};

/// Real numbers as an array of one component, with 64 bits or 32.
vtp::DataArray realArray(std::string name, std::string unit, std::vector<double> values,
                         bool doubles);

/// The array of one row for all items, each repeated `repeat[k]` times (once where empty).
/// @param doubles  64-bit numbers even where the row has 32-bit ones
template <class Item>
vtp::DataArray filledArray(const ArrayRow<Item>& row, const std::vector<Item>& items,
                           std::span<const std::size_t> repeat, bool doubles) {
  vtp::DataArray array{std::string(row.name), std::string(row.unit), row.components, {}};
  const auto fillAs = [&]<class T>(std::vector<T> values) {
    std::size_t total = items.size();
    if (!repeat.empty()) {
      total = 0;
      for (const std::size_t r : repeat) total += r;
    }
    values.resize(total * row.components);
    T* out = values.data();
    double numbers[9];
    T converted[9];
    for (std::size_t k = 0; k < items.size(); ++k) {
      row.fill(items[k], numbers);
      for (std::size_t c = 0; c < row.components; ++c) converted[c] = static_cast<T>(numbers[c]);
      const std::size_t times = repeat.empty() ? 1 : repeat[k];
      if (row.components == 1)
        std::fill_n(out, times, converted[0]);
      else
        for (std::size_t r = 0; r < times; ++r)
          std::copy_n(converted, row.components, out + r * row.components);
      out += times * row.components;
    }
    array.values = std::move(values);
  };
  switch (doubles && row.type == NumberType::float32 ? NumberType::float64 : row.type) {
    case NumberType::float32:
      fillAs(std::vector<float>());
      break;
    case NumberType::float64:
      fillAs(std::vector<double>());
      break;
    case NumberType::int32:
      fillAs(std::vector<std::int32_t>());
      break;
    case NumberType::int64:
      fillAs(std::vector<std::int64_t>());
      break;
    case NumberType::uint8:
      fillAs(std::vector<std::uint8_t>());
      break;
  }
  return array;
}

}  // namespace scree::tools
