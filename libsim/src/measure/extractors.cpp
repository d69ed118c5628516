// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/extractors.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/sim/measure/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

namespace scree::sim {
namespace {

constexpr std::int64_t int32Least = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int32Most = std::numeric_limits<std::int32_t>::max();

/// Refuses a line that ends too early, which would otherwise swallow the next one.
void expectOnLine(TextReader& in, std::string_view kind, std::string_view what) {
  if (!in.nextOnSameLine())
    throw in.error(fmt::format("{}: expected {}, found the end of the line", kind, what));
}

void append(Row& row, const Vec3& v) { row.insert(row.end(), {v.x(), v.y(), v.z()}); }

void expectBody(const Instant& instant, BodyId body) {
  const std::size_t n = instant.bodyCount();
  if (body >= n)
    throw ModelError(fmt::format("{}: there is no body {}: the file has {} bodies, from 0 on",
                                 instant.conf().source, body, n));
}

/// The motion of one body and the forces of its contacts. Force and moment (about the centre of
/// mass, global axes) are those of `sumOfActions`. They include contacts, bonds, round walls,
/// joints and BodyForce, but not gravity and loads that a drive imposes.
std::vector<Row> bodyRows(const Extractor& e, const Instant& instant) {
  expectBody(instant, e.body());
  const ParticleRecord& p = instant.body(e.body());
  const ForceAndMoment sum = instant.actions()[e.body()];
  Row row;
  row.reserve(20);
  row.emplace_back(instant.conf().t);
  append(row, p.pos);
  append(row, p.vel);
  row.insert(row.end(), {p.q.w(), p.q.x(), p.q.y(), p.q.z()});
  append(row, p.vrot);
  append(row, sum.force);
  append(row, sum.moment);
  return {row};
}

/// The axis-aligned box around all bodies of one cluster, driven ones included, rounding included.
std::vector<Row> clusterRows(const Extractor& e, const Instant& instant) {
  shape::Aabb box;
  bool any = false;
  for (const ParticleRecord& p : instant.conf().particles) {
    if (p.cluster != static_cast<std::int32_t>(e.values[0])) continue;
    const shape::Shape& shape = instant.shapes()[p.shapeName];
    for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
      shape::Aabb ball;
      ball.add(p.pos + rotated(p.q, p.homothety * shape.vertices[v]));
      box.add(ball.grown(shape.radiusAt(v) * p.homothety));
      any = true;
    }
  }
  const Vec3 low = any ? box.low : Vec3::Constant(notKnown), high = any ? box.high : low;
  return {{instant.conf().t, low.x(), low.y(), low.z(), high.x(), high.y(), high.z()}};
}

/// The gaps of all contacts, those with boundaries too, and bonds that act: extremes, means,
/// counts, and where the deepest overlap is.
std::vector<Row> gapRows(const Extractor&, const Instant& instant) {
  double least = notKnown, most = notKnown, overlap = 0.0, gap = 0.0;
  std::int64_t overlaps = 0, gaps = 0;
  Vec3 where = Vec3::Constant(notKnown);
  for (const auto* contacts : {&instant.conf().interactions, &instant.atBoundaries()})
    for (const InteractionRecord& c : *contacts) {
      if (!(c.dn >= least)) {  // also where there is none yet
        least = c.dn;
        where = c.pos;
      }
      if (!(c.dn <= most)) most = c.dn;
      (c.dn < 0.0 ? overlap : gap) += c.dn;
      ++(c.dn < 0.0 ? overlaps : gaps);
    }
  const auto mean = [](double sum, std::int64_t n) {
    return n > 0 ? sum / static_cast<double>(n) : notKnown;
  };
  return {{instant.conf().t, least, most, mean(overlap + gap, overlaps + gaps),
           mean(overlap, overlaps), mean(gap, gaps), overlaps, gaps, where.x(), where.y(),
           where.z()}};
}

/// Mean speed of all bodies, driven ones included.
std::vector<Row> speedRows(const Extractor&, const Instant& instant) {
  double sum = 0.0;
  for (const ParticleRecord& p : instant.conf().particles) sum += p.vel.norm();
  const double n = static_cast<double>(instant.bodyCount());
  return {{instant.conf().t, n > 0.0 ? sum / n : notKnown}};
}

/// The contacts between two bodies: how many of each pairing, and each with its share of the force.
/// A row a contact, the counts repeated; one row without a contact where the two do not touch.
std::vector<Row> duoRows(const Extractor& e, const Instant& instant) {
  const BodyId i = e.body(), j = static_cast<BodyId>(e.values[1]);
  for (const BodyId body : {i, j}) expectBody(instant, body);
  constexpr std::array names{"vv", "ve", "vf", "ee"};
  std::array<std::int64_t, 4> count{};
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < instant.conf().interactions.size(); ++k) {
    const InteractionRecord& c = instant.conf().interactions[k];
    if (bodyPair(c.key.i, c.key.j) != bodyPair(i, j)) continue;
    found.push_back(k);
    if (c.dn < 0.0) ++count[static_cast<std::size_t>(c.key.pairing)];
  }
  const auto number = [](std::uint32_t n) { return static_cast<std::int64_t>(n); };
  std::vector<Row> rows;
  for (const std::size_t k : found) {
    const InteractionRecord& c = instant.conf().interactions[k];
    rows.push_back({instant.conf().t, count[0], count[1], count[2], count[3],
                    std::string(names[static_cast<std::size_t>(c.key.pairing)]), number(c.key.i),
                    number(c.key.j), number(c.key.iSub), number(c.key.jSub), instant.weight(k),
                    c.dn, c.fn, c.ft.x(), c.ft.y(), c.ft.z()});
  }
  if (rows.empty()) {
    Row row{instant.conf().t,    count[0],  count[1], count[2], count[3],
            std::string("none"), number(i), number(j)};
    row.resize(16, notKnown);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Area of the broken interfaces over that of all at the start, 0 to 1. It is nan where nothing is
/// bonded, or where a file does not hold areas.
std::vector<Row> damageRows(const Extractor&, const Instant& instant) {
  const auto& area = instant.conf().state().bondedArea;
  return {{instant.conf().t, area && area->all > 0.0 ? area->broken / area->all : notKnown}};
}

/// The table of a kind of `extract`, with its defaults, in a run: its name with a capital letter.
std::vector<Row> kindRows(const Extractor& e, const Instant& instant) {
  return measured(e.is("Stress") ? "stress" : "walls", {}, {&instant}).rows;
}

/// Impacts of one body in a run: a row at each step in which its contacts with other bodies have
/// stopped to compress, and their force was `leastForce` or more. Round walls do not count. Every
/// step is looked at, so that the force is that of the peak; one instant has no row.
std::vector<Row> impactRows(const Extractor& e, const Instant& instant) {
  expectBody(instant, e.body());
  return {};
}

constexpr std::string_view trackColumns =
    "t:s x:m y:m z:m vx:m/s vy:m/s vz:m/s qw qx qy qz wx:rad/s wy:rad/s wz:rad/s fx:N fy:N fz:N "
    "mx:N.m my:N.m mz:N.m";

}  // namespace

const std::vector<ExtractorKind>& extractorKinds() {
  static const std::vector<ExtractorKind> kinds{
      {"TrackBody",
       {{"body", "number of the body, from 0"}},
       "time, position, velocity, quaternion, angular velocity of a body; force and moment of its "
       "contacts, without gravity (20 columns)",
       trackColumns,
       bodyRows},
      {"TrackRockfall",
       {{"body", "number of the body, from 0"},
        {"restSpeed", "speed below which the body rests", "0", false},
        {"restSpin", "angular velocity below which the body rests", "0", false}},
       "TrackBody that also ends a run: when the body rests, or its centre has left the box around "
       "the driven bodies (20 columns)",
       trackColumns,
       bodyRows},
      {"ClusterAABB",
       {{"cluster", "number of the cluster", {}, true, int32Least}},
       "time, lowest and highest corner of the box around all bodies of a cluster (7 columns)",
       "t:s xmin:m ymin:m zmin:m xmax:m ymax:m zmax:m",
       clusterRows,
       true,
       false},
      {"dnStat",
       {},
       "time; least, largest and mean gap of acting contacts; means and numbers of overlaps and of "
       "gaps; place of the deepest overlap (11 columns)",
       "t:s dnMin:m dnMax:m dnMean:m dnMeanOverlap:m dnMeanGap:m overlaps gaps x:m y:m z:m",
       gapRows},
      {"MeanVelocity",
       {},
       "time, mean speed of all bodies, driven ones included (2 columns)",
       "t:s speed:m/s",
       speedRows,
       false,
       false},
      {"DuoBalance",
       {{"bodyI", "number of a body, from 0"}, {"bodyJ", "number of the other body"}},
       "contacts of two bodies, one row each: time, counts by pairing, pairing, bodies and "
       "sub-elements, weight, gap, forces (16 columns)",
       "t:s nvv nve nvf nee type i j isub jsub weight dn:m fn:N ftx:N fty:N ftz:N",
       duoRows},
      {"TrackDamage",
       {},
       "time, area of broken interfaces over the initial area of all (2 columns)",
       "t:s damage",
       damageRows},
      {"Stress", {}, "the table of `extract stress`", {}, kindRows, true, true, false},
      {"Walls", {}, "the table of `extract walls`", {}, kindRows, true, true, false},
      {"Impacts",
       {{"body", "number of the body, from 0"},
        {"leastForce", "force below which an impact is passed over", {}, false}},
       "a row for each impact of a body: time, place, peak of the force, energy in the contacts, "
       "speed, the other body (11 columns); period 1, since each step is looked at",
       "t:s x:m y:m z:m force:N fx:N fy:N fz:N energy:J speed:m/s other",
       impactRows,
       false,
       true,
       false},
  };
  return kinds;
}

const ExtractorKind* findExtractorKind(std::string_view name) {
  const auto& kinds = extractorKinds();
  const auto found = std::ranges::find(kinds, name, &ExtractorKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

std::vector<Column> Extractor::columns() const {
  return kind->columns.empty() ? measured(is("Stress") ? "stress" : "walls", {}, {}).columns
                               : columnsFrom(kind->columns);
}

Extractor extractorOf(std::string_view name, std::vector<double> values) {
  const ExtractorKind* kind = findExtractorKind(name);
  if (kind == nullptr) throw std::out_of_range("there is no such extractor");
  return {kind, std::move(values)};
}

bool rests(const Extractor& fall, const Vec3& vel, const Vec3& spin, double elapsed,
           double gravity) {
  const double speed = fall.values[1];
  return vel.norm() < speed && spin.norm() < fall.values[2] && elapsed * gravity > speed;
}

std::vector<ScriptedExtractor> readDataExtractors(TextReader& in, Diagnostics& diagnostics) {
  std::vector<ScriptedExtractor> extractors;
  while (!in.atEnd()) {
    const std::string_view name = in.word("extractor");
    if (name[0] == '#' || name[0] == '/' || name[0] == '!') {
      in.skipLine();
      continue;
    }
    const ExtractorKind* kind = findExtractorKind(name);
    if (!kind) {
      std::vector<std::string_view> known;
      for (const ExtractorKind& k : extractorKinds()) known.push_back(k.name);
      diagnostics.warn(in.error(fmt::format("unknown extractor '{}'{}, the line is skipped", name,
                                            suggestion(name, known))));
      in.skipLine();
      continue;
    }
    ScriptedExtractor line;
    line.where = in.place();
    line.extractor.kind = kind;
    for (const ExtractorParameter& p : kind->parameters) {
      expectOnLine(in, kind->name, fmt::format("the {}", p.help));
      const std::string what = fmt::format("{}: {}", kind->name, p.name);
      line.extractor.values.push_back(
          p.isWhole ? static_cast<double>(in.integer(what, p.least, int32Most))
                    : in.notNegative(what));
    }
    expectOnLine(in, kind->name, "the name of a file");
    line.file = in.word("file");
    expectOnLine(in, kind->name, "the number of steps between records");
    line.period =
        static_cast<std::uint64_t>(in.integer(fmt::format("{}: steps between records", kind->name),
                                              1, std::numeric_limits<std::int64_t>::max()));
    if (line.extractor.is("Impacts") && line.period != 1)
      throw in.error(fmt::format("Impacts: expected 1 step between looks, found {}", line.period));
    if (in.nextOnSameLine() && !in.peek().starts_with('#'))
      throw in.errorAtNext(fmt::format("{}: expected the end of the line, found '{}'", kind->name,
                                       in.peek().substr(0, 40)));
    if (in.nextOnSameLine()) in.skipLine();
    extractors.push_back(std::move(line));
  }
  checkDistinctFiles(extractors);
  return extractors;
}

std::vector<ScriptedExtractor> dataExtractorsOf(const Conf& conf, Diagnostics& diagnostics) {
  constexpr std::size_t keywordAndBlank = std::string_view("DataExtractor ").size();
  std::vector<ScriptedExtractor> extractors;
  for (const OtherLine& line : conf.others) {
    if (line.keyword != "DataExtractor") continue;
    TextReader in(line.where.file, line.arguments, line.where.line,
                  line.where.column + keywordAndBlank);
    for (ScriptedExtractor& e : readDataExtractors(in, diagnostics))
      extractors.push_back(std::move(e));
  }
  return extractors;
}

void checkDistinctFiles(const std::vector<ScriptedExtractor>& extractors) {
  namespace fs = std::filesystem;
  constexpr std::size_t longest = 1000;
  std::map<std::string, std::size_t> lines;  // by file
  const auto refuse = [](const ScriptedExtractor& e, const std::string& reason) {
    throw ParseError(e.where,
                     fmt::format("{}: '{}': {}", e.extractor.kind->name, shown(e.file), reason));
  };
  for (const ScriptedExtractor& e : extractors) {
    const bool tooLong = e.file.size() > longest;  // then it is not even taken apart
    const fs::path name(tooLong ? "" : e.file), plain = name.lexically_normal();
    if (tooLong || name.is_absolute() || !plain.has_filename() || plain == "." ||
        std::find(name.begin(), name.end(), "..") != name.end())
      refuse(e,
             fmt::format("expected the name of a file inside the folder of outputs, of at most {} "
                         "characters",
                         longest));
    if (const auto [at, fresh] = lines.emplace(plain.string(), e.where.line); !fresh)
      refuse(e, fmt::format("the file is written by line {} already", at->second));
  }
  for (const ScriptedExtractor& e : extractors)
    for (fs::path folder = fs::path(e.file).lexically_normal().parent_path(); !folder.empty();
         folder = folder.parent_path())
      if (const auto at = lines.find(folder.string()); at != lines.end())
        refuse(e, fmt::format("'{}' cannot be a folder, since line {} writes a file of that name",
                              folder.string(), at->second));
}

void checkPlaceOfTables(const std::string& folder,
                        const std::vector<ScriptedExtractor>& extractors) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const ScriptedExtractor& e : extractors) {
    const auto check = [&](const fs::path& path, bool good, const char* expected) {
      if (!good && fs::symlink_status(path, ignored).type() != fs::file_type::not_found)
        throw IoError(fmt::format("{}: expected {} for the table '{}' of {}:{}", path.string(),
                                  expected, e.file, e.where.file, e.where.line));
    };
    const fs::path name = fs::path(e.file).lexically_normal();
    fs::path on(folder);
    for (const fs::path& part : name.parent_path()) {
      on /= part;
      check(on, fs::symlink_status(on, ignored).type() == fs::file_type::directory,
            "a folder, no link,");
    }
    const fs::path table = on / name.filename();
    const fs::file_type type = fs::symlink_status(table, ignored).type();
    check(table,
          !fs::is_directory(table, ignored) &&
              (type == fs::file_type::regular || type == fs::file_type::symlink),
          "a file");
  }
}

}  // namespace scree::sim
