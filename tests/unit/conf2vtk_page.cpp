// SPDX-License-Identifier: GPL-3.0-or-later
// Pages for browsers and pictures, as far as they can be judged without a browser
// (tests/long/page.sh opens a page in one).
#include "conf2vtk_case.hpp"
#include "json.hpp"
#include "sample_shapes.hpp"
#include "view_data.hpp"

#include "scree/base/rng.hpp"
#include "scree/shape/make.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <png.h>

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

struct Picture {
  unsigned width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
  std::array<int, 3> at(unsigned x, unsigned y) const {
    const std::size_t k = 3 * (static_cast<std::size_t>(y) * width + x);
    return {rgb[k], rgb[k + 1], rgb[k + 2]};
  }
  /// Pixels for which `is(r, g, b)`, between two rows.
  template <class Is>
  std::size_t count(const Is& is, unsigned from, unsigned to) const {
    std::size_t n = 0;
    for (unsigned y = from; y < std::min(to, height); ++y)
      for (unsigned x = 0; x < width; ++x) {
        const auto [r, g, b] = at(x, y);
        n += is(r, g, b);
      }
    return n;
  }
};

bool isYellow(int r, int g, int b) { return r > 120 && g > 110 && b < 70; }
bool isViolet(int r, int g, int b) { return r > g + 15 && b > g + 20; }

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

/// The picture that options draw of one or more conf-files.
Picture drawn(Conf2vtkOptions options) {
  options.paraview = false;
  options.remake = true;
  convert(options);
  return pictureAt(options.image);
}

/// A ball of radius 0.5, its outline included, as pages and pictures take bodies.
struct Ball : DrawnShape {
  explicit Ball(const std::string& name) {
    shape = shape::makeSphere(1.0);
    shape.name = name;
    shape.obb.extent = Vec3::Constant(reach = 0.5);
    rounded = roundedOutline(shape, 3);
    box = boxOutline(shape);
  }
};

void add(ViewFrame& frame, const DrawnShape& shape, const Vec3& position, int driven = 0,
         double homothety = 1.0) {
  ViewBody body;
  body.id = static_cast<std::int32_t>(frame.bodies.size());
  body.shape = &shape;
  body.position = position;
  body.homothety = homothety;
  body.driven = static_cast<std::uint8_t>(driven);
  frame.bodies.push_back(body);
}

/// Frames that are coloured by `id`, as they are seen with gravity against z.
ViewSeries seriesOf(const std::vector<ViewFrame>& frames, double azimuth = 0.0,
                    double elevation = 0.0) {
  return viewSeries(viewRows(ArrayChoice({"id"})), frames,
                    viewOf({azimuth, elevation}, Vec3(0, 0, -9.81)));
}

}  // namespace

TEST_CASE("many shapes that are not convex are drawn piece by piece", "[conf2vtk]") {
  const shape::Shape letter = samples::letterL(0.05);
  const std::size_t faces = letter.faces.size(), most = 1000 / faces;
  const std::size_t united = roundedOutline(letter, 2).points.size(),
                    pieces = roundedOutline(letter, 2, false).points.size();
  CHECK(united != pieces);
  CHECK(drawnShapes({letter, letter}, 2, 2)[1].rounded.points.size() == united);
  CHECK(drawnShapes(std::vector(most + 1, letter), 2)[0].rounded.points.size() == pieces);
}

TEST_CASE("a page holds what its files hold, and nothing it would have to fetch", "[conf2vtk]") {
  const SeriesFolder folder(3);
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
  options.remake = true;
  options.colourBy = "mass";  // not among those that are there by default
  CHECK_NOTHROW(convert(options));
}

TEST_CASE("names from files cannot end the data of a page", "[conf2vtk]") {
  const std::string evil = "</script><script>document.title='x'</script><!--<script>&\"\\";
  const Ball shape(evil);
  ViewFrame frame;
  frame.source = evil;
  add(frame, shape, Vec3(1, 2, 3));
  frame.values = {{0.0F}};
  const std::string page = pageText(evil, seriesOf({frame}), {});
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

TEST_CASE("pictures show bodies in the colours of an array, with time and colour bar",
          "[conf2vtk]") {
  const SeriesFolder folder(2);
  Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1"});
  options.paraview = false;
  options.image = folder / "film.png";
  options.threads = 2;
  std::vector<std::string> lines;
  Diagnostics quiet;
  conf2vtk(options, quiet, [&](const std::string& line) { lines.push_back(line); }, {});
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], Contains("2 pictures to draw"));
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
  CHECK(first.count(isYellow, 60, 780) > 1000);
  CHECK(first.count(isViolet, 60, 780) > 1000);
  CHECK_THROWS_AS(convert(options), IoError);  // pictures that exist are left alone
  // The same bytes on one thread.
  options.threads = 1;
  options.image = folder / "again.png";
  convert(options);
  CHECK(readFile(folder / "again_0001.png") == readFile(folder / "film_0001.png"));
  // Bodies of one value have one colour, which is none of the scale, and no colour bar.
  options.confs = {folder / "conf0"};
  options.colourBy = "potential_energy";
  options.select = "id == 1";
  const Picture one = drawn(options);
  CHECK(one.count(isViolet, 0, 900) + one.count(isYellow, 0, 900) == 0);
}

