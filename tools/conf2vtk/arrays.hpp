// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scene.hpp"
#include "vtk/poly_piece.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace scree::tools {

/// Returns whether `names` holds `name`.
inline bool among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

enum class NumberType { float32, float64, int32, int64, uint8 };

/// One array of the output, with the number, vector or matrix (by rows) of an item.
template <class Item>
struct ArrayRow {
  std::string_view name, unit;
  bool byDefault;
  NumberType type;
  std::size_t components = 1;
  std::function<void(const Item&, double* out)> fill;  ///< `components` numbers

  /// @param value  function or member pointer
  template <class Value>
  ArrayRow(std::string_view itsName, std::string_view itsUnit, bool isDefault, NumberType itsType,
           Value value)
      : name(itsName), unit(itsUnit), byDefault(isDefault), type(itsType) {
    using Numbers = std::remove_cvref_t<std::invoke_result_t<Value, const Item&>>;
    if constexpr (std::is_arithmetic_v<Numbers> || std::is_enum_v<Numbers>) {
      fill = [value](const Item& item, double* out) {
        *out = static_cast<double>(std::invoke(value, item));
      };
    } else {
      components = Numbers::SizeAtCompileTime;
      fill = [value](const Item& item, double* out) {
        Eigen::Map<Eigen::Matrix<double, Numbers::ColsAtCompileTime, Numbers::RowsAtCompileTime>>{
            out} = std::invoke(value, item).transpose();
      };
    }
  }
};

struct BodyItem {
  const Scene& scene;
  std::size_t body;
  const sim::ParticleRecord* operator->() const { return &scene.conf->particles[body]; }
};
struct ContactItem {
  const Scene& scene;
  std::size_t contact;
  const sim::Link* operator->() const { return &scene.links()[contact]; }
  bool atWall() const { return scene.links()[contact].j == Scene::noBody; }
};

const std::vector<ArrayRow<BodyItem>>& bodyArrays();
const std::vector<ArrayRow<ContactItem>>& contactArrays();
const std::vector<ArrayRow<Chain>>& chainArrays();

class ArrayChoice {
 public:
  /// @param names  of arrays of any kind, or "all"; empty for the default ones
  /// @throws UsageError naming the nearest one, for a name that is none
  /// @param doubles  numbers of 32 bits become 64-bit ones
  explicit ArrayChoice(const std::vector<std::string>& names, bool doubles = false);
  bool wants(std::string_view name, bool byDefault) const;
  /// Whether bodies carry sums over contacts by name: not those that are there by default.
  bool wantsContactSums() const;
  bool doubles() const { return doubles_; }
  std::string text() const;  ///< for the settings

 private:
  std::vector<std::string> names_;
  bool doubles_ = false;
};

/// The array of one row for all items, each repeated `repeat[k]` times (once where empty).
/// @param doubles  64-bit numbers even where the row has 32-bit ones
template <class Item>
vtp::DataArray filledArray(const ArrayRow<Item>& row, const std::vector<Item>& items,
                           std::span<const std::size_t> repeat, bool doubles) {
  const auto filledAs = [&]<class T>(std::vector<T> values) {
    const std::size_t total =
        repeat.empty() ? items.size() : std::reduce(repeat.begin(), repeat.end());
    values.reserve(total * row.components);
    double numbers[9];
    for (std::size_t k = 0; k < items.size(); ++k) {
      row.fill(items[k], numbers);
      if (const std::size_t times = repeat.empty() ? 1 : repeat[k]; row.components == 1)
        values.insert(values.end(), times, static_cast<T>(numbers[0]));
      else
        for (std::size_t r = 0; r < times; ++r)
          for (std::size_t c = 0; c < row.components; ++c)
            values.push_back(static_cast<T>(numbers[c]));
    }
    return vtp::DataArray{std::string(row.name), std::string(row.unit), row.components,
                          std::move(values)};
  };
  if (row.type == NumberType::int32) return filledAs(std::vector<std::int32_t>());
  if (row.type == NumberType::int64) return filledAs(std::vector<std::int64_t>());
  if (row.type == NumberType::uint8) return filledAs(std::vector<std::uint8_t>());
  if (row.type == NumberType::float32 && !doubles) return filledAs(std::vector<float>());
  return filledAs(std::vector<double>());
}

/// Adds the arrays of a table, or of those that `choice` wants.
template <class Item>
void addArrays(std::vector<vtp::DataArray>& to, const std::vector<ArrayRow<Item>>& rows,
               const std::vector<Item>& items, const ArrayChoice& choice,
               std::span<const std::size_t> repeat = {}) {
  for (const auto& row : rows)
    if (choice.wants(row.name, row.byDefault))
      to.push_back(filledArray(row, items, repeat, choice.doubles()));
}

}  // namespace scree::tools
