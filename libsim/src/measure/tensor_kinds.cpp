// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of tensors: stress, fabric, macro; and the parts of a table by body, group or bin.
#include "kind_parts.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace scree::sim {

Domain domainOf(const Instant& instant, const KindOptions& options) {
  const std::string& name = options.text("volume");
  if (name == "hull") return instant.hull();
  if (name == "walls" || name == "cell") {
    const auto domain = name == "walls" ? wallDomain(instant) : cellDomain(instant);
    if (domain) return *domain;
    throw ModelError(
        fmt::format("{}: --volume {}: there {}", instant.conf().source, name,
                    name == "walls" ? "are no walls that enclose a space" : "is no periodic cell"));
  }
  Domain d = instant.domain();
  if (name.empty()) return d;
  d.volume = parseNumber(name).value_or(0.0);
  d.isGiven = true;
  if (!(d.volume > 0.0 && d.volume < HUGE_VAL))
    throw UsageError(fmt::format(
        "--volume: expected hull, walls, cell or a number above 0, found '{}'", shown(name)));
  return d;
}

namespace {

/// The parts of a table by `--each body|group|bin:AXIS,N`; the whole where it is not given.
struct Each {
  std::string by;  ///< body, group or bin; empty: the whole
  int axis = 0;
  std::int64_t bins = 1;

  explicit Each(const KindOptions& options) : by(options.text("each")) {
    if (by.empty() || by == "body" || by == "group") return;
    const bool form =
        by.starts_with("bin:") && by.size() > 6 && by[5] == ',' && by[4] >= 'x' && by[4] <= 'z';
    const auto count = form ? parseInteger(by.substr(6)) : std::nullopt;
    if (!count || *count < 1 || *count > 1'000'000)
      throw UsageError(fmt::format(
          "--each: expected body, group or bin:AXIS,N such as bin:z,10, found '{}'", shown(by)));
    axis = by[4] - 'x';
    bins = *count;
    by = "bin";
  }
};

/// Columns that name a part, and then `more`: none, `id`, `group`, or `bin`, `low`, `high`.
std::string eachColumns(const KindOptions& options, std::string_view more) {
  const Each each(options);
  return fmt::format("t:s {}{}",
                     each.by == "body"    ? "id "
                     : each.by == "group" ? "group "
                     : each.by == "bin"   ? "bin low:m high:m "
                                          : "",
                     more);
}

struct Part {
  Row name;             ///< cells of the columns that name it
  double volume = 0.0;  ///< [L³] of the body; of the whole for a group; of the slice for a bin
};
struct Parts {
  std::vector<Part> parts;
  std::vector<std::int64_t> of;  ///< part of each body; -1: none
};

/// Bins have equal shares of a volume that is given.
Parts split(const Instant& instant, const KindOptions& options, const std::vector<char>& chosen,
            const Domain& domain) {
  const Each each(options);
  Parts out;
  out.of.assign(chosen.size(), -1);
  if (each.by == "bin") {
    const Slices slices(domain, each.axis, each.bins);
    for (std::size_t b = 0; b < slices.count(); ++b)
      out.parts.push_back(
          {rowOf(b, slices.low(b), slices.high(b)),
           domain.isGiven ? domain.volume / static_cast<double>(each.bins) : slices.volume(b)});
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (const auto bin = chosen[k] ? slices.at(instant.body(k).pos) : std::nullopt)
        out.of[k] = static_cast<std::int64_t>(*bin);
    return out;
  }
  // Bodies and groups by their numbers; 0 for the whole, which is there without bodies, too.
  const auto numberOf = [&](std::size_t k) {
    return each.by == "body" ? k : each.by == "group" ? instant.body(k).group : std::size_t{0};
  };
  std::map<std::size_t, std::int64_t> place;
  if (each.by.empty()) place[0] = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k]) place[numberOf(k)] = 0;
  for (auto& [number, at] : place) {
    at = static_cast<std::int64_t>(out.parts.size());
    out.parts.push_back({each.by.empty() ? Row{} : rowOf(number),
                         each.by == "body" ? instant.volumes()[number] : domain.volume});
  }
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k]) out.of[k] = place[numberOf(k)];
  return out;
}

std::vector<Row> stressRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  const Parts parts = split(instant, options, chosen, domainOf(instant, options));
  std::vector<Mat3> sums(parts.parts.size(), Mat3::Zero());
  std::vector<std::int64_t> count(sums.size(), 0);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (parts.of[k] < 0) continue;
    const auto of = static_cast<std::size_t>(parts.of[k]);
    ++count[of];
    sums[of] += instant.virials()[k];
  }
  std::vector<Row> rows;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const Mat3 tensor = sums[k] / parts.parts[k].volume;
    const Invariants v = invariantsOf(tensor);
    rows.push_back(rowOf(instant.conf().t, parts.parts[k].name, tensor, v.p, v.q, v.values,
                         Vec3(v.directions.col(0)), v.lode, v.skew, parts.parts[k].volume,
                         count[k]));
  }
  return rows;
}

