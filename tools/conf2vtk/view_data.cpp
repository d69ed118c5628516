// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_data.hpp"

#include "arrays.hpp"
#include "pieces.hpp"
#include "walls.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/model/images.hpp"

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

struct Track {
  std::vector<Vec3> points;
  std::vector<double> time, speed;
  std::int32_t group = 0;
  double length = 0.0;
  Vec3 seen = Vec3::Zero();  ///< last place as the file has it
};

}  // namespace

void checkColourBy(const std::string& name, bool inViews) {
  std::vector<std::string_view> names;
  for (const auto& row : bodyArrays())
    if (inViews ? isShown(row) : row.components == 1 || row.components == 3)
      names.push_back(row.name);
  if (!inViews) names.insert(names.end(), {faceForce, facePressure});
  if (std::ranges::find(names, name) != names.end()) return;
  if (name == "velocity")
    throw UsageError("--color-by velocity: pages and pictures show its magnitude as 'speed'");
  throw UsageError(fmt::format("--color-by: bodies have no array '{}'{}; there are {}", shown(name),
                               suggestion(name, names), fmt::join(names, ", ")));
}

std::size_t firstArray(const ViewSeries& series, const std::string& name) {
  const auto found =
      std::ranges::find(series.arrays, name.empty() ? "speed" : name, &ViewArray::name);
  if (found != series.arrays.end()) return static_cast<std::size_t>(found - series.arrays.begin());
  if (!name.empty()) checkColourBy(name, true);
  return 0;
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
    frame.driven.push_back(isFlatWall(*scene.conf, *scene.shapes, b) ? 2 : scene.driven(b) ? 1 : 0);
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

ViewSeries viewSeries(const ViewArrays& arrays, std::vector<ViewFrame> frames,
                      const Vec3& gravity) {
  ViewSeries series;
  series.arrays = arrays.names();
  std::erase_if(frames, [](const ViewFrame& f) { return f.source.empty(); });
  std::ranges::stable_sort(frames, {}, &ViewFrame::time);
  if (gravity.norm() > 0.0) series.up = -gravity.normalized();
  constexpr double huge = std::numeric_limits<double>::infinity();
  Vec3 low = Vec3::Constant(huge), high = Vec3::Constant(-huge);
  const auto see = [&](const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  };
  for (ViewArray& array : series.arrays) array.low = huge, array.high = -huge;
  for (const ViewFrame& frame : frames) {
    for (std::size_t b = 0; b < frame.bodies(); ++b) {
      for (const Vec3& p : frame.shape[b]->box.points)
        see(frame.position[b] +
            rotated(frame.orientation[b], static_cast<double>(frame.homothety[b]) * p));
      if (frame.driven[b]) continue;
      for (std::size_t a = 0; a < series.arrays.size(); ++a) {
        const double value = static_cast<double>(frame.values[a][b]);
        if (!std::isfinite(value)) continue;
        series.arrays[a].low = std::min(series.arrays[a].low, value);
        series.arrays[a].high = std::max(series.arrays[a].high, value);
      }
    }
    for (const ViewChain& chain : frame.chains) {
      see(chain.from);
      see(chain.to);
      series.highestForce = std::max(series.highestForce, static_cast<double>(chain.fn));
    }
    for (const ViewWall& wall : frame.walls)
      for (const Vec3& p : wall.points) see(p);
    if (frame.cell)
      for (int k = 0; k < 8; ++k) see(frame.h * Vec3(k & 1, k >> 1 & 1, k >> 2));
  }
  for (ViewArray& array : series.arrays)
    if (array.low > array.high) array.low = array.high = 0.0;
  if (low.x() <= high.x()) {
    series.low = low;
    series.high = high;
  }
  series.frames = std::move(frames);
  return series;
}

vtp::PolyPiece tracksPiece(const ViewSeries& series, bool doubles) {
  std::map<std::int32_t, Track> tracks;
  for (const ViewFrame& frame : series.frames) {
    const sim::Lattice lattice(frame.cell ? frame.h : Mat3(Mat3::Identity()));
    for (std::size_t b = 0; b < frame.bodies(); ++b) {
      if (frame.driven[b] || frame.isImage(b)) continue;
      Track& track = tracks[frame.id[b]];
      const Vec3 inFile = frame.position[b] - frame.shift[b];
      Vec3 place = inFile;
      if (!track.points.empty()) {
        Vec3 step = place - track.seen;
        if (frame.cell) step -= lattice.nearest(step);
        place = track.points.back() + step;
        track.length += step.norm();
      }
      track.seen = inFile;
      track.group = frame.group[b];
      track.points.push_back(place);
      track.time.push_back(frame.time);
      track.speed.push_back(frame.speed[b]);
    }
  }
  vtp::PolyPiece piece;
  std::vector<double> time, length, speed;
  std::vector<std::int64_t> id;
  std::vector<std::int32_t> group;
  for (const auto& [body, track] : tracks) {
    std::vector<std::uint32_t> line;
    for (std::size_t k = 0; k < track.points.size(); ++k) {
      line.push_back(static_cast<std::uint32_t>(piece.points.size()));
      piece.points.push_back(track.points[k]);
      time.push_back(track.time[k]);
      speed.push_back(track.speed[k]);
    }
    piece.lines.add(std::span<const std::uint32_t>(line));
    id.push_back(body);
    group.push_back(track.group);
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
