// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/table.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace scree::tools {

/// A command file of Rockable's `postpro`: which conf-files, and what to compute of each.
struct PostproCommands {
  enum class Processor { particleStress, clusterGranulo };
  std::int64_t firstConf = 0, lastConf = 0, stepConf = 1;
  Processor processor = Processor::particleStress;
  double volume = 0.0;                          ///< [L³] that the sum of all moments is divided by
  std::map<std::int64_t, double> volumeOfConf;  ///< [L³] by number, in place of `volume`
  std::vector<double> sievingSizes;             ///< labels of the classes of ClusterGranulo
};
/// Comments begin with # / or !. @throws ParseError for an unknown word, a processor without its
/// numbers, no processor at all
PostproCommands readPostproCommands(TextReader& in);

std::string_view nameOf(PostproCommands::Processor processor);

/// Columns and rows of the table of one conf-file.
std::vector<sim::Column> postproColumns(const PostproCommands& commands);

/// ParticleStress: a row for each body, driven ones 0, with its moment tensor M = V σ (compression
/// positive, `bodyVirials`). The other columns take the axes u = Q z, e = Q x, f = Q y of the body:
/// - a = u·Mu.
/// - r = √((e·Me)² + (f·Mf)²).
/// - tr(PM) = a with P = u⊗u, and tr((1-P)M).
/// ClusterGranulo: for class k of n, the share of parts that bonds hold together (free bodies) with
/// k bodies. The last class has n or more.
///
/// `asRockable` gives what Rockable computes of ParticleStress. The arm of a contact is its place,
/// so that M depends on the origin. The axes e and f are x and x × u, which are not square to u.
std::vector<sim::Row> postproRows(const PostproCommands& commands, const sim::Instant& instant,
                                  bool asRockable);

/// Sum of all M over the volume of this conf-file, row by row; 0 without one.
Mat3 postproTotal(const PostproCommands& commands, const sim::Instant& instant, bool asRockable);

}  // namespace scree::tools
