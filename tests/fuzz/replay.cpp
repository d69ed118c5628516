// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for libFuzzer where the compiler has none: feeds files, and random changes to them, to
// the fuzz target it is linked with. The same seed gives the same inputs everywhere.
//
//   fuzz_shape_pack [-runs=N] [-seed=S] FILE|FOLDER...
//
// An input that crashes stands in `crash-input` in the current folder; give it as FILE to see it
// again.
#include "scree/base/files.hpp"
#include "scree/base/rng.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <signal.h>
#include <string>
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
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
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

}  // namespace

int main(int argc, char** argv) try {
  std::uint64_t runs = 0, seed = 1;
  std::vector<std::string> paths;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word.starts_with("-runs="))
      runs = std::stoull(word.substr(6));
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
  for (const std::string& path : paths) inputs.push_back(scree::readFile(path));
  for (const std::string& input : inputs) feed(input);
  scree::Rng rng(seed);
  for (std::uint64_t k = 0; k < runs; ++k) {
    const auto base = static_cast<std::size_t>(rng.uniform() * static_cast<double>(inputs.size()));
    const std::string input = changed(inputs[std::min(base, inputs.size() - 1)], inputs, rng);
    feed(input);
  }
  fmt::print("{} inputs and {} changes of them, seed {}: no crash\n", inputs.size(), runs, seed);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
