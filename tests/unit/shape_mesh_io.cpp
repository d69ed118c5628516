// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "paths.hpp"
#include "skip.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::shape;
using Catch::Matchers::WithinRel;

namespace {

const std::vector<Vec3> corners{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
const std::vector<std::array<std::uint32_t, 3>> triangles{
    {0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

void append(std::string& out, std::uint64_t value, std::size_t bytes, bool big) {
  for (std::size_t k = 0; k < bytes; ++k)
    out += static_cast<char>(value >> (8 * (big ? bytes - 1 - k : k)) & 0xff);
}
void appendFloat(std::string& out, double value, bool big) {
  append(out, std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4, big);
}

std::string asciiStl() {
  std::string out = "solid a tetrahedron\n";
  for (const auto& t : triangles) {
    out += " facet normal nan 0 0\n  outer loop\n";
    for (const std::uint32_t c : t)
      out += "   vertex " + std::to_string(corners[c].x()) + " " + std::to_string(corners[c].y()) +
             " " + std::to_string(corners[c].z()) + "\n";
    out += "  endloop\n endfacet\n";
  }
  return out + "endsolid a tetrahedron\n";
}

std::string binaryStl(const char* head = "solid exported, though binary") {
  std::string out = head;
  out.resize(80, ' ');
  append(out, triangles.size(), 4, false);
  for (const auto& t : triangles) {
    for (int k = 0; k < 3; ++k) appendFloat(out, 0.0, false);
    for (const std::uint32_t c : t)
      for (int k = 0; k < 3; ++k) appendFloat(out, corners[c][k], false);
    append(out, 0, 2, false);
  }
  return out;
}

std::string binaryPly(bool big) {
  std::string out =
      std::string("ply\nformat binary_") + (big ? "big" : "little") +
      "_endian 1.0\ncomment end of nothing\nelement vertex 4\nproperty double x\nproperty uchar "
      "grey\n"
      "property float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\n"
      "element edge 1\nproperty list ushort short ends\nend_header\n";
  for (const Vec3& p : corners) {
    append(out, std::bit_cast<std::uint64_t>(p.x()), 8, big);
    append(out, 200, 1, big);
    appendFloat(out, p.y(), big);
    appendFloat(out, p.z(), big);
  }
  for (const auto& t : triangles) {
    append(out, 3, 1, big);
    for (const std::uint32_t c : t) append(out, c, 4, big);
  }
  append(out, 2, 2, big);
  append(out, 0, 2, big);
  append(out, 1, 2, big);
  return out;
}

const std::string asciiPly =
    "ply\r\nformat ascii 1.0\r\nelement vertex 4\r\nproperty float x\r\nproperty float "
    "y\r\nproperty float z\r\n"
    "element face 4\r\nproperty list uchar int vertex_index\r\nend_header\r\n"
    "0 0 0\r\n1 0 0\r\n0 1 0\r\n0 0 1\r\n3 0 2 1\r\n3 0 1 3\r\n3 0 3 2\r\n3 1 2 3\r\n";
const std::string obj =
    "# a tetrahedron\nmtllib none\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0 # here\nvt 0 0\nvn 0 0 1\nv 0 0 1 "
    "0.5 0.5 0.5\n"
    "g group\nf 1 3 2\nf 1/1 2/1 4/1\nf 1//1 4//1 3//1\nf -3/1/1 -2/1/1 -1/1/1\n";
const std::string off =
    "OFF # comment\n# another\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3 255 0 0\n3 0 3 "
    "2\n3 1 2 3\n";

void checkTetrahedron(const SurfaceMesh& mesh) {
  CHECK(mesh.vertices.size() == 4);
  REQUIRE(mesh.faces.size() == 4);
  const MeshTopology topology = meshTopology(mesh.vertices.size(), mesh.faces);
  CHECK(topology.closed());
  CHECK(topology.oriented());
  double volume = 0.0;
  for (std::size_t f = 0; f < 4; ++f) {
    REQUIRE(mesh.faces[f].size() == 3);
    const auto& v = mesh.vertices;
    volume += v[mesh.faces[f][0]].dot(v[mesh.faces[f][1]].cross(v[mesh.faces[f][2]])) / 6.0;
  }
  CHECK(volume == Approx(1.0 / 6.0).epsilon(1e-15));
}

std::string complaint(const std::string& name, const std::string& bytes) {
  try {
    readMesh(name, bytes);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("one tetrahedron comes out of every format", "[shape][mesh]") {
  checkTetrahedron(readMesh("t.stl", asciiStl()));
  checkTetrahedron(readMesh("t.stl", binaryStl()));  // its size tells, not its first word
  checkTetrahedron(readMesh("t.obj", obj));
  checkTetrahedron(readMesh("t.ply", asciiPly));
  checkTetrahedron(readMesh("t.ply", binaryPly(false)));
  checkTetrahedron(readMesh("t.ply", binaryPly(true)));
  checkTetrahedron(readMesh("t.off", off));
}

TEST_CASE("a mesh without a telling name is known by its content", "[shape][mesh]") {
  for (const std::string& bytes :
       {asciiStl(), binaryStl(), binaryStl(""), obj, asciiPly, binaryPly(true), off})
    checkTetrahedron(readMesh("standard input", bytes));
  CHECK(complaint("standard input", "what is this") ==
        "standard input: unknown mesh format: expected STL, OBJ, PLY or OFF");
}

TEST_CASE("polygons stay polygons, collapsed corners and loose vertices go", "[shape][mesh]") {
  const SurfaceMesh mesh = readMesh(
      "q.obj", "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 2 3 4 5\nf 2 2 3 4\nf 2 2 3\n");
  REQUIRE(mesh.faces.size() == 2);
  CHECK(mesh.faces[0].size() == 4);
  CHECK(mesh.faces[1].size() == 3);
  CHECK(mesh.vertices.size() == 4);
}

TEST_CASE("vertices nearer than a tolerance are joined on request", "[shape][mesh]") {
  SurfaceMesh mesh;
  mesh.vertices = {Vec3(0, 0, 0),    Vec3(1, 0, 0), Vec3(0, 1, 0),
                   Vec3(1, 1e-7, 0), Vec3(1, 1, 0), Vec3(0, 1, 1e-7)};
  mesh.faces.add({0, 1, 2});
  mesh.faces.add({3, 4, 5});
  const SurfaceMesh joined = welded(mesh, 1e-6);
  CHECK(joined.vertices.size() == 4);
  CHECK(meshTopology(4, joined.faces).components == 1);
  CHECK(welded(mesh, 1e-8).vertices.size() == 6);
  CHECK(welded(mesh, 10.0).faces.empty());
}

TEST_CASE("minus zero and zero are one place", "[shape][mesh]") {
  std::string stl = "solid\n";
  for (const char* v : {"0 0 0", "-0 0 -0"})
    stl += std::string("facet normal 0 0 0 outer loop vertex ") + v +
           " vertex 1 0 0 vertex 0 1 0 endloop endfacet\n";
  CHECK(readMesh("z.stl", stl + "endsolid").vertices.size() == 3);
}

TEST_CASE("broken meshes are refused with their place", "[shape][mesh][hostile]") {
  struct Case {
    const char* name;
    std::string bytes;
    const char* complaint;
  };
  std::string tooMany = binaryStl(), cut = binaryStl(), nanStl = binaryStl();
  tooMany[83] = '\x7f';  // two thousand million triangles
  cut.resize(cut.size() - 7);
  nanStl.replace(84 + 12, 4, std::string("\x00\x00\xc0\x7f", 4));
  std::string cutPly = binaryPly(false), badPly = binaryPly(true);
  cutPly.resize(cutPly.size() - 30);
  badPly.replace(badPly.size() - 6 - 13 + 1, 4, std::string("\x00\x00\x00\x04", 4));
  const std::string plyHead = "ply\nformat ascii 1.0\n";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  const std::vector<Case> cases{
      {"a.stl", "", "the mesh has no face"},
      {"a.stl", "\xFF\xFEs\0o\0", "UTF-16"},
      {"a.stl", tooMany, "at byte 80: binary STL: 2130706436 triangles announced"},
      {"a.stl", cut, "4 triangles announced, the file holds 3 in 277 bytes; --force"},
      {"a.stl", nanStl, "at byte 96: triangle 0: expected a finite coordinate, found nan"},
      {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n",
       "a.stl:4:12: vertex: expected a number"},
      {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n",
       "a.stl:4:12: vertex: expected a finite number"},
      {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n",
       "a.stl:5:1: expected 'vertex', found 'endloop'"},
      {"a.stl", "solid nothing\nendsolid nothing\n", "the mesh has no face"},
      {"a.obj", "v 0 0\nf 1 1 1\n", "a.obj:1:5: v: expected three numbers on the line"},
      {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
       "a.obj:4:7: a face names vertex 4, there are 3"},
      {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n", "a.obj:4:3: a face names vertex -4"},
      {"a.obj", "v 0 0 0\nf a b c\n", "a.obj:2:3: corner of a face: expected v, v/vt"},
      {"a.obj", std::string("v 0 0 0\0", 8), "binary data"},
      {"a.ply", "ply\nformat ascii 1.0\n", "the header has no end"},
      {"a.ply", "ply\nend_header\n", "the header names no format"},
      {"a.ply", plyHead + "element vertex 99999999999999\n" + xyz + "end_header\n0 0 0\n",
       "99999999999999 items announced"},
      {"a.ply", plyHead + "element vertex -1\n" + xyz + "end_header\n",
       "a.ply:3:16: count of an element"},
      {"a.ply", plyHead + "element vertex 1\nproperty float x\nend_header\n0\n",
       "property y is missing"},
      {"a.ply",
       plyHead + "element vertex 1\n" + xyz +
           "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 7\n",
       "face 0 names vertex 7, there are 1"},
      {"a.ply",
       plyHead + "element vertex 1\n" + xyz +
           "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n999999999 "
           "0\n",
       "items announced"},
      {"a.ply", plyHead + "element thing 1\nproperty list float int x\nend_header\n",
       "a list is counted by whole numbers"},
      {"a.ply", plyHead + "element thing 1\nproperty complex x\nend_header\n",
       "unknown type 'complex'"},
      {"a.ply", plyHead + "property float x\nend_header\n", "property: no element before it"},
      {"a.ply", "ply\nformat binary_middle_endian 1.0\nend_header\n", "binary_little_endian or"},
      {"a.ply", plyHead + "element tristrips 1\nproperty int x\nend_header\n1\n", "tristrips"},
      {"a.ply", cutPly, "a.ply: at byte"},
      {"a.ply", badPly, "face 3 names vertex 4, there are 4"},
      {"a.off", "4 4 6\n", "items announced"},
      {"a.off", "FOO 4 4 6\n", "a.off:1:1: expected 'OFF', found 'FOO'"},
      {"a.off", "OFF\n0 -1 6\n0 0 0\n", "a.off:2:3: number of faces"},
      {"a.off", "OFF\n1000000000 1 1\n0 0 0\n", "1000000000 items announced"},
      {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
       "a.off:6:7: corner of a face: expected a whole number from 0 to 2"},
      {"a.off", "OFF BINARY\n", "a.off:1:5: binary OFF"},
      {"a.off", "nOFF 3\n", "expected points in three dimensions"},
  };
  for (const Case& c : cases) {
    INFO(c.complaint);
    CHECK_THAT(complaint(c.name, c.bytes), Catch::Contains(c.complaint));
    CHECK_THAT(complaint(c.name, c.bytes), Catch::StartsWith(c.name) && !Catch::Contains("\n"));
  }
}

TEST_CASE("deviations that common exporters make are read with one warning",
          "[shape][mesh][data]") {
  const std::string folder = scree::testing::dataFolder() + "/field/shapes/";
  if (!std::filesystem::exists(folder)) return scree::testing::skip("no " + folder);
  int read = 0;
  for (const char* kind :
       {"R2-ascii-stl-of-other-exporters", "R4-obj-line-continuation-and-other-legal-forms",
        "R5-off-headers-of-public-data-sets"})
    for (const auto& entry : std::filesystem::directory_iterator(folder + kind)) {
      const std::string path = entry.path().string(), file = entry.path().filename().string();
      if (!path.ends_with("stl") && !path.ends_with("obj") && !path.ends_with("off")) continue;
      CAPTURE(file);
      MeshReading reading;
      if (file == "comma.stl") {
        CHECK_THROWS_WITH(readMeshFromFile(path), Catch::Contains("not a comma"));
        continue;
      }
      const SurfaceMesh mesh = readMeshFromFile(path, MeshFormat::guess, &reading);
      ++read;
      if (file == "wallhole.obj") continue;
      const double right = file == "whitespace.off" ? 64.0 / std::pow(3.0, 1.5) : 6.0;
      CHECK_THAT(std::abs(signedVolume(mesh.vertices, mesh.faces)), WithinRel(right, 1e-6));
      CHECK(reading.warning().find('\n') == std::string::npos);
    }
  CHECK(read >= 20);
  CHECK_THAT(complaint("p.vtk", "# vtk DataFile Version 3.0\n"), Catch::Contains("VTK"));
  CHECK_THAT(complaint("p.msh", "$MeshFormat\n"), Catch::Contains("Gmsh"));
}

TEST_CASE("solids joined with their byte-order marks are all read", "[shape][mesh]") {
  const auto solid = [](double x) {
    std::string out = "\xEF\xBB\xBFsolid\n";
    for (const auto& t : triangles) {
      out += "facet normal 0 0 0\nouter loop\n";
      for (const std::uint32_t c : t)
        out += "vertex " + std::to_string(corners[c].x() + x) + " " +
               std::to_string(corners[c].y()) + " " + std::to_string(corners[c].z()) + "\n";
      out += "endloop\nendfacet\n";
    }
    return out + "endsolid\n";
  };
  const SurfaceMesh two = readMesh("two.stl", solid(0) + solid(5));
  CHECK_THAT(signedVolume(two.vertices, two.faces), WithinRel(2.0 / 6.0, 1e-12));
  // The mark in front of binary data, and facets without a solid.
  checkTetrahedron(readMesh("t.stl", "\xEF\xBB\xBF" + binaryStl()));
  const std::string text = asciiStl();
  checkTetrahedron(readMesh("t.stl", text.substr(text.find("facet"))));
}

TEST_CASE("more faces than announced give a warning, and faces of old OBJ files are read",
          "[shape][mesh]") {
  MeshReading reading;
  readMesh("t.off", off + "3 0 1 2\n", MeshFormat::guess, &reading);
  CHECK_THAT(reading.warning(), Catch::Contains("4 faces announced"));
  std::string old = obj;
  old.replace(old.find("f 1 3 2"), 1, "fo");
  checkTetrahedron(readMesh("t.obj", old));
}

TEST_CASE("a wrong number of facets is read on request", "[shape][mesh]") {
  std::string stl = binaryStl(), ply = binaryPly(false);
  stl[80] = 9;
  ply.resize(ply.size() - 8);
  for (const auto& [name, bytes] : {std::pair{"a.stl", stl}, std::pair{"a.ply", ply}}) {
    CHECK_THAT(complaint(name, bytes), Catch::Contains("--force"));
    MeshReading reading{.force = true, .deviations = {}};
    CHECK(readMesh(name, bytes, MeshFormat::guess, &reading).faces.size() >= 3);
    CHECK_THAT(reading.warning(), Catch::Contains("announced"));
  }
}
