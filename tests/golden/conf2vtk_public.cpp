// SPDX-License-Identifier: GPL-3.0-or-later
// Public cases in ParaView files, against the words of the conf-files and closed forms.
#include "command.hpp"
#include "conf2vtk_case.hpp"

#include "scree/sim/io/conf_file.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;
using scree::testing::publicData;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

/// The lines below `keyword N` of a conf-file, word by word, without comments.
std::vector<Words> linesBelow(const std::string& text, const std::string& keyword) {
  std::istringstream in(text);
  std::string line;
  std::size_t count = 0;
  std::vector<Words> lines;
  while (std::getline(in, line)) {
    std::istringstream words(line.substr(0, line.find('#')));
    Words found;
    for (std::string word; words >> word;) found.push_back(word);
    if (found.empty()) continue;
    if (count > 0) {
      lines.push_back(found);
      if (--count == 0) break;
    } else if (found[0] == keyword) {
      count = std::stoul(found.at(1));
    }
  }
  return lines;
}

double number(const std::string& word) { return std::strtod(word.c_str(), nullptr); }

/// How many components of an array differ from the words from column `first` on, in any bit.
std::size_t differences(vtkDataArray* array, const std::vector<Words>& lines, std::size_t first) {
  REQUIRE(array != nullptr);
  REQUIRE(array->GetNumberOfTuples() == static_cast<vtkIdType>(lines.size()));
  std::size_t count = 0;
  for (std::size_t k = 0; k < lines.size(); ++k)
    for (int c = 0; c < array->GetNumberOfComponents(); ++c)
      count += array->GetComponent(static_cast<vtkIdType>(k), c) !=
               number(lines[k].at(first + static_cast<std::size_t>(c)));
  return count;
}

struct BodySurface {
  double volume = 0.0;
  std::map<std::pair<vtkIdType, vtkIdType>, int> edges;  ///< forwards less backwards
  std::size_t cells = 0;
  bool closed() const {
    return cells > 0 && std::ranges::all_of(edges, [](const auto& e) { return e.second == 0; });
  }
};

std::map<int, BodySurface> surfacesOf(vtkPolyData* data) {
  std::map<int, BodySurface> bodies;
  vtkDataArray* ids = data->GetCellData()->GetArray("id");
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    BodySurface& body = bodies[static_cast<int>(ids->GetTuple1(c))];
    ++body.cells;
    vtkIdType n = 0;
    const vtkIdType* corners = nullptr;
    data->GetCellPoints(c, n, corners);
    const Vec3 a = pointOf(data, corners[0]);
    for (vtkIdType k = 0; k < n; ++k) {
      const vtkIdType p = corners[k], q = corners[(k + 1) % n];
      body.edges[std::minmax(p, q)] += p < q ? 1 : -1;
      if (k > 1) body.volume += a.dot(pointOf(data, corners[k - 1]).cross(pointOf(data, p))) / 6.0;
    }
  }
  return bodies;
}

}  // namespace

