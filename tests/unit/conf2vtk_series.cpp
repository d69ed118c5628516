// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf2vtk_case.hpp"
#include "vtk/collection.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>

#include <algorithm>
#include <chrono>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;
using Catch::Contains;
namespace fs = std::filesystem;

TEST_CASE("a series gives the same bytes each time, on one thread or more", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 12);
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
  // Four kinds, twelve pieces and a collection each; the fixed body is written once.
  CHECK(compared == 3 * 13 + 2);
  const auto collection = vtp::readCollection(folder / "one/particles.pvd");
  REQUIRE(collection);
  REQUIRE(collection->entries.size() == 12);
  for (std::size_t k = 0; k < 12; ++k) {
    CHECK(collection->entries[k].time == 0.1 * static_cast<double>(k));
    CHECK(collection->entries[k].file == fmt::format("particles/particles_{:04}.vtp", k));
  }
}

TEST_CASE("a second call keeps what is there and adds what is new", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 3);
  CHECK(convert(optionsFor(folder, {"conf0", "conf1", "conf2"})).converted == 3);
  const auto before = fs::last_write_time(folder / "vtk/particles/particles_0001.vtp");
  writeFile(folder / "conf3", confText(0.3, 3), Existing::replace);
  const auto report = convert(optionsFor(folder, {"conf0", "conf1", "conf2", "conf3"}));
  CHECK(report.converted == 1);
  CHECK(report.kept == 3);
  CHECK(fs::last_write_time(folder / "vtk/particles/particles_0001.vtp") == before);
  CHECK(vtp::readCollection(folder / "vtk/particles.pvd")->entries.size() == 4);
  // The new file alone: the old entries stay.
  writeFile(folder / "conf4", confText(0.4, 4), Existing::replace);
  CHECK(convert(optionsFor(folder, {"conf4"})).converted == 1);
  CHECK(vtp::readCollection(folder / "vtk/particles.pvd")->entries.size() == 5);

  SECTION("a conf-file that changed since is converted again") {
    fs::last_write_time(folder / "conf1", fs::file_time_type::clock::now() + std::chrono::hours(1));
    CHECK(convert(optionsFor(folder, {"conf0", "conf1"})).converted == 1);
  }
  SECTION("so is one whose piece is gone") {
    fs::remove(folder / "vtk/contacts/contacts_0001.vtp");
    CHECK(convert(optionsFor(folder, {"conf0", "conf1"})).converted == 1);
  }
  SECTION("other options make all pieces again") {
    Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1"});
    options.fineness = 1;
    CHECK(convert(options).converted == 2);
    CHECK(vtp::readCollection(folder / "vtk/particles.pvd")->entries.size() == 2);
    CHECK(vtp::readCollection(folder / "vtk/contacts.pvd")->entries.size() == 2);
  }
}

TEST_CASE("driven bodies that stand still are written once for a series", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 3);
  std::string moved = confText(0.3, 3);
  moved.replace(moved.find("Cube 0 0 1  0 0 0"), 17, "Cube 0 0 1  0 1 0");
  writeFile(folder / "conf3", moved, Existing::replace);
  const std::vector<std::string> all{"conf0", "conf1", "conf2", "conf3"};
  convert(optionsFor(folder, all));
  const auto filesAt = [&] {
    std::vector<std::string> files;
    const auto collection = vtp::readCollection(folder / "vtk/driven.pvd");
    for (const auto& entry : collection.value().entries)
      files.push_back(entry.file.substr(entry.file.size() - 8));
    return files;
  };
  CHECK(filesAt() == std::vector<std::string>{"0000.vtp", "0000.vtp", "0000.vtp", "0003.vtp"});
  CHECK(convert(optionsFor(folder, all)).kept == 4);
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
  const CaseFolder folder;
  makeSeries(folder, 12);
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

namespace {

std::vector<std::string> piecesOf(const CaseFolder& folder, const std::string& kind) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / ("vtk/" + kind)))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("pieces leave with the conf-files they show, files of others stay", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 4);
  Conf2vtkOptions options = optionsFor(folder, {});
  options.confs = {folder / ""};
  convert(options);
  REQUIRE(piecesOf(folder, "particles").size() == 4);
  const auto entries = [&](const std::string& kind) {
    return vtp::readCollection(folder / ("vtk/" + kind + ".pvd"))->entries.size();
  };
  fs::remove(folder / "conf2");
  for (const char* const name : {"notes.txt", "particles_0099.vtp"})
    writeFile(fs::path(folder / "vtk/particles") / name, "precious", Existing::replace);
  // A collection that lies removes nothing elsewhere.
  writeFile(folder / "victim.vtp", "precious", Existing::replace);
  std::string lies = readFile(folder / "vtk/particles.pvd");
  for (std::size_t at; (at = lies.find("particles/particles_0001.vtp")) != std::string::npos;)
    lies.replace(at, 28, "particles/../../victim.vtp");
  writeFile(folder / "vtk/particles.pvd", lies, Existing::replace);
  options.keepStale = true;
  CHECK(convert(options).removed == 0);
  CHECK(entries("particles") == 4);
  CHECK(piecesOf(folder, "particles").size() == 6);
  options.keepStale = false;
  CHECK(convert(options).removed == 4);  // of each kind, though driven shares a file
  CHECK(entries("particles") == 3);
  CHECK(entries("driven") == 3);
  CHECK(piecesOf(folder, "particles").size() == 5);
  CHECK(fs::exists(folder / "victim.vtp"));
}

