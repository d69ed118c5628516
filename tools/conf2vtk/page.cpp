// SPDX-License-Identifier: GPL-3.0-or-later
#include "arrays.hpp"
#include "view_data.hpp"
#include "vtk/write_vtp.hpp"

#include "scree/base/error.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/base/version.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <map>

// The assembler copies a file into the read-only data: quick, whatever its size.
#define SCREE_FILE(name, path)                                                   \
  __asm__(".pushsection .rodata\n.global scree_" #name                           \
          "_begin\n"                                                             \
          ".global scree_" #name "_end\nscree_" #name                            \
          "_begin:\n"                                                            \
          ".incbin \"" path "\"\nscree_" #name "_end:\n.byte 0\n.popsection\n"); \
  extern "C" const char scree_##name##_begin[], scree_##name##_end[]

SCREE_FILE(page_style, SCREE_PAGE_FOLDER "/page.css");
SCREE_FILE(page_body, SCREE_PAGE_FOLDER "/page.html");
SCREE_FILE(page_script, SCREE_PAGE_FOLDER "/page.js");
SCREE_FILE(view_script, SCREE_PAGE_FOLDER "/view.py");
SCREE_FILE(three, SCREE_THREE_FOLDER "/three.module.js");
SCREE_FILE(three_controls, SCREE_THREE_FOLDER "/examples/jsm/controls/OrbitControls.js");

namespace scree::tools {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}
#define SCREE_TEXT(name) between(scree_##name##_begin, scree_##name##_end)

/// Above this a browser gives up on the text of a page.
constexpr std::size_t mostBytes = 400'000'000;

constexpr std::string_view licence = R"(
three.js, https://threejs.org, as Debian's package libjs-three has it.

The MIT License

Copyright (c) 2010-2019 three.js authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.
)";

/// RFC 4648, with padding.
std::string base64(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  const auto at = [&](std::size_t k) -> std::uint32_t {
    return k < bytes.size() ? static_cast<std::uint8_t>(bytes[k]) : 0U;
  };
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::uint32_t three = at(k) << 16U | at(k + 1) << 8U | at(k + 2);
    for (std::size_t c = 0; c < 4; ++c)
      out += k + c > bytes.size() ? '=' : letters[three >> (18U - 6U * c) & 63U];
  }
  return out;
}

/// Data by their content: equal ones are kept once, as base64.
class Blobs {
 public:
  template <class T>
  std::size_t add(const std::vector<T>& numbers) {
    static_assert(std::endian::native == std::endian::little);
    const std::string bytes(reinterpret_cast<const char*>(numbers.data()),
                            numbers.size() * sizeof(T));
    const auto [known, isNew] = known_.emplace(base64(bytes), known_.size());
    if (isNew) {
      size_ += known->first.size();
      if (size_ > mostBytes)
        throw UsageError(fmt::format(
            "the page would be larger than {} MB, too large for browsers: take fewer files "
            "(--every N, --from T, --to T)",
            mostBytes / 1'000'000));
    }
    return known->second;
  }
  void write(JsonWriter& json) const {
    std::vector<const std::string*> inOrder(known_.size());
    for (const auto& [text, index] : known_) inOrder[index] = &text;
    json.key("blobs").beginArray();
    for (const std::string* text : inOrder) json.newLine().value(*text);
    json.end();
  }

 private:
  std::map<std::string, std::size_t> known_;
  std::size_t size_ = 0;
};

class PageData {
 public:
  PageData(const ViewSeries& series, const Conf2vtkOptions& options)
      : series_(series), options_(options), middle_(series.view.axes() * series.seen.centre()) {}

