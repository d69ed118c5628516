// SPDX-License-Identifier: GPL-3.0-or-later
#include "gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scree::tools {
namespace {

bool isControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

std::string withoutControls(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (isControl(c)) c = ' ';
  return out;
}

/// In the child process: only calls that are safe after fork() in a program with threads.
[[noreturn]] void become(const char* program, const char* folder, int input) {
  char name[] = "gnuplot", settings[] = "--default-settings", standardInput[] = "-";
  char* const arguments[] = {name, settings, standardInput, nullptr};
  if (::chdir(folder) == 0 && ::dup2(input, STDIN_FILENO) >= 0) ::execv(program, arguments);
  ::_exit(127);
}

}  // namespace

std::string gnuplotString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text)
    if (isControl(c) || std::string_view("\"\\`@").find(c) != std::string_view::npos)
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      out += c;
  return out + '"';
}

std::string gnuplotLabel(std::string_view text) { return gnuplotString(withoutControls(text)); }

std::string gnuplotComment(std::string_view text) {
  // A backslash at the end would make the next line a part of the comment.
  return "# " + withoutControls(text) + (text.ends_with('\\') ? " " : "");
}

std::string gnuplotFile(std::string_view name) {
  const char first = name.empty() ? '.' : name.front();
  const bool plain = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                     (first >= '0' && first <= '9');
  return gnuplotString(plain ? std::string(name) : "./" + std::string(name));
}

std::string gnuplotProgram() {
  const char* path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "" : path;
  for (std::size_t at = 0; at < folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    std::string file = folders.substr(at, end - at) + "/gnuplot";
    at = end + 1;
    if (file.front() == '/' && file != "/gnuplot" && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

bool runGnuplot(const std::string& program, const std::string& folder, std::string_view script) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  const pid_t child = ::fork();
  if (child == 0) become(program.c_str(), folder.c_str(), ends[0]);
  ::close(ends[0]);
  // Where gnuplot ends before it has read all, write() fails instead of ending this program.
  void (*const before)(int) = std::signal(SIGPIPE, SIG_IGN);
  while (child > 0 && !script.empty()) {
    const ssize_t n = ::write(ends[1], script.data(), script.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    script.remove_prefix(static_cast<std::size_t>(n));
  }
  ::close(ends[1]);
  (void)std::signal(SIGPIPE, before);
  if (child < 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return script.empty() && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace scree::tools
