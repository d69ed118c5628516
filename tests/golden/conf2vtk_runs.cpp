// SPDX-License-Identifier: GPL-3.0-or-later
// A periodic packing under shear in ParaView files: stresses of bodies add up to that of the cell,
// and no force chain is longer than two bodies. Command lines of conf2vtk that are refused.
#include "cell_scenes.hpp"
#include "command.hpp"
#include "conf2vtk_case.hpp"

#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>

#include <algorithm>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;

namespace {

/// 1,000 boxes, rods and balls in a slanted cell that shrinks and shears, after some steps.
sim::Conf shearedPacking(const CaseFolder& folder) {
  scenes::Scene scene = scenes::soup(scenes::aslant(3.3), 0.5, 0.4, 10);
  sim::Drives drives;
  drives.cell = sim::CellLoading{sim::CellLoading::Kind::simpleShear, 2e5, 5.0, 0, 1};
  scene.conf.cell.mh = 0.05;
  const auto s = scene.start(1, drives);
  // Until the bodies bear each other.
  std::size_t acting = 0;
  for (int k = 0; k < 40 && acting < 1500; ++k) {
    for (int step = 0; step < 100; ++step) s->step();
    const auto contacts = s->interactions();
    acting = static_cast<std::size_t>(
        std::ranges::count_if(contacts, [](const auto& contact) { return contact.fn > 0.0; }));
  }
  sim::Conf conf = s->conf();
  conf.shapeFile = "shapes.shp";
  conf.precision = 17;
  writeFile(folder / "shapes.shp", shape::shapesText(scene.shapes), Existing::replace);
  writeFile(folder / "conf0", sim::confText(conf), Existing::replace);
  Diagnostics quiet;
  return sim::readConfFromFile(folder / "conf0", quiet);
}

/// From the centre of j to that of i, by the shortest of all images around.
Vec3 branch(const sim::Conf& conf, std::size_t i, std::size_t j) {
  const Vec3 apart = conf.particles[i].pos - conf.particles[j].pos;
  const Vec3 cells = conf.cell.h.inverse() * apart;
  const Vec3 home = apart - conf.cell.h * Vec3(cells.array().round());
  Vec3 best = home;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const Vec3 image = home + conf.cell.h * Vec3(x, y, z);
        if (image.norm() < best.norm()) best = image;
      }
  return best;
}

}  // namespace

TEST_CASE("stresses of 1,000 bodies in a sheared cell add up to its stress, and chains stay short",
          "[golden][conf2vtk]") {
  const CaseFolder folder;
  const sim::Conf conf = shearedPacking(folder);
  REQUIRE(conf.particles.size() == 1000);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.arrays = {"all"};
  options.doubles = true;
  options.contacts = ContactDrawing::chains;
  convert(options);

  const auto centres = read(folder / "vtk/centres/centres_0000.vtp");
  // Cells of surfaces carry the same bits as the centre of their body, and lie around it.
  const auto surfaces = read(folder / "vtk/particles/particles_0000.vtp");
  vtkDataArray *id = surfaces->GetCellData()->GetArray("id"),
               *turning = centres->GetPointData()->GetArray("angular_acceleration");
  std::vector<bool> drawn(1000);
  std::size_t different = 0, astray = 0;
  for (vtkIdType c = 0; c < surfaces->GetNumberOfCells(); ++c) {
    const auto body = static_cast<vtkIdType>(id->GetTuple1(c));
    drawn[static_cast<std::size_t>(body)] = true;
    vtkIdType n = 0;
    const vtkIdType* corners = nullptr;
    surfaces->GetCellPoints(c, n, corners);
    astray += (pointOf(surfaces, corners[0]) - pointOf(centres, body)).norm() > 0.4;
    for (int a = 0; a < surfaces->GetCellData()->GetNumberOfArrays(); ++a) {
      vtkDataArray* array = surfaces->GetCellData()->GetArray(a);
      vtkDataArray* own = centres->GetPointData()->GetArray(array->GetName());
      for (int k = 0; k < array->GetNumberOfComponents(); ++k) {
        const double here = array->GetComponent(c, k), there = own->GetComponent(body, k);
        different += here != there && !(std::isnan(here) && std::isnan(there));
      }
    }
  }
  CHECK(std::ranges::count(drawn, true) == 1000);
  CHECK(different == 0);
  CHECK(astray == 0);
  for (vtkIdType b = 0; b < 1000; ++b)
    different += Vec3(turning->GetTuple3(b)) != conf.particles[static_cast<std::size_t>(b)].arot;
  CHECK(different == 0);

  vtkDataArray *volume = centres->GetPointData()->GetArray("volume"),
               *stress = centres->GetPointData()->GetArray("stress");
  Mat3 sum = Mat3::Zero(), cell = Mat3::Zero();
  for (vtkIdType b = 0; b < 1000; ++b)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        sum(r, c) += volume->GetTuple1(b) * stress->GetComponent(b, 3 * r + c);
  // V σ of the whole: force times branch over the contacts, images found by trying all of them.
  std::size_t across = 0, acting = 0;
  for (const sim::InteractionRecord& contact : conf.interactions) {
    const Vec3 force = contact.fn * contact.n + contact.ft,
               arm = branch(conf, contact.key.i, contact.key.j);
    if (force.norm() == 0.0) continue;
    ++acting;
    const Vec3 apart = conf.particles[contact.key.i].pos - conf.particles[contact.key.j].pos;
    across += (apart - arm).norm() > 0.1;
    cell += force * arm.transpose();
  }
  CHECK(acting > 1000);
  CHECK(across > 100);
  INFO("V sigma " << cell);
  INFO("sum of V_i sigma_i " << sum);
  CHECK((sum - cell).norm() <= 1e-12 * cell.norm());
  CHECK(std::abs(cell(0, 1)) > 0.01 * cell.norm());  // there is shear to speak of

  std::vector<double> reach;
  Diagnostics quiet;
  for (const shape::Shape& shape : sim::shapesOf(conf, quiet)) {
    double most = 0.0;
    for (const Vec3& v : shape.vertices) most = std::max(most, v.norm() + shape.radius);
    reach.push_back(most);
  }
  const auto chains = read(folder / "vtk/chains/chains_0000.vtp");
  REQUIRE(chains->GetNumberOfLines() > 500);
  double longest = 0.0;  // over the bounding radii of both bodies
  for (vtkIdType k = 0; k < chains->GetNumberOfLines(); ++k) {
    double both = 0.0;
    for (const char* end : {"id_i", "id_j"}) {
      const auto& body = conf.particles[static_cast<std::size_t>(
          chains->GetCellData()->GetArray(end)->GetTuple1(k))];
      both += body.homothety * reach[body.shapeName];
    }
    longest =
        std::max(longest, (pointOf(chains, 2 * k + 1) - pointOf(chains, 2 * k)).norm() / both);
  }
  INFO("longest chain: " << longest << " of the two bounding radii together");
  CHECK(longest <= 1.0);
}

