// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_data.hpp"

#include "arrays.hpp"
#include "pieces.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/measure/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace scree::tools {

namespace {

constexpr std::array<std::string_view, 5> categories{"group", "cluster", "shape", "driven",
                                                     "fragment"};
constexpr std::array<std::string_view, 4> alsoShown{"force", "pressure", "displacement",
                                                    "overlap_max"};
// Speed says the same as the norm of the velocity.
constexpr std::array<std::string_view, 3> neverShown{"orientation", "velocity", "inertia"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool isShown(const ArrayRow<BodyItem>& row) {
  return (row.components == 1 || row.components == 3) && !among(neverShown, row.name);
}

/// Limits of colours: percentiles by the nearest value outwards. Reorders `values`.
void setLimits(ViewArray& array, std::vector<float>& values) {
  if (values.empty()) return;
  const auto [least, most] = std::ranges::minmax(values);
  array.least = static_cast<double>(least);
  array.most = static_cast<double>(most);
  const std::size_t outside = values.size() <= 100 ? 0 : (values.size() - 1) / 100;
  const auto at = [&](std::size_t k) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(values.begin(), place, values.end());
    return static_cast<double>(*place);
  };
  array.low = at(outside);
  array.high = at(values.size() - 1 - outside);
  if (array.low < array.high) return;
  array.low = array.least;
  array.high = array.most;
}

std::vector<ViewTrack> tracksOf(const std::vector<ViewFrame>& frames) {
  std::map<std::int32_t, ViewTrack> tracks;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const ViewFrame& frame = frames[f];
    const sim::Lattice lattice(frame.cell ? frame.h : Mat3(Mat3::Identity()));
    for (std::size_t b = 0; b < frame.bodies(); ++b) {
      if (frame.driven[b] || frame.isImage(b)) continue;
      ViewTrack& track = tracks[frame.id[b]];
      Vec3 place = frame.inFile(b);
      if (!track.points.empty()) {
        Vec3 step = place - frames[track.frame.back()].inFile(track.body.back());
        if (frame.cell) step -= lattice.nearest(step);
        place = track.points.back() + step;
        track.length += step.norm();
      }
      track.id = frame.id[b];
      track.points.push_back(place);
      track.frame.push_back(f);
      track.body.push_back(b);
    }
  }
  std::vector<ViewTrack> all;
  for (auto& [id, track] : tracks) all.push_back(std::move(track));
  return all;
}

}  // namespace

void checkColourBy(const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto& row : bodyArrays())
    if (isShown(row)) names.push_back(row.name);
  if (std::ranges::find(names, name) != names.end()) return;
  throw UsageError(fmt::format("--color-by: there is no array '{}'{}; there are {}", shown(name),
                               suggestion(name, names), fmt::join(names, ", ")));
}

std::size_t firstArray(const ViewSeries& series, const std::string& name) {
  const auto found =
      std::ranges::find(series.arrays, name.empty() ? "speed" : name, &ViewArray::name);
  return found == series.arrays.end() ? 0 : static_cast<std::size_t>(found - series.arrays.begin());
}

ViewArrays::ViewArrays(const ArrayChoice& choice, std::string_view also, bool images)
    : images_(images) {
  for (const auto& row : bodyArrays()) {
    if (!isShown(row)) continue;
    if (!choice.wants(row) && !(choice.byDefault() && among(alsoShown, row.name)) &&
        row.name != also)
      continue;
    names_.push_back(
        {std::string(row.name), std::string(row.unit), among(categories, row.name), 0.0, 0.0});
    rows_.push_back(&row);
  }
}

ViewFrame ViewArrays::frame(const Scene& scene, const std::string& source) const {
  ViewFrame frame;
  frame.time = scene.conf->t;
  frame.source = source;
  frame.cell = scene.conf->cell.used;
  if (frame.cell) frame.h = scene.conf->cell.h;
  const auto add = [&](const DrawnBody& body) {
    const std::size_t b = body.body;
    frame.id.push_back(static_cast<std::int32_t>(b));
    const sim::ParticleRecord& record = scene.conf->particles[b];
    frame.shape.push_back(&scene.shapeOf(b));
    frame.position.push_back(record.pos + body.shift);
    frame.shift.push_back(body.shift);
    frame.orientation.push_back(record.q);
    frame.homothety.push_back(static_cast<float>(record.homothety));
    frame.group.push_back(static_cast<std::int32_t>(record.group));
    frame.driven.push_back(scene.driven(b) ? 1 : 0);
    frame.speed.push_back(record.vel.norm());
    frame.images += frame.isImage(frame.id.size() - 1);
  };
  const bool images = images_ && frame.cell;
  for (std::size_t b = 0; b < (images ? scene.conf->nDriven : scene.bodyCount()); ++b)
    if (scene.shows(b)) add({b, Vec3::Zero()});
  if (images)
    for (const DrawnBody& body : bodiesWithImages(scene)) add(body);
  for (const auto* row : rows_) {
    std::vector<float>& values = frame.values.emplace_back();
    values.reserve(frame.id.size());
    for (const std::int32_t id : frame.id) {
      const auto b = static_cast<std::size_t>(id);
      Vec3 numbers = Vec3::Zero();
      row->fill({scene, b}, numbers.data());
      values.push_back(static_cast<float>(row->components == 1 ? numbers.x() : numbers.norm()));
    }
  }
  for (const Chain& chain : chainsOf(scene))
    if (scene.showsBetween(chain.i, chain.j))
      frame.chains.push_back({chain.from, chain.to, static_cast<float>(chain.fn),
                              static_cast<float>(chain.tubeRadius)});
  if (!scene.conf->boundaries.empty())
    for (Wall& wall : wallsOf(scene))
      if (wall.kind != 0)
        frame.walls.push_back({wall.id, std::move(wall.points), std::move(wall.polygons)});
  return frame;
}

