// SPDX-License-Identifier: GPL-3.0-or-later
// States that the reference program wrote for the same inputs, and a published trajectory.
#include "tool_test.hpp"

#include "scree/shape/shape_file.hpp"

namespace {

double apart(const Quat& a, const Quat& b) {
  return std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
}

/// Tolerances as the cases give them: "pos:1e-4,vel:5e-3"; absolute, in the Euclidean norm.
std::map<std::string, double> tolerances(std::string text) {
  std::map<std::string, double> map;
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream in(text);
  for (std::string item; in >> item;)
    map[item.substr(0, item.find(':'))] = std::stod(item.substr(item.find(':') + 1));
  return map;
}

/// The largest distances of a column, and what is allowed of the larger share.
struct Worst {
  double share = 0.0, distance = 0.0, allowed = 0.0;
};
using WorstOf = std::map<std::string, Worst>;

/// For docs/verification.md: what has been found, of what is allowed.
void print(const std::string& name, const WorstOf& worst) {
  std::string text = name;
  for (const char* column : {"pos", "Q", "vel", "vrot", "acc", "arot", "dn", "fn"})
    if (const auto at = worst.find(column); at != worst.end())
      text += fmt::format("; {} {:.1e} of {:.0e}", column, at->second.distance, at->second.allowed);
  std::printf("%s\n", text.c_str());
}

void compareParticles(const sim::Conf& expected, const sim::Conf& actual,
                      const std::map<std::string, double>& atol, double rtol, WorstOf& all) {
  REQUIRE(expected.particles.size() == actual.particles.size());
  const auto check = [&](const char* column, double distance, double size) {
    const auto tolerance = atol.find(column);
    if (tolerance == atol.end()) return;
    const double share = distance / (tolerance->second + rtol * size);
    Worst& most = all[column];
    if (!(share <= most.share) || most.allowed == 0.0) most = {share, distance, tolerance->second};
  };
  for (std::size_t k = 0; k < expected.particles.size(); ++k) {
    const sim::ParticleRecord &e = expected.particles[k], &a = actual.particles[k];
    REQUIRE(expected.shapeNameOf(e) == actual.shapeNameOf(a));
    const auto vectors = [&](const char* column, const Vec3& x, const Vec3& y) {
      check(column, (x - y).norm(), std::max(x.norm(), y.norm()));
    };
    vectors("pos", e.pos, a.pos);
    vectors("vel", e.vel, a.vel);
    vectors("acc", e.acc, a.acc);
    vectors("vrot", e.vrot, a.vrot);
    vectors("arot", e.arot, a.arot);
    check("Q", apart(e.q, a.q), 1.0);
  }
  for (const auto& [column, worst] : all) {
    INFO(column << " is off by " << worst.share << " times what is allowed");
    CHECK(worst.share <= 1.0);
  }
}

}  // namespace

TEST_CASE(
    "small cases end in the states of the reference program, within the discrete instant of touch",
    "[compat]") {
  const std::string data = publicData("parity");
  if (data.empty()) return;
  for (const auto& entry : fs::directory_iterator(data)) {
    if (!fs::exists(entry.path() / "case.json")) continue;
    const json testCase = parseJson(readFile((entry.path() / "case.json").string()));
    // With --compat the same algorithm runs, and only rounding differs.
    for (const bool compat : {false, true})
      DYNAMIC_SECTION(entry.path().filename().string() << (compat ? ", --compat rockable" : "")) {
        const Folder folder;
        for (const char* name : {"input.conf", "shapes.shp"})
          folder.write(name, readFile((entry.path() / name).string()));
        mustRun(folder, testCase["command"].get<std::string>() + " -o out -q" +
                            (compat ? " --compat rockable" : ""));
        WorstOf worst;
        for (const json& part : testCase[compat ? "compare_compat" : "compare"]) {
          const std::string file = part["file"];
          INFO(file);
          compareParticles(confAt((entry.path() / "expected" / file).string()),
                           confAt(folder.path("out/" + file)), tolerances(part["atol"]),
                           part["rtol"], worst);
        }
        print(entry.path().filename().string() + (compat ? " --compat rockable" : ""), worst);
      }
  }
}

