// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/error.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

namespace scree::shape {
namespace {

using Corners = std::array<std::uint32_t, 3>;

template <class Unsigned>
void putLittleEndian(std::string& out, Unsigned value) {
  for (std::size_t k = 0; k < sizeof value; ++k) out += static_cast<char>(value >> (8 * k) & 0xff);
}
void putFloat(std::string& out, double value) {
  if (!(std::abs(value) <= std::numeric_limits<float>::max()))
    throw GeometryError(fmt::format(
        "binary STL holds single precision: {:g} is beyond it; write OBJ or PLY", value));
  putLittleEndian(out, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}
Vec3 normalOf(const std::vector<Vec3>& points, const Corners& t) {
  const Vec3 n = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
  const double length = n.norm();
  return length > 0.0 && std::isfinite(length) ? Vec3(n / length) : Vec3(Vec3::Zero());
}

std::string stl(const SurfaceMesh& mesh, const std::string& name) {
  const std::vector<Corners> triangles = trianglesOf(mesh);
  if (triangles.size() > UINT32_MAX) throw GeometryError("more triangles than an STL file counts");
  // Must not begin with "solid": half of all readers take that for the sign of an ASCII file.
  std::string out = fmt::format("{:<80.80}", "binary STL, " + name);
  putLittleEndian(out, static_cast<std::uint32_t>(triangles.size()));
  for (const Corners& t : triangles) {
    for (const double x : normalOf(mesh.vertices, t)) putFloat(out, x);
    for (const std::uint32_t c : t)
      for (const double x : mesh.vertices[c]) putFloat(out, x);
    out.append(2, '\0');
  }
  return out;
}

std::string obj(const SurfaceMesh& mesh, const std::string& name, std::span<const Edge> edges) {
  TextWriter out;
  out.line("o", name);
  for (const Vec3& v : mesh.vertices) out.line("v", v);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    out.put("f");
    for (const std::uint32_t c : mesh.faces[f]) out.put(c + 1);
    out.endLine();
  }
  for (const Edge& e : edges) out.line("l", e[0] + 1, e[1] + 1);
  return out.take();
}

std::string off(const SurfaceMesh& mesh) {
  TextWriter out;
  out.line("OFF").line(mesh.vertices.size(), mesh.faces.size(), 0);
  for (const Vec3& v : mesh.vertices) out.line(v);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    out.put(mesh.faces[f].size());
    for (const std::uint32_t c : mesh.faces[f]) out.put(c);
    out.endLine();
  }
  return out.take();
}

std::string ply(const SurfaceMesh& mesh, const std::string& name) {
  TextWriter head;
  head.line("ply").line("format", "binary_little_endian", "1.0").line("comment", name);
  head.line("element vertex", mesh.vertices.size());
  for (const char* axis : {"x", "y", "z"}) head.line("property double", axis);
  head.line("element face", mesh.faces.size());
  head.line("property list uint uint vertex_indices").line("end_header");
  std::string out = head.take();
  for (const Vec3& v : mesh.vertices)
    for (const double x : v) putLittleEndian(out, std::bit_cast<std::uint64_t>(x));
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    putLittleEndian(out, static_cast<std::uint32_t>(mesh.faces[f].size()));
    for (const std::uint32_t c : mesh.faces[f]) putLittleEndian(out, c);
  }
  return out;
}

}  // namespace

std::string meshBytes(const SurfaceMesh& mesh, MeshFormat format, const std::string& name,
                      std::span<const Edge> edges) {
  if (format == MeshFormat::stl) return stl(mesh, name);
  if (format == MeshFormat::obj) return obj(mesh, name, edges);
  if (format == MeshFormat::ply) return ply(mesh, name);
  if (format == MeshFormat::off) return off(mesh);
  throw UsageError("a mesh to write needs a format: STL, OBJ, PLY or OFF");
}

}  // namespace scree::shape
