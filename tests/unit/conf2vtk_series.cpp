// SPDX-License-Identifier: GPL-3.0-or-later
// Series of files, and a run that is converted while it writes.
#include "conf2vtk_case.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

constexpr auto never = [] { return false; };
const auto silent = [](const std::string&) {};

std::map<std::string, std::string> bytesIn(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      all[fs::relative(entry.path(), folder).string()] = readFile(entry.path().string());
  return all;
}

void pause(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// Writes as programs do that write in place: half a file, a pause, the rest.
void writeRun(const std::string& folder, int files) {
  for (int k = 0; k < files; ++k) {
    const std::string text = confText(0.01 * k, k);
    std::ofstream out(fmt::format("{}/conf{}", folder, k));
    out << text.substr(0, text.size() / 2) << std::flush;
    pause(3);
    out << text.substr(text.size() / 2) << std::flush;
    pause(2);
  }
  pause(20);
  std::ofstream(folder + "/run.json") << "{}\n";
}

Conf2vtkOptions following(const CaseFolder& folder, const std::string& output) {
  Conf2vtkOptions options;
  options.confs = {folder / "run"};
  options.output = folder / output;
  return options;
}

}  // namespace

TEST_CASE("a series gives the same bytes each time, on one thread or more", "[conf2vtk]") {
  const SeriesFolder folder(12);
  Conf2vtkOptions options;
  options.confs = {folder / ""};  // the folder stands for its conf-files
  options.output = folder / "one";
  const auto report = convert(options);
  CHECK(report.converted == 12);
  options.output = folder / "two";
  options.threads = 2;
  convert(options);
  std::size_t compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "one")) {
    if (!entry.is_regular_file()) continue;
    const auto name = fs::relative(entry.path(), folder / "one").string();
    CHECK(readFile(entry.path().string()) == readFile((fs::path(folder / "two") / name).string()));
    ++compared;
  }
  // Four kinds, twelve pieces and a collection each; the fixed body is written once; settings.
  CHECK(compared == 3 * 13 + 2 + 1);
  const auto entries = entriesOf(folder / "one/particles.pvd");
  REQUIRE(entries.size() == 12);
  for (std::size_t k = 0; k < 12; ++k) {
    CHECK(entries[k].first == 0.1 * static_cast<double>(k));
    CHECK(entries[k].second == fmt::format("particles/particles_{:04}.vtp", k));
  }
}

TEST_CASE("a second call keeps what is there and adds what is new", "[conf2vtk]") {
  const SeriesFolder folder(3);
  CHECK(convert(optionsFor(folder, {"conf0", "conf1", "conf2"})).converted == 3);
  const auto before = fs::last_write_time(folder / "vtk/particles/particles_0001.vtp");
  writeFile(folder / "conf3", confText(0.3, 3), Existing::replace);
  const auto report = convert(optionsFor(folder, {"conf0", "conf1", "conf2", "conf3"}));
  CHECK(report.converted == 1);
  CHECK(report.kept == 3);
  CHECK(fs::last_write_time(folder / "vtk/particles/particles_0001.vtp") == before);
  CHECK(entriesOf(folder / "vtk/particles.pvd").size() == 4);

  SECTION("a conf-file that changed since is converted again") {
    fs::last_write_time(folder / "conf1", fs::file_time_type::clock::now() + std::chrono::hours(1));
    CHECK(convert(optionsFor(folder, {"conf0", "conf1"})).converted == 1);
  }
  SECTION("so is one whose centres are gone, as after a kill: they are written last") {
    fs::remove(folder / "vtk/centres/centres_0001.vtp");
    CHECK(convert(optionsFor(folder, {"conf0", "conf1"})).converted == 1);
  }
  SECTION("another first file makes all pieces again") {
    CHECK(convert(optionsFor(folder, {"conf1", "conf2"})).converted == 2);
  }
  SECTION("other options make all pieces again") {
    Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1"});
    options.fineness = 1;
    CHECK(convert(options).converted == 2);
    CHECK(convert(optionsFor(folder, {"conf0", "conf1", "conf2", "conf3"})).converted == 4);
  }
}