  /// As JSON in which no '<' stands: it cannot end the element that holds it.
  std::string json(const std::string& title, std::size_t shown) {
    JsonWriter json;
    json.beginObject().member("schema", 1).member("program", "conf2vtk " + version());
    json.member("title", title).member("summary", summaryOf(series_)).member("array", shown);
    json.member("explode", options_.explode);
    json.member("up", series_.view.sky);
    json.member("towards", Vec3(series_.view.axes().col(2)));
    json.member("half", series_.seen.halfSize()).member("zoom", options_.zoom);
    json.member("middle", middle_).member("low", Vec3(series_.box.low - middle_));
    json.member("high", Vec3(series_.box.high - middle_));
    json.member("highestForce", series_.highestForce);
    json.key("arrays").beginArray();
    for (const ViewArray& array : series_.arrays) {
      json.newLine().beginObject().member("name", array.name).member("unit", array.unit);
      json.member("category", array.category).member("low", array.low).member("high", array.high);
      json.member("cut", array.cut).key("ranks").beginArray();
      for (const auto& [value, rank] : array.ranks)
        json.beginArray().value(static_cast<double>(value)).value(rank).end();
      json.end().end();
    }
    json.end().key("frames").beginArray();
    for (const ViewFrame& frame : series_.frames) writeFrame(json.newLine(), frame);
    json.end();
    if (options_.tracks) writeTracks(json);
    json.key("shapes").beginArray();
    // Frames have numbered the shapes.
    std::vector<const DrawnShape*> shapes(shapes_.size());
    for (const auto& [shape, index] : shapes_) shapes[index] = shape;
    for (const DrawnShape* shape : shapes) {
      json.newLine().beginObject().member("name", shape->shape.name).member("reach", shape->reach);
      json.member("points", points(shape->rounded.points, Vec3::Zero()));
      json.member("normals", points(shape->rounded.normals, Vec3::Zero()));
      json.member("triangles", triangles(shape->rounded.polygons.get())).end();
    }
    json.end();
    blobs_.write(json);
    json.end();
    std::string safe;
    for (const char c : json.take()) safe += c == '<' ? "\\u003c" : std::string(1, c);
    return safe;
  }

 private:
  std::size_t points(std::span<const Vec3> all, const Vec3& origin) {
    std::vector<float> numbers;
    for (const Vec3& p : all)
      for (const double c : Vec3(p - origin)) numbers.push_back(static_cast<float>(c));
    return blobs_.add(numbers);
  }

  std::size_t triangles(const shape::Polygons& polygons) {
    std::vector<std::uint32_t> corners;
    for (std::size_t f = 0; f < polygons.size(); ++f)
      for (std::size_t k = 2; k < polygons[f].size(); ++k)
        corners.insert(corners.end(), {polygons[f][0], polygons[f][k - 1], polygons[f][k]});
    return blobs_.add(corners);
  }

  /// Steps of tracks by times: both ends of each, and how many there are up to each frame.
  void writeTracks(JsonWriter& json) {
    std::vector<std::vector<Vec3>> steps(series_.frames.size());
    for (const ViewTrack& track : series_.tracks)
      for (std::size_t k = 1; k < track.points.size(); ++k)
        for (const std::size_t end : {k - 1, k})
          steps[track.points[k].frame].push_back(track.points[end].place);
    std::vector<Vec3> ends;
    std::vector<std::uint32_t> upTo;
    for (const auto& step : steps) {
      ends.insert(ends.end(), step.begin(), step.end());
      upTo.push_back(static_cast<std::uint32_t>(ends.size() / 2));
    }
    json.key("tracks").beginObject().member("ends", points(ends, middle_));
    json.member("upTo", blobs_.add(upTo)).end();
  }

  void writeFrame(JsonWriter& json, const ViewFrame& frame) {
    std::vector<std::int32_t> id;
    std::vector<std::uint32_t> shape;
    std::vector<Vec3> position;
    std::vector<std::int16_t> orientation;
    std::vector<float> homothety;
    std::vector<std::uint8_t> driven;
    for (const ViewBody& body : frame.bodies) {
      const auto index = shapes_.emplace(body.shape, static_cast<std::uint32_t>(shapes_.size()));
      id.push_back(body.id);
      shape.push_back(index.first->second);
      position.push_back(body.position);
      const Quat turn = body.orientation.normalized();
      for (const double c : {turn.x(), turn.y(), turn.z(), turn.w()})
        orientation.push_back(static_cast<std::int16_t>(std::lround(32767.0 * c)));
      homothety.push_back(static_cast<float>(body.homothety));
      driven.push_back(body.driven);
    }
    json.beginObject().member("time", frame.time).member("source", frame.source);
    json.member("bodies", frame.bodies.size()).member("id", blobs_.add(id));
    json.member("shape", blobs_.add(shape)).member("position", points(position, middle_));
    json.member("orientation", blobs_.add(orientation));
    json.member("homothety", blobs_.add(homothety)).member("driven", blobs_.add(driven));
    json.key("values").beginArray();
    for (const auto& values : frame.values) json.value(blobs_.add(values));
    json.end().key("walls").beginArray();
    for (const Wall& wall : frame.walls)
      json.beginObject()
          .member("points", points(wall.points, middle_))
          .member("triangles", triangles(wall.polygons))
          .end();
    json.end();
    json.member("centre", Vec3(frame.centre - middle_));
    writeSticks(json, "chains", frame.chains, [](const Chain& c) { return c.fn; });
    writeSticks(json, "bonds", frame.bonds,
                [](const DrawnBond& b) { return b.state == 0 ? 2.0 : std::min(b.load, 1.0); });
    if (frame.cell.used) {
      std::vector<Vec3> corners;
      for (int k = 0; k < 8; ++k) corners.push_back(frame.corner(k));
      json.member("cell", points(corners, middle_));
    }
    json.end();
  }

