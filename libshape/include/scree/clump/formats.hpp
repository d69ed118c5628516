// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/clump/shape_pack.hpp"
#include "scree/shape/shape.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::clump {

/// A file of a result: its name is that of the output followed by `suffix`.
struct FormatFile {
  std::string suffix;
  std::string text;
};

/// A format that packs are written in, and what it can hold. Losses follow from that.
struct Format {
  std::string_view name;
  std::string_view ending{};    ///< of file names that choose the format
  bool everything = false;      ///< all of a pack, also one without particles
  bool shapes = false;          ///< particles are shapes; else, without `everything`, balls alone
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
  /// Lines of the first file before a comment. None where it has no comments.
  std::optional<int> commentAfter{};
};

/// All formats, in the order of help and documentation.
const std::vector<Format>& formats();
std::vector<std::string_view> formatNames();
/// @param option  as messages name it. @throws UsageError for an unknown name
const Format& formatNamed(const std::string& name, std::string_view option = "--to");

struct WriteOptions {
  std::string format;           ///< a name of formats()
  std::string option = "--to";  ///< how messages name the option of `format`
  std::string name = "pack";    ///< how snippets call the files: the name of the output
  bool toFile = false;          ///< the output has a name, and files may stand beside it
  double density = 1.0;         ///< [M/L³] of particles that carry none; conf: unless given, the
                                ///< default of PackSettings
  bool densityGiven = false;    ///< by the user, so that its loss is reported
  bool lossy = false;           ///< leave out what the format cannot hold
  std::string remedy = "--lossy continues without";  ///< what messages about a loss suggest
  /// Names of the shapes that particles come from, by ID. Others are named by their ID.
  std::map<std::int64_t, std::string> shapeNames;
  int threads = 1;
};

/// Collects what a file cannot hold.
class Losses {
 public:
  Losses(const WriteOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  /// A body or its shape: left out with a warning. @throws ModelError unless lossy
  void serious(const std::string& what);
  /// Anything else, as a noun; report() names each once.
  void minor(const std::string& what);
  /// Adds the losses of the pack as a whole, and of each particle.
  void ofPack(const ShapePack& pack, const Format& format);
  void ofParticle(const PackParticle& particle, const Format& format);
  /// One warning with all minor losses.
  void report() const;

 private:
  const WriteOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<std::string> minor_;
};

/// Writes conf-files, which libsim does.
using ConfWriter = std::function<std::vector<FormatFile>(const ShapePack&, const WriteOptions&,
                                                         Losses&, Diagnostics&)>;

/// @throws UsageError for an unknown format, or where its files would name one that other programs
/// cannot read
void checkWriteOptions(const WriteOptions& options);

/// A pack in a format: one file, or several. A loss of a body or its shape is refused unless
/// `lossy`; the rest is warned about in one line. Balls that swallowedBalls() names are left out
/// unless the format holds everything.
/// @throws UsageError as checkWriteOptions; ModelError where something would be lost, or no
/// particle is left
std::vector<FormatFile> written(const ShapePack& pack, const WriteOptions& options,
                                Diagnostics& diagnostics, const ConfWriter& conf = {});

/// Calls `work` for each particle, and for each member of a particle that is not clumped. A density
/// goes with each member. A given mass is that of all together, so it is lost.
void forEachBody(const ShapePack& pack, Losses& losses,
                 const std::function<void(const PackParticle&)>& work);

/// Names of the shapes of one file, all different: those that particles come with, else by ID.
class ShapeNames {
 public:
  /// @param taken  a name that no shape may have
  ShapeNames(const WriteOptions& options, Losses& losses, const std::string& taken = {});
  std::string next(std::int64_t id);

 private:
  const std::map<std::int64_t, std::string>& given_;
  Losses& losses_;
  std::map<std::string, bool> taken_;
  std::map<std::int64_t, std::size_t> count_;
};

/// A particle as one shape of a shape-file, surveyed, with `position` and `orientation` as it
/// stands in the pack. Spheres, and capsules without a shaft, become vertices, with a radius each
/// where they differ. Capsules of one radius become edges. Tetrahedra and facets, as prisms, that
/// fill a convex body become that polyhedron with their rounding. Flat tetrahedra with a rounding
/// become a plate. Volume, centre and inertia are the given ones where the particle carries any.
/// @param ownRadii  whether the reader of the shape knows vertices of different radii
/// @throws GeometryError naming the particle for an ellipsoid, a facet without thickness, capsules
/// of different radii, or polyhedra that fill no convex body
shape::Shape particleShape(const PackParticle& particle, bool ownRadii = true);

/// A sphere as a member of a particle. [L], frame of the pack; the radius is positive.
PackMember sphereMember(const Vec3& centre, double radius);

/// Whether a text begins, behind comments, as a table of spheres: with names of columns, with a
/// line of numbers, or as a dump of LAMMPS.
bool isSphereTable(const TextReader& in);
/// Spheres of a table, as YADE, LIGGGHTS, LAMMPS, DEME and spreadsheets write them. Comments are
/// left out.
///
/// Cells are parted by blanks, commas or semicolons. A header line, also as a comment, names the
/// columns in upper or lower case: x, y, z, r (radius, rad, d, diameter), and clumpId (clump, mol,
/// molecule, id). Other columns are left out with a warning. Without a header a row is `x y z r`,
/// or `x y z r clumpId`. Consecutive rows of one ID are a clump, and -1 is a sphere alone.
///
/// Rows without an ID are one clump. They are spheres alone by `apart`, behind YADE's
/// `#format x_y_z_r`, behind a line `##PERIODIC::` (as packs of Woo have it), and in a dump of
/// LAMMPS or LIGGGHTS (`ITEM: ATOMS`) without molecules.
/// @throws ParseError for a wrong count of cells, a bad number or a radius not above 0
ShapePack readSphereTable(TextReader& in, Diagnostics& diagnostics, bool apart = false);

/// A group of a conf-file stands in a `#@` line as `group=NUMBER:conf`.
inline constexpr std::string_view confSlot = "conf";
/// The number of the group of a conf-file that a particle carries, if any.
std::optional<std::uint32_t> confGroup(const Carried& carried);

}  // namespace scree::clump