TEST_CASE(
    "512 dodecahedra after ten steps agree with the reference program within rounding, on 1 and 2 "
    "threads",
    "[compat]") {
  const std::string data = publicData("rockable-cases/518_poly_default");
  if (data.empty()) return;
  const Folder folder;
  folder.write("input.conf", readFile(data + "/518_poly_bruteforce_default_noperiod.conf"));
  folder.write("shape.shp", readFile(data + "/shape.shp"));
  const std::string compat = GENERATE("", "--compat rockable");
  CAPTURE(compat);
  for (const char* jobs : {"1", "2"})
    mustRun(folder, fmt::format("rockable input.conf -q {1} -j {0} -o out{0}", jobs, compat));
  CHECK(folder.read("out1/conf3001") == folder.read("out2/conf3001"));
  CHECK_FALSE(folder.has("out1/conf3002"));  // eleven steps, ten to a file

  // The stiffness over the mass is 1e11, and a fused multiply-add alone moves velocities by 1e-10.
  const sim::Conf expected = confAt(data + "/expected_conf3001"),
                  actual = confAt(folder.path("out1/conf3001"));
  WorstOf worst;
  compareParticles(expected, actual,
                   tolerances("pos:1e-12,Q:1e-12,vel:1e-8,vrot:1e-8,acc:2e-2,arot:2e-2"), 0.0,
                   worst);
  REQUIRE(actual.interactions.size() == expected.interactions.size());
  double dn = 0.0, fn = 0.0;
  for (std::size_t k = 0; k < expected.interactions.size(); ++k) {
    REQUIRE(actual.interactions[k].key == expected.interactions[k].key);
    dn = std::max(dn, std::abs(actual.interactions[k].dn - expected.interactions[k].dn));
    fn = std::max(fn, std::abs(actual.interactions[k].fn - expected.interactions[k].fn));
  }
  CHECK(dn <= 1e-13);
  CHECK(fn <= 1e-7);
  worst["dn"] = {dn / 1e-13, dn, 1e-13};
  worst["fn"] = {fn / 1e-7, fn, 1e-7};
  print("518_poly_default " + compat, worst);
}

