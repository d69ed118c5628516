// SPDX-License-Identifier: GPL-3.0-or-later
#include "import_scale.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh_change.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::tools {
namespace {

using shape::SurfaceMesh;

SurfaceMesh multiplied(SurfaceMesh mesh, double factor) {
  for (Vec3& v : mesh.vertices) v *= factor;
  return mesh;
}

/// Certified volumes are met to this, relative.
constexpr double searched = 1e-6;

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
  const mass::MassReport report =
      mass::massReport(shape::shapeFromMesh(scaled, o.radius), {.tolerance = searched});
  return {report.solid.volume, report.exact()};
}

/// What was found, and how far its volume is off, relative.
struct Found {
  double factor = 1.0, miss = 1e300;
  void offer(double candidate, double off) {
    if (off < miss) miss = off, factor = candidate;
  }
};

/// For volumes that cost nothing: to the last digit. The cube root of the volume is nearly linear
/// in the factor, so the secant is there in a few steps; a bracket guards it.
Found exactFactor(const SurfaceMesh& mesh, double wanted, double smallest, double factor,
                  const ImportOptions& o) {
  const double target = std::cbrt(wanted);
  double low = 0.0, atLow = std::cbrt(smallest) - target, high = 0.0, atHigh = 0.0;
  Found best;
  for (int k = 0; k < 100; ++k) {
    const Volume volume = volumeAt(mesh, factor, o);
    best.offer(factor, std::abs(volume.value / wanted - 1.0));
    if (best.miss <= 1e-15) break;
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
  }
  return best;
}

/// For certified volumes, which cost seconds and have an error of their own. The secant on
/// logarithms, which are nearly on a line, from a good first guess. A coarser tolerance on the way
/// would save little: most cells of a mesh are exact at any.
Found certifiedFactor(const SurfaceMesh& mesh, double wanted, double factor, double power,
                      double volume, const ImportOptions& o) {
  Found best;
  double before = 0.0, offBefore = 0.0;
  for (int k = 0; k < 12; ++k) {
    if (k > 0) volume = volumeAt(mesh, factor, o).value;
    if (!(volume > 0.0)) {  // nothing left of it by the inset
      factor *= 2.0;
      before = 0.0;
      continue;
    }
    const double off = std::log(volume / wanted);
    best.offer(factor, std::abs(off));
    if (best.miss <= searched) break;
    if (before > 0.0 && std::abs(off - offBefore) > 10.0 * searched)
      power = std::clamp((off - offBefore) / std::log(factor / before), 0.1, 10.0);
    before = factor;
    offBefore = off;
    factor *= std::exp(std::clamp(-off / power, -1.0, 1.0));
    if (factor == before) break;
  }
  return best;
}

/// The factor at which the body has a volume.
double factorFor(const SurfaceMesh& mesh, double wanted, const ImportOptions& o,
                 std::string& warning) {
  const double ball = o.inset ? 0.0 : 4.0 / 3.0 * pi * o.radius * o.radius * o.radius;
  if (!(wanted > ball))
    throw UsageError(fmt::format("volume {:g}: the rounding of radius {:g} alone has {:g}", wanted,
                                 o.radius, ball));
  // First guess: mesh, layer of the radius on its faces, ball; the volume grows like a power of the
  // factor there.
  const shape::Polygons& faces = mesh.faces;
  shape::Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  double core = 0.0, layer = 0.0;
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t k = 1; k + 1 < faces[f].size(); ++k) {
      const Vec3 a = mesh.vertices[faces[f][0]] - box.centre(),
                 b = mesh.vertices[faces[f][k]] - box.centre(),
                 c = mesh.vertices[faces[f][k + 1]] - box.centre();
      core += a.dot(b.cross(c)) / 6.0;
      layer += 0.5 * (b - a).cross(c - a).norm() * (o.inset ? 0.0 : o.radius);
    }
  core = std::abs(core);
  double factor = std::cbrt(wanted / core), power = 3.0;
  if (!(core > 0.0) || !std::isfinite(factor)) factor = 1.0;
  for (int k = 0; k < 50 && core > 0.0; ++k) {
    const double v = core * factor * factor * factor + layer * factor * factor + ball;
    power = (3.0 * core * factor + 2.0 * layer) * factor * factor / v;
    factor *= std::exp(std::clamp(-std::log(v / wanted) / power, -1.0, 1.0));
  }
  const Volume first = volumeAt(mesh, factor, o);
  const Found found = first.exact ? exactFactor(mesh, wanted, ball, factor, o)
                                  : certifiedFactor(mesh, wanted, factor, power, first.value, o);
  if (found.miss > 1e-5)
    warning = fmt::format("volume {:g} could only be met to {:.2g} %: the inset changes in steps",
                          wanted, 100.0 * found.miss);
  return found.factor;
}

