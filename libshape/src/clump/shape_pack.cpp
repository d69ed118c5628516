// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/shape_pack.hpp"

#include "base/elementary.hpp"

#include "scree/base/text_writer.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace scree::clump {

using Kind = MemberType::Kind;

const std::vector<MemberType>& memberTypes() {
  static const std::vector<MemberType> types{
      {Kind::sphere, "Sphere", 0, "ball; the bounding sphere itself"},
      {Kind::capsule, "Capsule", 3, "half-shaft vector: from the centre to the centre of one cap"},
      {Kind::ellipsoid, "Ellipsoid", 6, "rotation vector (angle times axis), then three semi-axes"},
      {Kind::facet, "Facet", 10, "three corners, then half the thickness"},
      {Kind::facet, "Membrane", 10, "as Facet"},
      {Kind::tetra, "Tetra", 12, "four corners"},
      {Kind::tetra, "Tet4", 12, "as Tetra"},
  };
  return types;
}

Vec3 capsuleHalfShaft(const PackMember& capsule) {
  return {capsule.raw()[0], capsule.raw()[1], capsule.raw()[2]};
}

double capsuleRadius(const PackMember& capsule) {
  return capsule.radius - capsuleHalfShaft(capsule).norm();
}

bool isBall(const PackMember& m) {
  return m.kind() == Kind::sphere ||
         (m.kind() == Kind::capsule && capsuleHalfShaft(m) == Vec3::Zero());
}

Quat ellipsoidOrientation(const PackMember& ellipsoid) {
  const Vec3 v(ellipsoid.raw()[0], ellipsoid.raw()[1], ellipsoid.raw()[2]);
  const double angle = v.norm();
  if (!(angle > 0.0)) return Quat::Identity();
  const Vec3 turn = elementary::sin(0.5 * angle) / angle * v;
  return Quat(elementary::cos(0.5 * angle), turn.x(), turn.y(), turn.z());
}

Vec3 ellipsoidSemiAxes(const PackMember& ellipsoid) {
  return {ellipsoid.raw()[3], ellipsoid.raw()[4], ellipsoid.raw()[5]};
}

double facetHalfThickness(const PackMember& facet) { return facet.raw()[9]; }

std::size_t ShapePack::shapeCount() const {
  std::size_t n = 0;
  for (const PackParticle& particle : particles) n += particle.members.size();
  return n;
}

namespace {

std::string list(std::span<const double> numbers) {
  std::string out;
  for (const double number : numbers) {
    if (!out.empty()) out += ',';
    appendShortest(out, number);
  }
  return out;
}

/// The roundings of the tetrahedra for `radius=`: one number if all are equal, none if all are 0.
std::vector<double> carriedRoundings(const PackParticle& particle) {
  std::vector<double> roundings;
  for (const PackMember& m : particle.members)
    if (m.kind() == Kind::tetra) roundings.push_back(m.rounding());
  const auto isFirst = [&](double r) { return r == roundings.front(); };
  if (std::all_of(roundings.begin(), roundings.end(), isFirst))
    roundings.resize(roundings.empty() || roundings.front() == 0.0 ? 0 : 1);
  return roundings;
}

/// The `#@` line of a particle, where it carries anything.
void writeCarried(TextWriter& out, const PackParticle& particle) {
  const std::vector<double> roundings = carriedRoundings(particle);
  const Carried& c = particle.carried();
  if (c.empty() && roundings.empty()) return;
  out.put("#@").put(fmt::format("id={}", particle.id));
  if (!roundings.empty()) out.put("radius=" + list(roundings));
  if (c.density) out.put("density=" + list(std::array{*c.density}));
  if (c.given) {
    const Mat3& i = c.given->inertia;
    out.put("volume=" + list(std::array{c.given->volume}));
    out.put("position=" +
            list(std::array{c.given->centre.x(), c.given->centre.y(), c.given->centre.z()}));
    out.put("inertia=" + list(std::array{i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)}));
  }
  for (const PackGroup& g : c.groups) out.put(fmt::format("group={}:{}", g.name, g.slot));
  for (const PackGroup& g : c.pebbleGroups)
    out.put(fmt::format("pebble-group={}:{}", g.name, g.slot));
  for (const std::string& word : c.others) out.put(word);
  out.endLine();
}

}  // namespace

std::string shapePackText(const ShapePack& pack) {
  TextWriter out;
  if ((pack.cell.array() != 0.0).any()) out.line("##PERIODIC::", pack.cell);
  if (pack.userData) {
    out.raw("##USER-DATA:: ").raw(*pack.userData).raw("\n");
  }
  for (const PackParticle& particle : pack.particles) {
    const std::string id = fmt::format("{}{}", particle.id, particle.unclumped ? "u" : "");
    for (const PackMember& member : particle.members) {
      for (const std::string& comment : member.before()) out.line(comment);
      if (&member == &particle.members.front()) writeCarried(out, particle);
      out.put(id).put(member.type->name).put(member.centre).put(member.radius);
      for (const double number : member.raw()) {
        // A marker for a shared node may carry any payload or sign; one spelling serves all.
        if (std::isnan(number))
          out.put("nan");
        else
          out.put(number);
      }
      if (!member.comment().empty()) out.put(member.comment());
      out.endLine();
    }
  }
  for (const std::string& comment : pack.trailing) out.line(comment);
  return out.take();
}

void setDensity(Carried& carried, double density) {
  if (carried.given) carried.given->inertia *= density / carried.density.value_or(1.0);
  carried.density = density;
}

std::optional<PackGroup> parsedGroup(std::string_view text) {
  const auto colon = text.find(':');
  PackGroup group{std::string(text.substr(0, colon))};
  if (colon != std::string_view::npos) group.slot = std::string(text.substr(colon + 1));
  const auto refused = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code <= ' ' || code == 127 || c == '#' || c == '=' || c == ':';
  };
  for (const std::string& part : {group.name, group.slot})
    if (part.empty() || std::any_of(part.begin(), part.end(), refused)) return std::nullopt;
  return group;
}

std::string inertiaProblem(const Mat3& tensor) {
  if (!tensor.allFinite()) return "has a number that is not finite";
  const Vec3 i = Eigen::SelfAdjointEigenSolver<Mat3>(tensor, Eigen::EigenvaluesOnly).eigenvalues();
  const std::string moments =
      fmt::format("(principal moments {:.6g} {:.6g} {:.6g})", i[0], i[1], i[2]);
  if (!(i[0] > 0.0)) return "is not positive definite " + moments;
  if (i[0] + i[1] < i[2] * (1.0 - 1e-9))
    return "is not that of a body: the largest principal moment exceeds the sum of the others " +
           moments;
  return {};
}

Mat3 symmetricTensor(const std::vector<double>& six) {
  Mat3 t;
  t << six[0], six[3], six[4], six[3], six[1], six[5], six[4], six[5], six[2];
  return t;
}

}  // namespace scree::clump
