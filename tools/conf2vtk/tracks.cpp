// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracks.hpp"

#include "arrays.hpp"

#include "scree/base/version.hpp"
#include "scree/sim/model/images.hpp"

#include <map>

namespace scree::tools {
namespace {

struct Track {
  std::vector<Vec3> points;
  std::vector<double> time, speed;
  std::int32_t group = 0;
  double length = 0.0;
  Vec3 seen = Vec3::Zero();  ///< last place as the file has it
};

}  // namespace

vtp::PolyPiece tracksPiece(const SeenSeries& series, bool doubles) {
  std::map<std::int32_t, Track> tracks;
  for (const SeenFrame& frame : series.frames) {
    sim::Images images;
    if (frame.cell) images.set(frame.h);
    for (std::size_t b = 0; b < frame.bodies(); ++b) {
      if (frame.driven[b] || frame.isImage(b)) continue;
      Track& track = tracks[frame.id[b]];
      const Vec3 inFile = frame.position[b] - frame.shift[b];
      Vec3 place = inFile;
      if (!track.points.empty()) {
        Vec3 step = place - track.seen;
        if (frame.cell) step -= images.offset(images.nearest(step));
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
