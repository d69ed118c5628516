// SPDX-License-Identifier: GPL-3.0-or-later
// Pages for browsers and pictures, as far as they can be judged without a browser
// (tests/long/page.sh opens a page in one).
#include "conf2vtk_case.hpp"
#include "json.hpp"
#include "page.hpp"
#include "picture.hpp"
#include "skip.hpp"

#include "scree/base/rng.hpp"
#include "scree/shape/make.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <png.h>
#include <span>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// The data of a page: what stands up to the first end of an element, as a browser sees it.
nlohmann::json dataOf(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"scene\">";
  const auto from = page.find(begin);
  REQUIRE(from != std::string::npos);
  const auto to = page.find("</script", from);
  REQUIRE(to != std::string::npos);
  return scree::testing::parseJson(page.substr(from + begin.size(), to - from - begin.size()));
}

std::vector<std::uint8_t> bytesOf(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(c));
    count += 6;
    if (count >= 8) out.push_back(static_cast<std::uint8_t>(bits >> (count -= 8) & 255U));
  }
  return out;
}

template <class T>
std::vector<T> numbersOf(const nlohmann::json& data, const nlohmann::json& index) {
  const auto bytes = bytesOf(data["blobs"][index.get<std::size_t>()].get<std::string>());
  std::vector<T> out(bytes.size() / sizeof(T));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

bool withThree() {
  if (!hasPages()) testing::skip("conf2vtk was built without three.js (Debian: libjs-three)");
  return hasPages();
}

struct Picture {
  unsigned width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
  std::array<int, 3> at(unsigned x, unsigned y) const {
    const std::size_t k = 3 * (static_cast<std::size_t>(y) * width + x);
    return {rgb[k], rgb[k + 1], rgb[k + 2]};
  }
};

Picture pictureAt(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&image, path.c_str()));
  image.format = PNG_FORMAT_RGB;
  Picture picture{image.width, image.height, {}};
  picture.rgb.resize(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr));
  return picture;
}

}  // namespace

TEST_CASE("base64 gives the words of RFC 4648", "[conf2vtk]") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string_view("\xff\xfe\x00", 3)) == "//4A");
}

TEST_CASE("a page holds what its files hold, and nothing it would have to fetch", "[conf2vtk]") {
  if (!withThree()) return;
  const CaseFolder folder;
  makeSeries(folder, 3);
  Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1", "conf2"});
  options.html = folder / "page.html";
  options.paraview = false;
  convert(options);
  CHECK_FALSE(fs::exists(folder / "vtk"));
  const std::string page = readFile(folder / "page.html");
  CHECK_THAT(page, Contains("The MIT License") && Contains("three.js authors"));
  CHECK_THAT(page, Contains("default-src 'none'"));
  for (const char* const fetched : {"src=\"", "href=\"", "\nimport ", "@import", "url("})
    CHECK(page.find(fetched) == page.npos);
  const auto data = dataOf(page);
  CHECK(data["title"] == "page");
  REQUIRE(data["frames"].size() == 3);
  CHECK(data["frames"][1]["time"] == 0.1);
  CHECK(data["frames"][2]["source"] == "conf2");
  REQUIRE(data["shapes"].size() == 2);
  const auto& frame = data["frames"][0];
  // Nothing moves: later frames name the data of the first.
  CHECK(data["frames"][2]["position"] == frame["position"]);
  const auto position = numbersOf<float>(data, frame["position"]);
  REQUIRE(position.size() == 9);
  for (int c = 0; c < 3; ++c)
    CHECK(static_cast<double>(position[6 + static_cast<std::size_t>(c)]) +
              data["middle"][static_cast<std::size_t>(c)].get<double>() ==
          Approx(5.0 + c).margin(1e-6));
  const auto turn = numbersOf<std::int16_t>(data, frame["orientation"]);
  CHECK(turn[8 + 2] == 19660);  // 0.6 of 32767, z of body 2
  CHECK(turn[8 + 3] == 26214);
  CHECK(numbersOf<std::uint8_t>(data, frame["driven"]) == std::vector<std::uint8_t>{1, 0, 0});
  bool speed = false;
  for (std::size_t a = 0; a < data["arrays"].size(); ++a)
    if (data["arrays"][a]["name"] == "speed") {
      speed = true;
      CHECK(data["array"] == a);
      CHECK(data["arrays"][a]["unit"] == "m/s");
      CHECK(data["arrays"][a]["high"] == 5.0);
      CHECK(numbersOf<float>(data, frame["values"][a])[1] == 5.0F);
    }
  CHECK(speed);
  // The triangles of each shape close a surface: each side has its other direction once.
  for (const auto& shape : data["shapes"]) {
    const auto corners = numbersOf<std::uint32_t>(data, shape["triangles"]);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
    for (std::size_t t = 0; t < corners.size(); t += 3)
      for (std::size_t c = 0; c < 3; ++c) ++sides[{corners[t + c], corners[t + (c + 1) % 3]}];
    for (const auto& [side, count] : sides) {
      CHECK(count == 1);
      CHECK(sides.contains({side.second, side.first}));
    }
  }
  options.remake = true;
  options.colourBy = "mass";  // not among those that are there by default
  CHECK_NOTHROW(convert(options));
  options.colourBy = "sped";
  CHECK_THROWS_WITH(convert(options), Contains("'sped'") && Contains("speed"));
}

