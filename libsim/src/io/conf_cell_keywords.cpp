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
  if (tempo.t2 < tempo.t1) throw in.error("Tempo: the last time lies before the first");
  // A restitution may be negative, which asks for critical damping; a density must leave a mass.
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
      {"usePeriodicCell", {}, "0|1", "", "0", "1: periodic cell", keepLine<true>, nullptr},
      {"h",
       {},
       "9 numbers",
       "L",
       "0",
       "periodic cell: vectors as columns",
       keepLine<true>,
       nullptr},
      {"vh", {}, "9 numbers", "L/T", "0", "periodic cell: velocity", keepLine<true>, nullptr},
      {"ah", {}, "9 numbers", "L/T²", "0", "periodic cell: acceleration", keepLine<true>, nullptr},
      {"mh", {}, "value", "", "-1", "periodic cell: mass factor", keepLine<true>, nullptr},
      {"dh", {}, "value", "", "0", "periodic cell: damping", keepLine<true>, nullptr},
      {"cellMomentumCorrection",
       {},
       "dt",
       "T",
       "0",
       "periodic cell: period of drift removal",
       keepLine<true>,
       nullptr},
      {"cellVelocityCorrection",
       {},
       "dt",
       "T",
       "0",
       "periodic cell: period of drift removal",
       keepLine<true>,
       nullptr},
      {"useKineticStress",
       {},
       "0|1",
       "",
       "1",
       "periodic cell: kinetic part of the stress",
       keepLine<true>,
       nullptr},
      {"useSoftParticles", {}, "Young Poisson", "", "", "soft particles", keepLine<true>, nullptr},
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
