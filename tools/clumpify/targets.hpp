// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "losses.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// A particle made of balls alone, as most targets know it.
struct SphereBody {
  const clump::PackParticle* particle = nullptr;
  clump::ParticleMass mass;
  double density = 1.0;  ///< [M/L³]
  double totalMass() const { return density * mass.solid.volume; }
  Mat3 inertia() const { return totalMass() * mass.solid.inertiaPerMass; }
  bool isClump() const { return particle->members.size() > 1 && !particle->unclumped; }
  /// How many bodies it is: each member is one if they are not clumped.
  std::size_t count() const { return isClump() ? 1 : particle->members.size(); }
};

/// A format that convert writes: what it holds, so that the loss report follows from it, and how it
/// is written. A new one is a row of targets().
struct Target {
  std::string_view name;
  std::string_view ending{};    ///< of files that cover writes in this format without --format
  bool everything = false;      ///< all of a pack, also one without particles
  bool mass = false;            ///< given mass and inertia
  bool density = false;         ///< of each particle
  bool cell = false;            ///< the periodic cell
  bool group = false;           ///< the number of a group of a conf-file
  bool places = true;           ///< where particles are
  bool ids = false;             ///< of particles
  bool names = false;           ///< of the shapes that particles come from
  bool ownRadii = false;        ///< a shape may have vertices of different radii
  bool bonds = false;           ///< between bodies
  bool severalFiles = false;    ///< always
  bool filesNameOther = false;  ///< so that names must be plain words

  /// How many lines of the first file stand before a comment. None where it has no comments.
  std::optional<int> commentAfter{};
  std::vector<ConvertedFile> (*write)(const clump::ShapePack&, const Target&, const ConvertOptions&,
                                      Losses&, Diagnostics&);
  /// Of the formats that take balls alone, whose `write` is toSpheres.
  std::vector<ConvertedFile> (*writeSpheres)(const std::vector<SphereBody>&,
                                             const clump::ShapePack&,
                                             const ConvertOptions&) = nullptr;
};

/// All formats, in the order of help and documentation.
const std::vector<Target>& targets();
/// Their names.
std::vector<std::string_view> targetNames();
/// @throws UsageError, naming `option`, for a format that convert cannot write
const Target& targetNamed(const std::string& format, std::string_view option = "--to");

/// @throws ModelError where a pack had particles, and none of them is left
void checkSomethingLeft(std::size_t left, const ConvertOptions& options);

}  // namespace scree::tools
