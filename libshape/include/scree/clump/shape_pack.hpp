// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::clump {

/// A value that most of its owners never change. While it is T{}, it takes one pointer of memory.
template <class T>
class OnDemand {
 public:
  OnDemand() = default;
  OnDemand(const OnDemand& other) : value_(other.value_ ? new T(*other.value_) : nullptr) {}
  OnDemand(OnDemand&&) noexcept = default;
  OnDemand& operator=(const OnDemand& other) { return *this = OnDemand(other); }
  OnDemand& operator=(OnDemand&&) noexcept = default;
  ~OnDemand() = default;

  const T& operator*() const {
    static const T none{};
    return value_ ? *value_ : none;
  }
  const T* operator->() const { return &**this; }
  /// The value, to be changed; allocates it.
  T& edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }

 private:
  std::unique_ptr<T> value_;
};

/// A group name in a slot, as PFC has them.
struct PackGroup {
  std::string name;
  std::string slot = "Default";
};

/// Mass properties that the user gives instead of those of the geometry.
struct GivenMass {
  double volume = 0.0;          ///< [L³] mass over density
  Vec3 centre = Vec3::Zero();   ///< [L] frame of the pack
  Mat3 inertia = Mat3::Zero();  ///< [M L²] about `centre`, axes of the pack, mass included
};

/// Data of a particle that have no place in ShapePack lines. Comment lines before it hold them:
/// `#@ id=7 density=2600 group=rock:Default`.
struct Carried {
  std::optional<double> density;  ///< [M/L³]
  std::optional<GivenMass> given;
  std::vector<PackGroup> groups, pebbleGroups;
  std::vector<std::string> others;  ///< `key=value` words of other programs, kept as they are

  bool empty() const {
    return !density && !given && groups.empty() && pebbleGroups.empty() && others.empty();
  }
};

/// Sets the density; a given volume stays, and a given inertia is scaled in proportion.
void setDensity(Carried& carried, double density);

/// A group from `NAME` or `NAME:SLOT`; nothing if a part is empty or holds a blank, '#', '=', a
/// control character or a second ':'.
std::optional<PackGroup> parsedGroup(std::string_view text);

/// End of a sentence, "the tensor ...", that says why it is not one of inertia. Empty if it is:
/// positive definite, with principal moments I1 + I2 >= I3.
std::string inertiaProblem(const Mat3& tensor);

/// e11 e22 e33 e12 e13 e23 as a symmetric tensor.
Mat3 symmetricTensor(const std::vector<double>& six);

/// Type of shape that a ShapePack line may have.
struct MemberType {
  enum class Kind { sphere, capsule, ellipsoid, facet, tetra };
  Kind kind;
  std::string_view name;  ///< as files spell it
  std::size_t numbers;    ///< count of numbers after the bounding sphere
  std::string_view help;
};
/// All types, in the order of the documentation.
const std::vector<MemberType>& memberTypes();

/// One line of a ShapePack: numbers as the file has them, so that a pack written again has the same
/// bits. capsuleHalfShaft() and the functions after it interpret them.
struct PackMember {
  const MemberType* type = nullptr;  ///< an entry of memberTypes(), never null
  Vec3 centre = Vec3::Zero();        ///< [L] of the bounding sphere, global frame
  double radius = 0.0;               ///< [L] of the bounding sphere, not of the shape; positive

  MemberType::Kind kind() const { return type->kind; }

  /// Numbers after the bounding sphere, type->numbers of them; nan marks shared nodes.
  const std::vector<double>& raw() const { return rest_->raw; }
  std::vector<double>& raw() { return rest_.edit().raw; }
  /// [L] corners of a facet or tetrahedron, shared ones filled in.
  const std::vector<Vec3>& nodes() const { return rest_->nodes; }
  std::vector<Vec3>& nodes() { return rest_.edit().nodes; }
  /// [L] Radius of a rounded tetrahedron: all points within it of the solid belong to the shape.
  double rounding() const { return rest_->rounding; }
  double& rounding() { return rest_.edit().rounding; }
  /// Comment at the end of the line, with its '#'; may be empty.
  const std::string& comment() const { return rest_->comment; }
  std::string& comment() { return rest_.edit().comment; }
  /// Comment lines that stand before this line.
  const std::vector<std::string>& before() const { return rest_->before; }
  std::vector<std::string>& before() { return rest_.edit().before; }

