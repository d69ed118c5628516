// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds that a run records as well as files, and the lines that request them.
#include "scree/sim/measure/extractors.hpp"

#include "kind_parts.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <map>

namespace scree::sim {
namespace {

constexpr std::int64_t int32Most = std::numeric_limits<std::int32_t>::max();

/// Refuses a line that ends too early, which would otherwise swallow the next one.
void expectOnLine(TextReader& in, std::string_view kind, std::string_view what) {
  if (!in.nextOnSameLine())
    throw in.error(fmt::format("{}: expected {}, found the end of the line", kind, what));
}

/// The body of this number, as an option gives it.
BodyId bodyOf(const Instant& instant, double number) {
  const std::size_t n = instant.bodyCount();
  if (!(number < static_cast<double>(n)))
    throw ModelError(fmt::format("{}: there is no body {}: the file has {} bodies, from 0 on",
                                 instant.conf().source, number, n));
  return static_cast<BodyId>(number);
}

/// The motion of a body and the forces of its contacts. Force and moment (about the centre of mass,
/// global axes) are those of `sumOfActions`. They include contacts, bonds, round walls, joints and
/// BodyForce, but not gravity and loads that a drive imposes.
std::vector<Row> trackRows(const Instant& instant, const KindOptions& options) {
  const BodyId body = bodyOf(instant, options.number("body"));
  const ParticleRecord& p = instant.body(body);
  const ForceAndMoment& sum = instant.actions()[body];
  return {rowOf(instant.conf().t, p.pos, p.vel, p.q, p.vrot, sum.force, sum.moment)};
}

/// The axis-aligned box around all bodies of one cluster, driven ones included, rounding included.
std::vector<Row> clusterRows(const Instant& instant, const KindOptions& options) {
  shape::Aabb box;
  bool any = false;
  for (std::size_t k = 0; k < instant.bodyCount(); ++k) {
    if (instant.body(k).cluster != options.whole("cluster")) continue;
    box.add(instant.boxOf(k));
    any = true;
  }
  const Vec3 nan = Vec3::Constant(notKnown);
  return {rowOf(instant.conf().t, any ? box.low : nan, any ? box.high : nan)};
}

/// The gaps of all contacts, those with boundaries too, and bonds that act: extremes, means,
/// counts, and where the deepest overlap is.
std::vector<Row> gapRows(const Instant& instant, const KindOptions&) {
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
  return {rowOf(instant.conf().t, least, most, mean(overlap + gap, overlaps + gaps),
                mean(overlap, overlaps), mean(gap, gaps), overlaps, gaps, where)};
}

/// Mean speed of all bodies, driven ones included.
std::vector<Row> speedRows(const Instant& instant, const KindOptions&) {
  double sum = 0.0;
  for (const ParticleRecord& p : instant.conf().particles) sum += p.vel.norm();
  const double n = static_cast<double>(instant.bodyCount());
  return {{instant.conf().t, n > 0.0 ? sum / n : notKnown}};
}

/// The contacts between two bodies: how many of each pairing, and each with its share of the force.
/// A row a contact, the counts repeated; one row without a contact where the two do not touch.
std::vector<Row> duoRows(const Instant& instant, const KindOptions& options) {
  const BodyId i = bodyOf(instant, options.number("bodyI")),
               j = bodyOf(instant, options.number("bodyJ"));
  constexpr std::array names{"vv", "ve", "vf", "ee"};
  std::array<std::int64_t, 4> count{};
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < instant.conf().interactions.size(); ++k) {
    const InteractionRecord& c = instant.conf().interactions[k];
    if (bodyPair(c.key.i, c.key.j) != bodyPair(i, j)) continue;
    found.push_back(k);
    if (c.dn < 0.0) ++count[static_cast<std::size_t>(c.key.pairing)];
  }
  const Row counts = rowOf(instant.conf().t, count[0], count[1], count[2], count[3]);
  std::vector<Row> rows;
  for (const std::size_t k : found) {
    const InteractionRecord& c = instant.conf().interactions[k];
    rows.push_back(rowOf(counts, names[static_cast<std::size_t>(c.key.pairing)], c.key.i, c.key.j,
                         c.key.iSub, c.key.jSub, instant.weight(k), c.dn, c.fn, c.ft));
  }
  if (rows.empty()) {
    rows.push_back(rowOf(counts, "none", i, j));
    rows.back().resize(16, notKnown);
  }
  return rows;
}

/// Area of the broken interfaces over that of all at the start, 0 to 1. It is nan where nothing is
/// bonded, or where a file does not hold areas.
std::vector<Row> damageRows(const Instant& instant, const KindOptions&) {
  const auto& area = instant.conf().state().bondedArea;
  return {{instant.conf().t, area && area->all > 0.0 ? area->broken / area->all : notKnown}};
}

/// Impacts of one body in a run: a row at each step in which its contacts with other bodies have
/// stopped to compress, and their force was `leastForce` or more. Round walls do not count. Every
/// step is looked at, so that the force is that of the peak; one instant has no row.
std::vector<Row> impactRows(const Instant& instant, const KindOptions& options) {
  bodyOf(instant, options.number("body"));
  return {};
}

constexpr KindOption oneBody(std::string_view name = "body",
                             std::string_view help = "number of the body, from 0") {
  return whole(name, help, {}, 0, int32Most).needed();
}
constexpr KindOption speedLimit(std::string_view name, std::string_view help) {
  return {name, "N", help, KindOption::Type::number, "0"};
}

constexpr const char* trackColumns =
    "t:s x:m y:m z:m vx:m/s vy:m/s vz:m/s qw qx qy qz wx:rad/s wy:rad/s wz:rad/s fx:N fy:N fz:N "
    "mx:N.m my:N.m mz:N.m";

const Kind impactsInRun{
    .name = "Impacts",
    .help =
        "a row for each impact of a body: time, place, peak of the force, energy in the "
        "contacts, speed, the other body (11 columns); period 1, since each step is looked at",
    .options = {oneBody(), speedLimit("leastForce", "force below which an impact is passed over")},
    .columns = "t:s x:m y:m z:m force:N fx:N fy:N fz:N energy:J speed:m/s other",
    .rows = impactRows,
    .inRun = "Impacts"};

}  // namespace

