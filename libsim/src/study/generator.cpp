// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/generator.hpp"

#include "scree/base/condition.hpp"
#include "scree/base/math.hpp"
#include "scree/base/rng.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace scree::sim {
namespace {

using shape::Shape;
using Words = std::vector<std::string>;
using Numbers = std::vector<double>;

Vec3 three(const Numbers& v, std::size_t at) { return {v[at], v[at + 1], v[at + 2]}; }

/// A plate across an axis. @param size  outer one
Shape rectangle(int axis, const Vec3& size, double radius) {
  Shape shape;
  shape.radius = radius;
  const int a = axis == 0 ? 1 : 0, b = 3 - axis - a;
  const Vec3 half = 0.5 * size - Vec3::Constant(radius);
  if (!(half[a] > 0.0 && half[b] > 0.0))
    throw UsageError("the sides must be more than twice the radius");
  for (const auto& [u, v] : {std::pair(1, 1), {1, -1}, {-1, -1}, {-1, 1}})
    shape.vertices.emplace_back(u * half[a] * Vec3::Unit(a) + v * half[b] * Vec3::Unit(b) +
                                Vec3::Zero());
  shape.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  shape.faces.add({0, 1, 2, 3});
  return shape;
}
/// A ring about the x axis: inner and outer radius, height, number of faces.
Shape ring(const Numbers& v) {
  Shape shape;
  shape.isSurface = true;
  shape.radius = 0.5 * (v[1] - v[0]);
  const double r = v[0] + shape.radius, x = 0.5 * v[2] - shape.radius;
  if (!(v[0] >= 0.0 && shape.radius > 0.0 && x > 0.0 && v[3] >= 3.0 && v[3] <= 1e5))
    throw UsageError("expected two radii, a height and 3 to 100000 faces that make a ring");
  const auto n = static_cast<std::uint32_t>(v[3]);
  for (const std::uint32_t end : {0U, n})
    for (std::uint32_t k = 0; k < n; ++k) {
      const double turns = static_cast<double>(k) / n;
      shape.vertices.emplace_back(end ? x : -x, r * cosOfTurns(turns), r * sinOfTurns(turns));
      shape.edges.push_back({end + k, end + (k + 1) % n});
    }
  for (std::uint32_t k = 0; k < n; ++k) {
    shape.edges.push_back({k, n + k});
    shape.faces.add({k, (k + 1) % n, n + (k + 1) % n, n + k});
  }
  return shape;
}

/// Whether the word begins as Rockable spells its transformations.
bool isMisspelt(std::string_view word) { return word.starts_with("tranformation:"); }

/// Runs the commands of a file.
class Generator {
 public:
  using G = Generator;
  using W = const Words&;
  using V = const Numbers&;

  Generator(TextReader in, const RecipeOptions& options, RecipeResult& result)
      : in_(std::move(in)), options_(options), result_(result), rng_(options.seed) {}

  struct Command {
    std::string_view name;
    std::string_view arguments;  ///< s: word, n: number, p: above 0, i: whole, not below 0
    void (*run)(G& g, W w, V v);
  };
  static const std::array<Command, 24> commands;

