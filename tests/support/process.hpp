// SPDX-License-Identifier: GPL-3.0-or-later
// A tool as a child process that a test can kill.
#pragma once

#include "paths.hpp"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace scree::testing {

/// Exit code of a process, or 128 + the signal that ended it.
inline int codeOf(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Starts a tool of this build in `folder`, its streams appended to `log` there. @returns its
/// number
inline pid_t startTool(const std::string& folder, const std::vector<std::string>& command,
                       const std::string& log) {
  const std::string program = toolsFolder() + "/" + command.front();
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int out =
        chdir(folder.c_str()) == 0 ? open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(127);
    execv(program.c_str(), arguments.data());
    _exit(127);
  }
  return child;
}

/// Runs a tool as startTool() does, and kills it with signal 9 after `seconds`, if it still runs
/// then; below 0: never. @returns codeOf()
inline int runAndKill(const std::string& folder, const std::vector<std::string>& command,
                      const std::string& log, double seconds) {
  const pid_t child = startTool(folder, command, log);
  if (seconds >= 0.0) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return codeOf(status);
}

}  // namespace scree::testing
