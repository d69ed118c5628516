// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the tools as a user would: in a folder of their own, with their streams caught.
#pragma once

#include "catch.hpp"
#include "folder.hpp"
#include "paths.hpp"

#include "scree/base/files.hpp"

#include <algorithm>
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

inline bool isInstalled(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// Lines of a table, without those that begin with '#'.
inline std::vector<std::string> linesOf(const std::string& table) {
  std::vector<std::string> lines;
  std::istringstream in(table);
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with('#')) lines.push_back(line);
  return lines;
}

/// Output of a command that has to succeed, without comments.
inline std::string tableOf(const Folder& folder, const std::string& command) {
  std::string lines;
  for (const std::string& line : linesOf(mustRun(folder, command).out)) lines += line + '\n';
  return lines;
}

/// Runs a command and checks its exit code, and that standard error has each of `says`.
inline Outcome expect(const Folder& folder, const std::string& command, int code,
                      const std::vector<std::string>& says = {}) {
  Outcome outcome = run(folder, command);
  INFO(command << "\n" << outcome.err);
  CHECK(outcome.code == code);
  for (const std::string& part : says) CHECK_THAT(outcome.err, Catch::Contains(part));
  return outcome;
}

/// A command that is refused: its exit code, and a part of the one line that says why.
struct Refusal {
  std::string command;
  int code;
  std::string says;
};
/// Checks that commands with these words before and after are each refused in one line, warnings
/// apart, and leave none of `absent`.
inline void expectRefusals(const Folder& folder, const std::string& before,
                           const std::string& after, const std::vector<std::string>& absent,
                           const std::vector<Refusal>& refusals) {
  for (const Refusal& r : refusals) {
    const Outcome outcome = expect(folder, before + r.command + after, r.code, {r.says});
    INFO(r.command << "\n" << outcome.err);
    CHECK(outcome.out.empty());
    const std::vector<std::string> lines = linesOf(outcome.err);
    CHECK(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
            return line.find("warning:") == std::string::npos;
          }) == 1);
    for (const std::string& name : absent) CHECK_FALSE(folder.has(name));
  }
}

}  // namespace scree::testing
