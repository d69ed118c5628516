// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

int main(int argc, char** argv) {
  using namespace scree;
  using namespace scree::tools;
  CLI::App app{"Make, move, measure and convert clumps of spheres and packs of shapes.",
               "clumpify"};
  CommonOptions common;
  addCommonOptions(app, common,
                   "  printf '0 Sphere 0 0 0 1\\n0 Sphere 0 0 1.2 0.8\\n' > pack.txt\n"
                   "  clumpify mass pack.txt --density 2600 --json\n"
                   "  clumpify convert pack.txt --to shapepack -o -");
  std::vector<Verb> verbs;
  for (auto* add : {addMassVerb, addConvertVerb, addTransformVerb, addLumpVerb, addCreateVerb,
                    addAddVerb, addCoverVerb, addQualityVerb})
    verbs.push_back(add(app, common));
  return runVerbs(app, argc, argv, common, verbs);
}
