// SPDX-License-Identifier: GPL-3.0-or-later
// The public inputs of the reference program that have no published results, run to their end in
// both manners, against what mechanics says of them.
#include "tool_test.hpp"

#include <Eigen/Dense>

namespace {

/// A copy of a public case, run to its end; `out` holds its results.
struct WholeCase {
  Folder folder;
  bool compat;
  bool there = false;

  WholeCase(const std::string& name, bool asRockable,
            const std::map<std::string, std::string>& added = {})
      : compat(asRockable) {
    const std::string data = publicData("rockable-cases/" + name);
    if (data.empty()) return;
    for (const auto& entry : fs::directory_iterator(data))
      folder.write(entry.path().filename().string(), readFile(entry.path().string()));
    for (const auto& [file, text] : added) folder.write(file, text);
    const Outcome outcome = run(folder, std::string("rockable input.txt -o out -q -j 1") +
                                            (compat ? " --compat rockable" : ""));
    INFO(outcome.err);
    // 3 where all bodies leave, after all is saved.
    REQUIRE(outcome.code == (outcome.err.find("fall for ever") == std::string::npos ? 0 : 3));
    CHECK(parseJson(folder.read("out/run.json"))["status"] == "tmax");
    there = true;
  }
  sim::Conf conf(int k) const { return confAt(folder.path("out/conf" + std::to_string(k))); }
  Table table(const std::string& file) const { return readTable(folder.path("out/" + file)); }
  /// Share of the energy exchanged that does not close.
  double residual() const {
    const Table energy = table("energy.txt");
    const std::size_t last = energy.rows.size() - 1;
    return std::abs(energy.number(last, "residual")) / energy.number(last, "exchanged");
  }
};

Vec3 fallen(const sim::ParticleRecord& p, double t) {
  return p.pos + t * p.vel + Vec3(0, -0.5 * 9.81 * t * t, 0);
}

/// Joint of two bodies at a point: the force on i for each unit that j moves against it.
struct Spring {
  std::size_t i, j;
  Vec3 at;
  Mat3 stiffness;
};
/// Force on body 1 for each unit that it moves along y. All bodies but 0 and 1 are at rest under
/// what joins them to their neighbours.
double stiffness(const sim::Conf& conf, const std::vector<Spring>& springs) {
  const auto bodies = static_cast<Eigen::Index>(conf.particles.size());
  const double length = 0.01;  // so that turns weigh as much as ways
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(6 * bodies, 6 * bodies);
  for (const Spring& s : springs) {
    Eigen::MatrixXd slip = Eigen::MatrixXd::Zero(3, 6 * bodies);  // of j against i at the point
    for (const bool first : {true, false}) {
      const std::size_t body = first ? s.i : s.j;
      const auto at = static_cast<Eigen::Index>(6 * body);
      const Vec3 arm = s.at - conf.particles[body].pos;
      const double sign = first ? -1.0 : 1.0;
      Mat3 cross;  // w x arm
      cross << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
      slip.block<3, 3>(0, at) = sign * Mat3::Identity();
      slip.block<3, 3>(0, at + 3) = (sign / length) * cross;
    }
    k += slip.transpose() * s.stiffness * slip;
  }
  const Eigen::Index free = 6 * (bodies - 2);
  const Eigen::VectorXd load = k.block(12, 7, free, 1);  // of body 1 moved along y
  const Eigen::VectorXd way =
      k.block(12, 12, free, free).completeOrthogonalDecomposition().solve(-load);
  return k(7, 7) + k.block(7, 12, 1, free).row(0).dot(way);
}

}  // namespace

TEST_CASE("helloworld: runs to its end, falls as bodies fall, closes its energy",
          "[compat][case]") {
  for (const bool compat : {false, true}) {
    const WholeCase c("helloworld", compat);
    if (!c.there) return;
    CAPTURE(compat);
    const sim::Conf start = c.conf(0), end = c.conf(20);
    CHECK(end.t == Approx(1.0).epsilon(1e-9));
    CHECK_FALSE(c.folder.has("out/conf21"));
    // Nothing touches before 0.2 s. Bodies 2 and 3 are tied by a spring: their middle falls.
    const sim::Conf flight = c.conf(4);
    const auto off = [](const Vec3& a, const Vec3& b) { return (a - b).norm(); };
    for (const std::size_t k : {1u, 4u})
      CHECK(off(flight.particles[k].pos, fallen(start.particles[k], flight.t)) < 1e-10);
    CHECK(off(flight.particles[2].pos + flight.particles[3].pos,
              fallen(start.particles[2], flight.t) + fallen(start.particles[3], flight.t)) < 1e-10);
    CHECK(std::abs(flight.particles[1].vrot.norm() - 10.0) < 1e-3);
    CHECK(c.residual() < (compat ? 1e-4 : 1e-5));
    // All lie on the plane at the end, whose upper side is y = 0, none below.
    for (std::size_t k = 1; k < 5; ++k) {
      CHECK(end.particles[k].pos.y() > 0.0);
      CHECK(end.particles[k].pos.y() < 0.5);
    }
  }
}