  void run() {
    while (!in_.atEnd()) {
      const std::string_view at = in_.word("command");
      if (at[0] == '/' || at[0] == '#' || at[0] == '!') {
        in_.skipLine();
        continue;
      }
      std::string name(at);
      if (isMisspelt(name)) name.insert(4, "s");
      const auto command = std::ranges::find(commands, name, &Command::name);
      if (command == commands.end())
        throw in_.error(
            fmt::format("unknown command '{}'{}", shown(at), suggestion(at, namesOf(commands))));
      Words w;
      Numbers v;
      for (const char kind : command->arguments) {
        if (kind == 's') w.emplace_back(in_.word(at));
        if (kind == 'n') v.push_back(in_.number(at));
        if (kind == 'p') v.push_back(in_.positive(at));
        if (kind == 'i') v.push_back(static_cast<double>(in_.integer(at, 0, 1'000'000'000)));
      }
      runAt(in_, at, [&] { command->run(*this, w, v); });
    }
    close();
  }

 private:
  std::string& out() { return file_.empty() ? result_.console : result_.files[file_]; }
  void put(std::string_view text) { out() += text; }
  void open(const std::string& name) {
    close();
    file_ = pathBelow(name);
    out().clear();
    bodies_ = 0;
  }
  void close() {
    if (place_) out().replace(*place_, 12, fmt::format("{:<12}", bodies_));
    place_.reset();
    file_.clear();
  }
  void compute(const std::string& word) {
    try {
      put(fmt::format("{} {}\n", word, shortest(evaluate(in_.restOfLine()))));
    } catch (const ExpressionError& problem) {
      throw in_.error(problem.what());
    }
  }
  void rotate(const Vec3& axis, double degrees) {
    if (!(axis.norm() > 0.0)) throw UsageError("the axis has no length");
    own_.w() = cosOfTurns(degrees / 720.0);
    own_.vec() = sinOfTurns(degrees / 720.0) * axis.normalized();
    turn_ = (turn_ * own_).normalized();
  }

  void putShape(const std::string& name, Shape shape) {
    if (const std::string problem = shape::nameProblem(name); !problem.empty())
      throw UsageError(problem);
    shape.name = name;
    mass::survey(shape, {.keepFrame = true, .box = shape::BoxMethod::aabb});
    put(shape::shapesText({shape}));
  }
  void putWalls(const Vec3& size, double radius) {
    for (int axis = 0; axis < 3; ++axis)
      putShape(fmt::format("{}-wall", "xyz"[axis]),
               rectangle(axis, size + Vec3::Constant(4.0 * radius), radius));
  }

  /// A line of the list of bodies.
  void putBody(const std::string& name, double group, double cluster, double homothety,
               const Vec3& pos, const Quat& q) {
    const Vec3 x = rotated(turn_, pos) + shift_;
    put(fmt::format(
        "{} {:.0f} {:.0f} {:.16e} {:.16e} {:.16e} {:.16e}  0 0 0  0 0 0  {:.16e} "
        "{:.16e} {:.16e} {:.16e}  0 0 0  0 0 0\n",
        name, group, cluster, homothety, x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z()));
    ++bodies_;
  }
  void putWallBox(double group, const Vec3& size, double radius) {
    for (int axis = 0; axis < 3; ++axis)
      for (const double x : {-radius, size[axis] + radius}) {
        Vec3 pos = 0.5 * size;
        pos[axis] = x;
        put(fmt::format("{}-wall {:.0f} 0 1 {:g} {:g} {:g}  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0 \n",
                        "xyz"[axis], group, pos.x(), pos.y(), pos.z()));
        ++bodies_;
      }
  }
  /// Bodies in the middles of the cells of a box. @param step  of the cluster, from body to body
  void putGrid(const std::string& name, const Numbers& v, double step) {
    const bool random = v[12] == 1.0;
    if (three(v, 6).prod() > 1e7) throw UsageError("more than 10000000 bodies");
    const Vec3 cell = three(v, 3).cwiseQuotient(three(v, 6)), first = three(v, 0) + 0.5 * cell;
    double cluster = v[10];
    for (double y = 0.0; y < v[7]; ++y)
      for (double x = 0.0; x < v[6]; ++x)
        for (double z = 0.0; z < v[8]; ++z, cluster += step)
          putBody(name, v[9], cluster, v[11], first + Vec3(x, y, z).cwiseProduct(cell),
                  random ? rng_.orientation() : own_);
  }
  TextReader in_;
  const RecipeOptions& options_;
  RecipeResult& result_;
  Rng rng_;
  std::string file_;                  ///< that is open; empty: standard output
  std::optional<std::size_t> place_;  ///< of the number of bodies in it
  std::size_t bodies_ = 0;
  Vec3 shift_ = Vec3::Zero();
  Quat turn_ = Quat::Identity(), own_ = Quat::Identity();  ///< of places, of bodies
};

const std::array<Generator::Command, 24> Generator::commands{{
    {"open", "s", [](G& g, W w, V) { g.open(w[0]); }},
    {"close", "", [](G& g, W, V) { g.close(); }},
    {"print", "", [](G& g, W, V) { g.put(std::string(g.in_.restOfLine()) + '\n'); }},
    {"print>", "", [](G& g, W, V) { g.put(g.in_.restOfLine()); }},
    {"compute", "s", [](G& g, W w, V) { g.compute(w[0]); }},
    {"<compute", "", [](G& g, W, V) { g.compute(""); }},
    {"incrementNoParticles", "i",
     [](G& g, W, V v) { g.bodies_ += static_cast<std::size_t>(v[0]); }},
    {"Particles:placeHolder", "",
     [](G& g, W, V) { g.put("Particles "), g.place_ = g.out().size(), g.put("            \n"); }},
    {"transformation:add_translation", "nnn",
     [](G& g, W, V v) { g.shift_ += rotated(g.turn_, three(v, 0)); }},
    {"transformation:add_rotation", "nnnn", [](G& g, W, V v) { g.rotate(three(v, 0), v[3]); }},
    {"transformation:reset", "",
     [](G& g, W, V) { g.shift_.setZero(), g.turn_ = g.own_ = Quat::Identity(); }},
    {"transformation:reset_translation", "", [](G& g, W, V) { g.shift_.setZero(); }},
    {"transformation:reset_rotation", "", [](G& g, W, V) { g.turn_ = g.own_ = Quat::Identity(); }},
    {"addParticle", "siipnnnnnnn",
     [](G& g, W w, V v) {
       g.putBody(w[0], v[0], v[1], v[2], three(v, 3), Quat(v[6], v[7], v[8], v[9]) * g.own_);
     }},
    {"generatePacking:wallBox", "ipppp",
     [](G& g, W, V v) { g.putWallBox(v[0], three(v, 1), v[4]); }},
    {"generatePacking:grid", "snnnpppiiiiipi", [](G& g, W w, V v) { g.putGrid(w[0], v, 1.0); }},
    {"generatePacking:grid_clust", "snnnpppiiiiipi",
     [](G& g, W w, V v) { g.putGrid(w[0], v, 0.0); }},
    {"generateShape:sphere", "sp",
     [](G& g, W w, V v) { g.putShape(w[0], shape::makeSphere(2.0 * v[0])); }},
    {"generateShape:cube", "snp",
     [](G& g, W w, V v) { g.putShape(w[0], shape::makeBox(Vec3::Constant(v[1]), v[0])); }},
    {"generateShape:cuboid", "snppp",
     [](G& g, W w, V v) { g.putShape(w[0], shape::makeBox(three(v, 1), v[0])); }},
    {"generateShape:thin_cylinder", "snppi", [](G& g, W w, V v) { g.putShape(w[0], ring(v)); }},
    {"generateShape:rectangle_xz", "sppp",
     [](G& g, W w, V v) { g.putShape(w[0], rectangle(1, Vec3(v[1], 0.0, v[2]), v[0])); }},
    {"generateShape:rectangle_xy", "sppp",
     [](G& g, W w, V v) { g.putShape(w[0], rectangle(2, Vec3(v[1], v[2], 0.0), v[0])); }},
    {"generateShape:xyz_walls", "pppp", [](G& g, W, V v) { g.putWalls(three(v, 0), v[3]); }},
}};

}  // namespace

bool isGeneratorCommand(std::string_view word) {
  return isMisspelt(word) ||
         std::ranges::find(Generator::commands, word, &Generator::Command::name) !=
             Generator::commands.end();
}

void runGenerator(TextReader in, const RecipeOptions& options, RecipeResult& result) {
  Generator(std::move(in), options, result).run();
}

}  // namespace scree::sim
