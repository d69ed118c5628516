// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/cell_bodies.hpp"

#include "base/elementary.hpp"
#include "detail/polygon_math.hpp"
#include "shared_faces.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/sim/measure/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>

namespace scree::sim {
namespace {

struct StrengthWord {
  std::string_view name;
  double BondStrength::*value;
  bool needed;
};
constexpr StrengthWord strengthWords[]{
    {"young", &BondStrength::young, true},     {"poisson", &BondStrength::poisson, true},
    {"tensile", &BondStrength::tensile, true}, {"cohesion", &BondStrength::cohesion, true},
    {"gc", &BondStrength::gc, false},          {"weibull", &BondStrength::weibull, false}};

/// Skeletons of the rounded bodies of cells. The cells that have no room for one are left out.
std::vector<shape::SurfaceMesh> skeletonsOf(Tessellation& tessellation,
                                            const CellBodyOptions& options, CellBodies& out) {
  const double radius = options.radius;
  // A ball fits into a part of a solid where it fits into the solid and between the cuts.
  shape::SurfaceMesh inner;
  if (tessellation.solid)
    inner =
        shape::triangulated(radius > 0.0 ? shape::insetBy(tessellation.solid->mesh, radius).skeleton
                                         : tessellation.solid->mesh);
  std::vector<Cell>& cells = tessellation.cells;
  std::vector<shape::SurfaceMesh> skeletons(cells.size());
  parallelJobs(options.threads, cells.size(), [&](std::size_t k) {
    const Cell& cell = cells[k];
    if (cell.cuts.empty()) {
      if (auto inset = radius > 0.0 ? insetCell(cell, radius) : cell)
        skeletons[k] = std::move(inset->mesh);
      return;
    }
    std::vector<CellSide> cuts = cell.cuts;
    for (CellSide& s : cuts) s.offset -= radius;
    for (Cell& part : partsBehind(inner, cuts, {}))
      if (shape::encloses(cell.mesh.vertices, cell.mesh.faces, part.mesh.vertices[0])) {
        skeletons[k] = std::move(part.mesh);
        return;
      }
  });
  std::size_t at = 0;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (skeletons[k].faces.empty()) {
      ++out.dropped;
      out.droppedVolume += cells[k].volume;
    } else if (at++ != k) {
      cells[at - 1] = std::move(cells[k]);
      skeletons[at - 1] = std::move(skeletons[k]);
    }
  }
  if (at == 0)
    throw UsageError(fmt::format("--radius {:.6g}: no cell has room for a ball of it", radius));
  cells.resize(at);
  skeletons.resize(at);
  return skeletons;
}

/// Shapes of the skeletons, one for those that differ by a shift, and the bodies.
void placeBodies(const std::vector<Cell>& cells, const std::vector<shape::SurfaceMesh>& skeletons,
                 const CellBodyOptions& options, Packing& packing) {
  // Places of vertices about the centroid, in units of 1e-9 of the size, sorted.
  std::map<std::vector<std::array<std::int64_t, 3>>, std::uint32_t> shapeWith;
  std::vector<std::size_t> firstOf;  // a cell of each shape
  std::vector<std::uint32_t> shapeOf(cells.size());
  const double unit =
      1e-9 *
      elementary::cbrt(std::accumulate(cells.begin(), cells.end(), 0.0,
                                       [](double sum, const Cell& c) { return sum + c.volume; }) /
                       static_cast<double>(cells.size()));
  for (std::size_t k = 0; k < cells.size(); ++k) {
    std::vector<std::array<std::int64_t, 3>> form;
    for (const Vec3& v : skeletons[k].vertices) {
      const Vec3 place = (v - cells[k].centroid) / unit;
      form.push_back({std::llround(place.x()), std::llround(place.y()), std::llround(place.z())});
    }
    std::ranges::sort(form);
    const auto [found, isNew] =
        shapeWith.emplace(std::move(form), static_cast<std::uint32_t>(firstOf.size()));
    if (isNew) firstOf.push_back(k);
    shapeOf[k] = found->second;
  }
  packing.shapes.resize(firstOf.size());
  std::atomic<std::size_t> done{0};
  parallelJobs(options.threads, firstOf.size(), [&](std::size_t s) {
    shape::Shape& shape = packing.shapes[s];
    const std::size_t k = firstOf[s];
    shape.name = fmt::format("Cell{}", s);
    shape.radius = options.radius;
    shape.vertices = skeletons[k].vertices;
    for (Vec3& v : shape.vertices) v -= cells[k].centroid;
    shape.faces = skeletons[k].faces;
    shape.edges = shape::edgesOf(shape.faces);
    mass::SurveyOptions survey{.box = shape::BoxMethod::aabb};
    survey.mass.tolerance = 1e-4;  // of parts of a mesh, which may have hundreds of faces
    survey.mass.work = 500'000;
    mass::survey(shape, survey);
    if (++done % 256 == 0 && options.progress)
      options.progress(static_cast<double>(done) / static_cast<double>(firstOf.size()));
  });
  for (std::size_t k = 0; k < cells.size(); ++k) {
    PlacedBody& body = packing.bodies.emplace_back();
    body.shape = shapeOf[k];
    body.group = options.group;
    body.cluster = options.cluster;
    body.pos = cells[k].centroid + packing.shapes[body.shape].position;
    body.q = packing.shapes[body.shape].orientation;
  }
}

std::vector<double> sizeCurve(const std::vector<Cell>& cells) {
  std::vector<double> volumes, curve;
  for (const Cell& cell : cells) volumes.push_back(cell.volume);
  std::ranges::sort(volumes);
  const double sum = std::accumulate(volumes.begin(), volumes.end(), 0.0);
  double below = 0.0;
  std::size_t k = 0;
  for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9}) {
    while (k + 1 < volumes.size() && below + volumes[k] < share * sum) below += volumes[k++];
    curve.push_back(elementary::cbrt(6.0 / pi * volumes[k]));
  }
  return curve;
}

