// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `stress`: Love-Weber stress of the whole, of bodies, groups or bins.
#include "scree/sim/measure/stress.hpp"

#include "kinds.hpp"
#include "parts.hpp"

namespace scree::tools {
namespace {

class StressKind : public Kind {
 public:
  explicit StressKind(const KindOptions& options)
      : selection_(options.selection()),
        driven_(options.has("driven")),
        part_(options.oneOf("part", {"contacts", "kinetic", "both"})),
        volume_(options),
        each_(options) {}

  std::vector<sim::Column> columns() const override {
    std::vector<sim::Column> columns{{"t", "s"}};
    for (const auto& c : each_.columns()) columns.push_back(c);
    for (const auto& c : tensorColumns("Pa")) columns.push_back(c);
    for (const char* name : {"p", "q", "s1", "s2", "s3"}) columns.push_back({name, "Pa"});
    for (const char* name : {"d1x", "d1y", "d1z", "lode", "skew"}) columns.push_back({name, "-"});
    columns.push_back({"volume", "m3"});
    columns.push_back({"bodies", "-"});
    return columns;
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, driven_);
    const EachOption::Parts parts = each_.split(instant, chosen, volume_.of(instant));
    std::vector<Mat3> sums(parts.parts.size(), Mat3::Zero());
    std::vector<std::int64_t> count(sums.size(), 0);
    const auto add = [&](const std::vector<Mat3>& virials) {
      for (std::size_t k = 0; k < virials.size(); ++k)
        if (parts.of[k] >= 0) sums[static_cast<std::size_t>(parts.of[k])] += virials[k];
    };
    if (part_ != "kinetic") add(sim::bodyVirials(instant));
    if (part_ != "contacts") add(sim::kineticVirials(instant, chosen));
    for (const std::int64_t part : parts.of)
      if (part >= 0) ++count[static_cast<std::size_t>(part)];
    std::vector<sim::Row> rows;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const Mat3 stress = sums[k] / parts.parts[k].volume;
      const sim::Invariants v = sim::invariantsOf(stress);
      sim::Row row{instant.conf().t};
      row.insert(row.end(), parts.parts[k].name.begin(), parts.parts[k].name.end());
      appendTensor(row, stress);
      for (const double value :
           {v.p, v.q, v.values[0], v.values[1], v.values[2], v.directions(0, 0), v.directions(1, 0),
            v.directions(2, 0), v.lode, v.skew, parts.parts[k].volume})
        row.emplace_back(value);
      row.emplace_back(count[k]);
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  sim::Selection selection_;
  bool driven_;
  std::string part_;
  VolumeOption volume_;
  EachOption each_;
};

}  // namespace

KindEntry stressKind() {
  return {"stress",
          "Love-Weber stress, compression positive: components, invariants, principal values",
          {eachOption,
           volumeOption,
           {"part", "contacts|kinetic|both", "what counts (contacts)"},
           selectOption,
           drivenOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<StressKind>(options);
          },
          {.x = "t", .y = {"p", "q", "s1", "s2", "s3"}}};
}

}  // namespace scree::tools
