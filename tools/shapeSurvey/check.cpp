// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.hpp"
#include "shapeSurvey.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace scree::tools {
namespace {

using mesh::Finding;
using mesh::Severity;
using shape::Shape;

constexpr std::string_view severityNames[] = {"note", "warning", "error"};
std::string_view nameOf(Severity s) { return severityNames[static_cast<std::size_t>(s)]; }

/// Mark of a shape of spheres: its mass properties are those of the body they stand for.
constexpr std::string_view ofBodyMark = "properties=body";

/// Findings in one file.
struct FileCheck {
  std::string file;
  TextReader in;
  std::vector<Shape> shapes;
  std::vector<std::vector<Finding>> findings, left;  ///< of each shape; left after the repair
  std::vector<shape::ShapePlaces> places;

  std::size_t lineOf(std::size_t shape, const Finding& finding) const {
    return in.placeOf(places[shape].of(finding.where)).line;
  }
  bool ofBody(std::size_t shape) const { return places[shape].mark == ofBodyMark; }
  bool isLeft(std::size_t shape, const Finding& finding) const {
    return std::ranges::find(left[shape], finding.what, &Finding::what) != left[shape].end();
  }
};

std::string number(const std::optional<double>& x) { return x ? fmt::format("{:.7g}", *x) : ""; }
std::string percent(const std::optional<double>& x) {
  if (!x) return "";
  return std::abs(*x) >= 1e-3 ? fmt::format("{:+.2f} %", 100.0 * *x) : fmt::format("{:+.1e}", *x);
}

std::string tableOf(const std::vector<FileCheck>& checks, bool fix) {
  std::vector<std::vector<std::string>> rows{
      {"file:line", "severity", "shape", "finding", "stated", "true", "off", ""}};
  std::array<std::size_t, 3> total{};
  std::size_t shapes = 0, mended = 0;
  for (const FileCheck& check : checks) {
    shapes += check.shapes.size();
    for (std::size_t k = 0; k < check.shapes.size(); ++k)
      for (const Finding& f : check.findings[k]) {
        ++total[static_cast<std::size_t>(f.severity)];
        const bool gone = fix && !check.isLeft(k, f);
        mended += gone;
        rows.push_back({fmt::format("{}:{}", check.file, check.lineOf(k, f)),
                        std::string(nameOf(f.severity)), check.shapes[k].name, std::string(f.what),
                        number(f.stated), number(f.truth), percent(f.error),
                        f.message + (gone ? " [mended]" : "")});
      }
  }
  std::string out;
  if (rows.size() == 1) rows.clear();
  std::array<std::size_t, 8> width{};
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string space(width[c] - row[c].size(), ' ');
      line += (c >= 4 && c <= 6 ? space + row[c] : row[c] + space) + "  ";
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  out += fmt::format("{} shape{}: {} error{}, {} warning{}, {} note{}", shapes,
                     shapes == 1 ? "" : "s", total[2], total[2] == 1 ? "" : "s", total[1],
                     total[1] == 1 ? "" : "s", total[0], total[0] == 1 ? "" : "s");
  if (fix) out += fmt::format("; {} repaired", mended);
  return out + "\n";
}

std::string jsonOf(const std::vector<FileCheck>& checks, bool fix) {
  JsonWriter json(1);
  json.beginObject().member("schema", 1).key("files").beginArray();
  for (const FileCheck& check : checks) {
    json.beginObject().member("file", check.file).member("shapes", check.shapes.size());
    json.key("findings").beginArray();
    for (std::size_t k = 0; k < check.shapes.size(); ++k)
      for (const Finding& f : check.findings[k]) {
        json.beginObject().member("shape", check.shapes[k].name).member("finding", f.what);
        json.member("severity", nameOf(f.severity)).member("line", check.lineOf(k, f));
        json.member("stated", f.stated).member("true", f.truth).member("error", f.error);
        json.member("message", f.message).key("elements").list(f.elements);
        json.member("mendable", f.mendable);
        if (fix) json.member("mended", !check.isLeft(k, f));
        json.end();
      }
    json.end().end();
  }
  return json.end().end().take() + "\n";
}

std::string mendedText(const FileCheck& check, const std::vector<Shape>& mended) {
  std::string out;
  for (std::size_t k = 0; k < mended.size(); ++k) {
    if (check.ofBody(k)) out += fmt::format("#@ {}\n", ofBodyMark);
    out += shape::shapesText(std::vector<Shape>{mended[k]});
  }
  return out;
}

}  // namespace

CheckResult checked(const CheckOptions& options, Diagnostics& diagnostics) {
  if (options.fix) {
    if (options.files.size() > 1) throw UsageError("--fix: repairs one file at a time");
    checkReportGoesElsewhere(options.json, options.output);
    checkMayWrite(options.output, options.existing);
  }
  std::vector<FileCheck> checks;
  CheckResult result;
  for (const std::string& file : options.files) {
    FileCheck check{inputName(file), TextReader::fromFile(file), {}, {}, {}, {}};
    check.shapes = shape::readShapes(check.in, diagnostics, &check.places);
    const std::size_t n = check.shapes.size();
    check.findings.resize(n);
    check.left.resize(n);
    std::vector<Shape> mended(options.fix ? n : 0);
    parallelJobs(options.threads, n, [&](std::size_t k) {
      const bool ofBody = check.ofBody(k);
      check.findings[k] = check.left[k] = mesh::audited(check.shapes[k], ofBody);
      if (!options.fix) return;
      mended[k] = mesh::repaired(check.shapes[k], ofBody);
      check.left[k] = mesh::audited(mended[k], ofBody);
    });
    for (const auto& left : check.left)
      for (const Finding& f : left)
        if (f.severity == Severity::error || (options.strict && f.severity == Severity::warning))
          result.sound = false;
    if (options.fix) writeFile(options.output, mendedText(check, mended), options.existing);
    checks.push_back(std::move(check));
  }
  result.text = options.json ? jsonOf(checks, options.fix) : tableOf(checks, options.fix);
  return result;
}

Verb addCheckVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<CheckOptions>();
  CLI::App& verb = addVerb(
      app, "check", "Compare the values in shape-files with computed ones, and repair them",
      "  shapeSurvey make boulder --radius 0.05 -o rocks.shp\n"
      "  shapeSurvey check rocks.shp\n"
      "  shapeSurvey check rocks.shp --json\n"
      "  shapeSurvey check rocks.shp --fix -o repaired.shp",
      "Exit code 3 if errors remain (with --strict also warnings), else 0. --fix copies shapes\n"
      "without findings to the bit.");
  verb.add_option("SHAPES", o->files, "Shape-files; - is standard input")->required();
  CLI::Option* fix = verb.add_flag("--fix", o->fix, "Write a repaired copy");
  CLI::Option* output = verb.add_option("-o,--output", o->output,
                                        "With --fix: the file to write, - for standard output");
  fix->needs(output);
  output->needs(fix);
  return {&verb, [o, &common] {
            o->threads = threadCount(common.jobs);
            o->existing = common.existing();
            o->json = common.json;
            o->strict = common.strict;
            Diagnostics diagnostics(common.strict);
            const CheckResult check = checked(*o, diagnostics);
            printWarnings(diagnostics, common);
            if (o->output == "-")
              say(common, check.text);
            else
              printResult(harmless(check.text));
            return check.sound ? 0 : 3;
          }};
}

}  // namespace scree::tools