/// Puts the driven bodies, and their cells, first.
void putDrivenFirst(const Selection& driven, CellBodies& out) {
  Conf conf;
  for (const shape::Shape& shape : out.packing.shapes) conf.shapeNames.push_back(shape.name);
  for (const PlacedBody& body : out.packing.bodies) {
    ParticleRecord& p = conf.particles.emplace_back();
    p.shapeName = body.shape;
    p.group = body.group;
    p.cluster = body.cluster;
    p.pos = body.pos;
  }
  const std::vector<char> flags = driven.of(conf, out.packing.shapes);
  if (std::ranges::count(flags, 1) == 0)
    throw UsageError("--driven: is true for the centre of no body");
  std::vector<PlacedBody> bodies;
  std::vector<Cell> cells;
  for (const bool first : {true, false})
    for (std::size_t k = 0; k < flags.size(); ++k)
      if ((flags[k] != 0) == first) {
        bodies.push_back(out.packing.bodies[k]);
        bodies.back().driven = first;
        cells.push_back(std::move(out.cells[k]));
      }
  out.packing.bodies = std::move(bodies);
  out.cells = std::move(cells);
}

/// Faces and places of the vertices of a body.
struct BodySurface {
  std::vector<Vec3> points, normals, places;  ///< of vertices; of faces, with a point of each

  BodySurface(const shape::Shape& shape, const PlacedBody& body) {
    for (const Vec3& v : shape.vertices) points.push_back(body.pos + rotated(body.q, v));
    for (std::size_t f = 0; f < shape.faces.size(); ++f) {
      normals.push_back(shape::detail::areaVector(points, shape.faces[f]).normalized());
      places.push_back(points[shape.faces[f][0]]);
    }
  }
  /// The faces in the plane of a side that was moved in by the radius.
  std::vector<std::uint32_t> on(const CellSide& side, double radius, double tolerance) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t f = 0; f < normals.size(); ++f)
      if (normals[f].dot(side.normal) > 1.0 - 1e-8 &&
          std::abs(side.normal.dot(places[f]) - side.offset + radius) < tolerance)
        found.push_back(f);
    return found;
  }
};

/// Glues the bodies of cells that share faces.
class Glue {
 public:
  Glue(const CellBodyOptions& options, double leastArea, CellBodies& out)
      : options_(options), leastArea_(leastArea), out_(out), rng_(options.seed + 2) {
    for (const PlacedBody& body : out.packing.bodies)
      surfaces_.emplace_back(out.packing.shapes[body.shape], body);
  }

