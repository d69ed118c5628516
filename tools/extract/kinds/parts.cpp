// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::tools {

VolumeOption::VolumeOption(const KindOptions& options) {
  const std::string value = options.text("volume", "");
  if (value.empty() && !options.has("volume")) return;
  if (value == "hull")
    from_ = From::hull;
  else if (value == "walls")
    from_ = From::walls;
  else if (value == "cell")
    from_ = From::cell;
  else if (const auto number = parseNumber(value); number && *number > 0.0 && *number < HUGE_VAL) {
    from_ = From::number;
    volume_ = *number;
  } else {
    throw UsageError(fmt::format(
        "--volume: expected hull, walls, cell or a number above 0, found '{}'", shown(value)));
  }
}

sim::Domain VolumeOption::of(const sim::Instant& instant) const {
  const auto needed = [&](const std::optional<sim::Domain>& d, const char* what) {
    if (!d) throw ModelError(fmt::format("{}: --volume {}", instant.conf().source, what));
    return *d;
  };
  switch (from_) {
    case From::hull:
      return instant.hull();
    case From::walls:
      return needed(sim::wallDomain(instant), "walls: there are no walls that enclose a space");
    case From::cell:
      return needed(sim::cellDomain(instant), "cell: there is no periodic cell");
    default:
      break;
  }
  sim::Domain d = instant.domain();
  if (from_ == From::number) d.volume = volume_;
  return d;
}

EachOption::EachOption(const KindOptions& options) {
  const std::string value = options.text("each", "");
  if (!options.has("each")) return;
  if (value == "body") {
    by_ = By::body;
  } else if (value == "group") {
    by_ = By::group;
  } else {
    const bool form = value.starts_with("bin:") && value.size() > 6 && value[5] == ',' &&
                      value[4] >= 'x' && value[4] <= 'z';
    const auto count = form ? parseInteger(value.substr(6)) : std::nullopt;
    if (!count || *count < 1 || *count > 1'000'000)
      throw UsageError(fmt::format(
          "--each: expected body, group or bin:AXIS,N such as bin:z,10, found '{}'", shown(value)));
    by_ = By::bin;
    axis_ = value[4] - 'x';
    bins_ = *count;
  }
}

std::vector<sim::Column> EachOption::columns() const {
  switch (by_) {
    case By::body:
      return {{"id", "-"}};
    case By::group:
      return {{"group", "-"}};
    case By::bin:
      return {{"bin", "-"}, {"low", "m"}, {"high", "m"}};
    default:
      return {};
  }
}

EachOption::Parts EachOption::split(const sim::Instant& instant, const std::vector<char>& chosen,
                                    const sim::Domain& domain) const {
  Parts out;
  out.of.assign(chosen.size(), -1);
  if (by_ == By::whole) {
    out.parts.push_back({{}, domain.volume});
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (chosen[k]) out.of[k] = 0;
  } else if (by_ == By::body) {
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      out.of[k] = static_cast<std::int64_t>(out.parts.size());
      out.parts.push_back({{static_cast<std::int64_t>(k)}, instant.volumes()[k]});
    }
  } else if (by_ == By::group) {
    std::map<std::uint32_t, std::int64_t> number;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (chosen[k]) number[instant.body(k).group] = 0;
    for (auto& [group, at] : number) {
      at = static_cast<std::int64_t>(out.parts.size());
      out.parts.push_back({{std::int64_t{group}}, domain.volume});
    }
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (chosen[k]) out.of[k] = number[instant.body(k).group];
  } else {
    // In a cell that is not square to the axes, bins are slices along one of its vectors.
    const sim::PeriodicCell& cell = instant.conf().cell;
    const bool inCell = domain.kind == sim::Domain::Kind::cell && cell.used;
    const double low = inCell ? 0.0 : domain.low[axis_],
                 high = inCell ? cell.h(axis_, axis_) : domain.high[axis_];
    const double n = static_cast<double>(bins_);
    for (std::int64_t b = 0; b < bins_; ++b)
      out.parts.push_back({{b, low + (high - low) * static_cast<double>(b) / n,
                            low + (high - low) * static_cast<double>(b + 1) / n},
                           domain.volume / n});
    const Mat3 inverse = inCell ? Mat3(cell.h.inverse()) : Mat3(Mat3::Identity());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const Vec3& x = instant.body(k).pos;
      double share = inCell ? inverse.row(axis_).dot(x) : (x[axis_] - low) / (high - low);
      if (inCell) share -= std::floor(share);
      if (!(share >= 0.0 && share <= 1.0)) continue;
      out.of[k] = std::min(static_cast<std::int64_t>(share * n), bins_ - 1);
    }
  }
  return out;
}

std::vector<sim::Column> tensorColumns(const std::string& unit) {
  std::vector<sim::Column> columns;
  for (const char* name : {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"})
    columns.push_back({name, unit});
  return columns;
}

void appendTensor(sim::Row& row, const Mat3& tensor) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) row.emplace_back(tensor(r, c));
}

}  // namespace scree::tools
