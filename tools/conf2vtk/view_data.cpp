// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_data.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/measure/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace scree::tools {

namespace {

constexpr std::array<std::string_view, 5> categories{"group", "cluster", "shape", "driven",
                                                     "fragment"};
constexpr std::array<std::string_view, 4> alsoShown{"force", "pressure", "displacement",
                                                    "overlap_max"};
// Speed says the same as the norm of the velocity.
constexpr std::array<std::string_view, 3> neverShown{"orientation", "velocity", "inertia"};

/// Limits of colours: percentiles by the nearest value outwards. Reorders `values`.
void setLimits(ViewArray& array, std::vector<float>& values) {
  if (values.empty()) return;
  const auto [least, most] = std::ranges::minmax(values);
  const std::size_t outside = values.size() <= 100 ? 0 : (values.size() - 1) / 100;
  const auto at = [&](std::size_t k) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(values.begin(), place, values.end());
    return *place;
  };
  const float low = at(outside), high = at(values.size() - 1 - outside);
  array.cut = low < high && (least < low || high < most);
  array.low = static_cast<double>(low < high ? low : least);
  array.high = static_cast<double>(low < high ? high : most);
}

/// Ranks of values by how often they occur, the lower one first of two that do alike.
std::map<float, int> ranksOf(const std::vector<float>& values) {
  std::map<float, int> ranks;
  for (const float value : values) --ranks[value];
  std::vector<std::pair<int, float>> order;
  for (const auto& [value, count] : ranks) order.emplace_back(count, value);
  std::ranges::sort(order);
  for (int rank = 0; const auto& [count, value] : order) ranks[value] = rank++;
  return ranks;
}

/// Moves free bodies, and ends of chains and bonds in them, away from the centre.
void explode(ViewFrame& frame, const Scene& scene, double factor) {
  double count = 0.0;
  for (const ViewBody& body : frame.bodies)
    if (!body.driven) frame.centre += (body.position - frame.centre) / ++count;
  if (frame.cell.used) frame.centre = 0.5 * frame.corner(7);
  if (factor > 0.0) frame.source += fmt::format(", exploded by {:.6g}", factor);
  const auto way = [&](const Vec3& p) { return Vec3(factor * (p - frame.centre)); };
  for (ViewBody& body : frame.bodies) {
    if (body.driven) continue;
    const Vec3 moved = way(body.position);
    body.position += moved;
    body.shift += moved;
  }
  const auto moveEnds = [&](auto& lines) {
    for (auto& line : lines) {
      if (!scene.driven(line.i)) line.from += way(line.from);
      if (line.j != Scene::noBody && !scene.driven(line.j)) line.to += way(line.to);
    }
  };
  moveEnds(frame.chains);
  moveEnds(frame.bonds);
}

std::vector<ViewTrack> tracksOf(const std::vector<ViewFrame>& frames) {
  std::map<std::int32_t, ViewTrack> tracks;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const ViewFrame& frame = frames[f];
    const sim::Lattice lattice(frame.cell.used ? frame.cell.h : Mat3(Mat3::Identity()));
    for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
      const ViewBody& body = frame.bodies[b];
      if (body.driven || body.isImage) continue;
      ViewTrack& track = tracks[body.id];
      Vec3 place = body.position - body.shift;
      if (!track.points.empty()) {
        const Vec3& last = track.points.back().place;
        if (frame.cell.used) place += lattice.nearest(last - place);
        track.length += (place - last).norm();
      }
      track.id = body.id;
      track.group = body.group;
      track.points.push_back({f, b, place, frame.time, body.speed});
    }
  }
  std::vector<ViewTrack> all;
  for (auto& [id, track] : tracks) all.push_back(std::move(track));
  return all;
}

}  // namespace

image::View viewOf(const std::vector<double>& azimuthAndElevation, const Vec3& gravity) {
  return {azimuthAndElevation[0], azimuthAndElevation[1],
          gravity.norm() > 0.0 ? Vec3(-gravity.normalized()) : Vec3::UnitY()};
}

