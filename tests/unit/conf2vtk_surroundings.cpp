// SPDX-License-Identifier: GPL-3.0-or-later
// Periodic images, round walls and bonds in ParaView files.
#include "conf2vtk_case.hpp"
#include "view_data.hpp"

#include "scree/sim/io/conf_file.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;
namespace fs = std::filesystem;

namespace {

struct BallRecord {
  Vec3 pos, vel = Vec3::Zero();
  int cluster = 0;
  Quat q = Quat::Identity();
};
/// Balls of radius 0.5; `extra` holds further keywords.
void writeBalls(const CaseFolder& folder, const std::string& name, double t,
                const std::string& extra, const std::vector<BallRecord>& balls,
                const std::string& interactions = "Interactions 0\nInterfaces 0\n") {
  std::string bodies;
  for (const auto& [pos, vel, cluster, q] : balls)
    bodies += fmt::format("Ball 0 {} 2  {} {} {}  {} {} {}  0 0 0  {} {} {} {}  0 0 0  0 0 0\n",
                          cluster, pos.x(), pos.y(), pos.z(), vel.x(), vel.y(), vel.z(), q.w(),
                          q.x(), q.y(), q.z());
  writeFile(folder / "shapes.shp", shapesText(), Existing::replace);
  writeFile(folder / name,
            fmt::format("Rockable 21-08-2022\nt {}\ntmax 1\ndt 1e-4\ninterVerlet 1\ninterConf 1\n"
                        "DVerlet 0\ndVerlet 0\ndensity 0 1000\ngravity 0 -9.81 0\nforceLaw "
                        "Default\nknContact 0 0 1e6\n{}iconf 0\nnDriven 0\nshapeFile shapes.shp\n"
                        "precision 17\nParticles {}\n{}{}",
                        t, extra, balls.size(), bodies, interactions),
            Existing::replace);
}
const std::string cellOf3 = "usePeriodicCell 1\nh 3 0 0 0 3 0 0 0 3\n";

constexpr double ballVolume = 8 * 0.0654498;  // as the shape-file says, homothety 2

}  // namespace

TEST_CASE("in a periodic cell sums and chains go by the nearest image", "[conf2vtk]") {
  const CaseFolder folder;
  // The two balls overlap by 0.05 through the face x = 0; compression is the same for both.
  writeBalls(folder, "conf0", 0, cellOf3, {{Vec3(0.1, 1, 1)}, {Vec3(2.15, 1, 1)}},
             "Interactions 1\n0 1 0 0 0  1 0 0  -0.05  -0.375 1 1  0 0 0  50000 0 0 0  0 0 0  0\n"
             "Interfaces 0\n");
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.arrays = {"all"};
  options.contacts = ContactDrawing::chains;
  options.images = true;
  options.tracks = true;
  convert(options);
  const auto centres = read(folder / "vtk/centres/centres_0000.vtp");
  vtkDataArray* pressure = centres->GetPointData()->GetArray("pressure");
  // Love and Weber: F times the arm of 0.475, over 3 V.
  CHECK(pressure->GetTuple1(0) == Approx(50000 * 0.475 / (3 * ballVolume)).epsilon(1e-12));
  CHECK(pressure->GetTuple1(1) == Approx(pressure->GetTuple1(0)).epsilon(1e-12));
  const auto chains = read(folder / "vtk/chains/chains_0000.vtp");
  REQUIRE(chains->GetNumberOfLines() == 1);
  CHECK((pointOf(chains, 1) - pointOf(chains, 0)).norm() == Approx(0.95).epsilon(1e-12));
  CHECK(pointOf(chains, 0) == Vec3(0.1, 1, 1));
  const auto cell = read(folder / "vtk/cell/cell_0000.vtp");
  CHECK(cell->GetNumberOfLines() == 12);
  double bounds[6];
  cell->GetBounds(bounds);
  CHECK(bounds[1] == 3.0);
  // Each ball reaches through the face x = 0 or x = 3: four balls are drawn.
  const auto bodies = read(folder / "vtk/particles/particles_0000.vtp");
  bodies->GetBounds(bounds);
  CHECK(bounds[0] == Approx(-0.4));
  CHECK(bounds[1] == Approx(3.6));
  CHECK(read(folder / "vtk/tracks/tracks.vtp")->GetNumberOfLines() == 2);
}

