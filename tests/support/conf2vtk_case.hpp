// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catch.hpp"
#include "conf2vtk.hpp"
#include "folder.hpp"

#include "scree/base/files.hpp"
#include "scree/base/math.hpp"

#include <fmt/format.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkXMLPolyDataReader.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace scree::tools::test {

using CaseFolder = testing::Folder;

inline constexpr double cubeRadius = 0.1, cubeHalf = 0.4;  // of the core; 1 x 1 x 1 from outside

inline std::string shapesText() {
  std::string cube =
      "<\nname Cube\nradius 0.1\npreCompDone y\nvolume 0.975587\nI/m 0.162 0.162 0.162\n"
      "obb.extent 0.5 0.5 0.5\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\nobb.center 0 0 0\n"
      "position 0 0 0\norientation 1 0 0 0\nnv 8\n";
  for (int k = 0; k < 8; ++k)
    cube += fmt::format("{} {} {}\n", k & 1 ? cubeHalf : -cubeHalf, k & 2 ? cubeHalf : -cubeHalf,
                        k & 4 ? cubeHalf : -cubeHalf);
  cube +=
      "ne 12\n0 1\n0 2\n0 4\n1 3\n1 5\n2 3\n2 6\n3 7\n4 5\n4 6\n5 7\n6 7\n"
      "nf 6\n4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n>\n";
  return cube +
         "<\nname Ball\nradius 0.25\npreCompDone y\nvolume 0.0654498\nI/m 0.025 0.025 0.025\n"
         "obb.extent 0.25 0.25 0.25\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\nobb.center 0 0 0\n"
         "position 0 0 0\norientation 1 0 0 0\nnv 1\n0 0 0\nne 0\nnf 0\n>\n";
}

/// A fixed cube, a ball of twice the size on it and a turned cube above.
inline std::string confText(double t, int iconf) {
  return fmt::format(
      "Rockable 21-08-2022\nt {}\ntmax 1\ndt 1e-4\ninterVerlet 0.001\ninterConf 0.1\nDVerlet "
      "0.1\ndVerlet 0.1\n"
      "density 0 2700\ngravity 0 -9.81 0\nforceLaw Default\nknContact 0 0 1e6\nmuContact 0 0 0.5\n"
      "iconf {}\nnDriven 1\nshapeFile shapes.shp\nprecision 17\nParticles 3\n"
      "Cube 0 0 1  0 0 0  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0\n"
      "Ball 0 1 2  0 0.9990 0.05  3 4 0  0 0 0  1 0 0 0  0 0 2  0 0 0\n"
      "Cube 0 2 1  5 6 7  0 0 1  0 0 0  0.8 0 0 0.6  0 0 0  0 0 0\n"
      "Interactions 2\n"
      "0 1 2 0 3  0 -1 0  -1e-3  0 0.4995 0.05  0 0 0  1000 3 0 4  0 0 0  12.5\n"
      "1 2 1 0 0  1 0 0  -2e-3  0.5 0.75 0.5  0 0 0  123.456789012345 0 0 0  0 0 0  0\n"
      "Interfaces 0\n",
      t, iconf);
}

/// A folder with shapes and conf0 ... conf<n-1>.
struct SeriesFolder : CaseFolder {
  explicit SeriesFolder(int n) {
    writeFile(*this / "shapes.shp", shapesText(), Existing::replace);
    for (int k = 0; k < n; ++k)
      writeFile(*this / fmt::format("conf{}", k), confText(0.1 * k, k), Existing::replace);
  }
};

inline Conf2vtkReport convert(Conf2vtkOptions options, Diagnostics* diagnostics = nullptr) {
  Diagnostics own;
  return conf2vtk(options, diagnostics ? *diagnostics : own, [](const std::string&) {}, {});
}

inline Conf2vtkOptions optionsFor(const CaseFolder& folder, const std::vector<std::string>& names) {
  Conf2vtkOptions options;
  for (const std::string& name : names) options.confs.push_back(folder / name);
  options.output = folder / "vtk";
  return options;
}

/// The times and files of a collection, in its order.
inline std::vector<std::pair<double, std::string>> entriesOf(const std::string& path) {
  const std::string text = readFile(path);
  REQUIRE_THAT(text, Catch::EndsWith("</VTKFile>\n"));
  std::vector<std::pair<double, std::string>> entries;
  for (std::size_t at = 0; (at = text.find("timestep=\"", at)) != std::string::npos;) {
    at += 10;
    const std::size_t file = text.find("file=\"", at) + 6;
    entries.emplace_back(std::stod(text.substr(at)),
                         text.substr(file, text.find('"', file) - file));
  }
  return entries;
}

inline vtkSmartPointer<vtkPolyData> read(const std::string& path) {
  REQUIRE(std::filesystem::exists(path));
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  return reader->GetOutput();
}

inline Vec3 pointOf(vtkPolyData* data, vtkIdType k) { return Vec3(data->GetPoint(k)); }

}  // namespace scree::tools::test