std::size_t firstArray(const ViewSeries& series, const std::string& name) {
  const auto found =
      std::ranges::find(series.arrays, name.empty() ? "speed" : name, &ViewArray::name);
  return found == series.arrays.end() ? 0 : static_cast<std::size_t>(found - series.arrays.begin());
}

ViewRows viewRows(const ArrayChoice& choice, const std::string& also) {
  ViewRows rows;
  std::vector<std::string_view> names;
  for (const auto& row : bodyArrays()) {
    if ((row.components != 1 && row.components != 3) || among(neverShown, row.name)) continue;
    names.push_back(row.name);
    if (choice.wants(row.name, row.byDefault || among(alsoShown, row.name)) || row.name == also)
      rows.push_back(&row);
  }
  if (!also.empty() && std::ranges::find(names, also) == names.end())
    throw UsageError(fmt::format("--color-by: there is no array '{}'{}; there are {}", shown(also),
                                 suggestion(also, names), fmt::join(names, ", ")));
  return rows;
}

ViewFrame viewFrame(const Scene& scene, const std::string& source, const ViewRows& rows,
                    const Conf2vtkOptions& options) {
  const sim::Conf& conf = *scene.conf;
  ViewFrame frame;
  frame.time = conf.t;
  frame.source = source;
  frame.cell = conf.cell;
  for (const DrawnBody& drawn : drawnBodies(scene, options.images)) {
    const sim::ParticleRecord& record = conf.particles[drawn.body];
    ViewBody body;
    body.shape = &scene.shapeOf(drawn.body);
    body.id = static_cast<std::int32_t>(drawn.body);
    body.group = static_cast<std::int32_t>(record.group);
    body.driven = scene.driven(drawn.body);
    body.isImage = !frame.bodies.empty() && frame.bodies.back().id == body.id;
    body.position = record.pos + drawn.shift;
    body.shift = drawn.shift;
    body.orientation = record.q;
    body.homothety = record.homothety;
    body.speed = record.vel.norm();
    frame.bodies.push_back(body);
  }
  for (const auto* row : rows) {
    std::vector<float>& values = frame.values.emplace_back();
    for (const ViewBody& body : frame.bodies) {
      Vec3 numbers = Vec3::Zero();
      row->fill({scene, static_cast<std::size_t>(body.id)}, numbers.data());
      values.push_back(static_cast<float>(row->components == 1 ? numbers.x() : numbers.norm()));
    }
  }
  frame.chains = chainsOf(scene);
  std::erase_if(frame.chains, [&](const Chain& c) { return !scene.showsBetween(c.i, c.j); });
  if (options.bonds) frame.bonds = bondsOf(scene);
  std::erase_if(frame.bonds, [&](const DrawnBond& b) { return !scene.showsBetween(b.i, b.j); });
  // Bonds of one interface follow each other.
  const auto same = [](const DrawnBond& a, const DrawnBond& b) { return a.i == b.i && a.j == b.j; };
  const auto again = std::ranges::unique(frame.bonds, same);
  frame.bonds.erase(again.begin(), again.end());
  explode(frame, scene, options.explode);
  if (!conf.boundaries.empty()) frame.walls = wallsOf(scene);
  std::erase_if(frame.walls, [](const Wall& wall) { return wall.kind == 0; });
  return frame;
}

