// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `macro`: the curves of a test on a sample: strain since the first file, stress, density.
#include "kinds.hpp"
#include "parts.hpp"

#include "scree/base/math.hpp"
#include "scree/sim/measure/stress.hpp"

#include <cmath>

namespace scree::tools {
namespace {

constexpr std::size_t rawCells = 1 + 9 + 6 + 4;

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

/// Strain is that since the first file.
class MacroJoiner : public Joiner {
 public:
  void take(const std::vector<sim::Row>& raw) override {
    for (const sim::Row& row : raw) {
      const auto at = [&](std::size_t cell) { return std::get<double>(row[cell]); };
      Mat3 vectors;
      for (int c = 0; c < 9; ++c) vectors(c / 3, c % 3) = at(1 + static_cast<std::size_t>(c));
      if (rows_.empty()) first_ = vectors;
      const Mat3 e = strainBetween(first_, vectors);
      rows_.push_back({at(0), e(0, 0), e(1, 1), e(2, 2), at(10), at(11), at(12), at(16), at(17),
                       at(18), e.trace(), e(0, 1), e(0, 2), e(1, 2), at(13), at(14), at(15),
                       at(19)});
    }
  }
  std::vector<sim::Row> table() const override { return rows_; }

 private:
  Mat3 first_ = Mat3::Zero();
  std::vector<sim::Row> rows_;
};

class MacroKind : public Kind {
 public:
  explicit MacroKind(const KindOptions& options)
      : part_(options.oneOf("part", {"contacts", "both"})) {}

  std::vector<sim::Column> columns() const override {
    std::vector<sim::Column> columns{{"t", "s"}};
    for (const char* name : {"exx", "eyy", "ezz"}) columns.push_back({name, "-"});
    for (const char* name : {"sxx", "syy", "szz", "p", "q"}) columns.push_back({name, "Pa"});
    for (const char* name : {"phi", "ev", "exy", "exz", "eyz"}) columns.push_back({name, "-"});
    for (const char* name : {"sxy", "sxz", "syz"}) columns.push_back({name, "Pa"});
    columns.push_back({"volume", "m3"});
    return columns;
  }

  /// Raw: t, the vectors of the cell or box, stress, p, q, phi, volume.
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    std::optional<sim::Domain> domain = sim::cellDomain(instant);
    Mat3 vectors = instant.conf().cell.h;
    if (!domain) {
      domain = sim::wallDomain(instant);
      if (domain) vectors = (domain->high - domain->low).asDiagonal();
    }
    sim::Row row{instant.conf().t};
    if (!domain) {
      row.resize(rawCells, notKnown);
      return {row};
    }
    appendTensor(row, vectors);
    const std::vector<char> chosen = chosenBodies(instant, {}, false);
    Mat3 sum = Mat3::Zero();
    const auto add = [&](const std::vector<Mat3>& virials) {
      for (std::size_t k = 0; k < virials.size(); ++k)
        if (chosen[k]) sum += virials[k];
    };
    add(sim::bodyVirials(instant));
    if (part_ == "both") add(sim::kineticVirials(instant, chosen));
    double solid = 0.0;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (chosen[k]) solid += instant.volumes()[k];
    const Mat3 stress = sum / domain->volume, even = 0.5 * (stress + stress.transpose());
    const sim::Invariants v = sim::invariantsOf(stress);
    for (const double value : {even(0, 0), even(1, 1), even(2, 2), even(0, 1), even(0, 2),
                               even(1, 2), v.p, v.q, solid / domain->volume, domain->volume})
      row.emplace_back(value);
    return {row};
  }

  std::unique_ptr<Joiner> joiner() const override { return std::make_unique<MacroJoiner>(); }

 private:
  std::string part_;
};

}  // namespace

KindEntry macroKind() {
  return {"macro",
          "strain since the first file, stress, p, q and solid fraction, from cell or walls",
          {{"part", "contacts|both", "what counts as stress; both: with the kinetic part"}},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<MacroKind>(options);
          },
          {.x = "t", .y = {"sxx", "syy", "szz", "p", "q"}}};
}

}  // namespace scree::tools
