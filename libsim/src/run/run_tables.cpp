// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tables.hpp"

#include "base/safe_write.hpp"
#include "engine/rigid_motion.hpp"
#include "run_room.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/table.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace scree::sim {

namespace {

/// The place of the line stands in front already.
std::string withoutSource(const std::string& message, const std::string& source) {
  return message.starts_with(source + ": ") ? message.substr(source.size() + 2) : message;
}

}  // namespace

void checkTables(const RunOptions& options, const Simulation& simulation) {
  const std::vector<ScriptedExtractor>& extractors = options.extractors;
  if (extractors.empty()) return;
  const Conf start = simulation.conf();
  const Instant instant(start, simulation.shapes());
  checkDistinctFiles(extractors);
  for (const ScriptedExtractor& e : extractors) {
    const std::filesystem::path name = std::filesystem::path(e.file).lexically_normal();
    const std::string path = (std::filesystem::path(options.folder) / e.file).string();
    const char* reason = confNumber(e.file) || isOfRun(name.begin()->string())
                             ? "the run itself writes files of that name"
                         : namesTemporary(name.filename().string())
                             ? "the next run removes files of that name as temporary ones"
                         : namesCompressed(e.file)
                             ? "a table grows line by line and cannot be compressed (.zst)"
                         : isInput(path, options) ? "it is an input of this run"
                                                  : nullptr;
    if (reason)
      throw ParseError(e.where, fmt::format("'{}' cannot be a table: {}", e.file, reason));
    try {
      rowsOf(e.extractor, instant);
    } catch (const ModelError& error) {
      throw ParseError(e.where, withoutSource(error.what(), start.source));
    }
  }
  checkPlaceOfTables(options.folder, extractors);
}

std::string tablesText(const std::vector<ScriptedExtractor>& extractors) {
  std::string text;
  for (const ScriptedExtractor& e : extractors) {
    text += fmt::format("{}: {}, each {} step{}\n", e.file, nameOf(e.extractor), e.period,
                        e.period > 1 ? "s" : "");
    std::size_t k = 0;
    for (const Column& c : columnsOf(e.extractor))
      text += fmt::format("{:4} {}{}\n", ++k, c.name,
                          c.unit.empty() || c.unit == "-" ? "" : fmt::format(" [{}]", c.unit));
    text += "\n";
  }
  return text;
}

std::string headerOf(const ScriptedExtractor& extractor) {
  TextWriter header;
  header.put("#");
  for (const Column& c : columnsOf(extractor.extractor)) header.put(c.name);
  header.endLine();
  return header.take();
}

RunTables::RunTables(const std::string& folder, const std::vector<ScriptedExtractor>& extractors,
                     const Simulation& simulation, bool resumed)
    : folder_(folder), extractors_(extractors) {
  for (const ScriptedExtractor& e : extractors_) {
    const std::string path = (std::filesystem::path(folder) / e.file).string();
    if (std::string kept = resumed ? linesUpTo(path, simulation.time()) : std::string();
        !kept.empty()) {
      writeFile(path, kept, Existing::replace);
      continue;
    }
    writeFile(path, headerOf(e), Existing::replace);
  }
}

std::uint64_t RunTables::nextStep(std::uint64_t step) const {
  std::uint64_t next = UINT64_MAX;  // records are due at steps 1, 1 + period, 1 + 2 periods ...
  for (const ScriptedExtractor& e : extractors_) {
    if (std::holds_alternative<TrackRockfall>(e.extractor)) return step + 1;
    const std::uint64_t rest = step % e.period, left = rest == 0 ? 0 : e.period - rest;
    if (left < UINT64_MAX - step) next = std::min(next, step + left + 1);
  }
  return next;
}

void RunTables::write(const Simulation& simulation) {
  const auto due = [&](const ScriptedExtractor& e) {
    return (simulation.stepIndex() - 1) % e.period == 0;
  };
  if (std::none_of(extractors_.begin(), extractors_.end(), due)) return;
  const Conf conf = simulation.conf();
  // A record follows from the state that a file would hold, so both agree to the bit.
  const Instant instant(conf, simulation.shapes());
  for (const ScriptedExtractor& e : extractors_) {
    if (!due(e)) continue;
    TextWriter out;
    for (Row& row : rowsOf(e.extractor, instant)) {
      row.front() = tableTime(conf.t);  // each extractor begins with it
      for (const Cell& cell : row) std::visit([&](const auto& value) { out.put(value); }, cell);
      out.endLine();
    }
    appendLines((std::filesystem::path(folder_) / e.file).string(), out.text());
  }
}

