// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/mesh/import.hpp"

#include "base/elementary.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>

namespace scree::mesh {
namespace {

using shape::Shape;
using shape::SurfaceMesh;

SurfaceMesh multiplied(SurfaceMesh mesh, double factor) {
  for (Vec3& v : mesh.vertices) v *= factor;
  return mesh;
}

/// [L] sides of the box along the axes.
Vec3 sidesOf(const SurfaceMesh& mesh) {
  if (mesh.vertices.empty()) return Vec3::Zero();
  return 2.0 * shape::detail::boxAround(mesh.vertices).halfSize();
}

double diagonal(const SurfaceMesh& mesh) { return sidesOf(mesh).norm(); }

/// Certified volumes are met to this, relative.
constexpr double searched = 1e-6;

/// A factor, and the relative error of what was wanted of it.
struct Found {
  double factor = 1.0, miss = 1e300;
};

/// The factor at which a size that grows with it is as wanted. The secant on logarithms, which are
/// nearly on a line, from a good first guess; a bracket guards it.
/// @param measured  0 where nothing is left of the body
/// @param tolerance  relative, of the factor that is good enough
Found solved(const std::function<double(double)>& measured, double wanted, double factor,
             const double& tolerance) {
  Found best{factor};
  double low = 0.0, high = 0.0, power = 3.0, before = 0.0, offBefore = 0.0;
  for (int k = 0; k < 60; ++k) {
    const double value = measured(factor);
    const double off = value > 0.0 ? elementary::log(value / wanted) : -1e300;
    if (std::abs(off) < best.miss) best = {factor, std::abs(off)};
    if (best.miss <= tolerance) break;
    (off < 0.0 ? low : high) = factor;
    if (value > 0.0 && before > 0.0)
      power = std::clamp((off - offBefore) / elementary::log(factor / before), 0.1, 10.0);
    before = value > 0.0 ? factor : 0.0;
    offBefore = off;
    double next =
        value > 0.0 ? factor * elementary::exp(std::clamp(-off / power, -1.0, 1.0)) : 2.0 * factor;
    if (!(next > low) || (high > 0.0 && !(next < high)))
      next = high > 0.0 ? 0.5 * (low + high) : 2.0 * factor;
    if (next == factor || next == low || next == high || !(next < 1e60)) break;
    factor = next;
  }
  return best;
}

/// The skeleton of the imported body at this scale; empty where the mesh is too small to inset.
SurfaceMesh skeletonAt(const SurfaceMesh& mesh, double factor, const ImportOptions& o) {
  SurfaceMesh scaled = multiplied(mesh, factor);
  try {
    if (o.inset) scaled = shape::insetBy(scaled, o.radius).skeleton;
    return o.coplanar ? shape::mergedCoplanar(scaled, *o.coplanar).mesh : scaled;
  } catch (const GeometryError&) {
    return {};
  }
}

/// The factor at which the body has a volume.
Found factorForVolume(const SurfaceMesh& mesh, double wanted, const ImportOptions& o) {
  const double r = o.inset ? 0.0 : o.radius, ball = 4.0 / 3.0 * pi * r * r * r;
  if (!(wanted > ball))
    throw UsageError(fmt::format("volume {:g}: the rounding of radius {:g} alone has {:g}", wanted,
                                 o.radius, ball));
  const double core = roundedVolume(mesh, 0.0);
  double factor = core > 0.0 ? elementary::cbrt(wanted / core) : 1.0;
  if (!std::isfinite(factor)) factor = 1.0;
  if (r > 0.0)
    factor = solved([&](double f) { return roundedVolume(multiplied(mesh, f), r); }, wanted, factor,
                    1e-9)
                 .factor;
  double tolerance = 1e-15;
  const auto volumeAt = [&](double f) {
    const SurfaceMesh skeleton = skeletonAt(mesh, f, o);
    if (skeleton.vertices.empty()) return 0.0;
    const mass::MassReport report =
        mass::massReport(shape::shapeFromMesh(skeleton, o.radius), {.tolerance = searched});
    if (!report.exact()) tolerance = searched;
    return report.solid.volume;
  };
  return solved(volumeAt, wanted, factor, tolerance);
}

/// The factor at which the body has a largest outer side. The rounding does not reach sharp
/// corners, so a body that is moved in has less than the side of the mesh.
Found factorForSize(const SurfaceMesh& mesh, const ImportOptions& o) {
  const double side = sidesOf(mesh).maxCoeff(), wanted = *o.size - 2.0 * o.radius;
  if (!(wanted > 0.0))
    throw UsageError("--size includes the rounding: it must be more than twice the radius");
  if (!(side > 0.0)) return {1.0, 0.0};
  if (!o.inset) return {wanted / side, 0.0};
  const auto sideAt = [&](double f) {
    const SurfaceMesh skeleton = skeletonAt(mesh, f, o);
    return skeleton.vertices.empty() ? 0.0 : sidesOf(skeleton).maxCoeff() + 2.0 * o.radius;
  };
  const Found found = solved(sideAt, *o.size, *o.size / side, 1e-15);
  // No scale at which it can be moved in: the import says why.
  return found.miss < 1e299 ? found : Found{*o.size / side, 0.0};
}

/// The mesh at the size that the options ask for. Sizes, volumes and masses are those of the body
/// that becomes of it: rounded by the radius, or moved in by it first.
/// @param warning  set where the size could be met only roughly
/// @throws UsageError where the rounding alone is larger
SurfaceMesh scaledMesh(const SurfaceMesh& mesh, const ImportOptions& o, std::string& warning) {
  Found found{o.scale.value_or(1.0), 0.0};
  if (o.size) found = factorForSize(mesh, o);
  if (o.volume) found = factorForVolume(mesh, *o.volume, o);
  if (o.mass) found = factorForVolume(mesh, *o.mass / *o.density, o);
  if (found.miss > 1e-5)
    warning = fmt::format("the size could only be met to {:.2g} %: the inset changes in steps",
                          100.0 * found.miss);
  return found.factor == 1.0 ? mesh : multiplied(mesh, found.factor);
}

std::string nameOf(const std::string& path) {
  std::string name = path == "-" ? "mesh" : std::filesystem::path(path).stem().string();
  if (name.empty()) name = "mesh";
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') c = '_';
  if (!shape::nameProblem(name).empty()) name[0] = '_';
  return name;
}

std::optional<double> volumeOf(const SurfaceMesh& mesh) {
  const shape::MeshCheck check = shape::checkEdges(mesh.faces);
  if (!check.closed() || !check.manifold()) return {};
  return std::abs(shape::signedVolume(mesh.vertices, mesh.faces));
}

/// One mesh on its way to one shape, or to several parts.
class Importer {
 public:
  Importer(const std::string& path, const ImportOptions& options) : path_(path), o_(options) {}

