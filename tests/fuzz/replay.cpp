// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for libFuzzer where the compiler has none: feeds files, and random changes to them, to
// the fuzz target it is linked with. The same seed gives the same inputs everywhere.
//
//   fuzz_shape_pack [-runs=N] [-big=N] [-lines] [-raw] [-seed=S] FILE|FOLDER...
//
// Option -runs makes changes of the files, of at most 20 kB, and -big of about a megabyte. A change
// repeats a piece of a file, once or more, in its place. With -lines each line of the files becomes
// a megabyte. They are for the bounds of memory and time (bounds.hpp). Compressed files are
// decompressed first, unless -raw is given. An input that crashes stands
// in `crash-input` in the current folder; give it as FILE to see it again.
#include "bounds.hpp"

#include "scree/base/files.hpp"
#include "scree/base/rng.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

const std::string* current = nullptr;  // what a crash writes out

void saveCurrent(int signal) {
  if (const int fd = ::open("crash-input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
      fd >= 0 && current) {
    const auto written = ::write(fd, current->data(), current->size());
    static_cast<void>(written);  // about to die: nothing to do about a full disk
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void feed(const std::string& input) {
  current = &input;
  try {
    for (int attempt = 1; attempt <= 3; ++attempt) {
      scree::fuzz::allowSlow(attempt < 3);
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
      if (!scree::fuzz::wasSlow()) return;
    }
  } catch (const std::exception& e) {  // of the target: no reader may let one through
    fmt::print(stderr, "uncaught: {}\n", e.what());
    std::abort();
  }
}

/// Words that readers of numbers and counts trip over.
constexpr const char* nasty[] = {"nan",
                                 "inf",
                                 "-1",
                                 "0",
                                 "1e999",
                                 "-0",
                                 "99999999999999999999",
                                 "1e-400",
                                 "#",
                                 "\r\n",
                                 "\r",
                                 "\n",
                                 "\t",
                                 "0x1",
                                 "1,5",
                                 "u",
                                 "<",
                                 ">",
                                 "nv",
                                 "nf",
                                 "1e17",
                                 "name",
                                 "-nan",
                                 "1e308",
                                 "##USER-DATA::",
                                 "\xEF\xBB\xBF"};

std::string changed(std::string text, const std::vector<std::string>& all, scree::Rng& rng) {
  const auto below = [&rng](std::size_t n) {
    return std::min(static_cast<std::size_t>(rng.uniform() * static_cast<double>(n)),
                    n ? n - 1 : 0);
  };
  for (std::size_t k = 1 + below(6); k > 0; --k) {
    const std::size_t at = below(text.size() + 1);
    switch (below(7)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, 1 + below(20));
        break;
      case 2:
        text.insert(at, nasty[below(std::size(nasty))]);
        break;
      case 3: {  // a word gives way to another
        const std::size_t from = text.find_last_of(" \n", at) + 1;
        const std::size_t to = std::min(text.find_first_of(" \n", at), text.size());
        if (from <= to) text.replace(from, to - from, nasty[below(std::size(nasty))]);
        break;
      }
      case 4:
        text.insert(at, text.substr(below(text.size() + 1), below(80)));
        break;
      case 5:
        text.resize(at);
        break;
      default: {
        const std::string& other = all[below(all.size())];
        text.insert(at, other.substr(below(other.size() + 1), below(200)));
      }
    }
    if (text.size() > 20000) text.resize(20000);
  }
  return text;
}

/// A file in which a piece, whole lines or a few bytes, stands again and again.
std::string repeated(const std::string& text, scree::Rng& rng) {
  const auto below = [&rng](std::size_t n) {
    return static_cast<std::size_t>(rng.uniform() * static_cast<double>(n));
  };
  std::size_t from = below(text.size() + 1), to = from + 1 + below(rng.uniform() < 0.5 ? 8 : 200);
  if (rng.uniform() < 0.7) {  // whole lines
    from = text.rfind('\n', from ? from - 1 : 0) + 1;
    to = text.find('\n', std::min(to, text.size()));
    to = to == std::string::npos ? text.size() : to + 1;
  }
  to = std::min(to, text.size());
  const std::string piece = from < to ? text.substr(from, to - from) : std::string(" ");
  std::string big = text.substr(0, from);
  while (big.size() < 1'000'000) big += piece;
  return big + text.substr(from);
}

/// The bytes of a file as they are, where readFile() would decompress it.
std::string rawBytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return bytes;
}

std::string repeatedLine(std::string_view line) {
  std::string big;
  while (big.size() < 1'000'000) big.append(line) += '\n';
  return big;
}

}  // namespace

int main(int argc, char** argv) try {
  std::uint64_t runs = 0, bigRuns = 0, seed = 1;
  bool lines = false, raw = false;
  std::vector<std::string> paths;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word.starts_with("-runs="))
      runs = std::stoull(word.substr(6));
    else if (word.starts_with("-big="))
      bigRuns = std::stoull(word.substr(5));
    else if (word == "-lines")
      lines = true;
    else if (word == "-raw")
      raw = true;
    else if (word.starts_with("-seed="))
      seed = std::stoull(word.substr(6));
    else if (std::filesystem::is_directory(word))
      for (const auto& entry : std::filesystem::directory_iterator(word))
        paths.push_back(entry.path().string());
    else
      paths.push_back(word);
  }
  std::sort(paths.begin(), paths.end());  // folders list in any order
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS}) ::signal(signal, saveCurrent);

  std::vector<std::string> inputs{""};
  for (const std::string& path : paths)
    inputs.push_back(raw ? rawBytesOf(path) : scree::readFile(path));
  for (const std::string& input : inputs) feed(input);
  for (std::size_t k = 0; lines && k < inputs.size(); ++k) {
    std::istringstream text(inputs[k]);
    for (std::string line; std::getline(text, line);) feed(repeatedLine(line));
  }
  scree::Rng rng(seed);
  const auto any = [&]() -> const std::string& {
    const auto k = static_cast<std::size_t>(rng.uniform() * static_cast<double>(inputs.size()));
    return inputs[std::min(k, inputs.size() - 1)];
  };
  for (std::uint64_t k = 0; k < runs; ++k) feed(changed(any(), inputs, rng));
  for (std::uint64_t k = 0; k < bigRuns; ++k) feed(repeated(any(), rng));
  const scree::fuzz::LargestUse most = scree::fuzz::largestUse();
  fmt::print("{} inputs and {} changes of them, {} of a megabyte, seed {}: no crash", inputs.size(),
             runs + bigRuns, bigRuns, seed);
  if (bigRuns > 0)
    fmt::print("; at most {:.1f} bytes of memory a byte, {:.2f} s a megabyte", most.memory,
               most.time);
  fmt::print("\n");
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
