// SPDX-License-Identifier: GPL-3.0-or-later
#include "loads.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/table.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/body_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>

namespace scree::sim {
namespace {

constexpr std::array<OptionForm, 4> gradingForms{{{"uniform", "A,B", 2},
                                                  {"lognormal", "MEDIAN,SIGMA", 2},
                                                  {"fuller", "A,B,Q", 3},
                                                  {"beta", "A,B,P,Q", 4}}};

using Curve = std::vector<std::pair<double, double>>;  ///< size [L], share of smaller bodies

/// The curve of sizes `size(t)` with the density `density(t)`, by equal steps of t from `low` to
/// `high`. Gauss's two points stay off the ends, where a density may grow without bound.
template <class Size, class Density>
Curve integrated(double low, double high, Size&& size, Density&& density) {
  constexpr int steps = 8192;
  const double step = (high - low) / steps, off = 0.5 * step / std::sqrt(3.0);
  Curve points{{size(low), 0.0}};
  double sum = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double middle = low + (k + 0.5) * step;
    sum += density(middle - off) + density(middle + off);
    points.emplace_back(size(k + 1 == steps ? high : low + (k + 1) * step), sum);
  }
  for (auto& point : points) point.second /= sum;
  return points;
}

/// Sizes whose logarithm is normal. Nearly all bodies of a curve by mass are far below its median.
Curve lognormalCurve(double median, double sigma) {
  return integrated(
      -12.0, 8.0, [&](double z) { return median * portableExp(sigma * z); },
      [](double z) { return portableExp(-0.5 * z * z); });
}

/// F = (d^Q - A^Q) / (B^Q - A^Q), in the logarithm of d.
Curve fullerCurve(double a, double b, double q) {
  return integrated(
      portableLog(a), portableLog(b), [](double x) { return portableExp(x); },
      [&](double x) { return portableExp(q * (x - portableLog(b))); });
}

/// Beta distribution with x = sin²(θ), so that x^(p-1) (1-x)^(q-1) dx = 2 sin^(2p-1) cos^(2q-1) dθ.
Curve betaCurve(double a, double b, double p, double q) {
  return integrated(
      0.0, 0.25,
      [&](double turns) {
        const double s = sinOfTurns(turns);
        return a + (b - a) * s * s;
      },
      [&](double turns) {
        return portablePow(std::max(sinOfTurns(turns), 1e-300), 2.0 * p - 1.0) *
               portablePow(std::max(cosOfTurns(turns), 1e-300), 2.0 * q - 1.0);
      });
}

Curve tableCurve(const std::string& file) {
  CsvReader table(TextReader::fromFile(file));
  const auto d = table.column("d"), passing = table.column("passing");
  if (!d || !passing) throw table.headerError("a grading has the columns d and passing");
  Curve points;
  bool falls = false;  // sieve reports begin with the largest sieve
  while (table.next()) {
    const std::pair<double, double> point(table.positive(*d), table.number(*passing));
    if (!(point.second >= 0.0 && point.second <= 100.0))
      throw table.error(*passing, "passing: expected a share from 0 to 1, or from 0 to 100");
    if (points.size() == 1) falls = point.first < points.back().first;
    if (!points.empty()) {
      const auto& below = falls ? point : points.back();
      const auto& above = falls ? points.back() : point;
      if (!(below.first < above.first && below.second <= above.second))
        throw table.error(*d, "d: expected sizes that all rise, or all fall, and shares with them");
    }
    points.push_back(point);
  }
  if (points.size() < 2) throw table.headerError("a grading needs two rows or more");
  if (falls) std::reverse(points.begin(), points.end());
  const double last = points.back().second;
  if (!(last == 1.0 || last == 100.0))
    throw table.headerError(
        fmt::format("passing: expected 1, or 100, at the size {:.6g}, found {:.6g}",
                    points.back().first, last));
  for (auto& point : points) point.second /= last;
  // Bodies that pass the smallest sieve get its size.
  if (points.front().second > 0.0)
    points.insert(points.begin(), {points.front().first * (1.0 - 1e-9), 0.0});
  return points;
}

/// The member `to` where the member `of`, which rises along the curve, is x; linear between points.
double between(const Curve& points, double x, double Curve::value_type::*of,
               double Curve::value_type::*to) {
  const auto above = std::ranges::upper_bound(points, x, {}, of);
  if (above == points.begin()) return points.front().*to;
  if (above == points.end()) return points.back().*to;
  const auto& low = *(above - 1);
  return low.*to + (x - low.*of) / ((*above).*of - low.*of) * ((*above).*to - low.*to);
}

/// Bodies of a unit volume in the part of a curve by mass between two of its sizes, F linear there.
double numberBetween(double d0, double d1, double share) {
  return share * 3.0 / pi * (d0 + d1) / (d0 * d0 * d1 * d1);
}

/// Bodies of a unit volume that follows the curve by mass.
double numberOfUnitVolume(std::span<const std::pair<double, double>> points) {
  double sum = 0.0;
  for (std::size_t k = 1; k < points.size(); ++k)
    sum += numberBetween(points[k - 1].first, points[k].first,
                         points[k].second - points[k - 1].second);
  return sum;
}

}  // namespace