  std::vector<Shape> run() {
    shape::MeshReading reading{.force = o_.force, .deviations = {}};
    mesh_ = shape::readMeshFromFile(path_, &reading);
    if (const std::string warning = reading.warning(); !warning.empty())
      warnings.push_back(warning);
    return run(std::move(mesh_));
  }

  std::vector<Shape> run(SurfaceMesh mesh) {
    mesh_ = std::move(mesh);
    for (const Vec3& v : mesh_.vertices)
      if (!(v.cwiseAbs().maxCoeff() <= 1e50))
        throw GeometryError("a coordinate is beyond 1e50: moments would leave the range of double");
    if (const double size = diagonal(mesh_); size > 0.0 && size < 1e-50)
      throw GeometryError("its size is below 1e-50: moments would leave the range of double");
    report.file = inputName(path_);
    report.found = shape::checkMesh(mesh_);
    report.sides = sidesOf(mesh_);
    mend();
    reduce();
    settleSolid();
    const SurfaceMesh mended = mesh_;
    mesh_ = scaledMesh(mended, o_, scaleWarning_);
    if (!scaleWarning_.empty()) warnings.push_back(scaleWarning_);
    if (o_.scale || o_.size || o_.volume || o_.mass) {
      const double factor = diagonal(mesh_) / diagonal(mended);
      step("scale", {{"factor", factor}});
    }
    if (o_.inset) inset();
    if (o_.coplanar) mergeCoplanar();
    return shapes();
  }