TEST_CASE("pages and pictures have the periodic images of bodies, too", "[conf2vtk]") {
  const CaseFolder folder;
  // One ball beyond the face x = 3: it is moved into the cell, and an image reaches in.
  writeBalls(folder, "conf0", 0, cellOf3, {{Vec3(3.1, 1, 1), Vec3(3, 0, 0)}});
  Diagnostics quiet;
  const sim::Conf conf = sim::readConfFromFile(folder / "conf0", quiet);
  const DrawnShapes shapes = drawnShapes(sim::shapesOf(conf, quiet), 3);
  const Scene scene = sceneOf(conf, shapes);
  const ViewRows rows = viewRows(ArrayChoice({}));
  CHECK(viewFrame(scene, "conf0", rows).bodies.size() == 1);
  Conf2vtkOptions options;
  options.images = true;
  const ViewFrame frame = viewFrame(scene, "conf0", rows, options);
  REQUIRE(frame.bodies.size() == 2);
  CHECK(frame.bodies[1].isImage);
  CHECK(frame.bodies[0].position.x() == Approx(0.1));
  CHECK(frame.bodies[1].position.x() == Approx(3.1));
  for (const auto& values : frame.values) CHECK(values.size() == 2);
  // Tracks have each body once, where the file has it.
  const vtp::PolyPiece tracks = tracksPiece(viewSeries(rows, {frame}, {}), false);
  REQUIRE(tracks.points.size() == 1);
  CHECK(tracks.points[0].x() == Approx(3.1));
}

TEST_CASE("round walls are drawn, and their contacts count", "[conf2vtk]") {
  const CaseFolder folder;
  writeBalls(folder, "conf0", 0,
             "#scree boundary cylinder 0 0 0 0 0 1 1 0\n"
             "#scree boundary ball 0 0 0 5 0\n#scree touch 0 0 0 -4e-4 404.82 0 0 0 0 0 0 0 0 0\n",
             {{Vec3(0, -0.5004, 0)}});
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.arrays = {"all"};
  convert(options);
  const auto centres = read(folder / "vtk/centres/centres_0000.vtp");
  CHECK(centres->GetPointData()->GetArray("coordination")->GetTuple1(0) == 1.0);
  CHECK(centres->GetPointData()->GetArray("contact_points")->GetTuple1(0) == 1.0);
  CHECK(centres->GetPointData()->GetArray("force")->GetComponent(0, 1) == Approx(404.82));
  const auto contacts = read(folder / "vtk/contacts/contacts_0000.vtp");
  REQUIRE(contacts->GetNumberOfPoints() == 1);
  CHECK(contacts->GetPointData()->GetArray("fn")->GetTuple1(0) == 404.82);
  CHECK(contacts->GetPointData()->GetArray("id_j")->GetTuple1(0) == -1.0);
  CHECK(pointOf(contacts, 0).y() == Approx(-1.0002));
  const auto walls = read(folder / "vtk/walls/walls_0000.vtp");
  vtkDataArray* ids = walls->GetCellData()->GetArray("id");
  int cells[2] = {0, 0};
  for (vtkIdType c = 0; c < walls->GetNumberOfCells(); ++c) {
    const bool ball = ids->GetTuple1(c) == -2.0;
    ++cells[ball ? 1 : 0];
    vtkIdType n = 0;
    const vtkIdType* corners = nullptr;
    walls->GetCellPoints(c, n, corners);
    for (vtkIdType k = 0; k < n; ++k) {
      const Vec3 p = pointOf(walls, corners[k]);
      CHECK((ball ? p.norm() : p.head<2>().norm()) == Approx(ball ? 5.0 : 1.0).epsilon(1e-12));
    }
  }
  CHECK(cells[0] == 96);
  CHECK(cells[1] > 4000);
}

