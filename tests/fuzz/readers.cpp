// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz targets of the readers of text: any text is read or refused with an Error, within bounds of
// memory and time, and what was read comes back the same from its own text.
#include "bounds.hpp"

#include "scree/base/condition.hpp"
#include "scree/base/files.hpp"
#include "scree/base/table.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/clump/formats.hpp"
#include "scree/clump/shape_pack.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/pack/lattice.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/simulation.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace scree::fuzz {

namespace {

/// Returns the value that a reader makes of a text, or nothing where it refuses.
template <class Read>
auto readWithin(const std::string& text, const Read& read)
    -> std::optional<decltype(read(std::declval<TextReader&>(), std::declval<Diagnostics&>()))> {
  try {
    const ReadingBounds bounds(text.size());
    TextReader in("fuzz", text);
    Diagnostics diagnostics;
    return read(in, diagnostics);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The same, and aborts where the text of what was read is read otherwise.
template <class Read, class Write>
auto readTwice(const std::string& text, const Read& read, const Write& write) {
  const auto value = readWithin(text, read);
  if (value) {
    const std::string once = write(*value);
    TextReader again("again", once);
    Diagnostics diagnostics;
    if (write(read(again, diagnostics)) != once) std::abort();
  }
  return value;
}

/// Runs a function that may refuse with an Error.
template <class F>
void attempt(const F& f) {
  try {
    f();
  } catch (const Error&) {
  }
}

shape::Shape sample(const std::string& name, std::vector<Vec3> vertices,
                    std::vector<shape::Edge> edges = {}) {
  shape::Shape s;
  s.name = name;
  s.radius = 0.1;
  s.volume = 0.004;
  s.inertiaPerMass = Vec3::Constant(0.004);
  s.preCompDone = true;
  s.vertices = std::move(vertices);
  s.edges = std::move(edges);
  return s;
}

}  // namespace

/// It makes a simulation that steps, or is refused with an Error.
void conf(const std::string& text) {
  const auto read =
      readTwice(text, sim::readConf, [](const sim::Conf& conf) { return sim::confText(conf); });
  if (!read || read->particles.size() > 1000) return;
  // Two shapes for whatever names the file uses.
  shape::Shape tetrahedron =
      sample("", {{0.1, 0.1, 0.1}, {0.1, -0.1, -0.1}, {-0.1, 0.1, -0.1}, {-0.1, -0.1, 0.1}},
             {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
  for (const auto& f : {std::array{0u, 1u, 2u}, {0u, 1u, 3u}, {0u, 2u, 3u}, {1u, 2u, 3u}})
    tetrahedron.faces.add(f);
  std::vector<shape::Shape> shapes;
  for (std::size_t k = 0; k < read->shapeNames.size(); ++k)
    shapes.push_back(k % 2 ? tetrahedron : sample("", {Vec3::Zero()}));
  attempt([&] {
    Diagnostics diagnostics;
    sim::Simulation simulation(*read, shapes, {}, 1, diagnostics);
    for (int k = 0; k < 3; ++k) simulation.step();
    static_cast<void>(simulation.stateHash());
  });
}

void shape_file(const std::string& text) {
  readTwice(
      text, [](TextReader& in, Diagnostics& d) { return shape::readShapes(in, d); },
      shape::shapesText);
}

/// Its masses are computed or refused.
void shape_pack(const std::string& text) {
  const auto pack = readTwice(
      text, [](TextReader& in, Diagnostics& d) { return clump::readShapePack(in, d); },
      clump::shapePackText);
  if (!pack || text.size() > 100'000) return;
  using Method = clump::ClumpMassOptions::Method;
  for (const clump::PackParticle& particle : pack->particles)
    for (const Method method : {Method::exact, Method::sum})
      attempt([&] { clump::particleMass(particle, {.method = method}); });
}

/// Radii are positive and finite, and a CSV table of the spheres is read as the same ones.
void spheres(const std::string& text) {
  const auto csvOf = [](const clump::ShapePack& pack) {
    std::string csv = "id,x,y,z,r\n";
    for (const clump::PackParticle& particle : pack.particles)
      for (const clump::PackMember& m : particle.members) {
        if (!(m.radius > 0.0) || !std::isfinite(m.radius) || !m.centre.allFinite()) std::abort();
        csv += std::to_string(particle.id);
        for (const double x : {m.centre.x(), m.centre.y(), m.centre.z(), m.radius})
          csv += ',' + shortest(x);
        csv += '\n';
      }
    return csv;
  };
  for (const bool apart : {false, true}) {
    const auto pack = readWithin(text, [apart](TextReader& in, Diagnostics& quiet) {
      clump::isSphereTable(in);
      return clump::readSphereTable(in, quiet, apart);
    });
    if (!pack || pack->particles.empty() || text.size() > 100'000) continue;
    const std::string once = csvOf(*pack);
    TextReader again("again", once);
    Diagnostics quiet;
    if (csvOf(clump::readSphereTable(again, quiet)) != once) std::abort();
  }
}

/// drivingSystem.txt and dataExtractors.txt.
void drives(const std::string& text) {
  const auto driving = readWithin(
      text, [](TextReader& in, Diagnostics& d) { return sim::readDriving(in, 6, 8, d); });
  if (driving)
    for (const sim::Control& c : driving->controls)
      if (c.body >= 6) std::abort();
  if (const auto extractors = readWithin(text, sim::readDataExtractors))
    for (const sim::ScriptedExtractor& e : *extractors)
      if (e.period == 0) std::abort();
}

/// With two shapes to choose from. What was read stands somewhere, and its boxes can be taken.
void pose_table(const std::string& text) {
  const std::vector<shape::Shape> library{sample("Ball", {Vec3::Zero()}),
                                          sample("Rod", {{-0.2, 0, 0}, {0.2, 0, 0}}, {{0, 1}})};
  const auto table = readWithin(text, [&](TextReader& in, Diagnostics& d) {
    return sim::readPoseTable(std::move(in), library, d);
  });
  if (!table) return;
  for (const sim::PlacedBody& body : table->packing.bodies)
    if (body.shape >= table->packing.shapes.size() || !body.pos.allFinite() ||
        !body.vel.allFinite() || !body.q.coeffs().allFinite())
      std::abort();
  attempt([&] { sim::boundingBox(table->packing); });
}

void run_record(const std::string& text) {
  readWithin(text, [&](TextReader&, Diagnostics&) { return sim::runRecord(text, "out/run.json"); });
}

/// A CSV table, cell by cell, and again from a table of its cells in quotes.
void table(const std::string& text) {
  const auto read = readWithin(text, [](TextReader& in, Diagnostics&) {
    CsvReader csv(std::move(in));
    while (csv.next()) {
    }
    return true;
  });
  if (!read || text.size() > 100'000) return;
  using Cells = std::vector<std::vector<std::string>>;  // the header first
  const auto cellsOf = [](const std::string& of) {
    CsvReader csv(TextReader("fuzz", of));
    Cells cells{csv.columns()};
    while (csv.next()) {
      cells.emplace_back();
      for (std::size_t k = 0; k < csv.columns().size(); ++k) {
        cells.back().push_back(csv.text(k));
        attempt([&] { csv.number(k); });
      }
    }
    return cells;
  };
  const Cells cells = cellsOf(text);
  std::string quoted;
  for (const auto& row : cells) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      quoted += k > 0 ? ",\"" : "\"";
      for (const char c : row[k]) quoted += c == '"' ? "\"\"" : std::string(1, c);
      quoted += '"';
    }
    quoted += '\n';
  }
  if (cellsOf(quoted) != cells) std::abort();
}

/// A formula of conf-files and of --select. The place of an error lies in the text.
void formula(const std::string& text) {
  const ReadingBounds bounds(text.size());
  const auto take = [&](const auto& f) {
    try {
      f();
    } catch (const ExpressionError& error) {
      if (error.at() > text.size()) std::abort();
    }
  };
  take([&] {
    if (!std::isfinite(evaluate(text))) std::abort();
  });
  take([&] {
    constexpr std::array names{Condition::Name{"id"}, Condition::Name{"z"},
                               Condition::Name{"shape", true}};
    const auto valueOf = [](std::size_t k) -> Condition::Value {
      if (k == 2) return std::string("Ball");
      return k == 0 ? 3.0 : -0.5;
    };
    const Condition condition(text, names);
    condition.holds(valueOf);
    condition.number(valueOf);
  });
}

/// Bytes are decompressed or refused; any bytes come back the same from their compressed form.
void compressed(const std::string& bytes) {
  constexpr std::size_t most = std::size_t{1} << 22;
  // How much text is in it is known afterwards: the bound is for that much.
  std::size_t text = most;
  attempt([&] {
    text = decompressed(bytes, "fuzz", most).size();
    if (text > most) std::abort();
  });
  attempt([&] {
    const ReadingBounds bounds(bytes.size() + text);
    decompressed(bytes, "fuzz", most);
  });
  if (decompressed(scree::compressed(bytes), "fuzz") != bytes) std::abort();
}

}  // namespace scree::fuzz
