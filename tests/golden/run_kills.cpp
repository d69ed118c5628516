// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are killed at many moments. Nothing that was written is lost or half there, and the run
// that is resumed ends in the same bits and the same files.
#include "tool_test.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"

#include <chrono>

namespace {

/// A way to run: what of the conf-file and the command line differs.
struct Way {
  std::string name, keywords, options, keep;
};
const std::vector<Way> ways{{"plain", "", "", ""},
                            {"rounded", "precision 6\n", "", ""},
                            {"packed", "", " --compress", ""},
                            {"kept", "precision 6\n", "", " --keep last:3"},
                            {"packedKept", "", " --compress", " --keep last:2"},
                            {"rest", "precision 4\n", " --rest 2,1e4,0.005", ""}};

/// Bodies that fall into a box, with three tables and conf-files in quick succession.
void writeCases(const Folder& folder) {
  writeRocks(folder);
  folder.write("dataExtractors.txt",
               "TrackBody 7 rock.txt 3\nMeanVelocity mean.txt 10\nTrackBody 8 sub/rock.txt 7\n");
  std::string text = folder.read("conf0");
  const std::size_t at = text.find("\ninterConf ");
  REQUIRE(at != std::string::npos);
  text.replace(at, text.find('\n', at + 1) - at, "\ninterConf 0.004");
  for (const Way& way : ways)
    folder.write(way.name + ".conf", with(text, "\ntmax 0.4\n", "\ntmax 0.4\n" + way.keywords));
}

std::string commandOf(const Way& way, const std::string& out) {
  return fmt::format("rockable {}.conf -o {} -j 1 --checkpoint 0.004{}", way.name, out,
                     way.options);
}

/// Fault of the files that a killed run has left; "" where there is none. Each file of the
/// whole run is there as it is in that run, or not at all. A table may be there up to some place.
std::string damage(const Folder& folder, const std::string& out,
                   const std::map<std::string, std::string>& whole,
                   const std::set<std::string>& passing) {
  if (!folder.has(out)) return {};
  for (const auto& [name, content] : filesOf(folder, out)) {
    if (name.find(".tmp-") != std::string::npos || name == "perf.txt") continue;
    try {
      if (name == "run.json") {
        if (!parseJson(folder.read(out + "/run.json"))["outputs"].is_array())
          return "run.json names no outputs";
      } else if (name == "restart.conf") {
        if (!confAt(folder.path(out + "/" + name)).state().runState) return name + " is no state";
      } else if (sim::confNumber(name) && passing.contains(name)) {
        if (content != folder.read("all-" + out.substr(out.find('-') + 1) + "/" + name))
          return name + " is not as in the whole run";
      } else if (!whole.contains(name)) {
        return name + " is not of the whole run";
      } else if (sim::confNumber(name) ? content != whole.at(name)
                                       : !whole.at(name).starts_with(content)) {
        return name + " is not as in the whole run";
      }
    } catch (const std::exception& error) {
      return name + ": " + error.what();
    }
  }
  return {};
}

}  // namespace

TEST_CASE("killed at many moments, a run loses nothing and ends in the same files",
          "[golden][run][kills]") {
  const char* wanted = std::getenv("SCREE_KILLS");
  const int kills = wanted ? std::atoi(wanted) : 80;
  REQUIRE(kills > 0);
  const Folder folder;
  writeCases(folder);
  using Clock = std::chrono::steady_clock;
  std::vector<std::map<std::string, std::string>> whole;
  std::vector<std::set<std::string>> passing;  // files that --keep removes again
  std::vector<std::string> hash;
  std::vector<double> seconds;
  for (const Way& way : ways) {
    const auto begin = Clock::now();
    mustRun(folder, commandOf(way, "whole-" + way.name) + way.keep);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    mustRun(folder, commandOf(way, "all-" + way.name));
    whole.push_back(filesOf(folder, "whole-" + way.name));
    hash.push_back(report(folder, "whole-" + way.name)["stateHash"]);
    passing.emplace_back();
    for (const auto& [name, content] : filesOf(folder, "all-" + way.name))
      if (!whole.back().contains(name)) passing.back().insert(name);
  }
  Rng rng(1);
  int done = 0, runs = 0;
  for (std::size_t k = 0; done < kills; k = (k + 1) % ways.size(), ++runs) {
    const Way& way = ways[k];
    const std::string out = fmt::format("out{}-{}", runs, way.name);
    // A run is killed again and again until it has come to its end; then it counts as resumed.
    for (int attempt = 0;; ++attempt) {
      // Some in the first moments, most on the way.
      const double moment = rng.uniform() < 0.2 ? 0.05 * rng.uniform() : 0.6 * rng.uniform();
      const Outcome end =
          run(folder, fmt::format("timeout --preserve-status --foreground -s KILL {} {}{}{}",
                                  attempt > 30 ? 0.0 : moment * seconds[k], commandOf(way, out),
                                  way.keep, attempt > 0 ? " --resume" : ""));
      INFO(way.name << ", attempt " << attempt << "\n" << end.err);
      REQUIRE((end.code == 0 || end.code == 137));
      if (end.code == 0) break;
      ++done;
      REQUIRE(damage(folder, out, whole[k], passing[k]) == "");
    }
    INFO(way.name);
    REQUIRE(difference(folder, "whole-" + way.name, out) == "");
    REQUIRE(report(folder, out)["stateHash"] == hash[k]);
    fs::remove_all(folder.path(out));
  }
  std::printf("%d kills in %d runs, all resumed to the same bits and files\n", done, runs);
}