SizeGrading SizeGrading::parse(const std::string& text) {
  SizeGrading g;
  g.text_ = text;
  const std::string name = text.substr(0, text.find(':'));
  if (std::ranges::find(gradingForms, name, &OptionForm::name) == gradingForms.end() &&
      (name.find_first_of("./") != std::string::npos || text == "-")) {
    g.points_ = tableCurve(text);
    return g;
  }
  const std::size_t form = formOf("--grading", text, gradingForms);
  const std::vector<double> v = positiveNumbers("--grading", text, gradingForms[form]);
  const bool lognormal = name == "lognormal";
  if (!lognormal && !(v[0] < v[1]))
    throw UsageError(
        fmt::format("--grading {}: the smallest size must be below the largest", text));
  const double least = name == "beta" ? 0.1 : 0.0, most = lognormal ? 3.0 : 100.0;
  for (std::size_t k = lognormal ? 1 : 2; k < v.size(); ++k)
    if (!(v[k] >= least && v[k] <= most))
      throw UsageError(
          fmt::format("--grading {}: expected a number from {:g} to {:g}, found {:.6g}", text,
                      least, most, v[k]));
  if (name == "uniform")
    g.points_ = {{v[0], 0.0}, {v[1], 1.0}};
  else if (lognormal)
    g.points_ = lognormalCurve(v[0], v[1]);
  else
    g.points_ =
        name == "fuller" ? fullerCurve(v[0], v[1], v[2]) : betaCurve(v[0], v[1], v[2], v[3]);
  return g;
}

double SizeGrading::quantile(double f) const {
  return between(points_, f, &Curve::value_type::second, &Curve::value_type::first);
}

double SizeGrading::cumulated(double d) const {
  return between(points_, d, &Curve::value_type::first, &Curve::value_type::second);
}

std::vector<double> SizeGrading::sizes(Measure measure, std::size_t number) const {
  if (number == 0 || number > mostPackedBodies)
    throw ModelError(fmt::format("expected 1 to {} bodies, found {}", mostPackedBodies, number));
  const auto n = static_cast<double>(number);
  std::vector<double> sizes;
  sizes.reserve(number);
  if (measure == Measure::number) {
    for (std::size_t k = 0; k < number; ++k)
      sizes.push_back(quantile(1.0 - (static_cast<double>(k) + 0.5) / n));
    return sizes;
  }
  // From the largest on: each body gets the volume of its own share of the number.
  const double all = numberOfUnitVolume(points_);
  std::size_t at = points_.size() - 1;
  double before = 0.0, top = 1.0;  // number above points_[at], share F above which all is given
  for (std::size_t k = 1; k <= number; ++k) {
    const double until = static_cast<double>(k) / n * all;
    double f = 0.0, one = 0.0;  // `one`: size in a part of one size as good as
    for (; at > 0; --at) {
      const auto& [d0, f0] = points_[at - 1];
      const auto& [d1, f1] = points_[at];
      const double here = numberBetween(d0, d1, f1 - f0);
      if (k < number && here > 0.0 && before + here >= until) {
        if (d1 - d0 < 1e-6 * d1) {  // the difference of two sizes has few digits
          f = f1 - (until - before) / here * (f1 - f0);
          if (top <= f1) one = quantile(0.5 * (top + f));
          break;
        }
        const double density = (f1 - f0) / (d1 - d0);
        const double d = 1.0 / std::sqrt(pi / 3.0 * (until - before) / density + 1.0 / (d1 * d1));
        f = std::max(f1 - (d1 - d) * density, f0);
        break;
      }
      before += here;
    }
    sizes.push_back(
        one > 0.0 ? one : portablePow(6.0 / pi * std::max(top - f, 0.0) * n / all, 1.0 / 3.0));
    top = f;
  }
  std::ranges::sort(sizes, std::greater{});  // those of one size differ by rounding
  return sizes;
}

std::vector<double> SizeGrading::sizesOfVolume(Measure measure, double volume) const {
  double number = volume * numberOfUnitVolume(points_);
  if (measure == Measure::number) {
    double mean = 0.0;  // of cubes, F linear between two sizes
    for (std::size_t k = 1; k < points_.size(); ++k) {
      const auto& [d0, f0] = points_[k - 1];
      const auto& [d1, f1] = points_[k];
      mean += (f1 - f0) * pi / 24.0 * (d0 + d1) * (d0 * d0 + d1 * d1);
    }
    number = volume / mean;
  }
  if (!(number < static_cast<double>(mostPackedBodies)))
    throw ModelError(fmt::format("{:.3g} bodies would be needed; at most {} are packed", number,
                                 mostPackedBodies));
  return sizes(measure, static_cast<std::size_t>(std::max(std::round(number), 1.0)));
}

}  // namespace scree::sim
