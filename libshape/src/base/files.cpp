// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/files.hpp"

#include "base/safe_write.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace scree {
namespace {

namespace fs = std::filesystem;

IoError failure(const std::string& path, const char* doing) {
  return IoError(fmt::format("{}: cannot {}: {}", path, doing, std::strerror(errno)));
}

/// open() that a signal does not end.
int openFile(const char* path, int flags, mode_t mode = 0) {
  int fd = -1;
  do {
    fd = ::open(path, flags, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

/// Closes a file that was written. Some file systems report only here that there was no room. An
/// interrupted close has closed.
void closeWritten(int fd, const std::string& path) {
  if (::close(fd) != 0 && errno != EINTR) throw failure(path, "write");
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
  void close(const std::string& path) { closeWritten(std::exchange(fd_, -1), path); }

 private:
  int fd_;
  bool own_;
};

void writeAll(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = ENOSPC;
    if (n <= 0) throw failure(path, "write");
    content.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Where the file system has no such thing, there is nothing to wait for.
void flush(int fd, const std::string& path) {
  while (::fsync(fd) != 0) {
    if (errno == EINVAL || errno == ENOTSUP || errno == EROFS) return;
    if (errno != EINTR) throw failure(path, "write to the disk");
  }
}

/// The name of a folder's new file is on the disk once the folder is.
void flushFolderOf(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const std::string name = folder.empty() ? "." : folder.string();
  const Descriptor file(openFile(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.get() >= 0) flush(file.get(), name);
}

constexpr std::string_view temporaryMark = ".tmp-";

/// As rename(), again where a signal has ended it.
bool renamed(const std::string& from, const std::string& to) {
  while (::rename(from.c_str(), to.c_str()) != 0)
    if (errno != EINTR) return false;
  return true;
}

/// Whether output goes into what stands at `path`: a device or a pipe. A link is replaced, since
/// others may have made it. Only those of the system itself are followed, as /dev/stdout and
/// /dev/fd/3. True also for a folder and a link to one, which no file takes the place of.
bool isWrittenInto(const std::string& path) {
  std::error_code ignored;
  const fs::file_type type = fs::symlink_status(path, ignored).type();
  if (type != fs::file_type::symlink)
    return type != fs::file_type::not_found && type != fs::file_type::none &&
           type != fs::file_type::regular;
  if (!isThere(path) || isRegularFile(path)) return false;
  if (isFolder(path)) return true;
  const std::string folder = fs::weakly_canonical(fs::path(path).parent_path(), ignored).string();
  return folder == "/dev" || folder.starts_with("/proc/");
}

/// The name of this process for what becomes `path`. Folders on the way are made.
std::string temporaryName(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code code;
  if (!folder.empty() && !fs::exists(folder, code)) {
    fs::create_directories(folder, code);
    if (code)
      throw IoError(fmt::format("{}: cannot make the folder: {}", folder.string(), code.message()));
  }
  return fmt::format("{}{}{}", path, temporaryMark, ::getpid());
}

/// A file of its own: what was made beforehand under its name, a link for one, is not written to.
/// @param temporary  its name; another one where that cannot be removed, as a folder
/// @param path  what messages name
int newFile(std::string& temporary, const std::string& path) {
  constexpr int mostNames = 1000;
  for (int k = 1;; ++k) {
    ::unlink(temporary.c_str());
    const int fd = openFile(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return fd;
    if (errno != EEXIST || k == mostNames) throw failure(path, "write");
    temporary = fmt::format("{}.{}{}{}", path, k, temporaryMark, ::getpid());
  }
}

/// Absolute and without links, as far as it exists.
/// @throws IoError for a path that cannot be looked at: too long, or below a file
fs::path canonical(const std::string& path) {
  std::error_code code;
  // Made absolute first: of a path that does not exist yet the canonical form may stay relative.
  fs::path found = fs::weakly_canonical(fs::absolute(path, code), code);
  if (code == std::errc::not_enough_memory) throw std::bad_alloc();
  if (code && code != std::errc::no_such_file_or_directory)
    throw IoError(fmt::format("{}: {}", shown(path), code.message()));
  return found;
}

/// The number of the process whose temporary file has this name; 0 for other names.
pid_t processOf(const std::string& name) {
  const std::size_t at = name.rfind(temporaryMark);
  if (at == std::string::npos) return 0;
  const char* first = name.data() + at + temporaryMark.size();
  const char* last = name.data() + name.size();
  pid_t process = 0;
  const auto read = std::from_chars(first, last, process);
  return first != last && read.ec == std::errc() && read.ptr == last ? std::max(process, 0) : 0;
}

/// Whether a process of this number runs. One that has ended stays as a zombie until its parent
/// asks for its exit code.
bool runs(pid_t process) {
  if (::kill(process, 0) != 0) return errno != ESRCH;
  try {
    // "NUMBER (NAME) STATE ...", with any characters in the name.
    const std::string text = readPart(fmt::format("/proc/{}/stat", process), 0, 256);
    const std::size_t at = text.rfind(") ");
    return at == std::string::npos || at + 2 == text.size() ||
           (text[at + 2] != 'Z' && text[at + 2] != 'X');
  } catch (const IoError&) {
    return true;  // a system without /proc
  }
}

/// Whether this is a device such as /dev/zero, with no end to its bytes. Terminals have one, and
/// /dev/null.
bool isEndless(int fd, const struct stat& info) {
  if (!S_ISCHR(info.st_mode) || ::isatty(fd) == 1) return false;
  struct stat null {};
  return ::stat("/dev/null", &null) != 0 || info.st_rdev != null.st_rdev;
}

}  // namespace

std::string inputName(const std::string& path) { return path == "-" ? "standard input" : path; }

bool isStandardOutput(std::string_view path) noexcept {
  return path == "-" || path == "/dev/stdout";
}

std::string readFile(const std::string& path) {
  const bool standardInput = path == "-";
  const Descriptor file(standardInput ? STDIN_FILENO : openFile(path.c_str(), O_RDONLY | O_CLOEXEC),
                        !standardInput);
  const std::string name = inputName(path);
  if (file.get() < 0) throw failure(name, "open");
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) throw failure(name, "look at");
  if (S_ISDIR(info.st_mode)) throw IoError(fmt::format("{}: is a folder, expected a file", name));
  if (isEndless(file.get(), info))
    throw IoError(fmt::format("{}: is a device, expected a file", name));
  std::string text;
  const bool sized = S_ISREG(info.st_mode);
  // One byte more than the file has, so that its end is seen without room for another block.
  if (sized) reserveOnThreads(text, static_cast<std::size_t>(info.st_size) + 1);
  std::size_t used = 0;
  for (;;) {
    if (used == text.size()) {  // by blocks, which are still in the cache as they are filled
      const std::size_t more = used + (std::size_t{1} << 20);
      text.resize(used < text.capacity() ? std::min(more, text.capacity()) : more);
    }
    const ssize_t n = ::read(file.get(), text.data() + used, text.size() - used);
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

std::string readPart(const std::string& path, std::uint64_t from, std::size_t count) {
  const Descriptor file(openFile(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw failure(path, "open");
  if (::lseek(file.get(), static_cast<off_t>(from), SEEK_SET) < 0) throw failure(path, "read");
  std::string text(count, '\0');
  std::size_t used = 0;
  while (used < count) {
    const ssize_t n = ::read(file.get(), text.data() + used, count - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw failure(path, "read");
    if (n == 0) break;
    used += static_cast<std::size_t>(n);
  }
  text.resize(used);
  return text;
}

void checkMayWrite(const std::string& path, Existing existing) {
  if (!isStandardOutput(path) && existing == Existing::refuse && isRegularFile(path))
    throw IoError(fmt::format("{}: exists already; --force overwrites it", path));
}

void checkCanWrite(const std::string& path, Existing existing) {
  checkMayWrite(path, existing);
  if (isStandardOutput(path)) return;
  if (isFolder(path))
    throw IoError(fmt::format("{}: is a folder, expected the name of a file", path));
  if (isWrittenInto(path)) return;
  // The nearest folder that exists gets those that are missing.
  fs::path folder = fs::path(path).parent_path();
  while (!folder.empty() && !isThere(folder) && folder != folder.parent_path())
    folder = folder.parent_path();
  const std::string name = folder.empty() ? "." : folder.string();
  if (!isFolder(name))
    throw IoError(fmt::format("{}: cannot write: {} is not a folder", path, name));
  if (::access(name.c_str(), W_OK | X_OK) != 0) throw failure(path, "write");
}

void writeFile(const std::string& path, std::string_view content, Existing existing) {
  checkMayWrite(path, existing);
  PiecewiseFile file(path);
  file.append(content);
  file.finish();
}

void flushToDisk(const std::string& path) {
  const Descriptor file(openFile(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT) return;
    throw failure(path, "open");
  }
  flush(file.get(), path);
}

void appendToFile(const std::string& path, std::string_view text) {
  Descriptor file(
      openFile(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file.get() < 0 && errno == ELOOP)
    throw IoError(path + ": is a link, which is not followed for writing; remove it");
  if (file.get() < 0) throw failure(path, "write");
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) throw failure(path, "look at");
  try {
    writeAll(file.get(), text, path);
    file.close(path);
  } catch (...) {
    if (S_ISREG(info.st_mode) && ::truncate(path.c_str(), info.st_size) != 0) errno = 0;
    throw;
  }
}

PiecewiseFile::PiecewiseFile(std::string path) : path_(std::move(path)) {
  if (isStandardOutput(path_)) {
    path_ = "standard output";
    fd_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  } else if (isWrittenInto(path_)) {
    fd_ = openFile(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = temporaryName(path_);
    fd_ = newFile(temporary_, path_);
  }
  if (fd_ < 0) throw failure(path_, "open for writing");
}

PiecewiseFile::~PiecewiseFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void PiecewiseFile::append(std::string_view text) {
  if (namesCompressed(path_))
    toPack_ += text;
  else
    writeAll(fd_, text, path_);
}

void PiecewiseFile::finish(Flush wanted) {
  if (namesCompressed(path_)) writeAll(fd_, compressed(toPack_), path_);
  if (wanted == Flush::yes) flush(fd_, path_);
  closeWritten(std::exchange(fd_, -1), path_);
  if (temporary_.empty()) return;
  if (!renamed(temporary_, path_)) throw failure(path_, "put in place");
  temporary_.clear();
  if (wanted == Flush::yes) flushFolderOf(path_);
}

bool namesTemporary(const std::string& name) { return processOf(name) > 0; }

std::string nameOfDeadTemporary(const std::string& name) {
  const pid_t process = processOf(name);
  if (process == 0) return {};
  // One of our own number is of an earlier process: this one removes its files itself.
  return process != ::getpid() && runs(process) ? std::string()
                                                : name.substr(0, name.rfind(temporaryMark));
}

std::size_t removeDeadTemporaries(const std::string& folder) {
  std::size_t removed = 0;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    if (nameOfDeadTemporary(entry->path().filename().string()).empty()) continue;
    std::error_code ignored;
    if (entry->symlink_status(ignored).type() == fs::file_type::regular &&
        fs::remove(entry->path(), ignored))
      ++removed;
  }
  return removed;
}

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool isRegularFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool isFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code unknown;
  return fs::equivalent(a, b, unknown);
}

std::string relativeTo(const std::string& path, const std::string& from) {
  const fs::path base = canonical(from.empty() ? "." : from);
  const fs::path full = canonical(path);
  const fs::path relative = full.lexically_relative(base);
  return relative.empty() ? full.string() : relative.string();
}

}  // namespace scree