TEST_CASE("518 bodies of a public case: closed surfaces, all contacts, the bits of the file",
          "[golden][conf2vtk]") {
  const std::string source = publicData("rockable-cases/518_poly_default");
  if (source.empty()) return;
  const CaseFolder folder;
  fs::copy(source + "/shape.shp", folder / "shape.shp");
  fs::copy(source + "/expected_conf3001", folder / "conf3001");
  const std::string text = readFile(folder / "conf3001");
  Conf2vtkOptions options = optionsFor(folder, {"conf3001"});
  options.arrays = {"all"};
  options.doubles = true;
  options.fineness = 8;
  Diagnostics quiet;
  convert(options, &quiet);

  const auto surfaces = surfacesOf(read(folder / "vtk/particles/particles_3001.vtp"));
  REQUIRE(surfaces.size() == 512);
  // A dodecahedron swept by a ball, by Steiner's formula, from its circumradius R: twelve faces,
  // thirty edges that turn by pi - acos(-1/sqrt 5).
  const std::vector<Words> bodies = linesBelow(text, "Particles");
  REQUIRE(bodies.size() == 518);
  Diagnostics none;
  const sim::Conf conf = sim::readConfFromFile(folder / "conf3001", none);
  const std::vector<shape::Shape> shapes = sim::shapesOf(conf, none);
  double worst = 0.0;
  for (const auto& [id, surface] : surfaces) {
    CAPTURE(id);
    REQUIRE(id >= 6);
    REQUIRE(surface.closed());
    const shape::Shape& shape = shapes[conf.particles[static_cast<std::size_t>(id)].shapeName];
    REQUIRE(shape.vertices.size() == 20);
    const double r = shape.radius, R = shape.vertices[0].norm(), phi = 0.5 * (1 + std::sqrt(5.0)),
                 a = 2 * R / (std::sqrt(3.0) * phi);
    const double volume = (15 + 7 * std::sqrt(5.0)) / 4 * a * a * a,
                 area = 3 * std::sqrt(25 + 10 * std::sqrt(5.0)) * a * a,
                 turn = pi - std::acos(-1 / std::sqrt(5.0));
    const double scale = std::pow(conf.particles[static_cast<std::size_t>(id)].homothety, 3);
    const double exact =
        scale * (volume + area * r + 15 * a * turn * r * r + 4.0 / 3.0 * pi * r * r * r);
    worst = std::max(worst, std::abs(surface.volume / exact - 1.0));
  }
  INFO("volumes off by " << worst << " of the closed form");
  CHECK(worst < 1e-7);  // the dodecahedron of the file is regular to 2e-8

  const auto centres = read(folder / "vtk/centres/centres_3001.vtp");
  vtkPointData* point = centres->GetPointData();
  CHECK(differences(centres->GetPoints()->GetData(), bodies, 4) == 0);
  for (const auto& [name, column] :
       std::map<std::string, std::size_t>{{"group", 1},
                                          {"cluster", 2},
                                          {"homothety", 3},
                                          {"velocity", 7},
                                          {"acceleration", 10},
                                          {"orientation", 13},
                                          {"angular_velocity", 17},
                                          {"angular_acceleration", 20}}) {
    CAPTURE(name);
    CHECK(differences(point->GetArray(name.c_str()), bodies, column) == 0);
  }
  // Cells of surfaces carry the same bits as the centre of their body.
  const auto particles = read(folder / "vtk/particles/particles_3001.vtp");
  vtkDataArray* id = particles->GetCellData()->GetArray("id");
  for (int a = 0; a < particles->GetCellData()->GetNumberOfArrays(); ++a) {
    vtkDataArray* array = particles->GetCellData()->GetArray(a);
    vtkDataArray* own = point->GetArray(array->GetName());
    CAPTURE(array->GetName());
    REQUIRE(own != nullptr);
    std::size_t different = 0;
    for (vtkIdType c = 0; c < particles->GetNumberOfCells(); ++c)
      for (int k = 0; k < array->GetNumberOfComponents(); ++k) {
        const double here = array->GetComponent(c, k),
                     there = own->GetComponent(static_cast<vtkIdType>(id->GetTuple1(c)), k);
        different += !(here == there || (std::isnan(here) && std::isnan(there)));
      }
    CHECK(different == 0);
  }

  const std::vector<Words> lines = linesBelow(text, "Interactions");
  REQUIRE(lines.size() == 3867);
  const auto contacts = read(folder / "vtk/contacts/contacts_3001.vtp");
  REQUIRE(contacts->GetNumberOfPoints() == 3867);
  CHECK(differences(contacts->GetPoints()->GetData(), lines, 9) == 0);
  for (const auto& [name, column] : std::map<std::string, std::size_t>{{"id_i", 0},
                                                                       {"id_j", 1},
                                                                       {"type", 2},
                                                                       {"sub_i", 3},
                                                                       {"sub_j", 4},
                                                                       {"normal", 5},
                                                                       {"dn", 8},
                                                                       {"velocity", 12},
                                                                       {"fn", 15},
                                                                       {"force_tangential", 16},
                                                                       {"moment", 19},
                                                                       {"damping", 22}}) {
    CAPTURE(name);
    CHECK(differences(contacts->GetPointData()->GetArray(name.c_str()), lines, column) == 0);
  }
}
