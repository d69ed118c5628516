// SPDX-License-Identifier: GPL-3.0-or-later
// Keywords of the periodic cell, soft particles and parameters that vary in time.
#include "conf_values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {
namespace {

using In = TextReader;
using Out = TextWriter;
using D = Diagnostics;

/// A file without a cell keeps the values that it has of one, and no more.
template <class T>
bool written(const Conf& c, T PeriodicCell::*member) {
  return c.cell.used || c.cell.*member != PeriodicCell().*member;
}

void readTempo(TextReader& in, Conf& c, D&) {
  Tempo tempo;
  const std::string what = choice(in, "Tempo", {"NDCoeff", "Inter", "Body"});
  if (what == "Inter") {
    tempo.what = Tempo::What::pair;
    const std::string_view name = in.word("Tempo Inter: parameter");
    const auto& known = lawParameterNames();
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw in.error(fmt::format("Tempo Inter: unknown parameter '{}'{}", name.substr(0, 40),
                                 suggestion(name, known)));
    tempo.parameter = name;
    const std::uint32_t g1 = group(in), g2 = group(in);
    tempo.group1 = std::min(g1, g2);
    tempo.group2 = std::max(g1, g2);
  } else if (what == "Body") {
    tempo.what = Tempo::What::density;
    choice(in, "Tempo Body", {"density"});
    tempo.group1 = group(in);
  }
  if (choice(in, "Tempo: course", {"Ramp", "Range"}) == "Range")
    tempo.course = Tempo::Course::range;
  tempo.t1 = scalar(in, "Tempo: first time");
  tempo.t2 = scalar(in, "Tempo: last time");
  if (tempo.t2 < tempo.t1) throw in.error("Tempo: the last time is before the first");
  // A restitution may be negative, which gives critical damping; a density must leave a mass.
  const auto value = [&] {
    if (tempo.what == Tempo::What::density) return positiveScalar(in, "Tempo Body density: value");
    if (tempo.parameter.starts_with("en2")) return scalar(in, "Tempo Inter: value");
    return notNegativeScalar(in, "Tempo: value");
  };
  tempo.v1 = value();
  tempo.v2 = value();
  c.tempos.push_back(std::move(tempo));
}
void writeTempo(Out& out, const Conf& c) {
  for (const Tempo& tempo : c.tempos) {
    out.put("Tempo");
    if (tempo.what == Tempo::What::damping)
      out.put("NDCoeff");
    else if (tempo.what == Tempo::What::pair)
      out.put("Inter").put(tempo.parameter).put(tempo.group1).put(tempo.group2);
    else
      out.put("Body").put("density").put(tempo.group1);
    out.put(tempo.course == Tempo::Course::ramp ? "Ramp" : "Range");
    out.line(tempo.t1, tempo.t2, tempo.v1, tempo.v2);
  }
}

}  // namespace

std::vector<ConfKeyword> cellKeywords() {
  return {
      {"usePeriodicCell",
       {},
       "0|1",
       "",
       "0",
       "1: space is periodic, in the cell h",
       [](In& in, Conf& c, D&) { c.cell.used = in.integer("usePeriodicCell", 0, 1) != 0; },
       [](Out& out, const Conf& c) {
         if (written(c, &PeriodicCell::used)) out.line("usePeriodicCell", c.cell.used ? 1 : 0);
       }},
      {"h",
       {},
       "9 numbers",
       "L",
       "0",
       "periodic cell: its three vectors as columns, given row by row",
       [](In& in, Conf& c, D&) { c.cell.h = in.mat3("h"); },
       [](Out& out, const Conf& c) {
         if (written(c, &PeriodicCell::h)) out.line("h", c.cell.h);
       }},
      {"vh",
       {},
       "9 numbers",
       "L/T",
       "0",
       "periodic cell: velocity of h",
       [](In& in, Conf& c, D&) { c.cell.vh = in.mat3("vh"); },
       [](Out& out, const Conf& c) {
         if (written(c, &PeriodicCell::vh)) out.line("vh", c.cell.vh);
       }},
      {"ah",
       {},
       "9 numbers",
       "L/T²",
       "0",
       "periodic cell: acceleration of h",
       [](In& in, Conf& c, D&) { c.cell.ah = in.mat3("ah"); },
       [](Out& out, const Conf& c) {
         if (written(c, &PeriodicCell::ah)) out.line("ah", c.cell.ah);
       }},
      {"mh",
       {},
       "value",
       "",
       "-1",
       "periodic cell: its mass over that of all bodies; 0 or less: mass 1",
       [](In& in, Conf& c, D&) { c.cell.mh = scalar(in, "mh"); },
       [](Out& out, const Conf& c) {
         if (written(c, &PeriodicCell::mh)) out.line("mh", c.cell.mh);
       }},
      {"dh",
       {},
       "value",
       "M/T",
       "0",
       "periodic cell: viscous damping of its motion",
       [](In& in, Conf& c, D&) { c.cell.dh = notNegativeScalar(in, "dh"); },
       [](Out& out, const Conf& c) {
         if (written(c, &PeriodicCell::dh)) out.line("dh", c.cell.dh);
       }},
      {"cellMomentumCorrection",
       {},
       "period",
       "T",
       "0",
       "periodic cell: period at which mean momentum is removed; 0: never",
       [](In& in, Conf& c, D&) {
         c.cell.momentumCorrection = notNegativeScalar(in, "cellMomentumCorrection");
       },
       [](Out& out, const Conf& c) {
         if (written(c, &PeriodicCell::momentumCorrection))
           out.line("cellMomentumCorrection", c.cell.momentumCorrection);
       }},
      {"cellVelocityCorrection",
       {},
       "period",
       "T",
       "0",
       "periodic cell: period at which mean velocity is removed; 0: never",
       [](In& in, Conf& c, D&) {
         c.cell.velocityCorrection = notNegativeScalar(in, "cellVelocityCorrection");
       },
       [](Out& out, const Conf& c) {
         if (written(c, &PeriodicCell::velocityCorrection))
           out.line("cellVelocityCorrection", c.cell.velocityCorrection);
       }},
      {"useKineticStress",
       {},
       "0|1",
       "",
       "1",
       "periodic cell: 1 includes velocity fluctuations in the stress",
       [](In& in, Conf& c, D&) {
         c.cell.kineticStress = in.integer("useKineticStress", 0, 1) != 0;
       },
       [](Out& out, const Conf& c) {
         if (written(c, &PeriodicCell::kineticStress))
           out.line("useKineticStress", c.cell.kineticStress ? 1 : 0);
       }},
      {"useSoftParticles",
       {},
       "Young Poisson",
       "",
       "",
       "refused: bodies are rigid, and no version of Rockable computes it",
       keepLine<true>,
       nullptr},
      {"Tempo",
       {},
       "what course t1 t2 v1 v2",
       "",
       "",
       "a parameter that varies in time: NDCoeff, Inter parameter group1 group2, or Body density "
       "group; course Ramp (v1 until t1, linear, v2 from t2) or Range (v1 within [t1, t2], else "
       "v2)",
       readTempo,
       writeTempo},
  };
}

}  // namespace scree::sim