  void run(const std::vector<SharedFace>& faces) {
    std::size_t open = 0, small = 0, bare = 0;
    for (std::size_t k = 0; k < faces.size(); ++k) {
      const SharedFace& f = faces[k];
      out_.faceArea += f.area;
      const int set = out_.cells[f.i].sides[f.sideOfI].set;
      const double openLot = rng_.uniform(), strengthLot = rng_.uniform();
      if (set >= 0 && openLot < options_.persistence) {
        ++open;
      } else if (f.area < leastArea_) {
        ++small;
      } else if (!add(f, set, strengthLot)) {
        ++bare;
      }
    }
    std::size_t bonds = 0;
    double kn = 0.0;
    for (InterfaceRecord& r : out_.packing.interfaces) {
      bonds += r.bonds.size();
      kn += r.params->kn;
      const double share = options_.byEnergy ? 1.0 : 1.0 / static_cast<double>(r.bonds.size());
      for (double* value : {&r.params->kn, &r.params->kt, &r.params->fn0, &r.params->ft0})
        *value *= share;
    }
    out_.meanStiffness = kn / std::max(static_cast<double>(bonds), 1.0);
    std::string note = fmt::format("interfaces {}, bonds {}, on {:.4g} of the shared area",
                                   out_.packing.interfaces.size(), bonds,
                                   out_.faceArea > 0.0 ? out_.bondedArea / out_.faceArea : 0.0);
    for (const auto& [count, what] :
         {std::pair(open, std::string("open")),
          {small, fmt::format("below {:.4g}", leastArea_)},
          {bare, std::string("where the rounding leaves no three corners")}})
      if (count > 0) note += fmt::format("; faces {}: {}", what, count);
    out_.notes.push_back(note);
  }

 private:
  bool add(const SharedFace& f, int set, double lot) {
    const Cell &i = out_.cells[f.i], &j = out_.cells[f.j];
    const CellSide& side = i.sides[f.sideOfI];
    const FacePlane plane(side.normal);
    const double tolerance =
        1e-7 * std::sqrt(f.area) + 1e-9 * elementary::cbrt(i.volume + j.volume);
    // Faces of two bodies that are not convex share one interface. Faces come pair by pair.
    std::vector<InterfaceRecord>& all = out_.packing.interfaces;
    const bool more =
        !all.empty() && std::minmax(all.back().i, all.back().j) == std::minmax(f.i, f.j);
    std::optional<bool> swapped;
    if (more) swapped = all.back().i == f.j;
    BondPoints best;
    const auto facesOfI = surfaces_[f.i].on(side, options_.radius, tolerance);
    const auto facesOfJ = surfaces_[f.j].on(j.sides[f.sideOfJ], options_.radius, tolerance);
    for (const std::uint32_t fi : facesOfI)
      for (const std::uint32_t fj : facesOfJ) {
        BondPoints points = bondPoints(faceOf(f.i, fi, plane, Vec3::Zero()),
                                       faceOf(f.j, fj, plane, f.shift), f.area, swapped);
        if (points.points.size() > best.points.size()) best = std::move(points);
      }
    if (best.points.empty()) return false;
    if (!more) {
      InterfaceRecord& created = all.emplace_back();
      created.i = best.swapped ? f.j : f.i;
      created.j = best.swapped ? f.i : f.j;
      created.params.emplace();
    }
    InterfaceRecord& face = all.back();
    for (const BondPoint& p : best.points)
      face.bonds.push_back({p.pairing, p.iSub, p.jSub, Vec3::Zero(), 0.0});
    const Vec3 apart = j.centroid + f.shift - i.centroid;
    double distance = side.normal.dot(apart);
    if (!(i.convex && j.convex) && distance < 0.5 * apart.norm()) distance = apart.norm();
    BondStrength strength = *options_.bond;
    if (set >= 0 && static_cast<std::size_t>(set) < options_.sets.size()) {
      const JointSet& joints = options_.sets[static_cast<std::size_t>(set)];
      strength.tensile = joints.tensile.value_or(strength.tensile);
      strength.cohesion = joints.cohesion.value_or(strength.cohesion);
      const double weaker = strength.tensile / options_.bond->tensile;
      strength.gc *= weaker * weaker;
    }
    const double scatter = strength.weibull > 0.0 ? elementary::pow(-elementary::log(1.0 - lot),
                                                                    1.0 / strength.weibull)
                                                  : 1.0;
    const BondParameters p = bondOf(strength, f.area, distance, scatter);
    BondParameters& sum = *face.params;
    sum.kn += p.kn, sum.kt += p.kt, sum.fn0 += p.fn0, sum.ft0 += p.ft0;
    sum.power = p.power;
    const double before = face.area.value_or(0.0);
    sum.gc = (sum.gc * before + p.gc * f.area) / (before + f.area);
    face.area = before + f.area;
    out_.bondedArea += f.area;
    return true;
  }
  BodyFace faceOf(std::uint32_t body, std::uint32_t face, const FacePlane& plane,
                  const Vec3& shift) const {
    return {out_.packing.shapes[out_.packing.bodies[body].shape], face, surfaces_[body].points,
            plane, shift};
  }

