// SPDX-License-Identifier: GPL-3.0-or-later
// Which conf-files conf2vtk takes.
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
