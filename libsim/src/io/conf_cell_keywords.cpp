// SPDX-License-Identifier: GPL-3.0-or-later
// Keywords of the periodic cell, soft particles and parameters that vary in time.
#include "conf_values.hpp"

namespace scree::sim {
namespace {

using In = TextReader;
using Out = TextWriter;
using D = Diagnostics;

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
       "what command t1 t2 v1 v2",
       "",
       "",
       "a parameter that varies in time",
       keepLine<true>,
       nullptr},
  };
}

}  // namespace scree::sim
