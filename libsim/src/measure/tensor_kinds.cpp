// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of tensors: stress, fabric, macro; and the parts of a table by body, group or bin.
#include "kind_parts.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::sim {

VolumeOption::VolumeOption(const KindOptions& options) : text_(options.text("volume")) {
  if (text_.empty() || text_ == "hull" || text_ == "walls" || text_ == "cell") return;
  volume_ = parseNumber(text_).value_or(0.0);
  if (!(volume_ > 0.0 && volume_ < HUGE_VAL))
    throw UsageError(fmt::format(
        "--volume: expected hull, walls, cell or a number above 0, found '{}'", shown(text_)));
}

Domain VolumeOption::of(const Instant& instant) const {
  if (text_ == "hull") return instant.hull();
  if (text_ == "walls" || text_ == "cell") {
    const auto domain = text_ == "walls" ? wallDomain(instant) : cellDomain(instant);
    if (!domain)
      throw ModelError(fmt::format(
          "{}: --volume {}: there {}", instant.conf().source, text_,
          text_ == "walls" ? "are no walls that enclose a space" : "is no periodic cell"));
    return *domain;
  }
  Domain d = instant.domain();
  if (volume_ > 0.0) d.volume = volume_;
  return d;
}

EachOption::EachOption(const KindOptions& options) {
  const std::string& value = options.text("each");
  if (value.empty()) return;
  if (value == "body" || value == "group") {
    by_ = value == "body" ? By::body : By::group;
    return;
  }
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

std::vector<Column> EachOption::columns(std::string_view more) const {
  const char* part = by_ == By::body    ? "id "
                     : by_ == By::group ? "group "
                     : by_ == By::bin   ? "bin low:m high:m "
                                        : "";
  return columnsFrom(fmt::format("t:s {}{}", part, more));
}

EachOption::Parts EachOption::split(const Instant& instant, const std::vector<char>& chosen,
                                    const Domain& domain) const {
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
    const PeriodicCell& cell = instant.conf().cell;
    const bool inCell = domain.kind == Domain::Kind::cell && cell.used;
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

std::string tensorColumns(std::string_view unit) {
  return fmt::format("xx:{0} xy:{0} xz:{0} yx:{0} yy:{0} yz:{0} zx:{0} zy:{0} zz:{0}", unit);
}

void appendTensor(Row& row, const Mat3& tensor) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) row.emplace_back(tensor(r, c));
}

void appendNumbers(Row& row, std::initializer_list<double> numbers) {
  for (const double number : numbers) row.emplace_back(number);
}

namespace {

Measure stress(const KindOptions& options) {
  const EachOption each(options);
  return {.columns =
              each.columns(tensorColumns("Pa") +
                           " p:Pa q:Pa s1:Pa s2:Pa s3:Pa d1x d1y d1z lode skew volume:m3 bodies"),
          .rows = [each, volume = VolumeOption(options), selection = options.selection(),
                   driven = options.has("driven"),
                   part = options.text("part")](const Instant& instant) {
            const std::vector<char> chosen = chosenBodies(instant, selection, driven);
            const EachOption::Parts parts = each.split(instant, chosen, volume.of(instant));
            std::vector<Mat3> sums(parts.parts.size(), Mat3::Zero());
            std::vector<std::int64_t> count(sums.size(), 0);
            const auto add = [&](const std::vector<Mat3>& virials) {
              for (std::size_t k = 0; k < virials.size(); ++k)
                if (parts.of[k] >= 0) sums[static_cast<std::size_t>(parts.of[k])] += virials[k];
            };
            if (part != "kinetic") add(bodyVirials(instant));
            if (part != "contacts") add(kineticVirials(instant, chosen));
            for (const std::int64_t of : parts.of)
              if (of >= 0) ++count[static_cast<std::size_t>(of)];
            std::vector<Row> rows;
            for (std::size_t k = 0; k < sums.size(); ++k) {
              const Mat3 tensor = sums[k] / parts.parts[k].volume;
              const Invariants v = invariantsOf(tensor);
              Row& row = rows.emplace_back(Row{instant.conf().t});
              row.insert(row.end(), parts.parts[k].name.begin(), parts.parts[k].name.end());
              appendTensor(row, tensor);
              appendNumbers(row, {v.p, v.q, v.values[0], v.values[1], v.values[2],
                                  v.directions(0, 0), v.directions(1, 0), v.directions(2, 0),
                                  v.lode, v.skew, parts.parts[k].volume});
              row.emplace_back(count[k]);
            }
            return rows;
          }};
}

Measure fabric(const KindOptions& options) {
  const EachOption each(options);
  return {.columns = each.columns(tensorColumns("-") + " contacts ac an at f1 f2 f3 d1x d1y d1z"),
          .rows = [each, selection = options.selection(), driven = options.has("driven"),
                   byPairs = options.text("of") == "pairs"](const Instant& instant) {
            const std::vector<char> chosen = chosenBodies(instant, selection, driven);
            const EachOption::Parts parts = each.split(instant, chosen, instant.domain());
            std::vector<std::vector<Touching>> contacts(parts.parts.size());
            for (const Touching& c : touchingOf(instant, byPairs)) {
              // A contact counts once in each part that one of its bodies belongs to.
              const std::int64_t a = parts.of[c.i],
                                 b = c.j == Link::none ? std::int64_t{-1} : parts.of[c.j];
              if (a >= 0) contacts[static_cast<std::size_t>(a)].push_back(c);
              if (b >= 0 && b != a) contacts[static_cast<std::size_t>(b)].push_back(c);
            }
            std::vector<Row> rows;
            for (std::size_t k = 0; k < contacts.size(); ++k) {
              FabricSums sums;
              for (const Touching& c : contacts[k]) sums.add(c);
              const Mat3 a = sums.anisotropy();
              const ForceAnisotropies forces = forceAnisotropies(contacts[k], a);
              const Invariants v = invariantsOf(sums.fabric());
              Row& row = rows.emplace_back(Row{instant.conf().t});
              row.insert(row.end(), parts.parts[k].name.begin(), parts.parts[k].name.end());
              appendTensor(row, sums.fabric());
              row.emplace_back(sums.count);
              appendNumbers(
                  row, {invariantsOf(a).q, invariantsOf(forces.normal).q,
                        invariantsOf(forces.tangential).q, v.values[0], v.values[1], v.values[2],
                        v.directions(0, 0), v.directions(1, 0), v.directions(2, 0)});
            }
            return rows;
          }};
}

/// Logarithmic strain from the cell or box `before` to `now` (columns: its vectors), compression
/// positive: -1/2 ln(F Fᵀ), F = now before⁻¹.
Mat3 strainBetween(const Mat3& before, const Mat3& now) {
  const Mat3 gradient = now * before.inverse();
  const Mat3 squared = gradient * gradient.transpose();
  if (!squared.allFinite()) return Mat3::Constant(notKnown);
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(squared);
  Vec3 logs;
  for (int k = 0; k < 3; ++k) logs[k] = -0.5 * portableLog(solver.eigenvalues()[k]);
  const Mat3 strain = solver.eigenvectors() * logs.asDiagonal() * solver.eigenvectors().transpose();
  return strain + Mat3::Zero();  // no -0 where nothing has moved
}

/// State of a sample: the vectors of its cell or box, its stress and density.
struct SampleState {
  double t = 0.0;
  Mat3 vectors = Mat3::Constant(notKnown), stress = Mat3::Constant(notKnown);
  double p = notKnown, q = notKnown, phi = notKnown, volume = notKnown;
};

/// Curves of a test on a sample. Strain is that since the first file.
class Macro : public SeriesOf<SampleState> {
 public:
  explicit Macro(bool withKinetic) : withKinetic_(withKinetic) {}
  std::vector<Row> table() const override { return rows_; }

