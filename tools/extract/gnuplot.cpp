// SPDX-License-Identifier: GPL-3.0-or-later
#include "gnuplot.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
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

/// Both ends of a pipe, closed at the end.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_, O_CLOEXEC) != 0)
      throw IoError(fmt::format("gnuplot: no pipe: {}", std::strerror(errno)));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  int end(int k) const { return ends_[k]; }  ///< 0 is for reading, 1 for writing
  void closeEnd(int k) {
    if (ends_[k] >= 0) ::close(ends_[k]);
    ends_[k] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

/// In the child process: only calls that are safe after fork() in a program with threads.
[[noreturn]] void become(const char* program, int input, int output) {
  char name[] = "gnuplot", settings[] = "--default-settings", standardInput[] = "-";
  char* const arguments[] = {name, settings, standardInput, nullptr};
  if (::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0)
    ::execv(program, arguments);
  ::_exit(127);
}

/// Hands over `script` and takes what comes back until the other side closes its end. Neither side
/// may wait for the other. @returns whether all of the script was taken
bool talk(Pipe& to, const Pipe& from, std::string_view script, std::string& answer) {
  ::fcntl(to.end(1), F_SETFL, O_NONBLOCK);
  for (;;) {
    pollfd files[2] = {{from.end(0), POLLIN, 0}, {to.end(1), POLLOUT, 0}};
    if (::poll(files, 2, -1) < 0 && errno != EINTR) return false;
    if (files[1].revents != 0) {  // a closed end is -1, which poll() leaves out
      const ssize_t n = ::write(to.end(1), script.data(), script.size());
      if (n > 0) script.remove_prefix(static_cast<std::size_t>(n));
      if (script.empty() || (n < 0 && errno != EINTR && errno != EAGAIN)) to.closeEnd(1);
    }
    if (files[0].revents == 0) continue;
    char some[65536];
    const ssize_t n = ::read(from.end(0), some, sizeof some);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0 && script.empty();
    answer.append(some, static_cast<std::size_t>(n));
  }
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

std::optional<std::string> drawnBy(const std::string& program, std::string_view script) {
  Pipe to, from;
  const pid_t child = ::fork();
  if (child == 0) become(program.c_str(), to.end(0), from.end(1));
  if (child < 0) throw IoError(fmt::format("gnuplot: no process: {}", std::strerror(errno)));
  to.closeEnd(0);
  from.closeEnd(1);
  // Where gnuplot ends before it has read all, write() fails instead of ending this program.
  void (*const before)(int) = std::signal(SIGPIPE, SIG_IGN);
  std::string picture;
  const bool all = talk(to, from, script, picture);
  to.closeEnd(1);
  (void)std::signal(SIGPIPE, before);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return std::nullopt;
  if (!all || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return picture;
}

}  // namespace scree::tools
