// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/shape.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/drives.hpp"

#include <string>
#include <vector>

namespace scree::sim {

/// A file that a run depends on.
struct InputFile {
  std::string role;  ///< conf, redirection, shapes, driving, extractors
  std::string path;
  std::string hash;  ///< XXH64 of the content, 16 hexadecimal digits; "" for standard input
};

/// Everything that a conf-file, and the files it leads to, request.
struct RunInput {
  Conf conf;  ///< commands are carried out
  std::vector<shape::Shape> shapes;
  Drives drives;
  std::vector<ScriptedExtractor> extractors;
  std::vector<InputFile> files;
  std::string drivingFile;  ///< drivingSystem.txt; "": none
};

/// The file that `conf` was read from under the name `path`, and the one that it redirects to.
std::vector<std::string> confFilesOf(const Conf& conf, const std::string& path);

/// Reads the files that belong to `conf`: its shape-file, and drivingSystem.txt and
/// dataExtractors.txt where they exist. They stand beside one of `confFiles` or in the current
/// folder. `conf` was read from `confFiles`, or is the state of a run that started from them.
/// Carries out the commands of `conf`.
/// @param libstdcxxLots  commands draw lots by the engine of libstdc++, as in Rockable
/// @throws ParseError, ModelError, IoError as the readers of these files
RunInput readRunInput(Conf conf, const std::vector<std::string>& confFiles,
                      Diagnostics& diagnostics, bool libstdcxxLots = false);

/// XXH64 of a file, as 16 hexadecimal digits; "" of a pipe, which is read but once.
/// @throws IoError
std::string fileHash(const std::string& path);

}  // namespace scree::sim