TEST_CASE("driven bodies that stand still are written once for a series", "[conf2vtk]") {
  const SeriesFolder folder(3);
  std::string moved = confText(0.3, 3);
  moved.replace(moved.find("Cube 0 0 1  0 0 0"), 17, "Cube 0 0 1  0 1 0");
  writeFile(folder / "conf3", moved, Existing::replace);
  const std::vector<std::string> all{"conf0", "conf1", "conf2", "conf3"};
  convert(optionsFor(folder, all));
  const auto filesAt = [&] {
    std::vector<std::string> files;
    for (const auto& [time, file] : entriesOf(folder / "vtk/driven.pvd"))
      files.push_back(file.substr(file.size() - 8));
    return files;
  };
  CHECK(filesAt() == std::vector<std::string>{"0000.vtp", "0000.vtp", "0000.vtp", "0003.vtp"});
  CHECK(convert(optionsFor(folder, all)).kept == 4);
  CHECK(filesAt() == std::vector<std::string>{"0000.vtp", "0000.vtp", "0000.vtp", "0003.vtp"});
  // Where the shared piece is made again, so are all others.
  moved = confText(0.0, 0);
  moved.replace(moved.find("Cube 0 0 1  0 0 0"), 17, "Cube 0 0 1  0 2 0");
  writeFile(folder / "conf0", moved, Existing::replace);
  fs::last_write_time(folder / "conf0", fs::file_time_type::clock::now() + std::chrono::seconds(2));
  CHECK(convert(optionsFor(folder, all)).converted == 4);
  CHECK(filesAt() == std::vector<std::string>{"0000.vtp", "0001.vtp", "0002.vtp", "0003.vtp"});
}

TEST_CASE("files of a span of time are taken, each N-th of them, in the order of numbers",
          "[conf2vtk]") {
  const SeriesFolder folder(12);
  Conf2vtkOptions options = optionsFor(folder, {});
  options.confs = {folder / ""};
  options.span.from = 0.85;
  options.span.every = 2;
  CHECK(convert(options).converted == 2);
  CHECK(fs::exists(folder / "vtk/centres/centres_0009.vtp"));
  CHECK(fs::exists(folder / "vtk/centres/centres_0011.vtp"));
  options.span.from = 7.0;
  options.span.to = 8.0;
  CHECK_THROWS_WITH(convert(options), Contains("range of times"));
}

TEST_CASE("files of two runs are no series", "[conf2vtk]") {
  const SeriesFolder folder(5);
  fs::create_directories(folder / "other");
  fs::rename(folder / "conf2", folder / "other/conf4");
  Conf2vtkOptions options = optionsFor(folder, {});
  options.confs = {folder / "", folder / "other"};
  CHECK_THROWS_WITH(convert(options), Catch::Contains("one run at a time"));
}

TEST_CASE("files that cannot be used are named, and the others converted", "[conf2vtk]") {
  const SeriesFolder folder(5);
  const std::string whole = confText(0.2, 2);
  std::string named = "conf2";
  SECTION("damaged") {
    writeFile(folder / "conf2", "Rockable 21-08-2022\nt abc\n", Existing::replace);
  }
  SECTION("cut behind the bodies") {
    writeFile(folder / "conf2", whole.substr(0, whole.find("Interactions")), Existing::replace);
  }
  SECTION("the first one") {
    named = "conf0";
    writeFile(folder / "conf0", "Rockable 21-08-2022\nt abc\n", Existing::replace);
  }
  Conf2vtkOptions options = optionsFor(folder, {});
  options.confs = {folder / ""};
  options.threads = 2;
  const auto report = convert(options);
  CHECK(report.converted == 4);
  REQUIRE(report.failures.messages.size() == 1);
  CHECK_THAT(report.failures.messages[0], Contains(named));
  CHECK(entriesOf(folder / "vtk/particles.pvd").size() == 4);
}

