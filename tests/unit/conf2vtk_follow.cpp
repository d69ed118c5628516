// SPDX-License-Identifier: GPL-3.0-or-later
// Converting while a run writes.
#include "conf2vtk_case.hpp"

#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;
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
