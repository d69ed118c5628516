// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/clump/shape_pack.hpp"

namespace scree::tools {

/// A sphere as a member of a particle. [L], frame of the pack; the radius is positive.
clump::PackMember sphereMember(const Vec3& centre, double radius);

/// Spheres as YADE's ymport.textClumps reads them: lines `x y z r clumpId`, or `x y z r` for
/// spheres alone.
///
/// Consecutive lines of one number are a clump, and -1 is a sphere alone. A line `##PERIODIC::` is
/// the cell: so sphere packs of Woo have it. A line `#format` fixes how many values a row has.
/// `#format x_y_z_r_matId` makes the fifth number a material, which is left out with a warning;
/// other lines with # are comments and stay comments of the pack. A table without spheres is warned
/// about.
/// @throws ParseError for a wrong count of words, a bad number or a radius not above 0
clump::ShapePack yadePack(TextReader& in, Diagnostics& diagnostics);

/// Whether a line can be a row of such a table: four or five numbers and nothing else.
bool isSphereRow(std::string_view line);

/// Whether a line has a separator of tables and a column that csvPack knows.
bool isCsvHeader(std::string_view line);

/// Spheres of a table, read as by CsvReader, with columns x, y, z, r and, where there are
/// several particles, id, in any order. Without id all rows are one clump. Comments stay comments
/// of the pack. A table without spheres is warned about.
/// @throws ParseError as above, or for another column; with the place of the cell
clump::ShapePack csvPack(TextReader& in, Diagnostics& diagnostics);

}  // namespace scree::tools