TEST_CASE("names from files cannot end the data of a page", "[conf2vtk]") {
  if (!withThree()) return;
  const std::string evil = "</script><script>document.title='x'</script><!--<script>&\"\\";
  DrawnShape shape;
  shape.shape = shape::makeSphere(0.5);
  shape.shape.name = evil;
  shape.rounded = roundedOutline(shape.shape, 1);
  shape.reach = 0.5;
  shape.box = boxOutline(shape.shape);
  ViewFrame frame;
  frame.source = evil;
  frame.id = {0};
  frame.shape = {&shape};
  frame.position = {Vec3(1, 2, 3)};
  frame.orientation = {Quat::Identity()};
  frame.homothety = {1.0F};
  frame.group = {0};
  frame.driven = {0};
  const ViewArrays arrays{ArrayChoice({"id"})};
  frame.values = {{0.0F}};
  const std::string page = pageText(evil, viewSeries(arrays, {frame}, Vec3(0, 0, -9.81)), "");
  const auto data = dataOf(page);
  CHECK(data["title"] == evil);
  CHECK(data["shapes"][0]["name"] == evil);
  CHECK(data["frames"][0]["source"] == evil);
  CHECK(page.find("document.title") == page.find("&lt;script&gt;document.title") + 14);
  std::size_t scripts = 0;
  for (auto at = page.find("<script"); at != page.npos; at = page.find("<script", at + 1))
    ++scripts;
  CHECK(scripts == 2);
}

TEST_CASE("518 bodies at 50 times with their force chains are a page of at most 20 MB",
          "[conf2vtk]") {
  if (!withThree()) return;
  DrawnShape shape;
  shape.shape = shape::makeSphere(0.5);
  shape.rounded = roundedOutline(shape.shape, 3);
  shape.reach = 0.5;
  shape.box = boxOutline(shape.shape);
  Rng rng(3);
  const ViewArrays arrays{ArrayChoice({})};
  std::vector<ViewFrame> frames;
  for (int t = 0; t < 50; ++t) {
    ViewFrame& frame = frames.emplace_back();
    frame.time = t;
    frame.source = fmt::format("conf{}", t);
    for (int b = 0; b < 518; ++b) {
      frame.id.push_back(b);
      frame.shape.push_back(&shape);
      frame.position.emplace_back(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0, 1));
      frame.orientation.emplace_back(
          Quat(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0, 1), 1.0).normalized());
      frame.homothety.push_back(1.0F);
      frame.group.push_back(0);
      frame.driven.push_back(b < 6);
    }
    for (std::size_t a = 0; a < arrays.names().size(); ++a) {
      auto& values = frame.values.emplace_back();
      for (int b = 0; b < 518; ++b) values.push_back(static_cast<float>(rng.uniform(0, 1)));
    }
    for (int k = 0; k < 2000; ++k)
      frame.chains.push_back({frame.position[static_cast<std::size_t>(k % 518)],
                              frame.position[static_cast<std::size_t>(k % 517)],
                              static_cast<float>(rng.uniform(0, 1)), 0.01F});
  }
  const auto page = pageText("large", viewSeries(arrays, std::move(frames), Vec3::Zero()), "");
  CHECK(page.size() < 20'000'000);
  CHECK(page.size() > 3'000'000);
}

