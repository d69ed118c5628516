// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kind.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// One record of a body: a row of TrackBody.
struct TrackRow {
  double t = 0.0;
  Vec3 pos = Vec3::Zero(), vel = Vec3::Zero();
  Quat q = Quat::Identity();
  Vec3 spin = Vec3::Zero();   ///< [1/T] global axes
  Vec3 force = Vec3::Zero();  ///< [F] as the file has it: with or without the weight
};

/// The records of one body, as TrackBody and Rockable write them.
struct Track {
  std::string source;
  std::vector<TrackRow> rows;
};
/// Reads a track: 20 numbers a line without names (t, x v Q w, force, moment), or a table with the
/// columns of TrackBody. @throws IoError; ParseError for a line that holds something else
Track readTrack(const std::string& path);

/// What a track does not hold, from the options of `trackOptions`.
class TrackValues {
 public:
  explicit TrackValues(const KindOptions& options);

  const Vec3& gravity() const { return gravity_; }
  /// The weight that the forces of a track contain. It is that of `--weight`, else the force of its
  /// first row, since a body flies freely before it is recorded to touch.
  Vec3 weight(const Track& track) const;
  /// [F] what the ground does to the body in this row; 0 up to the digits of the file.
  Vec3 contactForce(const Track& track, const TrackRow& row) const;
  /// [F L] kinetic energy; nan without `--mass` and `--inertia`.
  double kinetic(const TrackRow& row) const;
  double mass() const { return mass_.value_or(notKnown); }

 private:
  Vec3 gravity_{0.0, -9.81, 0.0};
  std::optional<Vec3> weight_, inertia_;
  std::optional<double> mass_;
};

/// A kind that takes tracks in place of conf-files, too.
class TrackKind : public Kind {
 public:
  /// Raw rows of the body of a track, as rows() returns them of a conf-file.
  virtual std::vector<sim::Row> trackRows(const Track& track, std::int64_t id) const = 0;
};

/// The larger of two numbers; nan where one of them is nan.
inline double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

/// `--track` and what goes with it, for kinds that take tracks in place of conf-files.
const std::vector<KindOption>& trackOptions();

}  // namespace scree::tools
