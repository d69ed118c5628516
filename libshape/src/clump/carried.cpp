// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/shape_pack.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <algorithm>

namespace scree::clump {

void setDensity(Carried& carried, double density) {
  if (carried.given) carried.given->inertia *= density / carried.density.value_or(1.0);
  carried.density = density;
}

std::optional<PackGroup> parsedGroup(std::string_view text) {
  const auto colon = text.find(':');
  PackGroup group;
  group.name = std::string(text.substr(0, colon));
  if (colon != std::string_view::npos) group.slot = std::string(text.substr(colon + 1));
  const auto refused = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code <= ' ' || code == 127 || c == '#' || c == '=' || c == ':';
  };
  for (const std::string& part : {group.name, group.slot})
    if (part.empty() || std::any_of(part.begin(), part.end(), refused)) return std::nullopt;
  return group;
}

std::string inertiaProblem(const Mat3& tensor) {
  if (!tensor.allFinite()) return "has a number that is not finite";
  const Vec3 i = Eigen::SelfAdjointEigenSolver<Mat3>(tensor, Eigen::EigenvaluesOnly).eigenvalues();
  const std::string moments =
      fmt::format("(principal moments {:.6g} {:.6g} {:.6g})", i[0], i[1], i[2]);
  if (!(i[0] > 0.0)) return "is not positive definite " + moments;
  if (i[0] + i[1] < i[2] * (1.0 - 1e-9))
    return "is not that of a body: the largest principal moment exceeds the sum of the others " +
           moments;
  return {};
}

Mat3 symmetricTensor(const std::vector<double>& six) {
  Mat3 t;
  t << six[0], six[3], six[4], six[3], six[1], six[5], six[4], six[5], six[2];
  return t;
}

}  // namespace scree::clump