std::vector<Row> fabricRows(const Instant& instant, const KindOptions& options) {
  const Parts parts = split(instant, options, chosenBodies(instant, options), instant.domain());
  std::vector<std::vector<Touching>> contacts(parts.parts.size());
  for (const Touching& c : touchingOf(instant, options.text("of") == "pairs")) {
    // A contact counts once in each part that one of its bodies belongs to.
    const std::int64_t a = parts.of[c.i], b = c.j == Link::none ? std::int64_t{-1} : parts.of[c.j];
    if (a >= 0) contacts[static_cast<std::size_t>(a)].push_back(c);
    if (b >= 0 && b != a) contacts[static_cast<std::size_t>(b)].push_back(c);
  }
  std::vector<Row> rows;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Mat3 fabric = fabricOf(contacts[k]), a = 7.5 * (fabric - Mat3::Identity() / 3.0);
    const ForceAnisotropies forces = forceAnisotropies(contacts[k], a);
    const Invariants v = invariantsOf(fabric);
    rows.push_back(rowOf(instant.conf().t, parts.parts[k].name, fabric, contacts[k].size(),
                         deviatoricStress(a), deviatoricStress(forces.normal),
                         deviatoricStress(forces.tangential), v.values, Vec3(v.directions.col(0))));
  }
  return rows;
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
  explicit Macro(const KindOptions&) {}

 protected:
  std::vector<SampleState> records(const Instant& instant) const override {
    const Domain& domain = instant.domain();
    if (domain.kind == Domain::Kind::hull) return {{instant.conf().t}};
    Mat3 sum = Mat3::Zero();
    double solid = 0.0;
    for (std::size_t k = instant.conf().nDriven; k < instant.bodyCount(); ++k) {
      sum += instant.virials()[k];
      solid += instant.volumes()[k];
    }
    return {{instant.conf().t, domain, sum / domain.volume, solid / domain.volume}};
  }
  void add(const SampleState& now, std::vector<Row>& rows) override {
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
    rows.push_back(rowOf(now.t, Vec3(e.diagonal()), Vec3(s.diagonal()), v.p, v.q, now.solidFraction,
                         0.0 - portableLog(volume / firstVolume_), e(0, 1), e(0, 2), e(1, 2),
                         s(0, 1), s(0, 2), s(1, 2), volume, v.values[2] > 0.0 ? angle : notKnown));
  }

 private:
  std::optional<Domain> last_;  ///< of the last file that has one
  Mat3 gradient_ = Mat3::Identity();
  double firstVolume_ = notKnown;
};

}  // namespace

std::vector<Kind> tensorKinds() {
  return {
      {.name = "stress",
       .help = "Love-Weber stress, compression positive: components, invariants, principal values",
       .options = {eachOption, volumeOption, selectOption, drivenOption},
       .columnsBy =
           [](const KindOptions& o) {
             return eachColumns(o, tensorColumns("Pa") +
                                       " p:Pa q:Pa s1:Pa s2:Pa s3:Pa d1x d1y d1z "
                                       "lode skew volume:m3 bodies");
           },
       .rows = stressRows,
       .plot = {.x = "t", .y = {"p", "q", "s1", "s2", "s3"}},
       .inRun = "Stress"},
      {.name = "fabric",
       .help = "mean of n⊗n over contacts, anisotropies of contacts and of their forces",
       .options = {eachOption, word("of", "points|pairs", "what counts as a contact"), selectOption,
                   drivenOption},
       .columnsBy =
           [](const KindOptions& o) {
             return eachColumns(o, tensorColumns("-") + " contacts ac an at f1 f2 f3 d1x d1y d1z");
           },
       .rows = fabricRows,
       .plot = {.x = "t", .y = {"ac", "an", "at"}}},
      {.name = "macro",
       .help = "strain since the first file, stress, friction angle, solid fraction, from cell or "
               "walls",
       .columns = "t:s exx eyy ezz sxx:Pa syy:Pa szz:Pa p:Pa q:Pa solidFraction ev exy exz eyz "
                  "sxy:Pa sxz:Pa syz:Pa volume:m3 phi:rad",
       .series = seriesOf<Macro>,
       .plot = {.x = "t", .y = {"sxx", "syy", "szz", "p", "q"}}}};
}

}  // namespace scree::sim
