// SPDX-License-Identifier: GPL-3.0-or-later
#include "import_scale.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/inset.hpp"
#include "scree/shape/make.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::tools {
namespace {

using shape::SurfaceMesh;

SurfaceMesh multiplied(SurfaceMesh mesh, double factor) {
  for (Vec3& v : mesh.vertices) v *= factor;
  return mesh;
}

struct Volume {
  double value = 0.0;
  bool exact = true;
};

/// Of the body that becomes of the mesh at this scale; 0 where it is too small to be moved in.
Volume volumeAt(const SurfaceMesh& mesh, double factor, const ImportOptions& o) {
  SurfaceMesh scaled = multiplied(mesh, factor);
  if (o.inset) {
    try {
      scaled = shape::insetBy(scaled, o.radius).skeleton;
    } catch (const GeometryError&) {
      return {};
    }
  }
  const mass::MassReport report = mass::massReport(shape::shapeFromMesh(scaled, o.radius));
  return {report.solid.volume, report.exact()};
}

/// The factor at which the body has a volume. The cube root of the volume is nearly linear in it,
/// so the secant is there in a few steps; a bracket guards it.
double factorFor(const SurfaceMesh& mesh, double wanted, const ImportOptions& o,
                 std::string& warning) {
  const double ball = o.inset ? 0.0 : 4.0 / 3.0 * pi * o.radius * o.radius * o.radius;
  if (!(wanted > ball))
    throw UsageError(fmt::format("volume {:g}: the rounding of radius {:g} alone takes {:g}",
                                 wanted, o.radius, ball));
  const double target = std::cbrt(wanted);
  double low = 0.0, atLow = std::cbrt(ball) - target, high = 0.0, atHigh = 0.0;
  double factor = 1.0, best = 1.0, least = 1e300;
  bool exact = true;
  for (int k = 0; k < 100; ++k) {
    const Volume volume = volumeAt(mesh, factor, o);
    exact = exact && volume.exact;
    const double miss = std::abs(volume.value / wanted - 1.0);
    if (miss < least) least = miss, best = factor;
    if (miss <= (exact ? 1e-15 : 1e-9)) break;
    const double off = std::cbrt(volume.value) - target;
    if (off < 0.0)
      low = factor, atLow = off;
    else
      high = factor, atHigh = off;
    if (high == 0.0) {
      factor =
          volume.value > 0.0 && atLow < 0.0 ? factor * 1.1 * target / (target + off) : 2.0 * factor;
      if (factor > 1e60) throw UsageError(fmt::format("volume {:g}: too large", wanted));
      continue;
    }
    // The secant twice, then the middle: fast, and the bracket closes from both sides.
    double next = low - atLow * (high - low) / (atHigh - atLow);
    if (k % 3 == 2 || !(next > low && next < high)) next = 0.5 * (low + high);
    if (!(next > low && next < high)) break;
    factor = next;
    if (!exact && k > 30) break;
  }
  if (least > 1e-6)
    warning = fmt::format("volume {:g} could be met to {:.2g} only: the inset changes in steps",
                          wanted, least);
  return best;
}

double factorForSize(const SurfaceMesh& mesh, const ImportOptions& o) {
  shape::Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  const double side = 2.0 * box.halfSize().maxCoeff();
  // Moved in by the radius and rounded by it, the body keeps the mesh's own size.
  const double wanted = o.inset ? *o.size : *o.size - 2.0 * o.radius;
  if (!(wanted > 0.0))
    throw UsageError("--size includes the rounding: it must be more than twice the radius");
  return side > 0.0 ? wanted / side : 1.0;
}

}  // namespace

SurfaceMesh scaledMesh(const SurfaceMesh& mesh, const ImportOptions& o, std::string& warning) {
  double factor = 1.0;
  if (o.scale) factor = *o.scale;
  if (o.size) factor = factorForSize(mesh, o);
  if (o.volume) factor = factorFor(mesh, *o.volume, o, warning);
  if (o.mass) factor = factorFor(mesh, *o.mass / *o.density, o, warning);
  return factor == 1.0 ? mesh : multiplied(mesh, factor);
}

}  // namespace scree::tools
