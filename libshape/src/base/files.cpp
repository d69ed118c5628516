// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/files.hpp"

#include "scree/base/compression.hpp"
#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace scree {
namespace {

namespace fs = std::filesystem;

IoError failure(const std::string& path, const char* doing) {
  return IoError(fmt::format("{}: cannot {}: {}", path, doing, std::strerror(errno)));
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd, bool own = true) : fd_(fd), own_(own) {}
  ~Descriptor() {
    if (own_ && fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
  bool own_;
};

void writeAll(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      throw failure(path, "write");
    }
    content.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool isRegularFile(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

std::string inputName(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string readFile(const std::string& path) {
  const bool standardInput = path == "-";
  const Descriptor file(standardInput ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
                        !standardInput);
  const std::string name = inputName(path);
  if (file.get() < 0) throw failure(name, "open");
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) throw failure(name, "look at");
  if (S_ISDIR(info.st_mode)) throw IoError(fmt::format("{}: is a folder, expected a file", name));
  std::string text;
  const bool sized = S_ISREG(info.st_mode);
  if (sized) text.reserve(static_cast<std::size_t>(info.st_size) + 1);
  std::size_t used = 0;
  for (;;) {
    const std::size_t chunk =
        sized && used == 0 ? static_cast<std::size_t>(info.st_size) + 1 : std::size_t{1} << 20;
    text.resize(used + chunk);
    const ssize_t n = ::read(file.get(), text.data() + used, chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw failure(name, "read");
    used += static_cast<std::size_t>(n);
    if (n == 0) break;
    if (!sized && used > mostFileBytes)
      throw IoError(
          fmt::format("{}: more than 4 GiB from a stream; save it to a file first", name));
  }
  text.resize(used);
  if (isCompressed(text)) return decompressed(text, name);
  return text;
}

void checkMayWrite(const std::string& path, Existing existing) {
  if (path != "-" && existing == Existing::refuse && isRegularFile(path))
    throw IoError(fmt::format("{}: exists already; --force overwrites it", path));
}

void writeFile(const std::string& path, std::string_view content, Existing existing) {
  if (path == "-") {
    writeAll(STDOUT_FILENO, content, "standard output");
    return;
  }
  checkMayWrite(path, existing);
  std::string packed;
  if (namesCompressed(path)) content = packed = compressed(content);
  std::error_code code;
  if (fs::exists(path, code) && !isRegularFile(path)) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) throw failure(path, "open for writing");
    writeAll(file.get(), content, path);
    return;
  }
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::exists(folder, code)) {
    fs::create_directories(folder, code);
    if (code)
      throw IoError(fmt::format("{}: cannot make the folder: {}", folder.string(), code.message()));
  }
  const std::string temporary = fmt::format("{}.tmp-{}", path, ::getpid());
  try {
    const Descriptor file(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.get() < 0) throw failure(path, "write");
    writeAll(file.get(), content, path);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    throw failure(path, "put in place");
  }
}

std::string relativeTo(const std::string& path, const std::string& from) {
  std::error_code code;
  // Made absolute first: of a path that does not exist yet the canonical form may stay relative.
  const fs::path base = fs::weakly_canonical(fs::absolute(from.empty() ? "." : from, code), code);
  const fs::path full = fs::weakly_canonical(fs::absolute(path, code), code);
  const fs::path relative = full.lexically_relative(base);
  return relative.empty() ? full.string() : relative.string();
}

}  // namespace scree
