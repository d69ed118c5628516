// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracks.hpp"

#include "read_table.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace scree::tools {
namespace {

constexpr std::array<const char*, 17> names{"t",  "x",  "y",  "z",  "vx", "vy", "vz", "qw", "qx",
                                            "qy", "qz", "wx", "wy", "wz", "fx", "fy", "fz"};

TrackRow rowFrom(const std::array<double, names.size()>& v) {
  const auto at = [&](std::size_t k) { return Vec3(v[k], v[k + 1], v[k + 2]); };
  return {v[0], at(1), at(4), Quat(v[7], v[8], v[9], v[10]), at(11), at(14)};
}

}  // namespace

Track readTrack(const std::string& path) {
  Track track;
  track.source = inputName(path);
  const std::string text = readFile(path);
  const auto first = text.find_first_not_of(" \t\r\n");
  std::array<double, names.size()> values{};
  if (first != std::string::npos && text[first] != '#' &&
      parseNumber(text.substr(first, text.find_first_of(" \t\r\n,", first) - first))) {
    TextReader in(track.source, text);
    while (!in.atEnd()) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = in.number(names[k]);
        if (k > 0) continue;
        if (const std::size_t left = in.valuesOnLine(); left + 1 != 20)
          throw in.error(fmt::format(
              "expected 20 numbers, t, x, v, Q, w, force and moment, found {}", left + 1));
      }
      in.skipLine();  // the moment
      track.rows.push_back(rowFrom(values));
    }
  } else {
    const ReadTable table = readTable(path);
    std::array<std::size_t, names.size()> columns{};
    for (std::size_t k = 0; k < names.size(); ++k) columns[k] = table.column(names[k]);
    for (const sim::Row& row : table.rows) {
      for (std::size_t k = 0; k < names.size(); ++k) values[k] = numberOf(row[columns[k]]);
      track.rows.push_back(rowFrom(values));
    }
  }
  if (track.rows.empty())
    throw ModelError(fmt::format("{}: expected the rows of a track, found none", track.source));
  return track;
}

TrackValues::TrackValues(const KindOptions& options) {
  const auto vector = [&](const std::string& name) {
    const std::vector<double> v = options.numbers(name, 3);
    return Vec3(v[0], v[1], v[2]);
  };
  if (options.has("gravity")) gravity_ = vector("gravity");
  if (options.has("weight")) weight_ = vector("weight");
  if (options.has("inertia")) inertia_ = vector("inertia");
  if (options.has("mass")) mass_ = options.positive("mass", 1.0);
  if (options.has("track")) {
    if (options.has("select")) throw UsageError("--select: a track holds one body");
    return;
  }
  for (const char* name : {"gravity", "weight", "inertia", "mass"})
    if (options.has(name)) throw UsageError(fmt::format("--{} goes with --track", name));
}

Vec3 TrackValues::weight(const Track& track) const {
  return weight_ ? *weight_ : track.rows.front().force;
}

Vec3 TrackValues::contactForce(const Track& track, const TrackRow& row) const {
  const Vec3 w = weight(track), force = row.force - w;
  // Files of six digits: a unit of the last one is no contact.
  const double least = 1e-5 * w.norm();
  return force.norm() > least ? force : Vec3(Vec3::Zero());
}

double TrackValues::kinetic(const TrackRow& row) const {
  if (!mass_ || !inertia_) return notKnown;
  const Vec3 spin = turnedBack(row.q, row.spin);
  return 0.5 * *mass_ * row.vel.squaredNorm() + 0.5 * spin.dot(inertia_->cwiseProduct(spin));
}

const std::vector<KindOption>& trackOptions() {
  static const std::vector<KindOption> options{
      {"track", "", "the names that follow are tables of TrackBody, one body each"},
      {"gravity", "GX,GY,GZ", "of the tracks (0,-9.81,0)"},
      {"weight", "FX,FY,FZ", "contained in the forces of the tracks (the force of the first row)"},
      {"mass", "M", "of the body of a track"},
      {"inertia", "I1,I2,I3", "principal moments of inertia of the body of a track [kg m2]"}};
  return options;
}

}  // namespace scree::tools