bool RunTables::leftBox(const Simulation& simulation, BodyId body) {
  const Bodies& b = simulation.bodies();
  if (b.driven == 0) return false;
  const auto driven = b.pos.begin() + b.driven;
  const auto sameTurns = [&] {
    for (std::size_t k = 0; k < b.driven; ++k)
      if (b.q[k].coeffs() != boxTurn_[k].coeffs()) return false;
    return true;
  };
  // A terrain of a million vertices is gone through once, not each step.
  if (boxPos_.size() != b.driven || !std::equal(b.pos.begin(), driven, boxPos_.begin()) ||
      !sameTurns()) {
    boxPos_.assign(b.pos.begin(), driven);
    boxTurn_.assign(b.q.begin(), b.q.begin() + b.driven);
    box_ = {};
    for (std::size_t k = 0; k < b.driven; ++k) {
      const shape::Shape& s = simulation.shapes()[b.shape[k]];
      for (std::size_t v = 0; v < s.vertices.size(); ++v) {
        shape::Aabb ball;
        ball.add(b.pos[k] + rotated(b.q[k], b.homothety[k] * s.vertices[v]));
        box_.add(ball.grown(b.homothety[k] * s.radiusAt(v)));
      }
    }
  }
  // A block above the slope is about to fall on it: upwards the box is open.
  const Vec3& g = simulation.input().gravity;
  Eigen::Index up = 0;
  Vec3 p = b.pos[simulation.bodyOrder().body(body)];
  if (g.cwiseAbs().maxCoeff(&up) > 0.0)
    p[up] = g[up] < 0.0 ? std::min(p[up], box_.high[up]) : std::max(p[up], box_.low[up]);
  return (p.array() < box_.low.array()).any() || (p.array() > box_.high.array()).any();
}

std::string RunTables::endsRun(const Simulation& simulation) {
  for (const ScriptedExtractor& e : extractors_) {
    const auto* fall = std::get_if<TrackRockfall>(&e.extractor);
    if (!fall) continue;
    const Bodies& b = simulation.bodies();
    const BodyId body = simulation.bodyOrder().body(fall->body);
    if (fall->rests(b.vel[body], b.spin[body], simulation.time() - simulation.startTime(),
                    simulation.input().gravity.norm()))
      return fmt::format("TrackRockfall: body {} rests", fall->body);
    if (leftBox(simulation, fall->body))
      return fmt::format("TrackRockfall: body {} has left the box around the driven bodies",
                         fall->body);
  }
  return {};
}

void checkResumedTables(const RunOptions& options, const Simulation& simulation,
                        Diagnostics& diagnostics) {
  const auto check = [&](const std::string& name, std::uint64_t expected) {
    const std::string path = (std::filesystem::path(options.folder) / name).string();
    const std::uint64_t found = timesBetween(path, options.firstTime, simulation.time());
    if (found < expected)
      diagnostics.warn(fmt::format(
          "{}: has rows of {} of the {} times up to t = {}; the run continues it, but the others "
          "stay missing",
          path, found, expected, tableTime(simulation.time())));
  };
  const std::uint64_t states =
      static_cast<std::uint64_t>(std::max(0, simulation.iconf() - options.firstConf));
  for (const char* name : {"kineticEnergy.txt", "energy.txt", "perf.txt"}) check(name, states);
  for (const ScriptedExtractor& e : options.extractors) {
    const std::string path = (std::filesystem::path(options.folder) / e.file).string();
    if (const std::string first = firstLineOf(path); first.starts_with('#') && first != headerOf(e))
      throw ModelError(fmt::format(
          "{}: its columns are not those of {} in {}; resume the run with the lines of this file "
          "that it began with, or give the table another name",
          path, nameOf(e.extractor), e.where.file));
    // Records are due at steps 1, 1 + period, 1 + 2 periods ...
    const auto due = [&](std::uint64_t step) { return step == 0 ? 0 : (step - 1) / e.period + 1; };
    check(e.file, due(simulation.stepIndex()) -
                      std::min(due(simulation.stepIndex()), due(options.firstStep)));
  }
}

}  // namespace scree::sim