TEST_CASE("a selection draws the bodies that meet a condition, and what touches them",
          "[conf2vtk]") {
  const SeriesFolder folder(2);
  Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1"});
  options.select = "x > 4";
  convert(options);
  const auto centres = read(folder / "vtk/centres/centres_0000.vtp");
  REQUIRE(centres->GetNumberOfPoints() == 1);
  CHECK(centres->GetPointData()->GetArray("id")->GetTuple1(0) == 2.0);
  // Sums over contacts count all of them.
  CHECK(centres->GetPointData()->GetArray("coordination")->GetTuple1(0) == 1.0);
  const auto bodies = read(folder / "vtk/particles/particles_0001.vtp");
  CHECK(bodies->GetCellData()->GetArray("id")->GetRange()[0] == 2.0);
  const auto contacts = read(folder / "vtk/contacts/contacts_0000.vtp");
  REQUIRE(contacts->GetNumberOfPoints() == 1);
  CHECK(contacts->GetPointData()->GetArray("id_j")->GetTuple1(0) == 2.0);
  CHECK(read(folder / "vtk/driven/driven_0000.vtp")->GetNumberOfCells() == 0);
  // Another condition makes all pieces again; the same keeps them.
  CHECK(convert(options).kept == 2);
  options.select = "driven || shape == \"Ball\" -- nothing";
  CHECK_THROWS_AS(convert(options), UsageError);
  options.select = "!driven && speed > 2";
  CHECK(convert(options).converted == 2);
  CHECK(
      read(folder / "vtk/centres/centres_0001.vtp")->GetPointData()->GetArray("id")->GetTuple1(0) ==
      1.0);
}

TEST_CASE("a collection names whole pieces at any time while a run is followed", "[conf2vtk]") {
  const CaseFolder folder;
  writeFile(folder / "shapes.shp", shapesText(), Existing::replace);
  std::thread run([&] {
    pause(50);  // the folder is not there yet
    fs::create_directories(folder / "run");
    fs::copy(folder / "shapes.shp", folder / "run/shapes.shp");
    writeRun(folder / "run", 60);
  });
  std::atomic<bool> over{false};
  std::size_t looks = 0, entries = 0, broken = 0;
  std::thread reader([&] {
    while (!over) {
      pause(1);
      const std::string path = folder / "vtk/particles.pvd";
      if (!fs::exists(path)) continue;
      ++looks;
      for (const auto& [time, file] : entriesOf(path)) {
        const std::string piece = folder / ("vtk/" + file);
        std::ifstream in(piece, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        ++entries;
        broken += !text.ends_with("</VTKFile>\n");
      }
    }
  });
  Diagnostics diagnostics;
  const auto report = followRun(following(folder, "vtk"), diagnostics, 0.01, never, silent);
  over = true;
  run.join();
  reader.join();
  CHECK(broken == 0);
  CHECK(looks > 5);
  CHECK(entries > 50);
  CHECK(report.failures.messages.empty());
  CHECK(entriesOf(folder / "vtk/particles.pvd").size() == 60);
  convert(following(folder, "once"));
  CHECK(bytesIn(folder / "vtk") == bytesIn(folder / "once"));
}

TEST_CASE("following a run that is over converts it and ends, what stays broken is named",
          "[conf2vtk]") {
  const CaseFolder folder;
  fs::create_directories(folder / "run");
  writeFile(folder / "run/shapes.shp", shapesText(), Existing::replace);
  for (int k = 0; k < 3; ++k)
    writeFile(fmt::format("{}/conf{}", folder / "run", k), confText(0.01 * k, k),
              Existing::replace);
  writeFile(folder / "run/conf3", confText(0.03, 3).substr(0, 600), Existing::replace);
  writeFile(folder / "run/run.json", "{}\n", Existing::replace);
  Diagnostics diagnostics;
  const auto report = followRun(following(folder, "vtk"), diagnostics, 0.01, never, silent);
  CHECK(report.converted == 3);
  REQUIRE(report.failures.messages.size() == 1);
  CHECK_THAT(report.failures.messages[0], Catch::Contains("conf3"));
  // A span that the run does not reach has nothing to convert: unusable input.
  Conf2vtkOptions late = following(folder, "late");
  late.span.from = 0.9;
  const auto none = followRun(late, diagnostics, 0.01, never, silent);
  REQUIRE(none.failures.messages.size() == 1);
  CHECK_FALSE(none.failures.ofMachine);
  // Without run.json the time tells: the last file has reached tmax.
  fs::remove(folder / "run/run.json");
  writeFile(folder / "run/conf3", confText(1.0, 3), Existing::replace);
  CHECK(followRun(following(folder, "vtk"), diagnostics, 0.01, never, silent).converted == 1);
}
