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
#include <numbers>

namespace scree::sim {
namespace {

constexpr std::array<std::string_view, 4> gradingForms{"uniform", "lognormal", "fuller", "beta"};

/// Argument of the cumulated normal distribution that gives f, to 1e-15.
/// Source: M. J. Wichura, Algorithm AS 241, Applied Statistics 37(3), 477-484, 1988.
double normalQuantile(double f) {
  using Terms = std::array<double, 8>;  // from the power 0 on
  const auto sum = [](const Terms& terms, double x) {
    double value = 0.0;
    for (std::size_t k = terms.size(); k-- > 0;) value = value * x + terms[k];
    return value;
  };
  constexpr Terms a{3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                    1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                    3.3430575583588128105e4, 2.5090809287301226727e3},
      b{1.0,
        4.2313330701600911252e1,
        6.8718700749205790830e2,
        5.3941960214247511077e3,
        2.1213794301586595867e4,
        3.9307895800092710610e4,
        2.8729085735721942674e4,
        5.2264952788528545610e3},
      c{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
        3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
        2.27238449892691845833e-2, 7.74545014278341407640e-4},
      d{1.0,
        2.05319162663775882187e0,
        1.67638483018380384940e0,
        6.89767334985100004550e-1,
        1.48103976427480074590e-1,
        1.51986665636164571966e-2,
        5.47593808499534494600e-4,
        1.05075007164441684324e-9},
      e{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
        2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
        2.71155556874348757815e-5, 2.01033439929228813265e-7},
      g{1.0,
        5.99832206555887937690e-1,
        1.36929880922735805310e-1,
        1.48753612908506148525e-2,
        7.86869131145613259100e-4,
        1.84631831751005468180e-5,
        1.42151175831644588870e-7,
        2.04426310338993978564e-15};
  const double q = f - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * sum(a, r) / sum(b, r);
  }
  const double r = std::sqrt(-portableLog(std::max(q < 0.0 ? f : 1.0 - f, 1e-300)));
  const double x = r <= 5.0 ? sum(c, r - 1.6) / sum(d, r - 1.6) : sum(e, r - 5.0) / sum(g, r - 5.0);
  return q < 0.0 ? -x : x;
}

double normalCumulated(double x) {
  // The inverse of the function above, by halving: used for reports alone.
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (normalQuantile(middle) < x ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Shares of a beta distribution at equal steps of (d - A) / (B - A). By Simpson's rule in a
/// variable that makes the ends of the density smooth.
std::vector<std::pair<double, double>> betaCurve(double a, double b, double p, double q) {
  constexpr int steps = 4096;
  // x = sin²(θ): x^(p-1) (1-x)^(q-1) dx = 2 sin^(2p-1) cos^(2q-1) dθ
  const auto density = [&](double turns) {
    const double s = std::max(sinOfTurns(turns), 0.0), c = std::max(cosOfTurns(turns), 0.0);
    return portablePow(std::max(s, 1e-300), 2.0 * p - 1.0) *
           portablePow(std::max(c, 1e-300), 2.0 * q - 1.0);
  };
  std::vector<std::pair<double, double>> points{{a, 0.0}};
  double sum = 0.0;
  const double step = 0.25 / steps;
  for (int k = 0; k < steps; ++k) {
    // Gauss's two points stay off the ends, where the density may grow without bound.
    const double middle = (k + 0.5) * step, off = 0.5 * step / std::sqrt(3.0);
    sum += density(middle - off) + density(middle + off);
    const double s = sinOfTurns((k + 1) * step);
    points.emplace_back(a + (b - a) * (k + 1 == steps ? 1.0 : s * s), sum);
  }
  for (auto& point : points) point.second /= sum;
  return points;
}

std::vector<std::pair<double, double>> tableCurve(const std::string& file) {
  CsvReader table(TextReader::fromFile(file));
  const auto d = table.column("d"), passing = table.column("passing");
  if (!d || !passing) throw table.headerError("a grading has the columns d and passing");
  std::vector<std::pair<double, double>> points;
  bool falls = false;  // sieve reports begin with the largest sieve
  while (table.next()) {
    const std::pair<double, double> point(table.positive(*d), table.number(*passing));
    if (!(point.second >= 0.0 && point.second <= 100.0))
      throw table.error(*passing, fmt::format("passing: expected a share from 0 to 1, or from 0 to "
                                              "100, found {:.6g}",
                                              point.second));
    if (!points.empty()) {
      if (points.size() == 1) falls = point.first < points.back().first;
      const auto& [below, above] = std::minmax(point, points.back());
      if (point.first == points.back().first || falls != (point.first < points.back().first))
        throw table.error(*d, "d: expected sizes that all rise, or all fall, from row to row");
      if (above.second < below.second)
        throw table.error(*passing, "passing: expected a share that does not fall with the size");
    }
    points.push_back(point);
  }
  if (points.size() < 2) throw table.headerError("a grading needs two rows or more");
  if (falls) std::reverse(points.begin(), points.end());
  const double last = points.back().second;
  if (!(last == 1.0 || last == 100.0))
    throw table.headerError(
        fmt::format("passing: expected 1, or 100, at the largest size {:.6g}, "
                    "found {:.6g}",
                    points.back().first, last));
  for (auto& point : points) point.second /= last;
  // Bodies that pass the smallest sieve get its size.
  if (points.front().second > 0.0)
    points.insert(points.begin(), {points.front().first * (1.0 - 1e-9), 0.0});
  return points;
}

double cube(double d) { return std::numbers::pi / 6.0 * d * d * d; }

/// Sizes from the largest on, until the curve is used up or there are `most`. `total` is the total
/// volume (by mass) or the number of bodies (by number). @param left  what is not used of it
std::vector<double> drawn(const SizeGrading& grading, Measure measure, double total,
                          std::size_t most, double& left) {
  std::vector<double> sizes;
  double above = 0.0;  // share of the bodies so far
  double last = 0.0;   // share of the last one
  const auto shareAt = [&](double f) {
    return measure == Measure::number ? 1.0 / total
                                      : cube(grading.quantile(std::max(f, 0.0))) / total;
  };
  // A body ends where another half of it would go beyond the end of the curve.
  while (sizes.size() < most) {
    // The middle of its share: f = 1 - above - share(f) / 2, which falls on the right as f grows.
    const double top = 1.0 - above;
    double f = top - 0.5 * last;
    bool good = false;
    for (int k = 0; k < 3 && f > 0.0; ++k) {
      const double next = top - 0.5 * shareAt(f);
      good = std::abs(next - f) < 1e-15;
      f = next;
    }
    if (!good && measure == Measure::mass) {
      double low = std::min(0.0, top - 1.0), high = top;
      for (int k = 0; k < 50; ++k) {
        const double middle = 0.5 * (low + high);
        (top - 0.5 * shareAt(middle) > middle ? low : high) = middle;
      }
      f = 0.5 * (low + high);
    }
    if (most == mostPackedBodies && !(f > 0.0)) break;
    last = shareAt(f);
    above += last;
    sizes.push_back(grading.quantile(std::clamp(f, 0.0, 1.0)));
    if (above > 2.0) break;  // far beyond the end
  }
  left = 1.0 - above;
  return sizes;
}

}  // namespace

SizeGrading SizeGrading::parse(const std::string& text) {
  SizeGrading g;
  g.text_ = text;
  const std::string name = text.substr(0, text.find(':'));
  const auto known = std::ranges::find(gradingForms, name);
  const bool isFile = known == gradingForms.end();
  if (isFile) {
    if (name.find_first_of("./") == std::string::npos && text != "-")
      throw UsageError(fmt::format("--grading: unknown form '{}'{}; forms are {} and FILE.csv",
                                   name, suggestion(name, gradingForms),
                                   fmt::join(gradingForms, " ")));
    g.kind_ = Kind::table;
    g.points_ = tableCurve(text);
    return g;
  }
  const auto ascending = [&](double a, double b) {
    if (!(a < b))
      throw UsageError(
          fmt::format("--grading {}: the smallest size must be below the largest", text));
  };
  if (name == "uniform") {
    const auto v = positiveNumbers("--grading", text, 2, "uniform:A,B");
    ascending(v[0], v[1]);
    g.a_ = v[0];
    g.b_ = v[1];
  } else if (name == "lognormal") {
    const auto v = positiveNumbers("--grading", text, 2, "lognormal:MEDIAN,SIGMA");
    if (!(v[1] <= 3.0))
      throw UsageError(
          fmt::format("--grading {}: expected SIGMA up to 3, found {:.6g}", text, v[1]));
    g.kind_ = Kind::lognormal;
    g.a_ = v[0];
    g.q_ = v[1];
  } else if (name == "fuller") {
    const auto v = positiveNumbers("--grading", text, 3, "fuller:A,B,Q");
    ascending(v[0], v[1]);
    g.kind_ = Kind::fuller;
    g.q_ = v[2];
    g.lowPower_ = portablePow(v[0], v[2]);
    g.powerRange_ = portablePow(v[1], v[2]) - g.lowPower_;
    if (!(g.powerRange_ > 0.0 && std::isfinite(g.powerRange_)))
      throw UsageError(fmt::format("--grading {}: the exponent is out of range", text));
  } else {
    const auto v = positiveNumbers("--grading", text, 4, "beta:A,B,P,Q");
    ascending(v[0], v[1]);
    if (!(std::min(v[2], v[3]) >= 0.1 && std::max(v[2], v[3]) <= 100.0))
      throw UsageError(fmt::format("--grading {}: expected exponents from 0.1 to 100", text));
    g.kind_ = Kind::table;
    g.points_ = betaCurve(v[0], v[1], v[2], v[3]);
  }
  return g;
}

double SizeGrading::quantile(double f) const {
  switch (kind_) {
    case Kind::uniform:
      return a_ + (b_ - a_) * f;
    case Kind::lognormal:
      return a_ * portableExp(q_ * normalQuantile(f));
    case Kind::fuller:
      return portablePow(lowPower_ + f * powerRange_, 1.0 / q_);
    case Kind::table: {
      const auto above = std::upper_bound(
          points_.begin(), points_.end(), f,
          [](double share, const std::pair<double, double>& p) { return share < p.second; });
      if (above == points_.begin()) return points_.front().first;
      if (above == points_.end()) return points_.back().first;
      const auto below = above - 1;
      return below->first +
             (f - below->second) / (above->second - below->second) * (above->first - below->first);
    }
  }
  return 0.0;
}

double SizeGrading::cumulated(double d) const {
  switch (kind_) {
    case Kind::uniform:
      return std::clamp((d - a_) / (b_ - a_), 0.0, 1.0);
    case Kind::lognormal:
      return d > 0.0 ? normalCumulated(portableLog(d / a_) / q_) : 0.0;
    case Kind::fuller:
      return std::clamp((portablePow(d, q_) - lowPower_) / powerRange_, 0.0, 1.0);
    case Kind::table: {
      const auto above = std::upper_bound(
          points_.begin(), points_.end(), d,
          [](double size, const std::pair<double, double>& p) { return size < p.first; });
      if (above == points_.begin()) return 0.0;
      if (above == points_.end()) return 1.0;
      const auto below = above - 1;
      return below->second +
             (d - below->first) / (above->first - below->first) * (above->second - below->second);
    }
  }
  return 0.0;
}

std::vector<double> sizesOf(const SizeGrading& grading, Measure measure, std::size_t number) {
  if (number == 0 || number > mostPackedBodies)
    throw ModelError(fmt::format("expected 1 to {} bodies, found {}", mostPackedBodies, number));
  const auto n = static_cast<double>(number);
  double left = 0.0;
  if (measure == Measure::number) return drawn(grading, measure, n, number, left);
  // The total volume at which so many bodies use up the curve: more volume, smaller shares.
  // False position in the logarithm, with the side that stays halved (Illinois).
  double low = portableLog(n * cube(grading.quantile(1e-9))),
         high = portableLog(n * cube(grading.quantile(1.0 - 1e-9)));
  double leftLow = -1.0, leftHigh = 1.0;
  int side = 0;
  double total = high;
  for (int k = 0; k < 80 && high - low > 1e-14; ++k) {
    total = k < 4 ? 0.5 * (low + high) : (low * leftHigh - high * leftLow) / (leftHigh - leftLow);
    drawn(grading, measure, portableExp(total), number, left);
    if (std::abs(left) < 1e-13) break;
    if (left > 0.0) {
      high = total;
      leftHigh = left;
      if (side == 1) leftLow *= 0.5;
      side = 1;
    } else {
      low = total;
      leftLow = left;
      if (side == -1) leftHigh *= 0.5;
      side = -1;
    }
  }
  return drawn(grading, measure, portableExp(total), number, left);
}

std::vector<double> sizesOfVolume(const SizeGrading& grading, Measure measure, double volume) {
  const auto volumeFor = [&](std::size_t n) {
    double sum = 0.0;
    for (const double d : sizesOf(grading, measure, n)) sum += cube(d);
    return sum;
  };
  double left = 0.0;
  std::size_t n = 1;
  if (measure == Measure::mass) {
    const double smallest = cube(grading.quantile(1e-9));
    if (volume / smallest > 1e3 * static_cast<double>(mostPackedBodies))
      throw ModelError("the grading reaches down to sizes of which there would be too many");
    n = std::max<std::size_t>(drawn(grading, measure, volume, mostPackedBodies, left).size(), 1);
  } else {
    double mean = 0.0;
    for (int k = 0; k < 4096; ++k) mean += cube(grading.quantile((k + 0.5) / 4096.0)) / 4096.0;
    n = static_cast<std::size_t>(
        std::clamp(std::round(volume / mean), 1.0, static_cast<double>(mostPackedBodies)));
  }
  // The neighbours: which is nearest?
  std::size_t best = n;
  double error = std::abs(volumeFor(n) - volume);
  for (const std::size_t other : {n + 1, n > 1 ? n - 1 : n})
    if (const double e = std::abs(volumeFor(other) - volume); e < error) {
      error = e;
      best = other;
    }
  return sizesOf(grading, measure, best);
}

double distance(const SizeGrading& grading, Measure measure, const std::vector<double>& sizes) {
  std::vector<double> sorted = sizes;
  std::sort(sorted.begin(), sorted.end());
  double total = 0.0;
  for (const double d : sorted) total += measure == Measure::number ? 1.0 : cube(d);
  double below = 0.0, worst = 0.0;
  for (const double d : sorted) {
    const double target = grading.cumulated(d);
    worst = std::max(worst, std::abs(below / total - target));
    below += measure == Measure::number ? 1.0 : cube(d);
    worst = std::max(worst, std::abs(below / total - target));
  }
  return worst;
}

}  // namespace scree::sim