std::vector<Kind> runKinds() {
  const PlotColumns path{.x = "t", .y = {"x", "y", "z"}};
  return {
      {.name = "TrackBody",
       .help = "time, position, velocity, quaternion, angular velocity of a body; force and moment "
               "of its contacts, without gravity (20 columns)",
       .options = {oneBody()},
       .columns = trackColumns,
       .rows = trackRows,
       .needs = {.shapes = false},
       .plot = path,
       .inRun = "TrackBody"},
      {.name = "TrackRockfall",
       .help = "TrackBody that also ends a run: when the body rests, or its centre has left the "
               "box around the driven bodies (20 columns)",
       .options = {oneBody(), speedLimit("restSpeed", "speed below which the body rests"),
                   speedLimit("restSpin", "angular velocity below which the body rests")},
       .columns = trackColumns,
       .rows = trackRows,
       .needs = {.shapes = false},
       .plot = path,
       .inRun = "TrackRockfall"},
      {.name = "ClusterAABB",
       .help = "time, lowest and highest corner of the box around all bodies of a cluster "
               "(7 columns)",
       .options =
           {whole("cluster", "number of the cluster", {}, -int32Most - 1.0, int32Most).needed()},
       .columns = "t:s xmin:m ymin:m zmin:m xmax:m ymax:m zmax:m",
       .rows = clusterRows,
       .needs = {.contacts = false},
       .plot = {.x = "t", .y = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"}},
       .inRun = "ClusterAABB"},
      {.name = "dnStat",
       .help = "time; least, largest and mean gap of acting contacts; means and numbers of "
               "overlaps and of gaps; place of the deepest overlap (11 columns)",
       .columns = "t:s dnMin:m dnMax:m dnMean:m dnMeanOverlap:m dnMeanGap:m overlaps gaps x:m y:m "
                  "z:m",
       .rows = gapRows,
       .needs = {.shapes = false},
       .plot = {.x = "t", .y = {"dnMin", "dnMeanOverlap"}},
       .inRun = "dnStat"},
      {.name = "MeanVelocity",
       .help = "time, mean speed of all bodies, driven ones included (2 columns)",
       .columns = "t:s speed:m/s",
       .rows = speedRows,
       .needs = {.shapes = false, .contacts = false},
       .inRun = "MeanVelocity"},
      {.name = "DuoBalance",
       .help = "contacts of two bodies, one row each: time, counts by pairing, pairing, bodies and "
               "sub-elements, weight, gap, forces (16 columns)",
       .options = {oneBody("bodyI", "number of a body, from 0"),
                   oneBody("bodyJ", "number of the other body")},
       .columns = "t:s nvv nve nvf nee type i j isub jsub weight dn:m fn:N ftx:N fty:N ftz:N",
       .rows = duoRows,
       .needs = {.shapes = false},
       .plot = {.x = "t", .y = {"fn"}, .by = "type", .points = true},
       .inRun = "DuoBalance"},
      {.name = "TrackDamage",
       .help = "time, area of broken interfaces over the initial area of all (2 columns)",
       .columns = "t:s damage",
       .rows = damageRows,
       .needs = {.shapes = false},
       .inRun = "TrackDamage"}};
}

const std::vector<const Kind*>& extractorKinds() {
  static const std::vector<const Kind*> recorded = [] {
    std::vector<const Kind*> some;
    for (const Kind& kind : kinds())
      if (!kind.inRun.empty()) some.push_back(&kind);
    some.push_back(&impactsInRun);
    return some;
  }();
  return recorded;
}

KindOptions Extractor::options() const {
  std::map<std::string, std::string> given;
  for (std::size_t k = 0; k < values.size(); ++k)
    given[std::string(kind->options.at(k).name)] = fmt::format("{}", values[k]);
  return KindOptions(kind->options, given);
}

bool rests(const Extractor& fall, const Vec3& vel, const Vec3& spin, const Vec3& acc,
           const Vec3& gravity, double elapsed) {
  const double speed = fall.values[1], g = gravity.norm();
  return vel.norm() < speed && spin.norm() < fall.values[2] && elapsed * g > speed &&
         (acc - gravity).norm() > 1e-9 * g;
}

bool hasLeft(const shape::Aabb& driven, const std::vector<Boundary>& boundaries,
             const Vec3& gravity, const Vec3& centre) {
  const auto isFloor = [&](const Boundary& b) {
    return b.kind == Boundary::Kind::plane && b.axis.dot(gravity) < 0.0;
  };
  if (driven.low.x() > driven.high.x() || std::ranges::any_of(boundaries, isFloor)) return false;
  Eigen::Index up = 0;
  Vec3 p = centre;
  if (gravity.cwiseAbs().maxCoeff(&up) > 0.0)
    p[up] = gravity[up] < 0.0 ? std::min(p[up], driven.high[up]) : std::max(p[up], driven.low[up]);
  return (p.array() < driven.low.array()).any() || (p.array() > driven.high.array()).any();
}

std::vector<ScriptedExtractor> readDataExtractors(TextReader& in, Diagnostics& diagnostics) {
  std::vector<ScriptedExtractor> extractors;
  while (!in.atEnd()) {
    const std::string_view name = in.word("extractor");
    if (name[0] == '#' || name[0] == '/' || name[0] == '!') {
      in.skipLine();
      continue;
    }
    const auto found = std::ranges::find(extractorKinds(), name, &Kind::inRun);
    if (found == extractorKinds().end()) {
      std::vector<std::string_view> known;
      for (const Kind* k : extractorKinds()) known.push_back(k->inRun);
      diagnostics.warn(in.error(fmt::format("unknown extractor '{}'{}, the line is skipped", name,
                                            suggestion(name, known))));
      in.skipLine();
      continue;
    }
    ScriptedExtractor line;
    line.where = in.place();
    line.extractor.kind = *found;
    const std::string kind((*found)->inRun);
    for (const KindOption& o : (*found)->recordedOptions()) {
      expectOnLine(in, kind, fmt::format("the {}", o.help));
      const std::string what = fmt::format("{}: {}", kind, o.name);
      line.extractor.values.push_back(
          o.type == KindOption::Type::number
              ? in.notNegative(what)
              : static_cast<double>(
                    in.integer(what, static_cast<std::int64_t>(o.least), int32Most)));
    }
    expectOnLine(in, kind, "the name of a file");
    line.file = in.word("file");
    expectOnLine(in, kind, "the number of steps between records");
    line.period = static_cast<std::uint64_t>(
        in.integer(kind + ": steps between records", 1, std::numeric_limits<std::int64_t>::max()));
    if (line.extractor.is("Impacts") && line.period != 1)
      throw in.error(fmt::format("Impacts: expected 1 step between looks, found {}", line.period));
    if (in.nextOnSameLine() && !in.peek().starts_with('#'))
      throw in.errorAtNext(fmt::format("{}: expected the end of the line, found '{}'", kind,
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
  std::map<std::string, std::size_t> lines;  // by file
  const auto check = [](const ScriptedExtractor& e, bool good, const std::string& reason) {
    if (!good)
      throw ParseError(e.where,
                       fmt::format("{}: '{}': {}", e.extractor.kind->inRun, shown(e.file), reason));
  };
  for (const ScriptedExtractor& e : extractors) {
    constexpr std::size_t longest = 1000;
    const fs::path name(e.file.size() > longest ? "" : e.file), plain = name.lexically_normal();
    check(e,
          !name.is_absolute() && plain.has_filename() && plain != "." &&
              std::find(name.begin(), name.end(), "..") == name.end(),
          fmt::format("expected the name of a file inside the folder of outputs, of at most {} "
                      "characters",
                      longest));
    const auto [at, fresh] = lines.emplace(plain.string(), e.where.line);
    check(e, fresh, fmt::format("the file is written by line {} already", at->second));
  }
  for (const ScriptedExtractor& e : extractors)
    for (fs::path folder = fs::path(e.file).lexically_normal().parent_path(); !folder.empty();
         folder = folder.parent_path())
      check(e, !lines.contains(folder.string()),
            fmt::format("'{}' cannot be a folder, since another line writes a file of that name",
                        folder.string()));
}

void checkPlaceOfTables(const std::string& folder,
                        const std::vector<ScriptedExtractor>& extractors) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const ScriptedExtractor& e : extractors) {
    const fs::path name = fs::path(e.file).lexically_normal();
    fs::path on(folder);
    for (auto part = name.begin(); part != name.end(); ++part) {
      on /= *part;
      const bool isTable = std::next(part) == name.end();
      const fs::file_type type = fs::symlink_status(on, ignored).type();
      const bool good = isTable
                            ? !fs::is_directory(on, ignored) &&
                                  (type == fs::file_type::regular || type == fs::file_type::symlink)
                            : type == fs::file_type::directory;
      if (!good && type != fs::file_type::not_found)
        throw IoError(fmt::format("{}: expected {} for the table '{}' of {}:{}", on.string(),
                                  isTable ? "a file" : "a folder, no link,", e.file, e.where.file,
                                  e.where.line));
    }
  }
}

}  // namespace scree::sim