double largestSide(const SurfaceMesh& mesh) {
  shape::Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  return 2.0 * box.halfSize().maxCoeff();
}

/// Outer side of the body that becomes of the mesh at this scale, which is moved in first. The
/// rounding does not reach sharp corners, so this is less than the side of the mesh. 0 where the
/// mesh is too small to be moved in.
double insetSideAt(const SurfaceMesh& mesh, double factor, const ImportOptions& o) {
  try {
    return largestSide(shape::insetBy(multiplied(mesh, factor), o.radius).skeleton) +
           2.0 * o.radius;
  } catch (const GeometryError&) {
    return 0.0;
  }
}

/// The side is linear in the factor as long as no corner vanishes. So the secant takes a few steps;
/// a bracket guards it.
Found insetFactor(const SurfaceMesh& mesh, double side, const ImportOptions& o) {
  const double wanted = *o.size;
  double low = 0.0, high = 0.0, factor = wanted / side, slope = side;
  double before = 0.0, sideBefore = 0.0;
  Found best;
  for (int k = 0; k < 60; ++k) {
    const double now = insetSideAt(mesh, factor, o);
    best.offer(factor, std::abs(now / wanted - 1.0));
    if (best.miss <= 1e-14) break;
    (now < wanted ? low : high) = factor;
    if (now > 0.0 && before > 0.0 && factor != before)
      slope = (now - sideBefore) / (factor - before);
    before = now > 0.0 ? factor : 0.0;
    sideBefore = now;
    double next = now > 0.0 && slope > 0.0 ? factor + (wanted - now) / slope : 2.0 * factor;
    if (!(next > low) || (high > 0.0 && !(next < high)))
      next = high > 0.0 ? 0.5 * (low + high) : 2.0 * factor;
    if (next == low || next == high || !(next < 1e60)) break;
    factor = next;
  }
  return best;
}

double factorForSize(const SurfaceMesh& mesh, const ImportOptions& o, std::string& warning) {
  const double side = largestSide(mesh), wanted = *o.size - 2.0 * o.radius;
  if (!(wanted > 0.0))
    throw UsageError("--size includes the rounding: it must be more than twice the radius");
  if (!(side > 0.0)) return 1.0;
  if (!o.inset) return wanted / side;
  const Found found = insetFactor(mesh, side, o);
  if (found.miss > 1.0 - 1e-9)  // no scale at which it can be moved in: the import says why
    return *o.size / side;
  if (found.miss > 1e-5)
    warning = fmt::format("size {:g} could only be met to {:.2g} %: the inset changes in steps",
                          *o.size, 100.0 * found.miss);
  return found.factor;
}

}  // namespace

SurfaceMesh scaledMesh(const SurfaceMesh& mesh, const ImportOptions& o, std::string& warning) {
  double factor = 1.0;
  if (o.scale) factor = *o.scale;
  if (o.size) factor = factorForSize(mesh, o, warning);
  if (o.volume) factor = factorFor(mesh, *o.volume, o, warning);
  if (o.mass) factor = factorFor(mesh, *o.mass / *o.density, o, warning);
  return factor == 1.0 ? mesh : multiplied(mesh, factor);
}

}  // namespace scree::tools
