// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"

#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/mesh/audit.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::tools {
namespace {

using mesh::Finding;
using mesh::Severity;
using shape::Shape;

constexpr std::array<std::string_view, 3> severities{"note", "warning", "error"};

struct CheckOptions {
  std::vector<std::string> files;
  std::string output;  ///< with `fix`: file of the copy, or "-"
  bool fix = false;
};

/// Findings of all files, as text and JSON.
class Report {
 public:
  explicit Report(bool fix) : fix_(fix) {
    json_.beginObject().member("schema", 1).key("files").beginArray();
  }
  void beginFile(const std::string& file, std::size_t shapes) {
    shapes_ += shapes;
    json_.beginObject().member("file", file).member("shapes", shapes);
    json_.key("findings").beginArray();
  }
  void add(const std::string& file, std::size_t line, const Shape& s, const Finding& f,
           bool mended) {
    const auto severity = static_cast<std::size_t>(f.severity);
    ++count_[severity];
    mended_ += mended;
    text_ += fmt::format("{}:{}: {}: {}: {}", file, line, severities[severity], s.name, f.what);
    if (f.stated) text_ += fmt::format(" {:.7g}", *f.stated);
    if (f.truth) text_ += fmt::format(", true {:.7g}", *f.truth);
    if (f.error)
      text_ += std::abs(*f.error) >= 1e-3 ? fmt::format(" ({:+.2f} %)", 100.0 * *f.error)
                                          : fmt::format(" ({:+.1e})", *f.error);
    text_ += ": " + f.message + (mended ? " [mended]\n" : "\n");
    json_.beginObject().member("shape", s.name).member("finding", f.what);
    json_.member("severity", severities[severity]).member("line", line);
    json_.member("stated", f.stated).member("true", f.truth).member("error", f.error);
    json_.member("message", f.message).key("elements").list(f.elements);
    json_.member("mendable", f.mendable);
    if (fix_) json_.member("mended", mended);
    json_.end();
  }
  void endFile() { json_.end().end(); }

  std::string text() const {
    return text_ +
           fmt::format("{}: {}, {}, {}", counted(shapes_, "shape"), counted(count_[2], "error"),
                       counted(count_[1], "warning"), counted(count_[0], "note")) +
           (fix_ ? fmt::format("; {} repaired\n", mended_) : "\n");
  }
  std::string json() { return json_.end().end().take() + "\n"; }

 private:
  bool fix_;
  JsonWriter json_{1};
  std::string text_;
  std::array<std::size_t, 3> count_{};
  std::size_t shapes_ = 0, mended_ = 0;
};

/// Audits all shapes of all files and, with --fix, writes a repaired copy. @returns the exit code
int check(const CheckOptions& o, const CommonOptions& common) {
  if (o.fix) {
    if (o.files.size() > 1) throw UsageError("--fix: repairs one file at a time");
    checkOutput(o.output, common);
  }
  Diagnostics diagnostics(common.strict);
  Report report(o.fix);
  bool sound = true;
  std::string copy;
  for (const std::string& file : o.files) {
    TextReader in = TextReader::fromFile(file);
    std::vector<shape::ShapePlaces> places;
    const std::vector<Shape> shapes = shape::readShapes(in, diagnostics, &places);
    std::vector<std::vector<Finding>> found(shapes.size()), remaining(shapes.size());
    std::vector<Shape> mended = shapes;
    parallelJobs(threadCount(common.jobs), shapes.size(), [&](std::size_t k) {
      found[k] = remaining[k] = mesh::audited(shapes[k]);
      if (!o.fix) return;
      mended[k] = mesh::repaired(shapes[k]);
      remaining[k] = mesh::audited(mended[k]);
    });
    report.beginFile(inputName(file), shapes.size());
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const auto remains = [&](const Finding& f) {
        return std::ranges::find(remaining[k], f.what, &Finding::what) != remaining[k].end();
      };
      for (const Finding& f : found[k])
        report.add(inputName(file), in.placeOf(places[k].of(f.where)).line, shapes[k], f,
                   o.fix && !remains(f));
      for (const Finding& f : remaining[k])
        sound &= f.severity < (common.strict ? Severity::warning : Severity::error);
      copy += shape::shapesText({mended[k]});
    }
    report.endFile();
  }
  printWarnings(diagnostics, common);
  if (o.fix) writeFile(o.output, copy, common.existing());
  if (o.output == "-")
    say(common, report.text());
  else
    printResult(harmless(common.json ? report.json() : report.text()));
  return sound ? 0 : 3;
}

}  // namespace

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
  return {&verb, [o, &common] { return check(*o, common); }};
}

}  // namespace scree::tools