ViewFrom viewFrom(const Vec3& gravity, double azimuth, double elevation) {
  ViewFrom from;
  if (gravity.norm() > 0.0) from.upright = shortestTurn(-gravity, Vec3::UnitZ());
  const double az = azimuth * pi / 180.0, el = elevation * pi / 180.0;
  Mat3 axes;
  axes.col(0) = Vec3(-std::sin(az), std::cos(az), 0.0);
  axes.col(2) = Vec3(std::cos(el) * std::cos(az), std::cos(el) * std::sin(az), std::sin(el));
  axes.col(1) = axes.col(2).cross(axes.col(0));
  from.axes = rotationMatrix(from.upright.conjugate()) * axes;
  return from;
}

ViewSeries viewSeries(const ViewArrays& arrays, std::vector<ViewFrame> frames,
                      const ViewFrom& from) {
  ViewSeries series;
  series.arrays = arrays.names();
  series.from = from;
  std::erase_if(frames, [](const ViewFrame& f) { return f.source.empty(); });
  std::ranges::stable_sort(frames, {}, &ViewFrame::time);
  struct Seen {
    shape::Aabb box, seen;
    double size() const { return seen.halfSize().cwiseMax(0.0).norm(); }
    void add(const Seen& other) {
      box.add(other.box);
      seen.add(other.seen);
    }
  } moving;
  std::map<std::int32_t, Seen> around;  // by id; the cell stands under the least number
  constexpr std::int32_t cell = std::numeric_limits<std::int32_t>::min();
  const auto see = [&](Seen& seen, const Vec3& p) {
    seen.box.add(p);
    seen.seen.add(from.axes.transpose() * p);
  };
  for (const ViewFrame& frame : frames) {
    for (std::size_t b = 0; b < frame.bodies(); ++b) {
      Seen& seen = frame.driven[b] ? around[frame.id[b]] : moving;
      for (const Vec3& p : frame.shape[b]->box.points) see(seen, frame.placed(b, p));
    }
    for (const ViewWall& wall : frame.walls)
      for (const Vec3& p : wall.points) see(around[wall.id], p);
    if (frame.cell)
      for (int k = 0; k < 8; ++k) see(around[cell], frame.corner(k));
  }
  Seen framed = moving;
  std::erase_if(around, [&](const auto& one) {
    return !(moving.size() <= 0.0 || one.second.size() <= 2.0 * moving.size());
  });
  for (const auto& [id, seen] : around) framed.add(seen);
  if (framed.size() <= 0.0) see(framed, Vec3::Zero());
  for (const ViewFrame& frame : frames)
    for (const ViewChain& chain : frame.chains) {
      framed.box.add(chain.from);
      framed.box.add(chain.to);
      series.highestForce = std::max(series.highestForce, static_cast<double>(chain.fn));
    }
  series.box = framed.box;
  series.seen = framed.seen;
  const Vec3 towards = from.axes.col(2), middle = moving.box.centre();
  for (ViewFrame& frame : frames)
    for (std::size_t b = 0; b < frame.bodies(); ++b) {
      if (frame.driven[b] == 0) continue;
      const Vec3 place = frame.placed(b, frame.shape[b]->shape.obb.centre);
      if (around.contains(frame.id[b]) && towards.dot(place - middle) > 0.0) frame.driven[b] = 2;
    }
  for (std::size_t a = 0; a < series.arrays.size(); ++a) {
    std::vector<float> values;
    for (const ViewFrame& frame : frames)
      for (std::size_t b = 0; b < frame.bodies(); ++b)
        if (frame.driven[b] == 0 && std::isfinite(frame.values[a][b]))
          values.push_back(frame.values[a][b]);
    setLimits(series.arrays[a], values);
  }
  series.tracks = tracksOf(frames);
  series.frames = std::move(frames);
  return series;
}

vtp::PolyPiece tracksPiece(const ViewSeries& series, bool doubles) {
  vtp::PolyPiece piece;
  std::vector<double> time, length, speed;
  std::vector<std::int64_t> id;
  std::vector<std::int32_t> group;
  for (const ViewTrack& track : series.tracks) {
    std::vector<std::uint32_t> line;
    for (std::size_t k = 0; k < track.points.size(); ++k) {
      const ViewFrame& frame = series.frames[track.frame[k]];
      line.push_back(static_cast<std::uint32_t>(piece.points.size()));
      piece.points.push_back(track.points[k]);
      time.push_back(frame.time);
      speed.push_back(frame.speed[track.body[k]]);
    }
    piece.lines.add(std::span<const std::uint32_t>(line));
    id.push_back(track.id);
    group.push_back(series.frames[track.frame.back()].group[track.body.back()]);
    length.push_back(track.length);
  }
  piece.pointData.push_back(realArray("speed", "m/s", std::move(speed), doubles));
  piece.pointData.push_back({"time", "s", 1, std::move(time)});
  piece.cellData.push_back({"id", "", 1, std::move(id)});
  piece.cellData.push_back({"group", "", 1, std::move(group)});
  piece.cellData.push_back({"length", "m", 1, std::move(length)});
  piece.scalars = "speed";
  piece.texts.emplace_back("program", std::vector<std::string>{"conf2vtk " + version()});
  piece.texts.emplace_back("units", std::vector<std::string>{"m kg s"});
  return piece;
}

}  // namespace scree::tools
