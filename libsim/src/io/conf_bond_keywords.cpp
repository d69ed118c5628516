// SPDX-License-Identifier: GPL-3.0-or-later
// Keywords of contact weights and bonds, and the commands that glue.
#include "conf_values.hpp"

#include "scree/base/math.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace scree::sim {
namespace {

using In = TextReader;
using Out = TextWriter;
using D = Diagnostics;

}  // namespace

std::vector<ConfKeyword> bondKeywords() {
  return {
      {"ParamsInInterfaces",
       {},
       "0|1",
       "",
       "0",
       "1: lines of Interfaces contain the parameters of their bonds",
       [](In& in, Conf& c, D&) {
         c.paramsInInterfaces = static_cast<int>(in.integer("ParamsInInterfaces", 0, 1));
       },
       [](Out& o, const Conf& c) { o.line("ParamsInInterfaces", c.paramsInInterfaces); }},
      {"en2ContactFromViscRate",
       {},
       "group1 group2 rate",
       "",
       "",
       "sets en2Contact to that of a damping rate in [0, 1): exp(-2 pi rate / sqrt(1 - rate²))",
       [](In& in, Conf& c, D&) {
         const std::uint32_t g1 = group(in), g2 = group(in);
         const double rate = notNegativeScalar(in, "en2ContactFromViscRate");
         if (rate >= 1.0) throw in.error("en2ContactFromViscRate: expected a rate in [0, 1)");
         const double en2 = portableExp(-2.0 * pi * rate / std::sqrt(1.0 - rate * rate));
         c.setLawParameter("en2Contact", g1, g2, en2);
         c.en2FromRate.push_back({g1, g2, en2});
       },
       nullptr},
      {"ContactPartnership",
       {},
       "word",
       "",
       "None",
       "how contacts of a pair share its stiffness: None, NumberWeight, OverlapWeight; "
       "SurfaceWeight is None",
       [](In& in, Conf& c, D&) {
         c.contactPartnership = choice(in, "ContactPartnership",
                                       {"None", "NumberWeight", "OverlapWeight", "SurfaceWeight"});
       },
       [](Out& o, const Conf& c) { o.line("ContactPartnership", c.contactPartnership); }},
      {"glue_with_walls",
       {},
       "yes|no",
       "",
       "no",
       "whether stickVerticesInClustersMoments, stickBCM and stickClusters glue driven bodies too",
       [](In& in, Conf& c, D&) {
         const std::string word = choice(in, "glue_with_walls",
                                         {"yes", "YES", "y", "Y", "1", "no", "NO", "n", "N", "0"});
         c.glueWithWalls = std::string_view("yY1").find(word[0]) != std::string_view::npos;
       },
       [](Out& o, const Conf& c) {
         if (c.glueWithWalls) o.line("glue_with_walls", "yes");
       }},
  };
}

}  // namespace scree::sim