  ImportReport report;
  std::vector<std::string> warnings;

 private:
  /// Welding, holes, the wrap: what makes a sound surface of a broken one.
  void mend() {
    if (report.found.duplicateFaces.count > 0 && (o_.surface || o_.fillHoles)) {
      mesh_ = shape::withoutDuplicateFaces(mesh_);
      step("duplicates");
    }
    if (o_.weld) {
      const double size = diagonal(mesh_);
      if (*o_.weld > 0.1 * size)
        throw GeometryError(
            fmt::format("--weld {:g} is more than a tenth of the mesh's diagonal {:g}: almost no "
                        "face would remain",
                        *o_.weld, size));
      mesh_ =
          shape::withoutLooseVertices(shape::withoutDuplicateFaces(shape::welded(mesh_, *o_.weld)));
      if (mesh_.faces.empty()) throw GeometryError("no face is left; is --weld too large?");
      step("weld");
    }
    if (o_.fillHoles) {
      std::size_t turned = 0;
      shape::HoleFilling filling = shape::filledHoles(shape::woundAlike(mesh_, turned));
      mesh_ = std::move(filling.mesh);
      step("fill-holes", {{"holes", static_cast<double>(filling.holes)},
                          {"holesLeft", static_cast<double>(filling.holesLeft)},
                          {"area", filling.area}});
    }
    if (o_.wrap) {
      const SurfaceMesh before = mesh_;
      const double alpha = 0.02 * diagonal(mesh_), offset = alpha / 30.0;
      mesh_ = shape::wrapped(mesh_, alpha, offset);
      compared("wrap", before, {{"alpha", alpha}, {"offset", offset}});
    }
  }

  void reduce() {
    if (o_.simplify && mesh_.vertices.size() > static_cast<std::size_t>(*o_.simplify)) {
      const SurfaceMesh before = mesh_;
      mesh_ = shape::simplified(mesh_, static_cast<std::size_t>(*o_.simplify));
      compared("simplify", before);
    }
    if (o_.hull) {
      const SurfaceMesh before = mesh_;
      // Coordinates of scans are single precision: flat to that is flat.
      const shape::ConvexHull hull = shape::convexHull(mesh_.vertices, 1e-7);
      if (hull.rank < 3) throw GeometryError("the mesh is flat, so its hull is not a solid");
      mesh_ = {hull.points, hull.faces};
      compared("hull", before);
    }
  }

  void settleSolid() {
    if (o_.surface) {
      if (shape::checkEdges(mesh_.faces).oriented()) return;
      try {
        std::size_t turned = 0;
        mesh_ = shape::woundAlike(mesh_, turned);
        step("wind", {{"turned", static_cast<double>(turned)}});
      } catch (const GeometryError& error) {
        warnings.push_back(error.what());
      }
      return;
    }
    const shape::Core core = shape::coreOf(shape::shapeFromMesh(mesh_, o_.radius));
    if (!core.closed)
      throw GeometryError(
          fmt::format("{}; {}import it with --surface as a surface that bounds no volume",
                      shape::whyNoSolid(core),
                      core.openEdges > 0 ? "close it with --fill-holes or --wrap, or "
                      : core.crowded     ? "--wrap it, or "
                                         : ""));
    convex_ = core.convex;
    if (core.hull.rank < 3) return;
    if (core.turned) warnings.push_back("faces are inside out or inconsistently wound; reversed");
    const std::size_t before = mesh_.faces.size();
    mesh_ = shape::withoutLooseVertices({core.vertices, core.faces});
    arranged_ = core.arranged;
    if (core.arranged || before != mesh_.faces.size()) step("solid");
  }