TEST_CASE("bonds show their state, and stay as broken ones", "[conf2vtk]") {
  const CaseFolder folder;
  const std::vector<BallRecord> bodies{
      {Vec3(0, 0, 0)}, {Vec3(1, 0, 0)}, {Vec3(2, 0, 0), Vec3::Zero(), 1}};
  const std::string law =
      "forceLaw StickedLinks\nknInnerBond 0 0 1e6\nfn0InnerBond 0 0 100\nknOuterBond 0 0 "
      "1e6\nfn0OuterBond 0 0 100\n";
  writeBalls(folder, "conf0", 0, law, bodies,
             "Interactions 2\n0 1 0 0 0  -1 0 0  1e-5  0.5 0 0  0 0 0  -25 0 0 0  0 0 0  0\n"
             "1 2 0 0 0  -1 0 0  0  1.5 0 0  0 0 0  0 0 0 0  0 0 0  0\n"
             "Interfaces 2\n0 1 1 0 0 0 0\n1 2 1 0 0 0 0\n");
  writeBalls(folder, "conf1", 0.1, law, bodies,
             "Interactions 1\n0 1 0 0 0  -1 0 0  1e-5  0.5 0 0  0 0 0  -25 0 0 0  0 0 0  0\n"
             "Interfaces 1\n0 1 1 0 0 0 0\n");
  Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1"});
  options.bonds = true;
  options.arrays = {"all"};
  convert(options);
  const auto before = read(folder / "vtk/bonds/bonds_0000.vtp"),
             after = read(folder / "vtk/bonds/bonds_0001.vtp");
  REQUIRE(before->GetNumberOfLines() == 2);
  REQUIRE(after->GetNumberOfLines() == 2);
  vtkDataArray *state0 = before->GetCellData()->GetArray("state"),
               *state1 = after->GetCellData()->GetArray("state");
  CHECK(state0->GetTuple1(0) == 1.0);
  CHECK(state0->GetTuple1(1) == 2.0);
  CHECK(state1->GetTuple1(0) == 1.0);
  CHECK(state1->GetTuple1(1) == 0.0);
  CHECK(after->GetCellData()->GetArray("id_i")->GetTuple1(1) == 1.0);
  CHECK(before->GetCellData()->GetArray("fn")->GetTuple1(0) == -25.0);
  CHECK(before->GetCellData()->GetArray("yield")->GetTuple1(0) == Approx(-0.75));
  CHECK(pointOf(before, 1) == Vec3(0.5, 0, 0));
  CHECK(before->GetPointData()->GetArray("tube_radius")->GetTuple1(1) > 0.0);
  const auto centres = read(folder / "vtk/centres/centres_0001.vtp");
  vtkDataArray* damage = centres->GetPointData()->GetArray("damage");
  CHECK(damage->GetTuple1(0) == 0.0);
  CHECK(damage->GetTuple1(1) == 0.5);
  CHECK(damage->GetTuple1(2) == 1.0);
  vtkDataArray* fragment = centres->GetPointData()->GetArray("fragment");
  for (int b = 0; b < 3; ++b) CHECK(fragment->GetTuple1(b) == (b < 2 ? 0.0 : 2.0));
  vtkDataArray* load = after->GetCellData()->GetArray("load");
  CHECK(load->GetTuple1(0) == Approx(0.25));
  CHECK(load->GetTuple1(1) == 1.0);  // broken
}

TEST_CASE("an exploded view moves free bodies away from their centre, with chains and bonds",
          "[conf2vtk]") {
  const CaseFolder folder;
  // A driven ball, and free ones whose centre is (1, 2, 0). Two of them are glued by two bonds.
  writeBalls(folder, "conf0", 0, "forceLaw StickedLinks\nfn0InnerBond 0 0 100\n",
             {{Vec3(0, -1, 0)}, {Vec3(0, 0, 0)}, {Vec3(1, 0, 0)}, {Vec3(2, 6, 0), Vec3::Zero(), 1}},
             "Interactions 2\n0 1 0 0 0  0 -1 0  -1e-5  0 -0.5 0  0 0 0  25 0 0 0  0 0 0  0\n"
             "1 2 0 0 0  -1 0 0  1e-5  0.5 0 0  0 0 0  -25 0 0 0  0 0 0  0\n"
             "Interfaces 1\n1 2 2 0 0 0 0 0 0 0\n");
  Diagnostics quiet;
  sim::Conf conf = sim::readConfFromFile(folder / "conf0", quiet);
  const DrawnShapes shapes = drawnShapes(sim::shapesOf(conf, quiet), 3);
  conf.nDriven = 1;
  const ViewRows rows = viewRows(ArrayChoice({}), "fragment");
  const auto frameOf = [&](double factor) {
    Conf2vtkOptions options;
    options.bonds = true;
    options.explode = factor;
    return viewFrame(sceneOf(conf, shapes), "conf0", rows, options);
  };
  const ViewFrame before = frameOf(0.0), after = frameOf(0.5);
  CHECK((after.centre - Vec3(1, 2, 0)).norm() < 1e-14);
  const auto moved = [&](const Vec3& p) { return Vec3(p + 0.5 * (p - after.centre)); };
  CHECK(after.bodies[0].position == before.bodies[0].position);  // driven
  for (std::size_t b = 1; b < 4; ++b) {
    CHECK((after.bodies[b].position - moved(before.bodies[b].position)).norm() < 1e-14);
    CHECK((after.bodies[b].shift - 0.5 * (before.bodies[b].position - after.centre)).norm() <
          1e-14);
  }
  // One line for each interface, from centre to centre; a chain starts at the driven body.
  REQUIRE(after.bonds.size() == 1);
  CHECK(after.bonds[0].load == Approx(0.25));
  CHECK((after.bonds[0].from - moved(Vec3::Zero())).norm() < 1e-12);
  CHECK((after.bonds[0].to - moved(Vec3(1, 0, 0))).norm() < 1e-12);
  CHECK(after.chains[0].from == before.chains[0].from);
  CHECK((after.chains[0].to - moved(Vec3::Zero())).norm() < 1e-12);
  // In a periodic cell the centre is that of the cell.
  conf.cell.used = true;
  conf.cell.h = Vec3(8, 8, 8).asDiagonal();
  CHECK(frameOf(0.5).bodies[1].position == Vec3(-2, -2, -2));
}