TEST_CASE("pictures show bodies in the colours of an array, with time and colour bar",
          "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 2);
  Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1"});
  options.paraview = false;
  options.image = folder / "film.png";
  options.threads = 2;
  convert(options);
  CHECK_FALSE(fs::exists(folder / "film.png"));
  const Picture first = pictureAt(folder / "film_0000.png");
  const Picture second = pictureAt(folder / "film_0001.png");
  CHECK(first.width == 1200);
  CHECK(first.height == 900);
  // The two say different times, and show the same bodies.
  CHECK(first.rgb != second.rgb);
  const auto below = static_cast<std::ptrdiff_t>(first.width) * 3 * 60;
  CHECK(std::equal(first.rgb.begin() + below, first.rgb.end(), second.rgb.begin() + below));
  // The ball has the highest speed, yellow; the turned cube has the lowest one, violet.
  std::size_t yellow = 0, violet = 0;
  for (unsigned y = 60; y < 780; ++y)
    for (unsigned x = 0; x < first.width; ++x) {
      const auto [r, g, b] = first.at(x, y);
      yellow += r > 120 && g > 110 && b < 70;
      violet += r > g + 15 && b > g + 20;
    }
  CHECK(yellow > 1000);
  CHECK(violet > 1000);
  // The same bytes on one thread, and for a single file no number.
  Conf2vtkOptions one = optionsFor(folder, {"conf0"});
  one.paraview = false;
  one.image = folder / "one.png";
  convert(one);
  options.threads = 1;
  options.image = folder / "again.png";
  convert(options);
  CHECK(readFile(folder / "again_0001.png") == readFile(folder / "film_0001.png"));
  CHECK(fs::exists(folder / "one.png"));
  CHECK_THROWS_AS(convert(options), IoError);  // pictures that exist are left alone
}

TEST_CASE("a picture of force chains has a colour bar for their forces", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 1);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.paraview = false;
  const auto redAt = [&](const std::string& name, ContactDrawing contacts) {
    options.contacts = contacts;
    options.image = folder / name;
    convert(options);
    const Picture picture = pictureAt(options.image);
    std::size_t red = 0;
    for (unsigned y = 820; y < picture.height; ++y)
      for (unsigned x = picture.width / 2; x < picture.width; ++x) {
        const auto [r, g, b] = picture.at(x, y);
        red += r > 150 && g < 60 && b > 40 && b < 110;
      }
    return red;
  };
  CHECK(redAt("chains.png", ContactDrawing::chains) > 200);  // the upper end of that bar
  CHECK(redAt("plain.png", ContactDrawing::none) == 0);
}

TEST_CASE("driven bodies are shaded solids, unless they would hide the others", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 1);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.paraview = false;
  /// Pixels of neutral grey, by brightness in steps of 16.
  const auto greys = [&](const std::string& name) {
    options.image = folder / name;
    convert(options);
    const Picture picture = pictureAt(options.image);
    std::array<std::size_t, 16> counts{};
    for (unsigned y = 60; y < 780; ++y)
      for (unsigned x = 0; x < picture.width; ++x) {
        const auto [r, g, b] = picture.at(x, y);
        if (std::abs(r - g) < 12 && std::abs(g - b) < 12)
          ++counts[static_cast<std::size_t>(r / 16)];
      }
    return counts;
  };
  // Three sides of the fixed cube are seen, and each has its own shade, darker than any haze.
  const auto counts = greys("cube.png");
  CHECK(std::ranges::count_if(std::span(counts).first(14), [](std::size_t n) { return n > 500; }) >=
        3);
  // A cube ten times as large around the ball hides it, so it becomes a haze.
  std::string text = readFile(folder / "conf0");
  text.replace(text.find("Cube 0 0 1  0 0 0"), 17, "Cube 0 0 10 0 0 0");
  writeFile(folder / "conf0", text, Existing::replace);
  const auto around = greys("around.png");
  CHECK(std::accumulate(around.begin(), around.begin() + 10, std::size_t{0}) < 500);
}

TEST_CASE("bodies of one value have one colour and no colour bar", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 1);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.paraview = false;
  options.colourBy = "potential_energy";
  options.select = "id == 1";
  options.image = folder / "one.png";
  convert(options);
  const Picture picture = pictureAt(options.image);
  std::size_t violet = 0, yellow = 0;  // the ends of the scale
  for (unsigned y = 0; y < picture.height; ++y)
    for (unsigned x = 0; x < picture.width; ++x) {
      const auto [r, g, b] = picture.at(x, y);
      violet += r > g + 30 && b > g + 30;
      yellow += r > 200 && g > 180 && b < 80;
    }
  CHECK(violet == 0);
  CHECK(yellow == 0);
}
