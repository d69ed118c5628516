// SPDX-License-Identifier: GPL-3.0-or-later
// Which conf-files conf2vtk takes, and which pieces of earlier calls it keeps.
#include "conf2vtk_case.hpp"
#include "vtk/collection.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;
using Catch::Contains;
namespace fs = std::filesystem;

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

TEST_CASE("pieces of an earlier version of the arrays are made again", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 2);
  const Conf2vtkOptions options = optionsFor(folder, {"conf0", "conf1"});
  convert(options);
  CHECK(convert(options).kept == 2);
  for (const auto& entry : fs::directory_iterator(folder / "vtk"))
    if (entry.path().extension() == ".pvd") {
      std::string text = readFile(entry.path().string());
      const auto at = text.find(" content 2");
      REQUIRE(at != text.npos);
      writeFile(entry.path().string(), text.erase(at, 10), Existing::replace);
    }
  CHECK(convert(options).converted == 2);
  CHECK(convert(options).kept == 2);
}

TEST_CASE("what pages and pictures do not show is reported", "[conf2vtk]") {
  const CaseFolder folder;
  makeSeries(folder, 1);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.bonds = options.tracks = true;
  options.geometry = Geometry::boxes;
  options.image = folder / "a.png";
  options.paraview = false;
  Diagnostics diagnostics;
  convert(options, &diagnostics);
  REQUIRE(diagnostics.warnings().size() == 3);
  CHECK(diagnostics.warnings()[0] == "--bonds has no effect on --image and --html; add -o");
  CHECK_THAT(diagnostics.warnings()[2], Contains("--geometry boxes"));
  options.paraview = options.remake = true;
  Diagnostics none;
  convert(options, &none);
  CHECK(none.warnings().empty());
}