 protected:
  std::vector<SampleState> records(const Instant& instant) const override {
    SampleState out;
    out.t = instant.conf().t;
    std::optional<Domain> domain = cellDomain(instant);
    Mat3 vectors = instant.conf().cell.h;
    if (!domain) {
      domain = wallDomain(instant);
      if (domain) vectors = (domain->high - domain->low).asDiagonal();
    }
    if (!domain) return {out};
    const std::vector<char> chosen = chosenBodies(instant, {}, false);
    Mat3 sum = Mat3::Zero();
    const auto add = [&](const std::vector<Mat3>& virials) {
      for (std::size_t k = 0; k < virials.size(); ++k)
        if (chosen[k]) sum += virials[k];
    };
    add(bodyVirials(instant));
    if (withKinetic_) add(kineticVirials(instant, chosen));
    double solid = 0.0;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (chosen[k]) solid += instant.volumes()[k];
    const Mat3 stress = sum / domain->volume;
    const Invariants v = invariantsOf(stress);
    return {{out.t, vectors, 0.5 * (stress + stress.transpose()), v.p, v.q, solid / domain->volume,
             domain->volume}};
  }
  void add(const SampleState& now) override {
    if (rows_.empty()) first_ = now.vectors;
    const Mat3 e = strainBetween(first_, now.vectors), &s = now.stress;
    rows_.push_back({now.t, e(0, 0), e(1, 1), e(2, 2), s(0, 0), s(1, 1), s(2, 2), now.p, now.q,
                     now.phi, e.trace(), e(0, 1), e(0, 2), e(1, 2), s(0, 1), s(0, 2), s(1, 2),
                     now.volume});
  }

 private:
  bool withKinetic_;
  Mat3 first_ = Mat3::Zero();
  std::vector<Row> rows_;
};

Measure macro(const KindOptions& options) {
  return {
      .columns = columnsFrom("t:s exx eyy ezz sxx:Pa syy:Pa szz:Pa p:Pa q:Pa phi ev exy exz eyz "
                             "sxy:Pa sxz:Pa syz:Pa volume:m3"),
      .series = std::make_shared<Macro>(options.text("part") == "both")};
}

}  // namespace

std::vector<Kind> tensorKinds() {
  return {
      {"stress",
       "Love-Weber stress, compression positive: components, invariants, principal values",
       {eachOption, volumeOption, word("part", "contacts|kinetic|both", "what counts"),
        selectOption, drivenOption},
       stress,
       {.x = "t", .y = {"p", "q", "s1", "s2", "s3"}}},
      {"fabric",
       "mean of n⊗n over contacts, anisotropies of contacts and of their forces",
       {eachOption, word("of", "points|pairs", "what counts as a contact"), selectOption,
        drivenOption},
       fabric,
       {.x = "t", .y = {"ac", "an", "at"}}},
      {"macro",
       "strain since the first file, stress, p, q and solid fraction, from cell or walls",
       {word("part", "contacts|both", "what counts as stress; both: with the kinetic part")},
       macro,
       {.x = "t", .y = {"sxx", "syy", "szz", "p", "q"}}},
  };
}

}  // namespace scree::sim
