// SPDX-License-Identifier: GPL-3.0-or-later
#include "inputs.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <glob.h>
#include <set>
#include <thread>

namespace scree::tools {
namespace {

void addPattern(const std::string& pattern, std::vector<std::string>& paths) {
  glob_t found{};
  const int code = ::glob(pattern.c_str(), 0, nullptr, &found);
  for (std::size_t k = 0; code == 0 && k < found.gl_pathc; ++k)
    paths.emplace_back(found.gl_pathv[k]);
  ::globfree(&found);
  if (code == GLOB_NOSPACE) throw std::bad_alloc();
  if (code != 0) throw IoError(fmt::format("{}: no file matches", pattern));
}

void addWord(const std::string& word, std::vector<std::string>& paths) {
  if (word.find_first_of("*?[") != std::string::npos && !isThere(word))
    addPattern(word, paths);
  else
    paths.push_back(word);
}

void addList(const std::string& list, std::vector<std::string>& paths) {
  if (list.empty()) throw UsageError("'@': expected the name of a list behind it, or @-");
  const std::string text = readFile(list);
  std::size_t names = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    line.resize(std::min(line.size(), line.find(" #")));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    line.erase(0, line.find_first_not_of(" \t"));
    if (line.empty() || line[0] == '#') continue;
    addWord(line, paths);
    ++names;
  }
  if (names == 0) throw IoError(fmt::format("{}: there is no name in this list", inputName(list)));
}

}  // namespace

std::vector<std::string> pathsOf(const std::vector<std::string>& words) {
  std::vector<std::string> paths;
  for (const std::string& word : words) {
    if (word.starts_with('@'))
      addList(word.substr(1), paths);
    else
      addWord(word, paths);
  }
  std::set<std::filesystem::path> seen;
  std::erase_if(paths, [&](const std::string& path) {
    std::error_code code;
    return path != "-" && !seen.insert(std::filesystem::weakly_canonical(path, code)).second;
  });
  return paths;
}

std::vector<std::string> conffilesOf(const std::vector<std::string>& words) {
  if (words.empty()) throw UsageError("no conf-files given");
  if (words.size() == 1 && words.front() == "-") return words;
  const std::vector<std::string> paths = pathsOf(words);
  if (std::ranges::find(paths, "-") != paths.end())
    throw UsageError("'-' stands for one conf-file; give no others beside it");
  auto series = sim::confSeries(paths);
  if (series.empty())
    throw IoError(fmt::format("{}: there is no conf-file in it", fmt::join(words, " ")));
  return series;
}

void FileFailures::add(const Error& error) {
  messages.emplace_back(error.what());
  ofMachine = ofMachine || dynamic_cast<const IoError*>(&error) != nullptr;
}

void FileFailures::add(const FileFailures& others) {
  messages.insert(messages.end(), others.messages.begin(), others.messages.end());
  ofMachine = ofMachine || others.ofMachine;
}

std::vector<std::string> confFilesNow(const std::vector<std::string>& paths) {
  std::vector<std::string> there;
  for (const std::string& path : paths)
    if (isThere(path)) there.push_back(path);
  if (there.empty()) return {};
  try {
    return sim::confSeries(there);
  } catch (const Error&) {
    return {};  // a file went between two looks
  } catch (const std::filesystem::filesystem_error&) {
    return {};
  }
}

bool runIsOver(const std::vector<std::string>& files) {
  if (files.empty()) return false;
  namespace fs = std::filesystem;
  std::error_code code;
  fs::file_time_type newest = fs::file_time_type::min();
  for (const std::string& file : files) newest = std::max(newest, fs::last_write_time(file, code));
  const fs::path folder = fs::path(files.back()).parent_path();
  const auto recorded = fs::last_write_time(folder / "run.json", code);
  if (!code)  // else of an earlier run
    return recorded >= newest && sim::earlierRun(folder.string()).status != "running";
  try {
    Diagnostics ignored;
    const sim::Conf last = sim::readConfFromFile(files.back(), ignored);
    return last.t >= last.tmax - 0.5 * last.dt;
  } catch (const Error&) {
    return false;
  }
}

void followFiles(
    const std::vector<std::string>& paths, double seconds, const std::function<bool()>& stopped,
    const std::function<void(const std::vector<std::string>& files, bool over)>& look) {
  for (;;) {
    // Asked before the files are listed: what the run wrote last is among them.
    const bool over = runIsOver(confFilesNow(paths));
    look(confFilesNow(paths), over);
    if (over || stopped()) return;
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < until && !stopped())
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace scree::tools
