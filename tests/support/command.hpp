// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the tools as a user would: in a folder of their own, with their streams caught.
#pragma once

#include "catch.hpp"
#include "folder.hpp"
#include "paths.hpp"
#include "skip.hpp"

#include "scree/base/files.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace scree::testing {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;  ///< exit code; 128 + signal where a signal ended it
  std::string out, err;
};

/// Runs `command` (tool and arguments, as a shell takes them) in `folder`; tools come from this
/// build.
inline Outcome run(const Folder& folder, const std::string& command,
                   const std::string& input = "/dev/null") {
  const Folder streams;
  const std::string line = "cd '" + folder.path() + "' && export PATH='" + toolsFolder() +
                           "':$PATH && { " + command + "; } <'" + input + "' >'" +
                           streams.path("out") + "' 2>'" + streams.path("err") + "'";
  const int status = std::system(line.c_str());
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = streams.read("out");
  outcome.err = streams.read("err");
  return outcome;
}

/// The same for a command that has to succeed.
inline Outcome mustRun(const Folder& folder, const std::string& command) {
  Outcome outcome = run(folder, command);
  INFO(command << "\n" << outcome.err);
  REQUIRE(outcome.code == 0);
  return outcome;
}

/// The path of `what` in the folder of public data; "" where it is absent, and the test counts as
/// skipped.
inline std::string publicData(const std::string& what) {
  const fs::path path = fs::path(dataFolder()) / what;
  if (fs::exists(path)) return path.string();
  skip("no " + what + " in the folder of public data (SCREE_TEST_DATA)");
  return {};
}

/// Lines of a table, without those that begin with '#'.
inline std::vector<std::string> linesOf(const std::string& table) {
  std::vector<std::string> lines;
  std::istringstream in(table);
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with('#')) lines.push_back(line);
  return lines;
}

}  // namespace scree::testing