 private:
  /// Data that most spheres lack, so that packs of millions of spheres save their memory.
  struct Rest {
    std::vector<double> raw;
    std::vector<Vec3> nodes;
    double rounding = 0.0;
    std::string comment;
    std::vector<std::string> before;
  };
  OnDemand<Rest> rest_;
};

/// [L] Vector from the centre of a capsule to the centre of one cap, global frame.
Vec3 capsuleHalfShaft(const PackMember& capsule);
/// [L] Radius of the shaft and caps of a capsule: bounding radius less half the shaft.
double capsuleRadius(const PackMember& capsule);
/// Whether a member is a ball about its centre: a sphere, or a capsule without a shaft.
bool isBall(const PackMember& member);
/// Rotation body frame -> global frame, from the rotation vector.
Quat ellipsoidOrientation(const PackMember& ellipsoid);
Vec3 ellipsoidSemiAxes(const PackMember& ellipsoid);
/// [L] Half the thickness of a facet; 0 if the file gives none.
double facetHalfThickness(const PackMember& facet);

/// Largest ID that a file may have; far enough from overflow for new IDs above it.
inline constexpr std::int64_t mostId = 1'000'000'000'000'000;

/// Consecutive lines of one ID: a single shape, or a clump of several.
struct PackParticle {
  std::int64_t id = 0;   ///< as the file has it; not unique where the file repeats it further down
  std::size_t line = 0;  ///< of the first member in its file, for messages; 0 without a file
  bool unclumped = false;  ///< `u` behind the ID: several shapes that are not tied to one another
  std::vector<PackMember> members;

  /// Density, given mass and groups, from `#@` lines.
  const Carried& carried() const { return *carried_; }
  Carried& carried() { return carried_.edit(); }
  /// Given mass properties; null also for several unclumped shapes, on which they have no effect.
  const GivenMass* given() const {
    return carried_->given && (!unclumped || members.size() < 2) ? &*carried_->given : nullptr;
  }

 private:
  OnDemand<Carried> carried_;
};

/// Particles as pure geometry, as ShapePack text files of Woo hold them.
struct ShapePack {
  Vec3 cell = Vec3::Zero();  ///< [L] edges of the periodic cell; a component 0: not periodic there
  std::optional<std::string> userData;  ///< kept verbatim, one line
  std::vector<PackParticle> particles;
  std::vector<std::string> trailing;  ///< comment lines behind the last shape

  std::size_t shapeCount() const;
};

/// A complaint about a word of a file: "WHAT: expected EXPECTED, found 'WORD'".
ParseError unexpected(const TextReader& in, std::string_view word, std::string_view what,
                      std::string_view expected);

/// Beginning of a line with the periodic cell.
inline constexpr std::string_view periodicPrefix = "##PERIODIC::";
/// [L] Edges of the periodic cell from `line`, a line of `in` that begins with periodicPrefix.
/// @throws ParseError unless three numbers not below 0 follow the prefix
Vec3 periodicCell(const TextReader& in, std::string_view line);

/// Corners that the number in a marker of a shared node counts.
enum class SharedNodes {
  particle,  ///< all corners given in full so far in the same particle, as the format describes it
  line,      ///< those of the same line alone, as Woo's reader does
};

/// Reads a ShapePack text (docs/formats/shapepack.md); lines may end in LF, CR+LF or CR.
///
/// Lines `#@ id=I key=value ...` in front of particle I fill its `carried` and the `rounding` of
/// its tetrahedra. Elsewhere such a line has no effect and becomes a comment, `# @ id=I ...`.
/// Numbers in markers of shared nodes are made to count the nodes of the whole particle. Warns of
/// such lines, of a text without particles and of a repeated ID.
/// @throws ParseError for a line that is not of the format, a number that is not finite, a size
/// that is not positive, a particle that is clumped on some lines and not on others, a marker for a
/// node that is not there
ShapePack readShapePack(TextReader& in, Diagnostics& diagnostics,
                        SharedNodes shared = SharedNodes::particle);

/// The pack in canonical form: cell, user data, then one line per shape. Each number is the
/// shortest text that reads back to the same bits. Comments stay where they were between the
/// shapes. The carried data of a particle stand in one `#@` line in front of it.
/// Comments and user data must not hold line ends.
std::string shapePackText(const ShapePack& pack);

}  // namespace scree::clump