  template <class Stick, class ValueOf>
  void writeSticks(JsonWriter& json, std::string_view name, const std::vector<Stick>& sticks,
                   const ValueOf& valueOf) {
    if (sticks.empty()) return;
    const Vec3 size = (series_.box.high - series_.box.low).cwiseMax(1e-300);
    std::vector<std::uint16_t> ends;
    std::vector<float> values, radius;
    for (const Stick& stick : sticks) {
      for (const Vec3& p : {stick.from, stick.to})
        for (const double share : Vec3((p - series_.box.low).cwiseQuotient(size)))
          ends.push_back(
              static_cast<std::uint16_t>(std::lround(65535.0 * std::clamp(share, 0.0, 1.0))));
      values.push_back(static_cast<float>(valueOf(stick)));
      radius.push_back(static_cast<float>(stick.tubeRadius));
    }
    json.key(name).beginObject().member("ends", blobs_.add(ends));
    json.member("values", blobs_.add(values)).member("radius", blobs_.add(radius)).end();
  }

  const ViewSeries& series_;
  const Conf2vtkOptions& options_;
  Vec3 middle_;
  Blobs blobs_;
  std::map<const DrawnShape*, std::uint32_t> shapes_;
};

/// A module of three.js's examples without its import of three.js, which stands above it.
std::string_view withoutImport(std::string_view module) {
  const auto begin = module.find("\nimport {");
  if (begin == std::string_view::npos) return module;
  const auto end = module.find(';', begin);
  return end == std::string_view::npos ? module : module.substr(end + 1);
}

}  // namespace

std::string summaryOf(const ViewSeries& series) {
  if (series.frames.empty()) return "no bodies";
  const ViewFrame &first = series.frames.front(), &last = series.frames.back();
  const auto bodies = std::ranges::count(first.bodies, false, &ViewBody::isImage);
  if (series.frames.size() == 1)
    return fmt::format("{} bodies at t = {:.6g} s", bodies, first.time);
  return fmt::format("{} bodies, {} times from {:.6g} to {:.6g} s", bodies, series.frames.size(),
                     first.time, last.time);
}

std::string pageText(const std::string& title, const ViewSeries& series,
                     const Conf2vtkOptions& options) {
  const std::string data =
      PageData(series, options).json(title, firstArray(series, options.colourBy));
  std::string page;
  page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
  // Nothing may be fetched, whatever stands in the data.
  page.append(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
  page.append(vtp::xmlEscaped(title)).append("</title>\n<style>\n").append(SCREE_TEXT(page_style));
  page.append("</style>\n</head>\n<body>\n").append(SCREE_TEXT(page_body));
  page.append("<script type=\"application/json\" id=\"scene\">").append(data);
  page.append("</script>\n<script type=\"module\">\n/*!").append(licence).append("*/\n");
  page.append(SCREE_TEXT(three)).append("\n");
  page.append(withoutImport(SCREE_TEXT(three_controls))).append("\n");
  page.append(SCREE_TEXT(page_script)).append("</script>\n</body>\n</html>\n");
  return page;
}

std::string viewScript(const std::vector<std::string>& kinds, const image::View& view,
                       const Conf2vtkOptions& options) {
  std::string script(SCREE_TEXT(view_script));
  const auto fill = [&](std::string_view mark, const std::string& text) {
    script.replace(script.find(mark), mark.size(), text);
  };
  const auto list = [](const Vec3& v) {  // adding 0.0 turns -0 into 0
    return fmt::format("[{}, {}, {}]", v.x() + 0.0, v.y() + 0.0, v.z() + 0.0);
  };
  std::string units;
  for (const auto& row : bodyArrays())
    if (!row.unit.empty())
      units += fmt::format("{}\"{}\": \"{}\"", units.empty() ? "" : ", ", row.name, row.unit);
  fill("@COLOUR@", options.colourBy.empty() ? "speed" : options.colourBy);
  fill("@UP@", list(view.sky));
  fill("@TOWARDS@", list(view.axes().col(2)));
  fill("@ZOOM@", fmt::format("{}", options.zoom));
  fill("@KINDS@", fmt::format("[\"{}\"]", fmt::join(kinds, "\", \"")));
  fill("@UNITS@", "{" + units + "}");
  return script;
}

}  // namespace scree::tools
