// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/clump/clump_mass.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

struct ConvertOptions {
  std::string input;          ///< "-": standard input
  std::string from = "auto";  ///< shapepack, conf, shp; auto: as the file shows
  std::string to;
  std::string toOption = "--to";     ///< how messages name the option of `to`
  std::string fromNan = "particle";  ///< how markers of shared nodes count, see packFrom
  std::string name = "pack";         ///< how snippets call the files: the name of the output
  double density = 1.0;              ///< [M/L³] of particles that carry none
  bool densityGiven = false;         ///< by the user, so that its loss is reported
  bool lossy = false;                ///< leave out what the target cannot hold
  std::string remedy = "--lossy continues without";  ///< what messages about a loss suggest
  int threads = 1;
};

/// A file of a result: its name is that of the output followed by `suffix`.
struct ConvertedFile {
  std::string suffix;
  std::string text;
};

/// A particle made of spheres alone, as most targets know it.
struct SphereBody {
  const clump::PackParticle* particle = nullptr;
  clump::ParticleMass mass;
  double density = 1.0;  ///< [M/L³]
  double totalMass() const { return density * mass.solid.volume; }
  Mat3 inertia() const { return totalMass() * mass.solid.inertiaPerMass; }
  bool isClump() const { return particle->members.size() > 1 && !particle->unclumped; }
};

/// What a target holds, so that the loss report follows from it.
struct Target {
  std::string_view name;
  bool clumps = true;         ///< which shapes are tied together
  bool mass = false;          ///< given mass and inertia
  bool density = false;       ///< of each particle
  bool cell = false;          ///< the periodic cell
  bool places = true;         ///< where particles are
  bool ids = false;           ///< of particles
  bool severalFiles = false;  ///< always
  std::vector<ConvertedFile> (*write)(const std::vector<SphereBody>&, const clump::ShapePack&,
                                      const ConvertOptions&);
};
/// Targets that take spheres: yade, csv, lammps, liggghts.
const std::vector<Target>& sphereTargets();

/// @throws UsageError where files of the format `to` would name one that other programs cannot read
void checkName(const ConvertOptions& options);

/// Whether a format of that name always has several files, which name each other.
bool writesSeveralFiles(const std::string& format);
/// @throws UsageError because a result has several files. @param format  as messages name it
[[noreturn]] void refuseStandardOutput(const std::string& format);

/// Whether convert can write given mass and inertia in a format of that name.
bool holdsMass(const std::string& format);

/// @throws UsageError, naming `option`, for a format that convert cannot write
void checkTarget(const std::string& format, std::string_view option);

/// A pack in the format `options.to`: one file, or several. What the target cannot hold is refused
/// (a body, its shape, given mass or inertia) unless `lossy`, or warned about (the rest).
/// @throws UsageError for an unknown format or as checkName; ModelError where something would be
/// lost
std::vector<ConvertedFile> written(const clump::ShapePack& pack, const ConvertOptions& options,
                                   Diagnostics& diagnostics);
/// The same for the pack in `options.input`.
std::vector<ConvertedFile> converted(const ConvertOptions& options, Diagnostics& diagnostics);

/// Writes the files beside each other, their names beginning with `output`.
/// @throws UsageError where several files would go to standard output; IoError where one is in the
/// way
void writeConverted(const std::vector<ConvertedFile>& files, const std::string& output,
                    const std::string& format, Existing existing);

}  // namespace scree::tools
