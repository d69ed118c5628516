// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/cell_bodies.hpp"

#include "base/elementary.hpp"
#include "contact/bond_geometry.hpp"
#include "loads.hpp"
#include "pack/body_overlap.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/sim/measure/kinds.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/packing_info.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <tuple>

namespace scree::sim {
namespace {

struct StrengthWord {
  std::string_view name;
  double BondStrength::*value;
};
constexpr StrengthWord strengthWords[]{
    {"young", &BondStrength::young},     {"poisson", &BondStrength::poisson},
    {"tensile", &BondStrength::tensile}, {"cohesion", &BondStrength::cohesion},
    {"gc", &BondStrength::gc},           {"weibull", &BondStrength::weibull}};

/// Gives the cells the skeletons of their rounded bodies. Cells that have no room are left out.
void addSkeletons(Tessellation& tessellation, const CellBodyOptions& options, CellBodies& out) {
  const double radius = options.radius;
  // A ball fits into a part of a solid where it fits into the solid and between the cuts.
  shape::SurfaceMesh inner;
  if (tessellation.solid)
    inner = shape::triangulated(shape::insetBy(tessellation.solid->mesh, radius).skeleton);
  std::vector<Cell>& cells = tessellation.cells;
  parallelJobs(options.threads, cells.size(), [&](std::size_t k) {
    Cell& cell = cells[k];
    if (cell.cuts.empty()) {
      if (auto inset = insetCell(cell, radius)) cell.skeleton = std::move(inset->mesh);
      return;
    }
    std::vector<CellSide> cuts = cell.cuts;
    for (CellSide& s : cuts) s.offset -= radius;
    for (Cell& part : partsBehind(inner, cuts, {}))
      if (cell.skeleton.faces.empty() &&
          shape::encloses(cell.mesh.vertices, cell.mesh.faces, part.mesh.vertices[0]))
        cell.skeleton = std::move(part.mesh);
  });
  std::erase_if(cells, [&](const Cell& cell) {
    if (!cell.skeleton.faces.empty()) return false;
    ++out.dropped;
    out.droppedVolume += cell.volume;
    return true;
  });
  if (cells.empty())
    throw UsageError(fmt::format("--radius {:.6g}: no cell has room for a ball of it", radius));
}

/// Shapes of the skeletons, one for those that differ by a shift, and the bodies.
/// @param unit  [L] places that differ by less are equal
void placeBodies(const std::vector<Cell>& cells, double unit, const CellBodyOptions& options,
                 Packing& packing) {
  // Places of vertices about the centroid, in units, sorted.
  std::map<std::vector<std::array<std::int64_t, 3>>, std::uint32_t> shapeWith;
  std::vector<std::size_t> firstOf;  // a cell of each shape
  for (std::size_t k = 0; k < cells.size(); ++k) {
    std::vector<std::array<std::int64_t, 3>> form;
    for (const Vec3& v : cells[k].skeleton.vertices) {
      const Vec3 place = (v - cells[k].centroid) / unit;
      form.push_back({std::llround(place.x()), std::llround(place.y()), std::llround(place.z())});
    }
    std::ranges::sort(form);
    const auto [found, isNew] =
        shapeWith.emplace(std::move(form), static_cast<std::uint32_t>(firstOf.size()));
    if (isNew) firstOf.push_back(k);
    packing.bodies.push_back({found->second, options.group, options.cluster});
  }
  packing.shapes.resize(firstOf.size());
  std::atomic<std::size_t> done{0};
  parallelJobs(options.threads, firstOf.size(), [&](std::size_t s) {
    shape::Shape& shape = packing.shapes[s];
    const Cell& cell = cells[firstOf[s]];
    shape.name = fmt::format("Cell{}", s);
    shape.radius = options.radius;
    for (const Vec3& v : cell.skeleton.vertices) shape.vertices.push_back(v - cell.centroid);
    shape.faces = cell.skeleton.faces;
    shape.edges = shape::edgesOf(shape.faces);
    mass::SurveyOptions survey{.box = shape::BoxMethod::aabb};
    survey.mass.tolerance = 1e-4;  // of parts of a mesh, which may have hundreds of faces
    survey.mass.work = 500'000;
    mass::survey(shape, survey);
    if (++done % 256 == 0 && options.progress)
      options.progress(static_cast<double>(done) / static_cast<double>(firstOf.size()));
  });
  for (std::size_t k = 0; k < cells.size(); ++k) {
    PlacedBody& body = packing.bodies[k];
    body.pos = cells[k].centroid + packing.shapes[body.shape].position;
    body.q = packing.shapes[body.shape].orientation;
  }
}

/// Puts the driven bodies, and their cells, first.
void putDrivenFirst(const CellBodyOptions& options, CellBodies& out) {
  CompletedConf placed = withBodies(out.packing);
  placed.conf.setDensity(options.group, options.density);
  const std::vector<char> flags = options.driven->of(placed.conf, placed.shapes);
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

/// A place where two faces can be bonded.
struct Corner {
  BondRecord bond;
  Vec3 at = Vec3::Zero();  ///< [L]
};

/// Smaller of both moments in their plane of corners about their mean, per corner [L²].
double spreadOf(const std::vector<Corner>& corners) {
  const double share = 1.0 / static_cast<double>(corners.size());
  Vec3 mean = Vec3::Zero();
  for (const Corner& c : corners) mean += share * c.at;
  Mat3 moments = Mat3::Zero();
  for (const Corner& c : corners) moments += share * (c.at - mean) * (c.at - mean).transpose();
  if (corners.size() < 3) return 0.0;
  return Eigen::SelfAdjointEigenSolver<Mat3>(moments, Eigen::EigenvaluesOnly).eigenvalues()[1];
}

/// Leaves out corners nearer than `gap` to an earlier one, if what is left is no line.
std::vector<Corner> thinned(const std::vector<Corner>& corners, double gap) {
  std::vector<Corner> kept;
  for (const Corner& c : corners)
    if (std::ranges::none_of(kept, [&](const Corner& k) { return (c.at - k.at).norm() < gap; }))
      kept.push_back(c);
  return spreadOf(kept) > 0.5 * spreadOf(corners) ? kept : corners;
}

/// Whether two edges cross, seen along a normal, at an angle whose sine is above 1e-3.
bool edgesCross(const BodyPose& i, const BodyPose& j, const Candidate& c, const Vec3& normal) {
  const auto endOf = [](const BodyPose& body, std::uint32_t edge, std::size_t end) {
    return Vec3(body.pos + body.arm(body.shape->vertices[body.shape->edges[edge][end]]));
  };
  const Vec3 from = endOf(i, c.iSub, 0), along = endOf(i, c.iSub, 1) - from,
             begin = endOf(j, c.jSub, 0), across = endOf(j, c.jSub, 1) - begin;
  const double sine = normal.dot(along.cross(across)),
               s = normal.dot((begin - from).cross(across)) / sine,
               t = normal.dot((begin - from).cross(along)) / sine;
  const auto inside = [](double share) { return share > -1e-6 && share < 1.0 + 1e-6; };
  return std::abs(sine) > 1e-3 * along.norm() * across.norm() && inside(s) && inside(t);
}

/// Glues the bodies of cells that share faces.
class Glue {
 public:
  Glue(const CellBodyOptions& options, double leastArea, CellBodies& out)
      : options_(options),
        leastArea_(leastArea),
        out_(out),
        rng_(options.seed + 2),
        shapes_(out.packing.shapes) {}

  void run(const std::vector<SharedFace>& faces) {
    std::size_t open = 0, small = 0, bare = 0;
    for (const SharedFace& f : faces) {
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
  /// Corners of the part that two faces have in common: vertices of the first body over the face of
  /// the second, and where edges cross. @param swapped  j is the first body
  std::vector<Corner> cornersOf(const SharedFace& f, bool swapped) {
    const CellSide& side = out_.cells[f.i].sides[f.sideOfI];
    const double size = elementary::cbrt(out_.cells[f.i].volume + out_.cells[f.j].volume),
                 near = 1e-6 * std::sqrt(f.area);
    BodyPose i = shapes_.poseOf(out_.packing.bodies[f.i]),
             j = shapes_.poseOf(out_.packing.bodies[f.j]);
    j.pos += f.shift;
    if (swapped) std::swap(i, j);
    findNear(i, j, 1e-9 * size, near_);
    std::vector<Corner> corners;
    for (const Candidate& c : near_.candidates) {
      const bool edges = c.pairing == Pairing::edgeEdge;
      if (edges ? !edgesCross(i, j, c, side.normal) : c.swapped || c.pairing != Pairing::vertexFace)
        continue;
      const Touch touch = bondGeometry(c.pairing, i, j, i.pos - j.pos, c.iSub, c.jSub);
      const Vec3 at = i.pos + touch.arm;
      if (std::abs(touch.n.dot(side.normal)) > 1.0 - 1e-8 &&
          std::abs(side.normal.dot(at) - side.offset) < 0.1 * near + 1e-9 * size &&
          std::ranges::none_of(corners, [&](const Corner& k) { return (k.at - at).norm() < near; }))
        corners.push_back({{c.pairing, c.iSub, c.jSub, Vec3::Zero(), 0.0}, at});
    }
    return corners;
  }

  bool add(const SharedFace& f, int set, double lot) {
    // Faces of two bodies that are not convex share one interface. Faces come pair by pair.
    std::vector<InterfaceRecord>& all = out_.packing.interfaces;
    const bool more = !all.empty() && bodyPair(all.back().i, all.back().j) == bodyPair(f.i, f.j);
    std::vector<Corner> best;
    bool swapped = false;
    double most = 1e-4 * f.area;
    for (const bool way : {false, true}) {
      if (more && way != (all.back().i == f.j)) continue;
      std::vector<Corner> corners = thinned(cornersOf(f, way), 0.1 * std::sqrt(f.area));
      const double spread = spreadOf(corners);
      if (!(spread > most * (way ? 1.0 + 1e-6 : 1.0))) continue;
      most = spread;
      best = std::move(corners);
      swapped = way;
    }
    if (best.empty()) return false;
    if (!more) {
      InterfaceRecord& created = all.emplace_back();
      created.i = swapped ? f.j : f.i;
      created.j = swapped ? f.i : f.j;
      created.params.emplace();
    }
    InterfaceRecord& face = all.back();
    const auto keyOf = [](const BondRecord& b) { return std::tuple(b.pairing, b.iSub, b.jSub); };
    for (const Corner& c : best)  // those of faces in one plane come with each of these
      if (std::ranges::find(face.bonds, keyOf(c.bond), keyOf) == face.bonds.end())
        face.bonds.push_back(c.bond);
    const Cell &i = out_.cells[f.i], &j = out_.cells[f.j];
    const Vec3 apart = j.centroid + f.shift - i.centroid;
    double distance = i.sides[f.sideOfI].normal.dot(apart);
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

  const CellBodyOptions& options_;
  double leastArea_;
  CellBodies& out_;
  Rng rng_;
  BodyOverlap shapes_;
  NearSubElements near_;
};

}  // namespace

bool BondStrength::begins(const std::string& text) {
  const std::string word = text.substr(0, text.find('='));
  return std::ranges::find(strengthWords, word, &StrengthWord::name) != std::end(strengthWords);
}

BondStrength BondStrength::parse(const std::string& text) {
  BondStrength out;
  out.young = out.poisson = out.tensile = out.cohesion = NAN;
  bool fits = true;
  for (const std::string& word : partsOf(text, ',')) {
    const auto [name, value] = namedNumber(word);
    const auto* place = std::ranges::find(strengthWords, name, &StrengthWord::name);
    if (place != std::end(strengthWords)) out.*place->value = value;
    fits &=
        place != std::end(strengthWords) && (value > 0.0 || (name == "poisson" && value == 0.0));
  }
  if (!fits || !(out.poisson <= 0.5) || !(out.weibull == 0.0 || out.weibull >= 1.0) ||
      !(std::max(out.tensile, out.cohesion) <= 0.1 * out.young && out.tensile > 0.0 &&
        out.cohesion > 0.0))
    throw UsageError(fmt::format(
        "--bond {}: expected none, or young=E,poisson=NU,tensile=S,cohesion=C[,gc=G][,weibull=M]: "
        "numbers above 0, NU from 0 to 0.5, M from 1, strengths not above E/10",
        printable(text)));
  return out;
}

BondParameters bondOf(const BondStrength& strength, double area, double distance, double scatter) {
  const double kn = strength.young * area / distance, kt = kn / (2.0 * (1.0 + strength.poisson));
  const double least = strength.tensile * strength.tensile * distance / (4.0 * strength.young);
  const double gc = scatter * scatter * (strength.gc > 0.0 ? strength.gc : least);
  return {kn,  kt,  0.0, scatter * strength.tensile * area, scatter * strength.cohesion * area,
          0.0, 2.0, gc};
}

CellBodies bodiesOf(Tessellation tessellation, const CellBodyOptions& options) {
  if (tessellation.cells.empty()) throw UsageError("there are no cells");
  CellBodies out;
  const double mean = tessellation.volume / static_cast<double>(tessellation.cells.size());
  addSkeletons(tessellation, options, out);
  out.cells = std::move(tessellation.cells);
  out.packing.cell = tessellation.period;
  placeBodies(out.cells, 1e-9 * elementary::cbrt(mean), options, out.packing);
  if (options.driven) putDrivenFirst(options, out);
  double solid = 0.0;
  for (const PlacedBody& body : out.packing.bodies) solid += out.packing.shapes[body.shape].volume;
  out.solidFraction = solid / tessellation.volume;
  std::vector<std::pair<double, double>> sizes;
  for (const Cell& cell : out.cells)
    sizes.emplace_back(elementary::cbrt(6.0 / pi * cell.volume), cell.volume);
  std::ranges::sort(sizes);
  for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9})
    out.sizes.push_back(sizePassedBy(share, sizes));
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
