// SPDX-License-Identifier: GPL-3.0-or-later
// A library to be loaded before a program (LD_PRELOAD) that lets one call of it to the system fail.
//
// SCREE_FAULT=CALL:N:HOW   the N-th call (1, 2, ...) of CALL fails.
//   CALL  open, read, write, fsync, rename or close.
//   HOW   ENOSPC, EIO, EINTR: the error; SHORT: a write takes half of what it was given.
//   HOW with + behind it: each call from the N-th on.
// SCREE_FAULT_COUNT=FILE   writes the number of calls of CALL into FILE at the end.
//                          It serves a first run with N = 0.
//
// Calls are counted from the start of main() on, on all threads. Reads and writes count for files,
// not for terminals and pipes; closes and opens for files.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

enum class Call { none, open, read, write, fsync, rename, close };

Call wanted = Call::none;
long position = 0;
int failure = EIO;
bool halves = false, lasting = false;
std::atomic<bool> armed{false};
std::atomic<long> count{0};

/// Reads SCREE_FAULT.
void configure() {
  const char* text = std::getenv("SCREE_FAULT");
  if (!text) return;
  constexpr struct {
    const char* name;
    Call call;
  } calls[] = {{"open:", Call::open},   {"read:", Call::read},     {"write:", Call::write},
               {"fsync:", Call::fsync}, {"rename:", Call::rename}, {"close:", Call::close}};
  for (const auto& c : calls)
    if (std::strncmp(text, c.name, std::strlen(c.name)) == 0) {
      wanted = c.call;
      text += std::strlen(c.name);
      break;
    }
  char* end = nullptr;
  position = std::strtol(text, &end, 10);
  if (*end == ':') ++end;
  constexpr struct {
    const char* name;
    int error;
  } errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO}, {"EINTR", EINTR}};
  for (const auto& e : errors)
    if (std::strncmp(end, e.name, std::strlen(e.name)) == 0) failure = e.error;
  halves = std::strncmp(end, "SHORT", 5) == 0;
  lasting = std::strchr(end, '+') != nullptr;
}

/// Whether this call is to fail.
bool fails(Call call) {
  if (call != wanted || !armed.load(std::memory_order_relaxed)) return false;
  const long n = count.fetch_add(1) + 1;
  return position > 0 && (lasting ? n >= position : n == position);
}

bool isFile(int fd) {
  struct stat info {};
  return syscall(SYS_fstat, fd, &info) == 0 && S_ISREG(info.st_mode);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

using Main = int(int, char**, char**);
Main* programMain = nullptr;

void writeCount() {
  armed.store(false);
  const char* file = std::getenv("SCREE_FAULT_COUNT");
  if (!file) return;
  const int fd =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, 0666));
  char text[32];
  const int length = std::snprintf(text, sizeof text, "%ld\n", count.load());
  if (fd >= 0) {
    syscall(SYS_write, fd, text, length);
    syscall(SYS_close, fd);
  }
}

/// Static objects are made before, and go after.
int armedMain(int argc, char** argv, char** environment) {
  configure();
  std::atexit(writeCount);
  armed.store(true);
  return programMain(argc, argv, environment);
}

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld)(), void* stack) {
  programMain = main;
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(armedMain, argc, argv, init, fini, rtld, stack);
}

/// Folders are opened, too; which libraries the loader opens does not come through here.
static int opened(const char* path, int flags, mode_t mode) {
  if (fails(Call::open)) return errno = failure, -1;
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return opened(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return opened(path, flags | O_LARGEFILE, mode);
}

FILE* fopen(const char* path, const char* mode) {
  if (fails(Call::open)) return errno = failure, nullptr;
  return next<FILE*(const char*, const char*)>("fopen")(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  if (fails(Call::open)) return errno = failure, nullptr;
  return next<FILE*(const char*, const char*)>("fopen64")(path, mode);
}

ssize_t read(int fd, void* data, std::size_t size) {
  if (wanted == Call::read && isFile(fd) && fails(Call::read)) return errno = failure, -1;
  return syscall(SYS_read, fd, data, size);
}

ssize_t write(int fd, const void* data, std::size_t size) {
  if (wanted == Call::write && isFile(fd) && fails(Call::write)) {
    if (!halves) return errno = failure, -1;
    size = size > 1 ? size / 2 : size;
  }
  return syscall(SYS_write, fd, data, size);
}

int fsync(int fd) {
  if (fails(Call::fsync)) return errno = failure, -1;
  return static_cast<int>(syscall(SYS_fsync, fd));
}

int rename(const char* from, const char* to) {
  if (fails(Call::rename)) return errno = failure, -1;
  return static_cast<int>(syscall(SYS_rename, from, to));
}

int close(int fd) {
  const bool failing = wanted == Call::close && isFile(fd) && fails(Call::close);
  const int code = static_cast<int>(syscall(SYS_close, fd));
  return failing ? (errno = failure, -1) : code;
}

}  // extern "C"
