// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/stress.hpp"

#include "measure/loads.hpp"

#include <cmath>

namespace scree::sim {

std::vector<Mat3> bodyVirials(const Instant& instant) {
  std::vector<Mat3> sums(instant.bodyCount(), Mat3::Zero());
  eachLoad(instant, [&](BodyId body, const Vec3& arm, const Vec3& force) {
    sums[body] -= force * arm.transpose();
  });
  return sums;
}

std::vector<Mat3> kineticVirials(const Instant& instant, std::span<const char> chosen) {
  double mass = 0.0;
  Vec3 momentum = Vec3::Zero();
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    mass += instant.masses()[k];
    momentum += instant.masses()[k] * instant.fluctuation(k);
  }
  const Vec3 mean = mass > 0.0 ? Vec3(momentum / mass) : Vec3::Zero();
  std::vector<Mat3> sums(chosen.size(), Mat3::Zero());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    const Vec3 w = instant.fluctuation(k) - mean;
    sums[k] = instant.masses()[k] * w * w.transpose();
  }
  return sums;
}

double meanStress(const Mat3& tensor) { return tensor.trace() / 3.0; }

double deviatoricStress(const Mat3& tensor) {
  const Mat3 s = 0.5 * (tensor + tensor.transpose()) - meanStress(tensor) * Mat3::Identity();
  return std::sqrt(1.5 * s.squaredNorm());
}

Invariants invariantsOf(const Mat3& tensor) {
  Invariants v;
  const Mat3 symmetric = 0.5 * (tensor + tensor.transpose());
  v.p = meanStress(tensor);
  const Mat3 s = symmetric - v.p * Mat3::Identity();
  v.q = deviatoricStress(tensor);
  v.lode = v.q > 0.0 ? 13.5 * s.determinant() / (v.q * v.q * v.q) : std::nan("");
  const double size = tensor.norm();
  v.skew = size == 0.0 ? 0.0 : (tensor - symmetric).norm() / size;
  if (!symmetric.allFinite()) {
    v.values = Vec3::Constant(std::nan(""));
    v.directions = Mat3::Constant(std::nan(""));
    return v;
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(symmetric);
  for (int k = 0; k < 3; ++k) {
    v.values[k] = solver.eigenvalues()[2 - k];
    Vec3 direction = solver.eigenvectors().col(2 - k);
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0.0) direction = -direction;
    v.directions.col(k) = direction;
  }
  return v;
}

}  // namespace scree::sim
