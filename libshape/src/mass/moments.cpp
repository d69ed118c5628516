// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/mass/moments.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/mesh.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::mass {

SolidProperties solidProperties(const Moments& moments) {
  if (std::isinf(moments.m0) || !moments.m1.allFinite() || !moments.m2.allFinite())
    throw GeometryError("its volume or moments exceed the range of double precision");
  if (!(moments.m0 > 0.0) || !std::isfinite(moments.m0))
    throw GeometryError(fmt::format("the body has no volume (found {:.6g})", moments.m0));
  constexpr double least = std::numeric_limits<double>::min();
  if (moments.m2.trace() < least)
    throw GeometryError(
        fmt::format("its second moments are below {:.2g}, where double precision loses digits; "
                    "scale it up",
                    least));
  SolidProperties solid;
  solid.volume = moments.m0;
  solid.centre = moments.m1 / moments.m0;
  Mat3 covariance = moments.m2 / moments.m0 - solid.centre * solid.centre.transpose();
  covariance = (0.5 * (covariance + covariance.transpose())).eval();
  const Vec3 spread =
      Eigen::SelfAdjointEigenSolver<Mat3>(covariance, Eigen::EigenvaluesOnly).eigenvalues();
  // A flat body has a smallest value of zero up to rounding; an open or inverted mesh is far off.
  if (!(spread[2] > 0.0) || spread[0] < -1e-12 * spread[2])
    throw GeometryError(
        fmt::format("the moments are not those of a solid: second moments about the centre are "
                    "{:.3g} {:.3g} {:.3g}; is the surface open or inside out?",
                    spread[0], spread[1], spread[2]));
  solid.inertiaPerMass = covariance.trace() * Mat3::Identity() - covariance;
  return solid;
}

PrincipalFrame principalFrame(const Mat3& tensor, double tolerance) {
  const Mat3 symmetric = 0.5 * (tensor + tensor.transpose());
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(symmetric);  // the iterative one: 4e-15
  Vec3 values = solver.eigenvalues();
  Mat3 axes = solver.eigenvectors();
  const double within = tolerance * values.cwiseAbs().maxCoeff();

  PrincipalFrame frame;
  frame.moments = symmetric.diagonal();
  const double off =
      std::max({std::abs(symmetric(0, 1)), std::abs(symmetric(0, 2)), std::abs(symmetric(1, 2))});
  if (off <= within || values[2] - values[0] <= within) return frame;

  const double low = values[1] - values[0], high = values[2] - values[1];
  if (std::min(low, high) <= within) {
    // One axis is known, the two across it are free: let the given axes decide, not rounding.
    const int single = low < high ? 2 : 0;
    const int first = single == 2 ? 0 : 1;
    const double mean = 0.5 * (values[first] + values[first + 1]);
    const Mat3 settled = shape::axesAlong(axes.col(single));
    values = Vec3(values[single], mean, mean);
    axes = settled;
  }
  const shape::SettledAxes settled = shape::closestToFrame(axes);
  for (int k = 0; k < 3; ++k)
    frame.moments[k] = values[settled.source[static_cast<std::size_t>(k)]];
  frame.orientation = shape::quaternionOf(settled.axes);
  return frame;
}

}  // namespace scree::mass