  void inset() {
    shape::Inset inset = shape::insetBy(mesh_, o_.radius);
    mesh_ = std::move(inset.skeleton);
    step("inset", {{"exact", inset.exact ? 1.0 : 0.0},
                   {"removed", static_cast<double>(inset.removed)},
                   {"gapAtMost", inset.gap.atMost},
                   {"excess", inset.excess}});
    if (inset.gap.atLeast > 3.0 * o_.radius)
      warnings.push_back(
          fmt::format("inset: parts of the mesh are outside of the rounded body by up to {:.3g} in "
                      "the unit of the file, more than three times the radius: they are too thin "
                      "for this radius",
                      inset.gap.atMost));
  }

  void mergeCoplanar() {
    const SurfaceMesh before = mesh_;
    shape::CoplanarMerge merge = shape::mergedCoplanar(mesh_, *o_.coplanar);
    mesh_ = std::move(merge.mesh);
    if (merge.flatness > 0.1 * o_.radius && o_.radius > 0.0)
      warnings.push_back(fmt::format(
          "coplanar: corners are off the planes of their faces by up to {:.3g} in the unit of the "
          "file, more than a tenth of the radius: use a smaller angle",
          merge.flatness));
    compared("coplanar", before, {{"flatness", merge.flatness}});
  }

  std::vector<Shape> shapes() {
    report.left = shape::checkMesh(mesh_);
    report.sidesLeft = sidesOf(mesh_) + Vec3::Constant(2.0 * o_.radius);
    // Points where faces cross are rounded, so that cut faces may cross by a hair.
    if (report.left.selfIntersections.count > 0 && !(arranged_ && !o_.inset && !o_.coplanar))
      warnings.push_back(fmt::format(
          "the skeleton intersects itself ({} pairs of triangles{}); --wrap repairs that",
          report.left.selfIntersections.count,
          report.found.selfIntersections.count == 0 ? ", as a result of the steps above" : ""));
    const std::string name = o_.name.value_or(nameOf(path_));
    std::vector<Shape> out;
    if (o_.split) {
      const std::vector<SurfaceMesh> solids = shape::connectedSolids(mesh_);
      for (const SurfaceMesh& solid : solids) {
        out.push_back(shape::shapeFromMesh(solid, o_.radius));
        out.back().name = solids.size() == 1 ? name : fmt::format("{}_{}", name, out.size());
      }
      step("split", {{"solids", static_cast<double>(solids.size())}});
    } else if (!o_.decompose) {
      out.push_back(shape::shapeFromMesh(mesh_, o_.radius));
      out.back().name = name;
      out.back().isSurface = o_.surface;
    } else {
      const shape::Decomposition parts =
          shape::convexParts(mesh_, static_cast<std::size_t>(*o_.decompose), o_.threads);
      for (const shape::ConvexHull& hull : parts.parts) {
        out.push_back(shape::shapeFromMesh({hull.points, hull.faces}, o_.radius));
        out.back().name = fmt::format("{}_{}", name, out.size());
      }
      step("decompose",
           {{"parts", static_cast<double>(parts.parts.size())}, {"excess", parts.excess()}});
    }
    for (const Shape& s : out) report.shapes.push_back(s.name);
    if (out.size() == 1 && !o_.surface && !o_.inset && o_.radius > 0.0) rounding();
    return out;
  }

  /// Says what the rounding adds to the mesh.
  void rounding() {
    const std::optional<double> was = volumeOf(mesh_);
    // Steiner's formula holds for one convex body.
    if (!was || !(*was > 0.0) || !convex_) return;
    const double is = roundedVolume(mesh_, o_.radius);
    step("rounding", {{"bodyVolume", is}, {"volumeChange", is / *was - 1.0}});
  }

