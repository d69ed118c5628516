// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/clump/shape_pack.hpp"
#include "scree/shape/shape.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace scree::clump {

/// File of a result. Its name is that of the output followed by `suffix`.
struct FormatFile {
  std::string suffix;
  std::string text;
};

/// Kinds of data that a format holds, and traits of its files. Data of other kinds are lost.
enum FormatTrait : unsigned {
  holdsAll = 1U << 0U,        ///< everything in a pack, even if it has no particles
  holdsShapes = 1U << 1U,     ///< particles are shapes; else, without `holdsAll`, balls alone
  holdsMass = 1U << 2U,       ///< given mass and inertia
  holdsDensity = 1U << 3U,    ///< of each particle
  holdsCell = 1U << 4U,       ///< the periodic cell
  holdsGroup = 1U << 5U,      ///< the number of a group of a conf-file
  holdsPlaces = 1U << 6U,     ///< positions of particles
  holdsIds = 1U << 7U,        ///< IDs of particles
  holdsNames = 1U << 8U,      ///< names of the shapes that particles come from
  holdsRadii = 1U << 9U,      ///< vertices of different radii in one shape
  severalFiles = 1U << 10U,   ///< a pack becomes several files
  filesNameOther = 1U << 11U  ///< a file holds the name of the output: it must be a plain word
};

/// Format in which packs are written.
struct Format {
  std::string_view name, ending;  ///< `ending` of file names that select the format
  unsigned traits = 0;            ///< sum of FormatTrait
  int commentAfter = -1;          ///< lines of the first file before its comment; -1: no comment
  bool has(FormatTrait trait) const { return (traits & trait) != 0; }
};

/// All formats, in the order of help and documentation.
const std::vector<Format>& formats();
/// Names of all formats, in the same order.
std::vector<std::string_view> formatNames();
/// Format of a name. @throws UsageError for an unknown one
const Format& formatNamed(const std::string& name);

struct WriteOptions {
  std::string format;         ///< a name of formats()
  std::string name;           ///< of the output file without folders; empty: standard output
  double density = 1.0;       ///< [M/L³] of particles that carry none; the format conf takes the
                              ///< default of PackSettings unless densityGiven
  bool densityGiven = false;  ///< the user chose `density`: report its loss
  bool lossy = false;         ///< leave out what the format cannot hold
  std::string remedy = "--lossy continues without";  ///< end of messages about a loss
  /// Names of the shapes that particles come from, by ID. Others are named by their ID.
  std::map<std::int64_t, std::string> shapeNames;
  int threads = 1;
};

/// Collects the data that a file cannot hold.
class Losses {
 public:
  Losses(const WriteOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  /// Warns that a body or its shape is left out. @throws ModelError unless `lossy`
  void serious(const std::string& what);
  /// Collects another loss, given as a noun, for report(). Does nothing unless `isLost`.
  void minor(const std::string& what, bool isLost = true);
  /// Adds the losses of the pack as a whole, without those of ofParticle().
  void ofPack(const ShapePack& pack, const Format& format);
  /// Adds the losses of the data that a particle carries.
  void ofParticle(const PackParticle& particle, const Format& format);
  /// Warns once, with all minor losses.
  void report() const;

 private:
  const WriteOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<std::string> minor_;
};

/// Function that writes conf-files: sim::confFiles of libsim, on which this library cannot depend.
using ConfWriter = std::function<std::vector<FormatFile>(const ShapePack&, const WriteOptions&,
                                                         Losses&, Diagnostics&)>;

/// Refuses options that written() cannot follow.
/// @throws UsageError for an unknown format, or if its files would hold a WriteOptions::name that
/// other programs cannot read
void checkWriteOptions(const WriteOptions& options);

/// A pack in a format: one file, or several. A loss of a body or its shape is refused unless
/// `lossy`; the rest is warned about in one line. Balls that swallowedBalls() names are left out
/// unless the format holds everything.
/// @throws UsageError as checkWriteOptions; ModelError where a loss is refused or nothing is left
std::vector<FormatFile> written(ShapePack pack, const WriteOptions& options,
                                Diagnostics& diagnostics, const ConfWriter& conf = {});

/// Calls `work` for each particle or, if it is not clumped, for each of its members. A member takes
/// the density of the particle. A given mass, which is that of all members together, is lost.
void forEachBody(const ShapePack& pack, Losses& losses,
                 const std::function<void(const PackParticle&)>& work);

/// Gives the shapes of one file different names: from WriteOptions::shapeNames, else from the ID.
class ShapeNames {
 public:
  /// @param taken  a name that no shape may have
  explicit ShapeNames(const WriteOptions& options, const std::string& taken = {})
      : given_(options.shapeNames), taken_{taken} {}
  /// Name for the shape of particle `id`; each call gives another one.
  std::string next(std::int64_t id);