TEST_CASE("pieces of a run in another folder stay", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 2);
  writeFile(folder / "other/conf7", confText(0.7, 7), Existing::replace);
  writeFile(folder / "other/shapes.shp", shapesText(), Existing::replace);
  const auto entries = [&] {
    return vtp::readCollection(folder / "vtk/particles.pvd")->entries.size();
  };
  CHECK(convert(optionsFor(folder, {"conf0", "conf1"})).removed == 0);
  CHECK(convert(optionsFor(folder, {"other/conf7"})).removed == 0);
  CHECK(entries() == 3);
  fs::remove(folder / "conf0");
  CHECK(convert(optionsFor(folder, {"other/conf7"})).removed > 0);
  CHECK(entries() == 2);
  // A file of the same number in another folder is another one.
  writeFile(folder / "other/conf1", confText(0.1, 1), Existing::replace);
  fs::last_write_time(folder / "other/conf1",
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  CHECK(convert(optionsFor(folder, {"other/conf1"})).converted == 1);
}

TEST_CASE("files that cannot be used are named, and the others converted", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 5);
  const std::string whole = confText(0.2, 2);
  std::string named = "conf2";
  SECTION("damaged") {
    writeFile(folder / "conf2", "Rockable 21-08-2022\nt abc\n", Existing::replace);
  }
  SECTION("cut in its head") {
    writeFile(folder / "conf2", whole.substr(0, whole.find("Particles")), Existing::replace);
  }
  SECTION("cut behind the bodies") {
    writeFile(folder / "conf2", whole.substr(0, whole.find("Interactions")), Existing::replace);
  }
  SECTION("cut in the last number") {
    writeFile(folder / "conf2", whole.substr(0, whole.size() - 1), Existing::replace);
  }
  SECTION("empty") { writeFile(folder / "conf2", "", Existing::replace); }
  SECTION("fewer bodies") {
    std::string fewer =
        whole.substr(0, whole.find("Interactions")) + "Interactions 0\nInterfaces 0\n";
    fewer.erase(fewer.rfind("Cube 0 2 1"), fewer.find("Interactions") - fewer.rfind("Cube 0 2 1"));
    fewer.replace(fewer.find("Particles 3"), 11, "Particles 2");
    writeFile(folder / "conf2", fewer, Existing::replace);
  }
  SECTION("the first one") {
    named = "conf0";
    writeFile(folder / "conf0", "Rockable 21-08-2022\nt abc\n", Existing::replace);
  }
  SECTION("one number twice") {
    named = "other/conf4";
    fs::create_directories(folder / "other");
    fs::rename(folder / "conf2", folder / "other/conf4");
  }
  Conf2vtkOptions options = optionsFor(folder, {});
  options.confs = {folder / ""};
  if (fs::exists(folder / "other")) options.confs.push_back(folder / "other");
  options.threads = 2;
  const auto report = convert(options);
  CHECK(report.converted == 4);
  REQUIRE(report.failures.messages.size() == 1);
  CHECK_THAT(report.failures.messages[0], Contains(named));
  CHECK(vtp::readCollection(folder / "vtk/particles.pvd")->entries.size() == 4);
}

TEST_CASE("what cannot be converted is refused and leaves nothing behind", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 3);
  CHECK_THROWS_AS(convert(optionsFor(folder, {"absent"})), IoError);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.arrays = {"sped"};
  CHECK_THROWS_WITH(convert(options), Contains("'sped'") && Contains("speed"));
  for (const char* const name : {"conf0", "conf1"})
    writeFile(folder / name, "Rockable 21-08-2022\nt abc\n", Existing::replace);
  CHECK_THROWS_AS(convert(optionsFor(folder, {"conf0"})), ParseError);
  CHECK(convert(optionsFor(folder, {"conf0", "conf1"})).failures.messages.size() == 2);
  CHECK_FALSE(fs::exists(folder / "vtk"));
}

TEST_CASE("a selection draws the bodies that meet a condition, and what touches them",
          "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 2);
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

TEST_CASE("files are read as all tools read them, wherever blanks stand", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 3);
  for (int k = 0; k < 3; ++k) {
    std::string text = confText(0.1 * k, k);
    for (const char* const keyword : {"Particles", "Interactions", "Interfaces"})
      text.insert(text.find(std::string("\n") + keyword) + 1, "  ");
    const std::string time = fmt::format("\nt {}\n", 0.1 * k);
    text.replace(text.find(time), time.size(), fmt::format("\nt ${} / 10$ # s\n", k));
    writeFile(folder / fmt::format("conf{}", k), text, Existing::replace);
  }
  Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1", "conf2"});
  options.span.to = 0.15;
  const auto report = convert(options);
  CHECK(report.failures.messages.empty());
  CHECK(report.converted == 2);
  CHECK_FALSE(fs::exists(folder / "vtk/centres/centres_0002.vtp"));
  options.span.from = 0.5;
  options.span.to = 0.6;
  CHECK_THROWS_AS(convert(options), ModelError);  // no failure of the file system
}