TEST_CASE(
    "a scanned boulder falls onto a quarry: free flight to the digit, then bounces on the ground",
    "[compat][authume]") {
  const std::string data = publicData("authume");
  if (data.empty()) return;
  const Folder folder;
  mustRun(folder, "shapeSurvey import '" + data +
                      "/STL/SP3A.stl' --radius 0.005 --name SP3A -q -o raw.shp");
  mustRun(folder, "shapeSurvey compute raw.shp -q -o boulder.shp");
  mustRun(folder, "shapeSurvey import '" + data + "/STL/DTM_Blue_zone.stl' '" + data +
                      "/STL/DTM_Gray_zone.stl' '" + data +
                      "/STL/DTM_Red_zone.stl' --surface --radius 0.02 -q -o terrain.shp");
  Diagnostics quiet;
  const shape::Shape boulder = shape::readShapesFromFile(folder.path("boulder.shp"), quiet).at(0);
  CHECK(boulder.vertices.size() == 1266);
  CHECK(boulder.faces.size() == 2528);
  const auto terrain = shape::readShapesFromFile(folder.path("terrain.shp"), quiet);
  CHECK(terrain[0].faces.size() + terrain[1].faces.size() + terrain[2].faces.size() == 9001);

  // Drop position 1, orientation 1, in the frame of the STL file; packgen moves them to the body
  // frame. The published run began from these numbers rounded to six digits, as its first row has
  // them. From the unrounded ones exact free fall gives y = 210.96061 at 0.4 s where the table says
  // 210.96.
  const std::string publishedText =
      readFile(data + "/trajectories/P1/SP3A/Drop_position_1/orientation_1.txt");
  std::istringstream firstRow(publishedText);
  std::string t, x, y, z, skip, qw, qx, qy, qz;
  firstRow >> t >> x >> y >> z >> skip >> skip >> skip >> qw >> qx >> qy >> qz;
  CHECK((Vec3(std::stod(x), std::stod(y), std::stod(z)) -
         Vec3(2.34969997, 211.74540710, 372.33279419))
            .cwiseAbs()
            .maxCoeff() < 5.1e-4);
  folder.write("release.csv",
               "shape,x,y,z,qw,qx,qy,qz,group,driven\n"
               "DTM_Blue_zone,0,0,0,1,0,0,0,0,1\nDTM_Gray_zone,0,0,0,1,0,0,0,0,1\nDTM_Red_zone,0,0,"
               "0,1,0,0,0,0,1\n" +
                   fmt::format("SP3A,{},{},{},{},{},{},{},1,0\n", x, y, z, qw, qx, qy, qz));
  mustRun(
      folder,
      fmt::format("packgen from release.csv --shapes boulder.shp --shapes terrain.shp --density {} "
                  "--law Avalanche --kn 1e7 --en2 0.1 --kt 4.2e6 "
                  "--mu 0.45 --kr 1e7 --mur 0.15 --gravity 0 -9.81 0 --duration 7 --dt 1e-4 "
                  "--interconf 0.1 -q -o run/conf0",
                  514.143 / boulder.volume));
  mustRun(folder, "rockable run/conf0 -o run -q -j 1");
  mustRun(folder, "extract TrackBody --body 3 run --format txt -o track.txt");

  const Table track = readTable(folder.path("track.txt"));
  std::istringstream published(publishedText);
  std::string line;
  double lowest = 1e9;
  const sim::Conf last = confAt(folder.path("run/conf70"));
  CHECK(last.t == Approx(7.0).epsilon(1e-12));
  for (std::size_t row = 0; row <= 70; ++row) {
    std::vector<double> v;
    for (const Cell& cell : track.rows.at(row)) v.push_back(numberOf(cell));
    const Vec3 pos(v[1], v[2], v[3]);
    const Quat q(v[7], v[8], v[9], v[10]);
    lowest = std::min(lowest, pos.y());
    if (row <= 12) {
      // Back into the frame of the STL file: x - Q p0 with Q = Q_body q0⁻¹.
      const Quat stl = q * boulder.orientation.conjugate();
      const Vec3 at = pos - rotated(stl, boulder.position);
      const double columns[14] = {v[0],    at.x(),  at.y(),  at.z(),  v[4],  v[5],  v[6],
                                  stl.w(), stl.x(), stl.y(), stl.z(), v[11], v[12], v[13]};
      std::getline(published, line);
      std::istringstream theirs(line);
      for (int c = 0; c < 14; ++c) {
        std::string printed;
        theirs >> printed;
        // Six significant digits: half a unit of the last one, and the rounding of a double below
        // 1e-12.
        const double expected = std::stod(printed);
        const double unit = expected == 0.0
                                ? 1e-12
                                : std::pow(10.0, std::floor(std::log10(std::abs(expected))) - 5);
        INFO("row " << row << " column " << c + 1 << ": " << columns[c] << " for " << printed);
        CHECK(std::abs(columns[c] - expected) <= 0.5 * unit * (1 + 1e-6) + 1e-12);
      }
    }
    // Never through the ground: right above the centre there is none, below it there is.
    int above = 0, below = 0;
    for (const shape::Shape& part : terrain)
      for (std::size_t f = 0; f < part.faces.size(); ++f) {
        const Vec3 &a = part.vertices[part.faces[f][0]], &b = part.vertices[part.faces[f][1]],
                   &c = part.vertices[part.faces[f][2]];
        const auto side = [&](const Vec3& p, const Vec3& r) {
          return (r.x() - p.x()) * (pos.z() - p.z()) - (r.z() - p.z()) * (pos.x() - p.x());
        };
        const double s0 = side(a, b), s1 = side(b, c), s2 = side(c, a);
        if (!((s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0))) continue;
        const Vec3 n = (b - a).cross(c - a);
        if (n.y() == 0.0) continue;
        const double height =
            a.y() - (n.x() * (pos.x() - a.x()) + n.z() * (pos.z() - a.z())) / n.y();
        (height > pos.y() ? above : below) += 1;
      }
    INFO("row " << row << " at " << pos.transpose());
    CHECK(below >= 1);
    CHECK(above == 0);
  }
  CHECK(lowest < 204.0);  // it did reach the ground and go on
}