  const CellBodyOptions& options_;
  double leastArea_;
  CellBodies& out_;
  Rng rng_;
  std::vector<BodySurface> surfaces_;
};

}  // namespace

bool BondStrength::begins(const std::string& text) {
  const std::string word = text.substr(0, text.find('='));
  return std::ranges::find(strengthWords, word, &StrengthWord::name) != std::end(strengthWords);
}

BondStrength BondStrength::parse(const std::string& text) {
  BondStrength out;
  const auto refuse = [&](const std::string& why) {
    throw UsageError(
        fmt::format("--bond {}: {}; expected none, or "
                    "young=E,poisson=NU,tensile=S,cohesion=C[,gc=G][,weibull=M]",
                    text, why));
  };
  std::set<std::string> given;
  for (const std::string& word : partsOf(text, ',')) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    const auto* place = std::ranges::find(strengthWords, name, &StrengthWord::name);
    const auto value =
        parseNumber(std::string_view(word).substr(std::min(equals + 1, word.size())));
    if (place == std::end(strengthWords) || !value || !std::isfinite(*value) ||
        !(*value > 0.0 || (name == "poisson" && *value == 0.0)))
      refuse(fmt::format("'{}' is no such value above 0", shown(word)));
    else
      out.*place->value = *value;
    given.insert(name);
  }
  for (const StrengthWord& word : strengthWords)
    if (word.needed && !given.contains(std::string(word.name)))
      refuse(fmt::format("{} is missing", word.name));
  if (out.poisson > 0.5) refuse("poisson is above 0.5");
  if (out.weibull > 0.0 && out.weibull < 1.0) refuse("weibull is below 1");
  if (std::max(out.tensile, out.cohesion) > 0.1 * out.young)
    refuse("a strength is above E/10, where rock is not elastic");
  return out;
}

BondParameters bondOf(const BondStrength& strength, double area, double distance, double scatter) {
  BondParameters p;
  p.kn = strength.young * area / distance;
  p.kt = p.kn / (2.0 * (1.0 + strength.poisson));
  p.fn0 = scatter * strength.tensile * area;
  p.ft0 = scatter * strength.cohesion * area;
  p.power = 2.0;
  const double least = strength.tensile * strength.tensile * distance / (4.0 * strength.young);
  p.gc = scatter * scatter * (strength.gc > 0.0 ? strength.gc : least);
  return p;
}

CellBodies bodiesOf(Tessellation tessellation, const CellBodyOptions& options) {
  if (tessellation.cells.empty()) throw UsageError("there are no cells");
  CellBodies out;
  const double mean = tessellation.volume / static_cast<double>(tessellation.cells.size());
  const auto skeletons = skeletonsOf(tessellation, options, out);
  out.cells = std::move(tessellation.cells);
  out.packing.cell = tessellation.period;
  placeBodies(out.cells, skeletons, options, out.packing);
  if (options.driven) putDrivenFirst(*options.driven, out);
  double solid = 0.0;
  for (const PlacedBody& body : out.packing.bodies) solid += out.packing.shapes[body.shape].volume;
  out.solidFraction = solid / tessellation.volume;
  out.sizes = sizeCurve(out.cells);
  out.notes = std::move(tessellation.notes);
  if (out.dropped > 0)
    out.notes.push_back(fmt::format(
        "left out, without room for a ball of the radius: {} cells, {:.3g} % of the volume",
        out.dropped, 100.0 * out.droppedVolume / tessellation.volume));
  if (options.bond)
    Glue(options, options.leastArea.value_or(1e-3 * elementary::pow(mean, 2.0 / 3.0)), out)
        .run(sharedFaces(out.cells, out.packing.cell));
  return out;
}

}  // namespace scree::sim