TEST_CASE("the camera frames what moves, and tracks are drawn up to the time of a picture",
          "[conf2vtk]") {
  const Ball ball("ball");
  std::vector<ViewFrame> frames(11);
  for (std::size_t k = 0; k < 11; ++k) {
    frames[k].time = static_cast<double>(k);
    frames[k].source = "conf";
    add(frames[k], ball, Vec3(0, 0, -100), 1, 200.0);  // a ground of 200 m
    add(frames[k], ball, Vec3(0, 0, -3.0), 1, 5.0);    // a stone below the way
    add(frames[k], ball, Vec3(frames[k].time, 0, 0));
    frames[k].values = {{0.0F, 1.0F, 2.0F}};
  }
  ViewSeries series = seriesOf(frames, -90, 0);
  // Along x from the first to the last ball, along z from the stone to the top of the balls.
  CHECK((series.box.low - Vec3(-2.5, -2.5, -5.5)).norm() < 1e-12);
  CHECK((series.box.high - Vec3(10.5, 2.5, 0.5)).norm() < 1e-12);
  CHECK((series.seen.halfSize() - Vec3(6.5, 3.0, 2.5)).norm() < 1e-12);
  REQUIRE(series.tracks.size() == 1);
  CHECK(series.tracks[0].length == 10.0);
  // Seen from above the same stone stands behind what moves, from below before it.
  CHECK(seriesOf(frames, 0, 22).frames[0].bodies[1].driven == 1);
  CHECK(seriesOf(frames, 0, -90).frames[0].bodies[1].driven == 2);
  CHECK(seriesOf(frames, 0, -90).frames[0].bodies[0].driven == 1);

  const testing::Folder folder;
  Conf2vtkOptions options;
  options.camera = {-90.0, 0.0};
  options.tracks = true;
  options.size = {600, 300};
  const std::vector<std::string> paths = picturePaths(folder.path("a.png"), 11);
  drawPictures(series, options, paths, {});
  // Ball and track have one colour, which is no grey. 13 m take 86 % of the width, unless the
  // height is less.
  const double pixel = std::max(13.0 / (0.86 * 600), 6.0 / (0.9 * (300 - 78)));
  for (const std::size_t k : {3U, 10U}) {
    const Picture picture = pictureAt(paths[k]);
    const auto colouredAt = [&](double along) {
      const auto x = static_cast<unsigned>(300 + (along - 4.0) / pixel);
      unsigned n = 0;
      for (unsigned y = 30; y < 220; ++y)
        if (const auto [r, g, b] = picture.at(x, y); r > b + 15) ++n;
      return n;
    };
    const auto now = static_cast<double>(k);
    CHECK(colouredAt(now) > 20);       // the ball, 33 pixels high
    CHECK(colouredAt(0.4 * now) > 0);  // its track
    CHECK(colouredAt(0.4 * now) < 6);
    CHECK(colouredAt(now + 1.0) == 0);  // nothing is ahead
  }
}

TEST_CASE("a page holds bonds by their load, and numbers of colours by the size of fragments",
          "[conf2vtk]") {
  const Ball ball("ball");
  ViewFrame frame;
  frame.source = "conf";
  frame.centre = Vec3(1, 0, 0);
  for (int b = 0; b < 3; ++b) add(frame, ball, Vec3(b, 0, 0));
  frame.values = {{5.0F, 7.0F, 7.0F}};
  frame.bonds.resize(2);
  frame.bonds[0].load = 0.25;
  frame.bonds[0].to = Vec3(1, 0, 0);
  frame.bonds[1].state = 0;
  const ViewRows rows = viewRows(ArrayChoice({"fragment"}));
  CHECK(ArrayChoice({"damage"}).wantsContactSums());  // so driven bodies are written for each file
  const ViewSeries series = viewSeries(rows, {frame}, viewOf({0, 0}, Vec3(0, 0, -9.81)));
  Conf2vtkOptions options;
  options.explode = 0.5;
  const auto data = dataOf(pageText("page", series, options));
  CHECK(data["arrays"][0]["ranks"] == nlohmann::json({{5.0, 1}, {7.0, 0}}));
  CHECK(data["explode"] == 0.5);
  const auto& shown = data["frames"][0];
  CHECK(shown["centre"][0].get<double>() + data["middle"][0].get<double>() == 1.0);
  CHECK(numbersOf<float>(data, shown["bonds"]["values"]) == std::vector<float>{0.25F, 2.0F});
  // The box reaches along x from -0.5 to 2.5.
  const auto ends = numbersOf<std::uint16_t>(data, shown["bonds"]["ends"]);
  REQUIRE(ends.size() == 12);
  CHECK(ends[0] == std::lround(65535 * 0.5 / 3.0));
  CHECK(ends[3] == std::lround(65535 * 1.5 / 3.0));
}

TEST_CASE("size, zoom and camera of a picture are those of the options", "[conf2vtk]") {
  const SeriesFolder folder(1);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.image = folder / "a.png";
  options.select = "driven";  // the fixed cube of side 1 alone
  options.size = {400, 400};
  options.camera = {0.0, 0.0};
  const auto dark = [](int r, int, int) { return r < 250; };
  const Picture front = drawn(options);
  CHECK(front.width == 400);
  CHECK(front.height == 400);
  const auto area = static_cast<double>(front.count(dark, 25, 340));
  options.zoom = 0.5;
  CHECK(static_cast<double>(drawn(options).count(dark, 25, 340)) == Approx(area / 4).epsilon(0.02));
  options.camera = {45.0, 0.0};
  options.zoom = 1.0;
  // From between two sides it is wider and, framed by its box, drawn smaller.
  const double width = 2 * (std::sqrt(2.0) * cubeHalf + cubeRadius),
               scale = 0.86 * 400 / std::sqrt(2.0) / (0.9 * (400 - 78));
  CHECK(static_cast<double>(drawn(options).count(dark, 25, 340)) / area ==
        Approx(width * scale * scale).epsilon(0.03));
}