ViewSeries viewSeries(const ViewRows& rows, std::vector<ViewFrame> frames,
                      const image::View& view) {
  ViewSeries series;
  series.view = view;
  std::erase_if(frames, [](const ViewFrame& f) { return f.source.empty(); });
  std::ranges::stable_sort(frames, {}, &ViewFrame::time);
  const Mat3 axes = view.axes();
  struct Seen {
    shape::Aabb box, seen;
    double size() const { return seen.halfSize().cwiseMax(0.0).norm(); }
  } framed;
  const auto see = [&](Seen& seen, const Vec3& p) {
    seen.box.add(p);
    seen.seen.add(axes.transpose() * p);
  };
  std::map<std::int32_t, Seen> around;  // by id; the cell stands under the least number
  constexpr std::int32_t cell = std::numeric_limits<std::int32_t>::min();
  for (const ViewFrame& frame : frames) {
    for (const ViewBody& body : frame.bodies)
      for (const Vec3& p : body.shape->box.points)
        see(body.driven ? around[body.id] : framed, body.placed(p));
    for (const Wall& wall : frame.walls)
      for (const Vec3& p : wall.points) see(around[wall.id], p);
    if (frame.cell.used)
      for (int k = 0; k < 8; ++k) see(around[cell], frame.corner(k));
  }
  const double most = framed.size() > 0.0 ? 2.0 * framed.size() : HUGE_VAL;
  const Vec3 middle = framed.box.centre();
  std::erase_if(around, [&](const auto& one) { return one.second.size() > most; });
  for (const auto& [id, seen] : around) {
    framed.box.add(seen.box);
    framed.seen.add(seen.seen);
  }
  if (framed.size() <= 0.0) see(framed, Vec3::Zero());
  series.seen = framed.seen;
  series.box = framed.box;
  for (ViewFrame& frame : frames) {
    for (const Chain& chain : frame.chains) {
      for (const Vec3& end : {chain.from, chain.to}) series.box.add(end);
      series.highestForce = std::max(series.highestForce, chain.fn);
    }
    for (const DrawnBond& bond : frame.bonds)
      for (const Vec3& end : {bond.from, bond.to}) series.box.add(end);
    for (ViewBody& body : frame.bodies)
      if (body.driven && around.contains(body.id) &&
          axes.col(2).dot(body.placed(body.shape->shape.obb.centre) - middle) > 0.0)
        body.driven = 2;
  }
  for (std::size_t a = 0; a < rows.size(); ++a) {
    series.arrays.push_back(
        {std::string(rows[a]->name), std::string(rows[a]->unit), among(categories, rows[a]->name)});
    std::vector<float> values;
    for (const ViewFrame& frame : frames)
      for (std::size_t b = 0; b < frame.bodies.size(); ++b)
        if (frame.bodies[b].driven == 0 && std::isfinite(frame.values[a][b]))
          values.push_back(frame.values[a][b]);
    if (series.arrays.back().category) series.arrays.back().ranks = ranksOf(values);
    setLimits(series.arrays.back(), values);
  }
  series.tracks = tracksOf(frames);
  series.frames = std::move(frames);
  return series;
}

vtp::PolyPiece tracksPiece(const ViewSeries& series, bool doubles) {
  using Point = ViewTrack::Point;
  using enum NumberType;
  static const std::vector<ArrayRow<Point>> ofPoints{{"speed", "m/s", true, float32, &Point::speed},
                                                     {"time", "s", true, float64, &Point::time}};
  static const std::vector<ArrayRow<ViewTrack>> ofLines{
      {"id", "", true, int64, &ViewTrack::id},
      {"group", "", true, int32, &ViewTrack::group},
      {"length", "m", true, float64, &ViewTrack::length}};
  vtp::PolyPiece piece;
  std::vector<Point> points;
  for (const ViewTrack& track : series.tracks) {
    std::vector<std::uint32_t> line;
    for (const Point& point : track.points) {
      line.push_back(static_cast<std::uint32_t>(points.size()));
      points.push_back(point);
      piece.points.push_back(point.place);
    }
    piece.lines.add(line);
  }
  addArrays(piece.pointData, ofPoints, points, ArrayChoice({}, doubles));
  addArrays(piece.cellData, ofLines, series.tracks, ArrayChoice({}, doubles));
  piece.scalars = "speed";
  piece.texts.emplace_back("program", std::vector<std::string>{"conf2vtk " + version()});
  piece.texts.emplace_back("units", std::vector<std::string>{"m kg s"});
  return piece;
}

}  // namespace scree::tools