  void step(const char* name, std::vector<std::pair<std::string, double>> figures = {}) {
    report.steps.push_back(
        {name, mesh_.vertices.size(), mesh_.faces.size(), volumeOf(mesh_), {}, std::move(figures)});
  }

  /// A step that changed the surface: what that cost.
  void compared(const char* name, const SurfaceMesh& before,
                std::vector<std::pair<std::string, double>> figures = {}) {
    const std::optional<double> was = volumeOf(before), is = volumeOf(mesh_);
    if (was && is && *was > 0.0) figures.emplace_back("volumeChange", *is / *was - 1.0);
    step(name, std::move(figures));
    report.steps.back().distance = shape::hausdorff(before, mesh_, 2e-4 * diagonal(before));
  }

  const std::string& path_;
  const ImportOptions& o_;
  SurfaceMesh mesh_;
  std::string scaleWarning_;
  bool arranged_ = false;  ///< faces were cut where they crossed
  bool convex_ = false;    ///< the solid is
};

}  // namespace

double roundedVolume(const SurfaceMesh& mesh, double r) {
  std::vector<Vec3> area;
  double sum = std::abs(shape::signedVolume(mesh.vertices, mesh.faces));
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    area.push_back(shape::detail::areaVector(mesh.vertices, mesh.faces[f]));
    sum += r * area.back().norm();
  }
  shape::detail::forEachEdge(
      shape::detail::sortedHalfEdges(mesh.faces), [&](std::span<const shape::detail::HalfEdge> e) {
        if (e.size() != 2 || e[0].forward == e[1].forward) return;
        const Vec3 along = mesh.vertices[e[0].high] - mesh.vertices[e[0].low];
        const Vec3 &left = area[e[e[0].forward ? 0 : 1].face],
                   &right = area[e[e[0].forward ? 1 : 0].face];
        sum += 0.5 * r * r *
               elementary::atan2(left.cross(right).dot(along), right.dot(left) * along.norm()) *
               along.norm();
      });
  return sum + 4.0 / 3.0 * pi * r * r * r;
}

std::vector<Shape> imported(const ImportOptions& options, Diagnostics& diagnostics,
                            std::vector<ImportReport>& reports) {
  struct Outcome {
    std::vector<Shape> shapes;
    ImportReport report;
    std::vector<std::string> warnings;
  };
  std::vector<Outcome> outcomes(options.meshes.size());
  parallelJobs(options.threads, outcomes.size(), [&](std::size_t k) {
    const std::string& path = options.meshes[k];
    Importer importer(path, options);
    try {
      outcomes[k].shapes = importer.run();
    } catch (const GeometryError& error) {
      throw GeometryError(fmt::format("{}: {}", path, error.what()));
    }
    outcomes[k].report = std::move(importer.report);
    outcomes[k].warnings = std::move(importer.warnings);
  });
  std::vector<Shape> shapes;
  std::set<std::string> names;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    for (const std::string& warning : outcomes[k].warnings)
      diagnostics.warn(fmt::format("{}: {}", options.meshes[k], warning));
    for (Shape& s : outcomes[k].shapes) {
      if (!names.insert(s.name).second)
        throw UsageError(fmt::format(
            "two meshes have the name '{}': import them one by one with --name", s.name));
      shapes.push_back(std::move(s));
    }
    reports.push_back(std::move(outcomes[k].report));
  }
  return shapes;
}

std::vector<Shape> imported(const SurfaceMesh& mesh, const ImportOptions& options,
                            ImportReport& report, std::vector<std::string>& warnings) {
  const std::string none;
  Importer importer(none, options);
  std::vector<Shape> shapes = importer.run(mesh);
  report = std::move(importer.report);
  warnings.insert(warnings.end(), importer.warnings.begin(), importer.warnings.end());
  return shapes;
}

}  // namespace scree::mesh
