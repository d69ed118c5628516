// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods.hpp"

#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace scree::tools {
namespace {

using Choice = mass::MassOptions::Choice;
constexpr std::array<std::pair<std::string_view, Choice>, 7> methods{
    {{"auto", Choice::automatic},
     {"exact", Choice::exact},
     {"certified", Choice::certified},
     {"montecarlo", Choice::montecarlo},
     {"grid", Choice::grid},
     {"octree", Choice::octree},
     {"sheet", Choice::sheet}}};

}  // namespace

void addMethodOptions(CLI::App& verb, ComputeOptions& o) {
  verb.add_option("--method", o.method,
                  "auto (closed form if there is one, else certified), exact, certified. For "
                  "comparison: montecarlo (MCnstep points), grid, octree, sheet")
      ->capture_default_str();
  verb.add_option("--tolerance", o.tolerance, "Allowed relative error of a certified volume")
      ->capture_default_str();
  verb.add_option(
          "--work", o.work,
          "Largest number of cells of a certified volume; at the limit it stops with its bound")
      ->capture_default_str();
  verb.add_option("--divisions", o.divisions, "Cells of --method grid along the longest side")
      ->capture_default_str();
}

mass::MassOptions massOptions(const ComputeOptions& options) {
  mass::MassOptions out;
  std::array<std::string_view, methods.size()> names;
  bool found = false;
  for (std::size_t k = 0; k < methods.size(); ++k) {
    names[k] = methods[k].first;
    if (methods[k].first != options.method) continue;
    out.method = methods[k].second;
    found = true;
  }
  if (!found)
    throw UsageError(
        fmt::format("--method {}: expected auto, exact, certified, montecarlo, grid, "
                    "octree or sheet{}",
                    options.method, suggestion(options.method, names)));
  if (!(options.tolerance >= 1e-11 && options.tolerance < 1.0))
    throw UsageError(fmt::format("--tolerance {:g}: expected a number from 1e-11 to below 1",
                                 options.tolerance));
  if (options.work < 1) throw UsageError("--work 0: expected a number of cells of at least 1");
  if (options.divisions < 1 || options.divisions > 100'000)
    throw UsageError(
        fmt::format("--divisions {}: expected a number from 1 to 100000", options.divisions));
  out.tolerance = options.tolerance;
  out.work = options.work;
  out.divisions = options.divisions;
  out.threads = options.threads;
  return out;
}

std::string worthOf(const mass::MassReport& report) {
  std::string out(mass::methodName(report.method));
  if (report.method == mass::Method::certified && report.bound)
    out += fmt::format(", within {:.2g}", report.bound->volume);
  return out;
}

}  // namespace scree::tools
