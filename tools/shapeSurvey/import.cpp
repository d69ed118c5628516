// SPDX-License-Identifier: GPL-3.0-or-later
#include "import.hpp"

#include "import_scale.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace scree::tools {
namespace {

using shape::Shape;
using shape::SurfaceMesh;

void checkNumbers(const ImportOptions& o) {
  // Second moments are fifth powers of sizes: far beyond these they leave the range of double.
  const auto sizeLike = [](const std::optional<double>& value, const char* name) {
    if (value && !(*value >= 1e-50 && *value <= 1e50))
      throw UsageError(fmt::format("{} {:g}: expected a number from 1e-50 to 1e50", name, *value));
  };
  sizeLike(o.scale, "--scale");
  sizeLike(o.size, "--size");
  sizeLike(o.volume, "--volume");
  sizeLike(o.mass, "--mass");
  sizeLike(o.density, "--density");
  if (o.radius != 0.0 && !(o.radius >= 1e-50 && o.radius <= 1e50))
    throw UsageError(
        fmt::format("--radius {:g}: expected 0 or a number from 1e-50 to 1e50", o.radius));
  const auto within = [](const std::optional<double>& value, const char* name, double least,
                         double most) {
    if (value && !(*value >= least && *value <= most))
      throw UsageError(
          fmt::format("{} {:g}: expected a number from {:g} to {:g}", name, *value, least, most));
  };
  within(o.weld, "--weld", 0.0, 1e50);
  within(o.coplanar, "--coplanar", 0.0, 45.0);
  within(o.wrapAlpha, "--wrap-alpha", 0.002, 1.0);
  within(o.wrapOffset, "--wrap-offset", 0.001, 1.0);
  if (o.simplify && *o.simplify < 4)
    throw UsageError(fmt::format("--simplify {}: expected 4 vertices or more", *o.simplify));
  if (o.decompose && (*o.decompose < 1 || *o.decompose > 1000))
    throw UsageError(fmt::format("--decompose {}: expected 1 to 1000 parts", *o.decompose));
}

void checkOptions(const ImportOptions& o) {
  checkNumbers(o);
  if (o.mass.has_value() != o.density.has_value())
    throw UsageError("--mass and --density belong together");
  if (o.scale.has_value() + o.size.has_value() + o.volume.has_value() + o.mass.has_value() > 1)
    throw UsageError("give one of --scale, --size, --volume, --mass with --density");
  if (o.surface && (o.volume || o.mass || o.hull || o.inset || o.wrap || o.decompose))
    throw UsageError(
        "--surface: a surface has no volume, no inside and no hull: --volume, --mass, --hull, "
        "--inset, --wrap and --decompose have no meaning");
  if (o.inset && !(o.radius > 0.0)) throw UsageError("--inset needs a --radius above 0");
  if (!o.wrap && (o.wrapAlpha || o.wrapOffset))
    throw UsageError("--wrap-alpha and --wrap-offset belong to --wrap");
  if (o.name && o.meshes.size() > 1)
    throw UsageError("--name: names one shape, but there are several meshes");
  if (o.name)
    if (const std::string problem = shape::nameProblem(*o.name); !problem.empty())
      throw UsageError("--name: " + problem);
  if (std::ranges::count(o.meshes, "-") > 1)
    throw UsageError("-: standard input can be read only once");
}

std::string nameOf(const std::string& path) {
  std::string name = path == "-" ? "mesh" : std::filesystem::path(path).stem().string();
  if (name.empty()) name = "mesh";
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') c = '_';
  if (!shape::nameProblem(name).empty()) name[0] = '_';
  return name;
}

double diagonal(const SurfaceMesh& mesh) {
  shape::Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  return mesh.vertices.empty() ? 0.0 : 2.0 * box.halfSize().norm();
}

/// [L] sides of the box along the axes.
Vec3 sidesOf(const SurfaceMesh& mesh) {
  shape::Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  return mesh.vertices.empty() ? Vec3(Vec3::Zero()) : Vec3(2.0 * box.halfSize());
}

std::optional<double> volumeOf(const SurfaceMesh& mesh) {
  if (!shape::meshTopology(mesh.vertices.size(), mesh.faces).closed()) return {};
  return std::abs(shape::signedVolume(mesh.vertices, mesh.faces));
}

std::string percent(double ratio) { return fmt::format("{:+.3g} %", 100.0 * ratio); }

/// One mesh on its way to one shape, or to several parts.
class Importer {
 public:
  Importer(const std::string& path, const ImportOptions& options, int threads)
      : path_(path), o_(options), threads_(threads) {}

