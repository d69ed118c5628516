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
  if (isGiven()) d.volume = volume_;
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
                                    const Domain& domain, bool even) const {
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
    const Slices slices(domain, axis_, bins_);
    for (std::size_t b = 0; b < slices.count(); ++b)
      out.parts.push_back({{static_cast<std::int64_t>(b), slices.low(b), slices.high(b)},
                           even ? domain.volume / static_cast<double>(bins_) : slices.volume(b)});
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (const auto bin = chosen[k] ? slices.at(instant.body(k).pos) : std::nullopt)
        out.of[k] = static_cast<std::int64_t>(*bin);
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
            const EachOption::Parts parts =
                each.split(instant, chosen, volume.of(instant), volume.isGiven());
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
            const EachOption::Parts parts = each.split(instant, chosen, instant.domain(), false);
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

/// Logarithmic strain of a deformation gradient, compression positive: -1/2 ln(F Fᵀ).
Mat3 strainOf(const Mat3& gradient) {
  const Mat3 squared = gradient * gradient.transpose();
  if (!squared.allFinite()) return Mat3::Constant(notKnown);
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(squared);
  Vec3 logs;
  for (int k = 0; k < 3; ++k) logs[k] = -0.5 * portableLog(solver.eigenvalues()[k]);
  const Mat3 strain = solver.eigenvectors() * logs.asDiagonal() * solver.eigenvectors().transpose();
  return strain + Mat3::Zero();  // no -0 where nothing has moved
}

/// State of a sample: its cell or walls, its stress and density.
struct SampleState {
  double t = 0.0;
  std::optional<Domain> domain = {};
  Mat3 stress = Mat3::Constant(notKnown);
  double solidFraction = notKnown;
};

/// Curves of a test on a sample. Strain is that since the first file.
class Macro : public SeriesOf<SampleState> {
 public:
  std::vector<Row> table() const override { return rows_; }

 protected:
  std::vector<SampleState> records(const Instant& instant) const override {
    const Domain& domain = instant.domain();
    if (domain.kind == Domain::Kind::hull) return {{instant.conf().t}};
    const std::vector<char> chosen = chosenBodies(instant, {}, false);
    Mat3 sum = Mat3::Zero();
    double solid = 0.0;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      sum += instant.virials()[k];
      solid += instant.volumes()[k];
    }
    return {{instant.conf().t, domain, sum / domain.volume, solid / domain.volume}};
  }
  void add(const SampleState& now) override {
    const double volume = now.domain ? now.domain->volume : notKnown;
    const Mat3 s = 0.5 * (now.stress + now.stress.transpose());
    const Invariants v = invariantsOf(now.stress);
    Mat3 e = Mat3::Constant(notKnown);
    if (now.domain) {
      if (last_) gradient_ = deformationGradient(*last_, *now.domain) * gradient_;
      if (!last_) firstVolume_ = volume;
      e = strainOf(gradient_);
      last_ = now.domain;
    }
    // sin φ = (s1 - s3)/(s1 + s3)
    const double angle =
        portableAtan2(v.values[0] - v.values[2], 2.0 * std::sqrt(v.values[0] * v.values[2]));
    rows_.push_back({now.t, e(0, 0), e(1, 1), e(2, 2), s(0, 0), s(1, 1), s(2, 2), v.p, v.q,
                     now.solidFraction, 0.0 - portableLog(volume / firstVolume_), e(0, 1), e(0, 2),
                     e(1, 2), s(0, 1), s(0, 2), s(1, 2), volume,
                     v.values[2] > 0.0 ? angle : notKnown});
  }

 private:
  std::optional<Domain> last_;  ///< of the last file that has one
  Mat3 gradient_ = Mat3::Identity();
  double firstVolume_ = notKnown;
  std::vector<Row> rows_;
};

Measure macro(const KindOptions&) {
  return {
      .columns = columnsFrom("t:s exx eyy ezz sxx:Pa syy:Pa szz:Pa p:Pa q:Pa solidFraction ev exy "
                             "exz eyz sxy:Pa sxz:Pa syz:Pa volume:m3 phi:rad"),
      .series = std::make_shared<Macro>()};
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
       "strain since the first file, stress, friction angle, solid fraction, from cell or walls",
       {},
       macro,
       {.x = "t", .y = {"sxx", "syy", "szz", "p", "q"}}},
  };
}

}  // namespace scree::sim
