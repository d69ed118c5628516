// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace scree::tools {

/// The conf-files that the words of a command line name, sorted by number, not by name:
/// - files and folders.
/// - patterns with * ? [ ] that no file of that very name matches.
/// - `@FILE` for a list with one name a line (`@-`: standard input).
/// - `-` for a conf-file on standard input.
/// @throws UsageError where there are none; IoError for a name or a pattern that matches nothing
std::vector<std::string> conffilesOf(const std::vector<std::string>& words);

/// The same words as paths in the order given, for files that are no conf-files: tables and tracks.
/// A file that is named twice, by whatever path, counts once.
/// @throws as conffilesOf
std::vector<std::string> pathsOf(const std::vector<std::string>& words);

/// Files of a series that cannot be used, while the others are.
struct FileFailures {
  std::vector<std::string> messages;  ///< one line each
  bool ofMachine = false;             ///< one failed to be read: exit code 4

  void add(const Error& error);
  void add(const FileFailures& others);
};

/// Keeps what a program makes of the shapes of conf-files, once for the same ones. Threads wait.
template <class T>
class ShapeCache {
 public:
  explicit ShapeCache(std::function<T(std::vector<shape::Shape>)> make) : make_(std::move(make)) {}

  std::shared_ptr<const T> of(const sim::Conf& conf, Diagnostics& diagnostics) {
    if (conf.particles.empty()) return std::make_shared<const T>();
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<const T>& made = made_[{sim::shapeFileOf(conf), conf.shapeNames}];
    if (!made) made = std::make_shared<const T>(make_(sim::shapesOf(conf, diagnostics)));
    return made;
  }

 private:
  std::function<T(std::vector<shape::Shape>)> make_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::vector<std::string>>, std::shared_ptr<const T>> made_;
};

/// The conf-files that files and folders stand for at this moment, in the order of their numbers.
/// None while nothing exists, and where a file disappears meanwhile. For tools that follow a run.
std::vector<std::string> confFilesNow(const std::vector<std::string>& paths);

/// Whether the run that writes these conf-files is over. Its `run.json` is then not older than the
/// newest of them, or, without a run.json, the newest has reached tmax.
bool runIsOver(const std::vector<std::string>& files);

/// Calls look(files, over) with the conf-files there are, every so many `seconds`, until the run
/// that writes them is over or `stopped` returns true. Waits for a folder that does not exist yet.
void followFiles(const std::vector<std::string>& paths, double seconds,
                 const std::function<bool()>& stopped,
                 const std::function<void(const std::vector<std::string>& files, bool over)>& look);

}  // namespace scree::tools