  std::vector<Shape> run() {
    mesh_ = shape::withoutLooseVertices(shape::readMeshFromFile(path_));
    for (const Vec3& v : mesh_.vertices)
      if (!(v.cwiseAbs().maxCoeff() <= 1e50))
        throw GeometryError("a coordinate is beyond 1e50: moments would leave the range of double");
    if (const double size = diagonal(mesh_); size > 0.0 && size < 1e-50)
      throw GeometryError("its size is below 1e-50: moments would leave the range of double");
    report.file = inputName(path_);
    report.found = shape::checkMesh(mesh_, threads_);
    report.sides = sidesOf(mesh_);
    mend();
    reduce();
    settleWinding();
    const SurfaceMesh mended = mesh_;
    mesh_ = scaledMesh(mended, o_, scaleWarning_);
    if (!scaleWarning_.empty()) warnings.push_back(scaleWarning_);
    if (o_.scale || o_.size || o_.volume || o_.mass) {
      const double factor = diagonal(mesh_) / diagonal(mended);
      step("scale", {{"factor", factor}}, fmt::format("by {:.12g}", factor));
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
    if (report.found.duplicateFaces.count > 0) {
      const std::size_t before = mesh_.faces.size();
      mesh_ = shape::withoutDuplicateFaces(mesh_);
      step("duplicates", {}, fmt::format("{} faces dropped", before - mesh_.faces.size()));
    }
    if (o_.weld) {
      const std::size_t vertices = mesh_.vertices.size(), faces = mesh_.faces.size();
      const double size = diagonal(mesh_);
      if (*o_.weld > 0.1 * size)
        throw GeometryError(
            fmt::format("--weld {:g} is more than a tenth of the mesh's diagonal {:g}: almost no "
                        "face would remain",
                        *o_.weld, size));
      mesh_ =
          shape::withoutLooseVertices(shape::withoutDuplicateFaces(shape::welded(mesh_, *o_.weld)));
      if (mesh_.faces.empty()) throw GeometryError("no face is left; is --weld too large?");
      step("weld", {},
           fmt::format("{} vertices joined, {} faces dropped", vertices - mesh_.vertices.size(),
                       faces - mesh_.faces.size()));
    }
    if (o_.fillHoles) {
      std::size_t turned = 0;
      shape::HoleFilling filling = shape::filledHoles(shape::woundAlike(mesh_, turned));
      mesh_ = std::move(filling.mesh);
      step("fill-holes",
           {{"holes", static_cast<double>(filling.holes)},
            {"holesLeft", static_cast<double>(filling.holesLeft)},
            {"area", filling.area}},
           fmt::format("{} hole{} closed by {} triangle{} of area {:.3g}{}", filling.holes,
                       filling.holes == 1 ? "" : "s", filling.triangles,
                       filling.triangles == 1 ? "" : "s", filling.area,
                       filling.holesLeft ? fmt::format(", {} left open", filling.holesLeft) : ""));
    }
    if (o_.wrap) {
      const SurfaceMesh before = mesh_;
      const double alpha = o_.wrapAlpha.value_or(0.02) * diagonal(mesh_);
      const double offset = o_.wrapOffset.value_or(1.0 / 30.0) * alpha;
      mesh_ = shape::wrapped(mesh_, alpha, offset);
      compared("wrap", before, {{"alpha", alpha}, {"offset", offset}},
               fmt::format("alpha {:.3g}, offset {:.3g}", alpha, offset));
    }
  }

  void reduce() {
    if (o_.simplify && mesh_.vertices.size() > static_cast<std::size_t>(*o_.simplify)) {
      const SurfaceMesh before = mesh_;
      mesh_ = shape::simplified(mesh_, static_cast<std::size_t>(*o_.simplify));
      compared("simplify", before, {},
               fmt::format("{} -> {} vertices", before.vertices.size(), mesh_.vertices.size()));
    }
    if (o_.hull) {
      const SurfaceMesh before = mesh_;
      // Coordinates of scans are single precision: flat to that is flat.
      const shape::ConvexHull hull = shape::convexHull(mesh_.vertices, 1e-7);
      if (hull.rank < 3) throw GeometryError("the mesh is flat, so its hull is not a solid");
      mesh_.vertices = hull.points;
      mesh_.faces = hull.faces;
      compared("hull", before, {},
               fmt::format("{} corners, {} faces", mesh_.vertices.size(), mesh_.faces.size()));
    }
  }

  void settleWinding() {
    if (o_.surface) {
      const shape::MeshTopology topology = shape::meshTopology(mesh_.vertices.size(), mesh_.faces);
      if (topology.oriented()) return;
      try {
        std::size_t turned = 0;
        mesh_ = shape::woundAlike(mesh_, turned);
        step("wind", {{"turned", static_cast<double>(turned)}},
             fmt::format("{} faces reversed to match their neighbours", turned));
      } catch (const GeometryError& error) {
        warnings.push_back(error.what());
      }
      return;
    }
    const shape::Core core = shape::coreOf(shape::shapeFromMesh(mesh_, o_.radius));
    if (!core.closed && core.openEdges == 0)
      throw GeometryError(
          "the faces bound no volume; import it with --surface as a surface, or --wrap it");
    if (!core.closed)
      throw GeometryError(fmt::format(
          "the mesh is open ({} edge{} without a second face); close it with --fill-holes or "
          "--wrap, or import it with --surface as a surface that bounds no volume",
          core.openEdges, core.openEdges == 1 ? "" : "s"));
    if (!core.turned) return;
    warnings.push_back("faces are inside out or inconsistently wound; reversed");
    mesh_.faces = core.faces;
  }

  void inset() {
    shape::Inset inset = shape::insetBy(mesh_, o_.radius);
    mesh_ = std::move(inset.skeleton);
    step("inset",
         {{"exact", inset.exact ? 1.0 : 0.0},
          {"removed", static_cast<double>(inset.removed)},
          {"gapAtMost", inset.gap.atMost},
          {"excess", inset.excess},
          {"bulge", inset.bulge}},
         inset.exact
             ? fmt::format("the rounded surface meets every plane of the convex mesh; corners of "
                           "the mesh are outside of it by up to {:.3g}",
                           inset.gap.atMost)
             : fmt::format("the mesh is outside of the rounded surface by up to {:.3g} (bound), "
                           "and inside it by up to {:.3g}; the rounding deviates by up to {:.3g} "
                           "(samples); {} vertices finer than the radius removed",
                           inset.gap.atMost, inset.excess, inset.bulge, inset.removed));
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
    compared("coplanar", before,
             {{"flatness", merge.flatness}, {"pieces", static_cast<double>(merge.pieces)}},
             fmt::format(
                 "{} -> {} faces, {} -> {} vertices, plane to {:.3g}{}", before.faces.size(),
                 mesh_.faces.size(), before.vertices.size(), mesh_.vertices.size(), merge.flatness,
                 merge.pieces
                     ? fmt::format("; {} pieces cut off because of holes in faces", merge.pieces)
                     : ""));
  }

  std::vector<Shape> shapes() {
    report.left = shape::checkMesh(mesh_, threads_);
    report.sidesLeft = sidesOf(mesh_) + Vec3::Constant(2.0 * o_.radius);
    if (report.left.selfIntersections.count > 0)
      warnings.push_back(fmt::format(
          "the skeleton intersects itself ({} pairs of triangles{}); --wrap repairs that",
          report.left.selfIntersections.count,
          report.found.selfIntersections.count == 0 ? ", as a result of the steps above" : ""));
    const std::string name = o_.name.value_or(nameOf(path_));
    std::vector<Shape> out;
    if (!o_.decompose) {
      out.push_back(shape::shapeFromMesh(mesh_, o_.radius));
      out.back().name = name;
      out.back().isSurface = o_.surface;
    } else {
      const shape::Decomposition parts =
          shape::convexParts(mesh_, static_cast<std::size_t>(*o_.decompose), threads_);
      for (const shape::ConvexHull& hull : parts.parts) {
        SurfaceMesh part;
        part.vertices = hull.points;
        part.faces = hull.faces;
        out.push_back(shape::shapeFromMesh(part, o_.radius));
        out.back().name = fmt::format("{}_{}", name, out.size());
      }
      step("decompose",
           {{"parts", static_cast<double>(parts.parts.size())}, {"excess", parts.excess()}},
           fmt::format("{} convex parts cover all of it; together they have {:.3g} % more volume "
                       "(without the rounding)",
                       parts.parts.size(), 100.0 * std::max(parts.excess(), 0.0)));
    }
    for (const Shape& s : out) report.shapes.push_back(s.name);
    return out;
  }

  void step(const char* name, std::vector<std::pair<std::string, double>> figures,
            std::string text) {
    report.steps.push_back({name,
                            mesh_.vertices.size(),
                            mesh_.faces.size(),
                            volumeOf(mesh_),
                            {},
                            std::move(figures),
                            std::move(text)});
  }

  /// A step that changed the surface: what that cost.
  void compared(const char* name, const SurfaceMesh& before,
                std::vector<std::pair<std::string, double>> figures, std::string text) {
    const shape::Bracket apart = shape::hausdorff(before, mesh_, 2e-4 * diagonal(before));
    text += fmt::format("; surfaces at most {:.3g} apart (at least {:.3g})", apart.atMost,
                        apart.atLeast);
    const std::optional<double> was = volumeOf(before), is = volumeOf(mesh_);
    if (was && is && *was > 0.0) {
      text += fmt::format("; volume {}", percent(*is / *was - 1.0));
      figures.emplace_back("volumeChange", *is / *was - 1.0);
    }
    step(name, std::move(figures), std::move(text));
    report.steps.back().distance = apart;
  }

  const std::string& path_;
  const ImportOptions& o_;
  int threads_;
  SurfaceMesh mesh_;
  std::string scaleWarning_;
};

}  // namespace

std::vector<Shape> imported(const ImportOptions& options, Diagnostics& diagnostics,
                            std::vector<ImportReport>& reports) {
  checkOptions(options);
  struct Outcome {
    std::vector<Shape> shapes;
    ImportReport report;
    std::vector<std::string> warnings;
  };
  std::vector<Outcome> outcomes(options.meshes.size());
  parallelJobs(options.threads, outcomes.size(), [&](std::size_t k) {
    const std::string& path = options.meshes[k];
    Importer importer(path, options, options.threads);
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

}  // namespace scree::tools