TEST_CASE("driving: a turning plate bats three bodies away", "[compat][case]") {
  for (const bool compat : {false, true}) {
    const WholeCase c("driving", compat);
    if (!c.there) return;
    CAPTURE(compat);
    const sim::Conf start = c.conf(0), end = c.conf(100);
    CHECK(end.t == Approx(1.0).epsilon(1e-9));
    const Quat turn = end.particles[0].q * start.particles[0].q.conjugate();
    // Normalised Euler steps of 6.28e-6 rad fall short by a third of their cube each.
    CHECK(Quat(Eigen::AngleAxisd(6.28 * end.t, Vec3::UnitZ())).angularDistance(turn) < 2e-5);
    const sim::Conf flight = c.conf(1), late = c.conf(90);
    for (std::size_t k = 1; k < 4; ++k) {
      CHECK((flight.particles[k].pos - fallen(start.particles[k], flight.t)).norm() < 1e-10);
      // All have been hit, and fly again.
      CHECK((end.particles[k].pos - fallen(start.particles[k], end.t)).norm() > 1.0);
      CHECK((end.particles[k].pos - fallen(late.particles[k], end.t - late.t)).norm() < 1e-9);
    }
    // With --compat contacts do not see the plate turn, so that its work is not what they take up.
    if (!compat) CHECK(c.residual() < 1e-5);
  }
}

TEST_CASE("stickVerticesInClusters: a ring of eight sectors between two plates", "[compat][case]") {
  const std::map<std::string, std::string> tables{
      {"dataExtractors.txt",
       "TrackBody 1 plan_up.txt 1000\nTrackBody 0 plan_down.txt 1000\nTrackDamage damage.txt 1000\n"
       "DuoBalance 2 3 duo.txt 100000\n"}};
  for (const bool compat : {false, true}) {
    const WholeCase c("stickVerticesInClusters", compat, tables);
    if (!c.there) return;
    CAPTURE(compat);
    const sim::Conf early = c.conf(4), end = c.conf(200);
    CHECK(end.t == Approx(0.1).epsilon(1e-6));
    REQUIRE(early.interfaces.size() == 8);

    // Slowly pressed, so at rest at each moment: its stiffness is that of a static solution with
    // the springs that act. Viscosity of bonds across n adds damp/dt to kt with --compat (Q16).
    // On the plates it slides out: friction follows the normal force, mu 0.5.
    const double kn = 0.8e7, kt = 0.8e7, mu = 0.5;
    std::vector<Spring> springs;
    for (const sim::InteractionRecord& r : early.interactions) {
      Mat3 k = kn * r.n * r.n.transpose();
      if (r.key.i >= 2 && r.key.j >= 2) {
        const double across = kt + (compat ? r.damp / 1e-7 : 0.0);
        k += across * (Mat3::Identity() - r.n * r.n.transpose());
      } else {
        CHECK(r.ft.norm() == Approx(mu * r.fn));
        k += (mu * kn) * r.ft.normalized() * r.n.transpose();
      }
      springs.push_back({r.key.i, r.key.j, r.pos, k});
    }
    const double expected = stiffness(early, springs);
    const Table up = c.table("plan_up.txt"), down = c.table("plan_down.txt");
    for (std::size_t k = 6; k <= 22; ++k) {
      CHECK(up.number(k, "fy") != 0.0);
      CHECK(-down.number(k, "fy") == Approx(up.number(k, "fy")).epsilon(2e-3));
    }
    const double f0 = up.number(18, "fy"), f1 = up.number(22, "fy");
    const double stiff = (f1 - f0) / (0.01 * 4e-4);
    INFO("stiffness " << stiff << ", static " << expected);
    CHECK(stiff == Approx(expected).epsilon(2e-3));

    const double damage = numberOf(c.table("damage.txt").rows.back().at(1));
    if (compat) {  // without mom0InnerBond bonds never break there (Q15)
      CHECK(end.interfaces.size() == 8);
      CHECK(damage == 0.0);
    } else {
      CHECK(end.interfaces.size() < 8);
      CHECK(damage == Approx(1.0 - static_cast<double>(end.interfaces.size()) / 8.0));
      CHECK(c.residual() < 1e-3);
    }
    const Outcome later = run(c.folder, "extract TrackDamage out/conf200 --format txt");
    CHECK(later.out.find(fmt::format(" {}\n", damage)) != std::string::npos);
  }
}