TEST_CASE("tracks run through the centres of all files, on through faces of the cell",
          "[conf2vtk]") {
  const CaseFolder folder;
  for (int k = 0; k < 4; ++k)
    writeBalls(folder, fmt::format("conf{}", k), 0.1 * k, cellOf3,
               {{Vec3(std::fmod(2.0 + 0.7 * k, 3.0), 1, 1), Vec3(7, 0, 0)}});
  Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1", "conf2", "conf3"});
  options.tracks = true;
  convert(options);
  // Pieces that are kept are read all the same.
  CHECK(convert(options).kept == 4);
  const auto tracks = read(folder / "vtk/tracks/tracks.vtp");
  REQUIRE(tracks->GetNumberOfLines() == 1);
  REQUIRE(tracks->GetNumberOfPoints() == 4);
  for (int k = 0; k < 4; ++k) {
    CHECK(pointOf(tracks, k).x() == Approx(2.0 + 0.7 * k));
    CHECK(tracks->GetPointData()->GetArray("time")->GetTuple1(k) == Approx(0.1 * k));
    CHECK(tracks->GetPointData()->GetArray("speed")->GetTuple1(k) == 7.0);
  }
  CHECK(tracks->GetCellData()->GetArray("length")->GetTuple1(0) == Approx(2.1));
  CHECK(fs::exists(folder / "vtk/tracks.pvd"));
  // In a cell that grows the line follows the image of its body: 2, 3.5, 3.8, 4.1.
  for (int k = 0; k < 4; ++k)
    writeBalls(folder, fmt::format("conf{}", k), 0.1 * k,
               fmt::format("usePeriodicCell 1\nh {} 0 0 0 3 0 0 0 3\n", 3.0 + 0.3 * k),
               {{Vec3(k == 0 ? 2.0 : 0.2, 1, 1), Vec3(7, 0, 0)}});
  options.remake = true;
  convert(options);
  const auto grown = read(folder / "vtk/tracks/tracks.vtp");
  CHECK(pointOf(grown, 3).x() == Approx(4.1));
  CHECK(grown->GetCellData()->GetArray("length")->GetTuple1(0) == Approx(2.1));
}

TEST_CASE("displacement and rotation count from the first file", "[conf2vtk]") {
  const CaseFolder folder;
  writeBalls(folder, "conf0", 0, cellOf3, {{Vec3(2.9, 1, 1)}});
  writeBalls(folder, "conf1", 0.1, cellOf3,
             {{Vec3(0.1, 1.5, 1), Vec3::Zero(), 0, Quat(-0.8, 0, 0, 0.6)}});
  Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1"});
  options.arrays = {"displacement", "rotation_angle", "potential_energy"};
  convert(options);
  const auto data = read(folder / "vtk/centres/centres_0001.vtp");
  vtkPointData* now = data->GetPointData();
  CHECK(now->GetArray("displacement")->GetComponent(0, 0) == Approx(0.2));
  CHECK(now->GetArray("displacement")->GetComponent(0, 1) == Approx(0.5));
  CHECK(now->GetArray("rotation_angle")->GetTuple1(0) == Approx(2 * std::acos(0.8)));
  CHECK(now->GetArray("potential_energy")->GetTuple1(0) == Approx(1000 * ballVolume * 9.81 * 1.5));
}
