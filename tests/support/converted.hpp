// SPDX-License-Identifier: GPL-3.0-or-later
// Files that `clumpify convert` makes of a text, and a clump of two spheres with its mass
// properties.
#pragma once

#include "folder.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/pack/clump_files.hpp"

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace scree::testing {

inline const std::string pair = "0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n";
constexpr double weight = 5890.486225, com = 0.383333333, across = 4181.836158, along = 2157.390580;

/// The conversion that a command line asks for.
struct ConvertOptions {
  std::string input, from = "auto", to, name;
  double density = 1.0;
  bool lossy = false;
};
inline std::vector<clump::FormatFile> converted(const ConvertOptions& o, Diagnostics& diagnostics) {
  clump::WriteOptions write;
  write.format = o.to;
  write.name = o.name;
  write.density = o.density;
  write.densityGiven = o.to == "conf";
  write.lossy = o.lossy;
  clump::checkWriteOptions(write);
  const sim::Blocks blocks = sim::blocksFrom(o.input,
                                             {.format = o.from,
                                              .mayLose = [&](std::int64_t) { return o.lossy; },
                                              .remedy = "; " + write.remedy},
                                             diagnostics);
  write.shapeNames = blocks.names;
  return clump::written(blocks.pack, write, diagnostics, sim::confFiles);
}

inline std::vector<clump::FormatFile> convert(const std::string& text, const std::string& to,
                                              bool lossy = false, bool strict = false,
                                              std::vector<std::string>* warnings = nullptr) {
  const scree::testing::Folder folder;
  ConvertOptions options;
  options.input = folder.write("input", text);
  options.to = to;
  options.density = 1000.0;
  options.name = "T2";
  options.lossy = lossy;
  Diagnostics diagnostics(strict);
  auto files = converted(options, diagnostics);
  if (warnings) *warnings = diagnostics.warnings();
  return files;
}

inline const std::string& file(const std::vector<clump::FormatFile>& files,
                               const std::string& suffix) {
  for (const clump::FormatFile& f : files)
    if (f.suffix == suffix) return f.text;
  throw std::runtime_error("no file " + suffix);
}

inline std::vector<double> numbersOf(const std::string& line) {
  std::istringstream in(line);
  std::vector<double> out;
  for (double x; in >> x;) out.push_back(x);
  return out;
}

inline std::string lineWith(const std::string& text, const std::string& word) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find(word) != std::string::npos) return line;
  return {};
}

}  // namespace scree::testing