 private:
  const std::map<std::int64_t, std::string>& given_;
  std::set<std::string> taken_;
  std::map<std::string, std::size_t> count_;  ///< calls of next() by name, before it is made unique
};

/// Spheres for LAMMPS (29 Sep 2021), some of them joined to rigid bodies. Units of the pack.
struct LammpsSystem {
  struct Atom {
    std::size_t type = 1, molecule = 0;
    Vec3 centre = Vec3::Zero();
    double diameter = 0.0, density = 0.0;          ///< density [M/L³] of the whole sphere
    Vec3 vel = Vec3::Zero(), vrot = Vec3::Zero();  ///< [L/T], [1/T]
  };
  struct Rigid {
    std::size_t molecule = 0;  ///< that of its atoms
    double mass = 0.0;
    Vec3 centre = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();                   ///< about the centre, global axes
    Vec3 vel = Vec3::Zero(), spin = Vec3::Zero();  ///< [L/T]; [M L²/T] angular momentum
  };
  std::string title;
  Vec3 low = Vec3::Zero(), high = Vec3::Zero(), tilt = Vec3::Zero();  ///< box; tilt: xy xz yz
  std::array<bool, 3> periodic{};  ///< axes; only a comment, since the command `boundary` sets them
  std::size_t types = 1;
  std::vector<Atom> atoms;
  std::vector<Rigid> rigid;
};
/// Data file for `read_data` of `atom_style hybrid sphere molecular`.
std::string lammpsData(const LammpsSystem& system);
/// File for `fix rigid/small molecule infile`: 20 numbers for each body.
std::string lammpsInfile(const LammpsSystem& system);

/// Particles of balls alone as text for YADE (ymport), LAMMPS (read_data, fix rigid, molecule),
/// LIGGGHTS (fix particletemplate/multisphere), by their manuals, or as csv.
std::vector<FormatFile> sphereFiles(const ShapePack& pack, const Format& format,
                                    const WriteOptions& options, Losses& losses);

/// A particle as one shape of a shape-file, with mass properties, and with `position` and
/// `orientation` as it stands in the pack. Spheres, and capsules without a shaft, become vertices,
/// with a radius each where they differ. Capsules of one radius become edges. Tetrahedra and facets
/// (as prisms) that fill a convex body become one polyhedron with their rounding; flat ones with a
/// rounding become a plate. Volume, centre and inertia are the given ones where the particle
/// carries any.
/// @param ownRadii  whether the reader of the shape knows vertices of different radii
/// @throws GeometryError naming the particle for an ellipsoid, a facet without thickness, capsules
/// of different radii, or polyhedra that fill no convex body
shape::Shape particleShape(const PackParticle& particle, bool ownRadii = true);

/// A sphere as a member of a particle: centre [L] in the frame of the pack, radius [L] above 0.
PackMember sphereMember(const Vec3& centre, double radius);

/// Whether a text begins, behind comments, as a table of spheres: with names of columns, with a
/// line of numbers, or as a dump or data file of LAMMPS.
bool isSphereTable(const TextReader& in);
/// Spheres of a table, as YADE, LIGGGHTS, LAMMPS, DEME and spreadsheets write them
/// (docs/tools/clumpify.md has the columns). Comments are left out, other columns with a warning.
/// Consecutive rows of one ID are a clump; a row of ID -1 is a single sphere.
/// @param apart  rows without an ID are single spheres, as in files of YADE, Woo, LAMMPS and
///               LIGGGHTS; else one clump
/// @throws ParseError for a row with more or fewer values than columns, a bad number, a radius <= 0
ShapePack readSphereTable(TextReader& in, Diagnostics& diagnostics, bool apart = false);

/// Slot for the group number of a conf-file: a line `#@` holds it as `group=NUMBER:conf`.
inline constexpr std::string_view confSlot = "conf";
/// The number of the group of a conf-file that a particle carries, if any.
std::optional<std::uint32_t> confGroup(const Carried& carried);

}  // namespace scree::clump
