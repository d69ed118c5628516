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

/// A value that most of its owners never change. As long as it is T{}, it takes the memory of one
/// pointer.
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

/// Data of a particle that a ShapePack line has no place for. It stands in comment lines in front
/// of a particle:
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

/// Gives a particle another density; a given volume stays, and a given inertia grows in proportion.
void setDensity(Carried& carried, double density);

/// A group from `NAME` or `NAME:SLOT`; nothing if a part is empty or holds a blank, '#', '=', a
/// control character or a second ':'.
std::optional<PackGroup> parsedGroup(std::string_view text);

/// Why six numbers e11 e22 e33 e12 e13 e23 are no tensor of inertia, as the end of a sentence.
/// Empty if they are one: positive definite, principal moments I1 + I2 >= I3.
std::string inertiaProblem(const Mat3& tensor);

/// e11 e22 e33 e12 e13 e23 as a symmetric tensor.
Mat3 symmetricTensor(const std::vector<double>& six);

/// One type that a ShapePack line may have.
struct MemberType {
  enum class Kind { sphere, capsule, ellipsoid, facet, tetra };
  Kind kind;
  std::string_view name;  ///< as files spell it
  std::size_t numbers;    ///< how many follow the bounding sphere
  std::string_view help;
};
/// All types, in the order of the documentation.
const std::vector<MemberType>& memberTypes();

/// One line of a ShapePack: numbers as the file has them, so that a pack written again has the same
/// bits. The functions below say what they mean.
struct PackMember {
  const MemberType* type = nullptr;  ///< an entry of memberTypes(), never null
  Vec3 centre = Vec3::Zero();        ///< [L] of the bounding sphere, global frame
  double radius = 0.0;               ///< [L] of the bounding sphere, not of the shape; positive

  MemberType::Kind kind() const { return type->kind; }

  /// Numbers behind the type, type->numbers of them; nan marks shared nodes.
  const std::vector<double>& raw() const { return rest_->raw; }
  std::vector<double>& raw() { return rest_.edit().raw; }
  /// [L] corners of a facet or tetrahedron, shared ones filled in.
  const std::vector<Vec3>& nodes() const { return rest_->nodes; }
  std::vector<Vec3>& nodes() { return rest_.edit().nodes; }
  /// [L] tetrahedra: the solid and all points within this distance of it.
  double rounding() const { return rest_->rounding; }
  double& rounding() { return rest_.edit().rounding; }
  /// Behind the numbers, from its '#' on; may be empty.
  const std::string& comment() const { return rest_->comment; }
  std::string& comment() { return rest_.edit().comment; }
  /// Comment lines that stand before this line.
  const std::vector<std::string>& before() const { return rest_->before; }
  std::vector<std::string>& before() { return rest_.edit().before; }

 private:
  /// Data that a sphere does not have. Packs of millions of spheres do without its memory.
  struct Rest {
    std::vector<double> raw;
    std::vector<Vec3> nodes;
    double rounding = 0.0;
    std::string comment;
    std::vector<std::string> before;
  };
  OnDemand<Rest> rest_;
};

/// Capsule: from the centre to the centre of one cap, global frame.
Vec3 capsuleHalfShaft(const PackMember& capsule);
/// Capsule: radius of shaft and caps, bounding radius less half shaft.
double capsuleRadius(const PackMember& capsule);
/// Whether a member is a ball about its centre: a sphere, or a capsule without a shaft.
bool isBall(const PackMember& member);
/// Ellipsoid: body frame -> global frame, from the rotation vector.
Quat ellipsoidOrientation(const PackMember& ellipsoid);
Vec3 ellipsoidSemiAxes(const PackMember& ellipsoid);
/// Facet: half its thickness; 0 where the file gives none.
double facetHalfThickness(const PackMember& facet);

/// Largest ID of a file, far enough from the end of the numbers to count on.
inline constexpr std::int64_t mostId = 1'000'000'000'000'000;

/// Consecutive lines of one ID: a single shape, or a clump of several.
struct PackParticle {
  std::int64_t id = 0;   ///< as the file has it; not unique where the file repeats it further down
  std::size_t line = 0;  ///< of the first member, for messages; 0 where no file stands behind
  bool unclumped = false;  ///< `u` behind the ID: several shapes that are not tied to one another
  std::vector<PackMember> members;

  /// Density, given mass and groups, from `#@` lines.
  const Carried& carried() const { return *carried_; }
  Carried& carried() { return carried_.edit(); }
  /// The given mass properties where they have an effect: they are those of one body.
  const GivenMass* given() const {
    return carried_->given && (!unclumped || members.size() < 2) ? &*carried_->given : nullptr;
  }

 private:
  OnDemand<Carried> carried_;
};

/// A number of particles as pure geometry, as ShapePack text files of Woo hold it.
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

/// How a line with the periodic cell begins.
inline constexpr std::string_view periodicPrefix = "##PERIODIC::";
/// [L] edges of the cell that such a line of `in` gives.
/// @throws ParseError unless three numbers not below 0 follow
Vec3 periodicCell(const TextReader& in, std::string_view line);

/// Over which corners a marker of a shared node counts.
enum class SharedNodes {
  particle,  ///< all corners given in full so far in the same particle, as the format describes it
  line,      ///< those of the same line alone, as Woo's reader does
};

/// A ShapePack text (docs/formats/shapepack.md); lines may end in LF, CR+LF or CR.
///
/// Lines `#@ id=I key=value ...` in front of particle I fill its `carried` and the `rounding` of
/// its tetrahedra. One without effect becomes an ordinary comment, `# @ id=I ...`. Markers of
/// shared nodes are kept as numbers over the particle.
///
/// @throws ParseError for a line that is not of the format, a number that is not finite, a size
/// that is not positive, a particle that is clumped on some lines and not on others, a marker for a
/// node that is not there. No particle at all and a repeated ID are warned about.
ShapePack readShapePack(TextReader& in, Diagnostics& diagnostics,
                        SharedNodes shared = SharedNodes::particle);

/// The pack in canonical form: cell, user data, then one line per shape. Each number is the
/// shortest text that reads back to the same bits. Comments stay where they were between the
/// shapes. What a particle carries stands in one `#@` line in front of it.
/// Comments and user data must not hold line ends.
std::string shapePackText(const ShapePack& pack);

}  // namespace scree::clump