TEST_CASE("displacements and tracks in a cell that leans go to the nearest image",
          "[golden][conf2vtk]") {
  const std::string source =
      testing::publicData("field/runs/05_conf2vtk_displacement_tracks_not_nearest_image");
  if (source.empty()) return;
  const CaseFolder folder;
  Conf2vtkOptions options;
  options.confs = {source + "/conf0", source + "/conf1"};
  options.output = folder / "vtk";
  options.arrays = {"displacement"};
  options.tracks = true;
  convert(options);
  const auto centres = read(folder / "vtk/centres/centres_0001.vtp");
  const Vec3 moved(centres->GetPointData()->GetArray("displacement")->GetTuple3(0));
  CHECK((moved - Vec3(-0.1225, 0.45, 0)).norm() < 1e-12);
  CHECK(read(folder / "vtk/tracks/tracks.vtp")->GetCellData()->GetArray("length")->GetTuple1(0) ==
        Approx(moved.norm()).epsilon(1e-12));
}

TEST_CASE("conf2vtk refuses options that contradict each other and writes nothing",
          "[golden][conf2vtk]") {
  const SeriesFolder folder(3);  // t is 0, 0.1 and 0.2
  const auto [options, code] = GENERATE(table<std::string, int>({
      {"--from nan", 2},
      {"--from 5", 3},
      {"--arrays velocty", 2},
      {"--view --color-by qqqqqqqq", 2},
      {"--ascii --compress zlib", 2},
      {"--follow --tracks", 2},
      {"--image a.png --size 5 5", 2},
      {"--size 200 200", 2},
      {"--explode 0.3", 2},
      {"--explode 0 --image a.png", 2},
      {"--explode -1 --image a.png", 2},
      {"--explode nan --html a.html", 2},
      {"--explode 0.3 --tracks --html a.html", 2},
      {"--select 'q>1'", 2},
  }));
  INFO(options);
  testing::expect(folder, "conf2vtk conf0 conf1 conf2 " + options, code);
  CHECK_FALSE(std::filesystem::exists(folder / "vtk"));
}

TEST_CASE("a picture goes to standard output, a series of pictures does not",
          "[golden][conf2vtk]") {
  const SeriesFolder folder(2);
  for (const std::string stream : {"-", "/dev/stdout"})
    CHECK(
        testing::run(folder, "conf2vtk conf1 -q --image " + stream).out.starts_with("\x89PNG\r\n"));
  const testing::Outcome series = testing::expect(folder, "conf2vtk . --image -", 2);
  CHECK(series.out.empty());
}
