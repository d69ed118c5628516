// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes and shape-files as they are read, written, and refused at their place.
#include "catch.hpp"
#include "command.hpp"
#include "sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/shape_file.hpp"

#include <cmath>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::shape;
using Catch::Matchers::WithinRel;

namespace {

/// The bytes of a tetrahedron in one of the formats.
std::string tetrahedron(const std::string& ending) {
  return readFile(testing::goldenFolder() + "/../fuzz/corpus/mesh/tetrahedron" + ending);
}

std::string asciiStl() { return tetrahedron("_ascii.stl"); }
/// @param head  begins the file, as some exporters have it
std::string binaryStl(const std::string& head = "solid exported, though binary") {
  return tetrahedron("_binary.stl").replace(0, head.size(), head);
}
std::string binaryPly(bool big) { return tetrahedron(big ? "_big.ply" : "_little.ply"); }
const std::string obj = tetrahedron(".obj"), off = tetrahedron(".off"),
                  asciiPly =
                      std::regex_replace(tetrahedron("_ascii.ply"), std::regex("\n"), "\r\n");

void checkTetrahedron(const SurfaceMesh& mesh) {
  CHECK(mesh.vertices.size() == 4);
  REQUIRE(mesh.faces.size() == 4);
  const MeshCheck topology = checkEdges(mesh.faces);
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

TEST_CASE("vertices in one place are joined, collapsed corners and loose vertices go",
          "[shape][mesh]") {
  const SurfaceMesh mesh = readMesh("q.obj",
                                    "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv -0 1 -0\nv 0 1 0\n"
                                    "f 2 3 4 5\nf 2 2 3 6\nf 2 2 3\n");
  REQUIRE(mesh.faces.size() == 2);
  CHECK(mesh.faces[0].size() == 4);
  CHECK(mesh.faces[1].size() == 3);
  CHECK(mesh.vertices.size() == 4);
  // Others within a distance, on request.
  SurfaceMesh seam;
  seam.vertices = {Vec3(0, 0, 0),    Vec3(1, 0, 0), Vec3(0, 1, 0),
                   Vec3(1, 1e-7, 0), Vec3(1, 1, 0), Vec3(0, 1, 1e-7)};
  seam.faces.add({0, 1, 2});
  seam.faces.add({3, 4, 5});
  CHECK(checkEdges(welded(seam, 1e-6).faces).components == 1);
  CHECK(welded(seam, 1e-8).vertices.size() == 6);
  CHECK(welded(seam, 10.0).faces.empty());
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
  badPly.replace(badPly.size() - 13 + 1, 4, std::string("\x00\x00\x00\x04", 4));
  const std::string plyHead = "ply\nformat ascii 1.0\n";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  const std::string vertex = plyHead + "element vertex 1\n" + xyz;
  const std::string face = vertex + "element face 1\nproperty list uchar int vertex_indices\n";
  const std::vector<Case> cases{
      {"a.stl", "", "the mesh has no face"},
      {"a.stl", "\xFF\xFEs\0o\0", "UTF-16"},
      {"a.stl", tooMany, "at byte 80: binary STL: 2130706436 triangles announced"},
      {"a.stl", cut, "4 triangles announced, the file holds 3 and 43 bytes more; --force"},
      {"a.ply", binaryPly(false) + std::string(13, '\0'), "more than was announced; --force"},
      {"a.stl", nanStl, "at byte 96: triangle 0: expected a finite coordinate, found nan"},
      {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n", "a.stl:4:12: vertex"},
      {"a.obj", "v 0 0\nf 1 1 1\n", "a.obj:1:5: v: expected three numbers"},
      {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n", "a.obj:4:3: a face names vertex -4"},
      {"a.ply", plyHead, "the header has no end"},
      {"a.ply", plyHead + "element vertex 99999999999999\n" + xyz + "end_header\n0 0 0\n",
       "99999999999999 items announced"},
      {"a.ply", face + "end_header\n0 0 0\n3 0 0 7\n", "face 0 names vertex 7, there are 1"},
      {"a.ply", face + "end_header\n0 0 0\n999999999 0\n", "items announced"},
      {"a.ply", plyHead + "element tristrips 1\nproperty int x\nend_header\n1\n", "tristrips"},
      {"a.ply", cutPly, "a.ply: at byte"},
      {"a.ply", badPly, "face 3 names vertex 4, there are 4"},
      {"a.off", "FOO 4 4 6\n", "a.off:1:1: expected 'OFF'"},
      {"a.off", "OFF\n1000000000 1 1\n0 0 0\n", "1000000000 items announced"},
      {"a.off", "OFF BINARY\n", "a.off:1:5: binary OFF"},
      {"p.msh", "$MeshFormat\n", "Gmsh"},
  };
  for (const Case& c : cases) {
    INFO(c.complaint);
    CHECK_THAT(complaint(c.name, c.bytes), Catch::Contains(c.complaint));
    CHECK_THAT(complaint(c.name, c.bytes), Catch::StartsWith(c.name) && !Catch::Contains("\n"));
  }
}

TEST_CASE("deviations that common exporters make are read with one warning",
          "[shape][mesh][data]") {
  const std::string folder = scree::testing::publicData("field/shapes/");
  if (folder.empty()) return;
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
      const SurfaceMesh mesh = readMeshFromFile(path, &reading);
      ++read;
      if (file == "wallhole.obj") continue;
      const double right = file == "whitespace.off" ? 64.0 / std::pow(3.0, 1.5) : 6.0;
      CHECK_THAT(std::abs(signedVolume(mesh.vertices, mesh.faces)), WithinRel(right, 1e-6));
      CHECK(reading.warning().find('\n') == std::string::npos);
    }
  CHECK(read >= 20);
}

TEST_CASE("byte-order marks, missing words and words of old files do no harm", "[shape][mesh]") {
  const std::string text = asciiStl(), mark = "\xEF\xBB\xBF";
  CHECK(readMesh("two.stl", mark + text + mark + text).faces.size() == 8);
  checkTetrahedron(readMesh("t.stl", mark + binaryStl()));
  checkTetrahedron(readMesh("t.stl", text.substr(text.find("facet"))));
  std::string old = obj;
  checkTetrahedron(readMesh("t.obj", old.replace(old.find("f 1 3 2"), 1, "fo")));
  MeshReading reading{.force = true, .deviations = {}};
  readMesh("t.off", off + "3 0 1 2\n", &reading);
  CHECK_THAT(reading.warning(), Catch::Contains("4 faces announced"));
}

TEST_CASE("a wrong number of facets is read on request", "[shape][mesh]") {
  std::string stl = binaryStl(), ply = binaryPly(false);
  stl[80] = 9;
  ply.resize(ply.size() - 8);
  for (const auto& [name, bytes] : {std::pair{"a.stl", stl}, std::pair{"a.ply", ply}}) {
    CHECK_THAT(complaint(name, bytes), Catch::Contains("--force"));
    MeshReading reading{.force = true, .deviations = {}};
    CHECK(readMesh(name, bytes, &reading).faces.size() >= 3);
    CHECK_THAT(reading.warning(), Catch::Contains("announced"));
  }
}

TEST_CASE("meshes written read back to the bit, also where the format is guessed",
          "[shape][mesh]") {
  // An L turned and moved, so that its coordinates use all their digits.
  const Quat q(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  const Shape s = samples::movedBy(samples::turnedBy(samples::letterL(0.0), q), Vec3(0.1, 1e-7, 3));
  SurfaceMesh mesh{s.vertices, s.faces};
  for (const MeshFormat format : {MeshFormat::obj, MeshFormat::off, MeshFormat::ply}) {
    const SurfaceMesh back = readMesh("bytes", meshBytes(mesh, format, "solid"));
    CHECK(back.vertices == mesh.vertices);
    CHECK(back.faces == mesh.faces);
  }
  // STL holds triangles alone, in single precision.
  const SurfaceMesh back = readMesh("bytes", meshBytes(mesh, MeshFormat::stl, "solid"));
  CHECK(back.vertices.size() == mesh.vertices.size());
  CHECK(back.faces.size() == 2 * 4 + 6 * 2);
  CHECK(checkEdges(back.faces).closed());
  CHECK_THAT(signedVolume(back.vertices, back.faces), WithinRel(3.0, 1e-6));
  mesh.vertices[3].x() = 1e39;
  CHECK_THROWS_WITH(meshBytes(mesh, MeshFormat::stl), Catch::Contains("1e+39"));
}

TEST_CASE("a shape-file with a bad word is refused at its line", "[shape]") {
  const std::string good =
      "<\nname t\nradius 0.1\npreCompDone n\nnv 3\n0 0 0\n1 0 0\n0 1 0\nne 1\n0 1\nnf 1\n3 0 1 "
      "2\n>\n";
  const auto read = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    TextReader in("t.shp", text);
    Diagnostics strict(true);
    return shape::readShapes(in, strict).front().preCompDone;
  };
  for (const std::string word : {"y", "yes", "n", "no"})
    CHECK(read("Done n", "Done " + word) == word.starts_with('y'));
  for (const std::string word : {"maybe", "N", "0"})
    CHECK_THROWS_WITH(read("Done n", "Done " + word), Catch::StartsWith("t.shp:4:13: preComp"));
  CHECK_THROWS_WITH(read("3 0 1 2", "3 0 1 7"),
                    "t.shp:12:7: shape 't': face 0 names vertex 7, there are 3 (0 to 2)");
  // Edges and faces may stand before the vertices: then the place is that of their keyword.
  const std::string tail = "nv 3\n0 0 0\n1 0 0\n0 1 0\nne 1\n0 1\nnf 1\n3 0 1 2\n",
                    head = "ne 1\n0 1\nnf 1\n3 0 1 2\nnv 3\n0 0 0\n1 0 0\n0 1 0\n";
  CHECK_FALSE(read(tail, head));
  CHECK_THROWS_WITH(read(tail, "ne 1\n0 3\n" + head.substr(9)),
                    Catch::StartsWith("t.shp:5:1: shape 't' names vertex 3, there are 3"));
  CHECK_THROWS_WITH(read("name t\n", ""), Catch::StartsWith("t.shp:1:1: "));
}
