// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf2vtk_case.hpp"
#include "vtk/collection.hpp"

#include <chrono>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;
using Catch::Contains;
namespace fs = std::filesystem;

TEST_CASE("a series gives the same bytes each time, on one thread or more", "[conf2vtk]") {
  const Folder folder;
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
  const Folder folder;
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
  SECTION("other options make all pieces anew") {
    Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1"});
    options.fineness = 1;
    CHECK(convert(options).converted == 2);
    CHECK(vtp::readCollection(folder / "vtk/particles.pvd")->entries.size() == 2);
    CHECK(vtp::readCollection(folder / "vtk/contacts.pvd")->entries.size() == 5);
  }
}

TEST_CASE("driven bodies that stand still are written once for a series", "[conf2vtk]") {
  const Folder folder;
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
  // Where the shared piece is made anew, all that show it are looked at again.
  moved = confText(0.0, 0);
  moved.replace(moved.find("Cube 0 0 1  0 0 0"), 17, "Cube 0 0 1  0 2 0");
  writeFile(folder / "conf0", moved, Existing::replace);
  fs::last_write_time(folder / "conf0", fs::file_time_type::clock::now() + std::chrono::seconds(2));
  CHECK(convert(optionsFor(folder, all)).converted == 3);
  CHECK(filesAt() == std::vector<std::string>{"0000.vtp", "0001.vtp", "0002.vtp", "0003.vtp"});
}

TEST_CASE("each N-th file is taken, in the order of numbers", "[conf2vtk]") {
  const Folder folder;
  makeSeries(folder, 11);
  Conf2vtkOptions options = optionsFor(folder, {"conf10", "conf9", "conf2", "conf0"});
  options.every = 3;
  CHECK(convert(options).converted == 2);
  CHECK(fs::exists(folder / "vtk/centres/centres_0000.vtp"));
  CHECK(fs::exists(folder / "vtk/centres/centres_0010.vtp"));
  CHECK_FALSE(fs::exists(folder / "vtk/centres/centres_0009.vtp"));
}

TEST_CASE("times that stand still or run backwards are reported", "[conf2vtk]") {
  const Folder folder;
  makeSeries(folder, 2);
  writeFile(folder / "conf2", confText(0.05, 2), Existing::replace);
  writeFile(folder / "conf3", confText(0.05, 3), Existing::replace);
  Diagnostics diagnostics;
  convert(optionsFor(folder, {"conf0", "conf1", "conf2", "conf3"}), &diagnostics);
  std::string all;
  for (const std::string& warning : diagnostics.warnings()) all += warning + "\n";
  CHECK_THAT(all, Contains("conf2: its time 0.05 is before the 0.1"));
  CHECK_THAT(all, Contains("conf3: same time 0.05"));
}

TEST_CASE("what cannot be converted is refused and leaves nothing behind", "[conf2vtk]") {
  const Folder folder;
  makeSeries(folder, 3);
  CHECK_THROWS_AS(convert(optionsFor(folder, {"absent"})), IoError);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.arrays = {"sped"};
  CHECK_THROWS_WITH(convert(options), Contains("'sped'") && Contains("speed"));
  fs::create_directories(folder / "other");
  writeFile(folder / "other/conf0", confText(1, 0), Existing::replace);
  CHECK_THROWS_AS(convert(optionsFor(folder, {"conf0", "other/conf0"})), UsageError);
  writeFile(folder / "conf0", "Rockable 21-08-2022\nt abc\n", Existing::replace);
  CHECK_THROWS_AS(convert(optionsFor(folder, {"conf0", "conf1"})), ParseError);
  CHECK_FALSE(fs::exists(folder / "vtk"));
  SECTION("a broken file later in a series does not keep the others out") {
    CHECK_THROWS_AS(convert([&] {
                      writeFile(folder / "conf9", "Rockable 21-08-2022\nt abc\n",
                                Existing::replace);
                      return optionsFor(folder, {"conf1", "conf2", "conf9"});
                    }()),
                    ParseError);
    CHECK(vtp::readCollection(folder / "vtk/particles.pvd")->entries.size() == 2);
  }
}
