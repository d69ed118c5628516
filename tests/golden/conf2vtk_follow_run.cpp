// SPDX-License-Identifier: GPL-3.0-or-later
// conf2vtk --follow beside a run of rockable that writes 200 files, and SIGKILL of either.
#include "catch.hpp"
#include "process.hpp"
#include "run_cases.hpp"
#include "run_folders.hpp"
#include "vtk/collection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

using namespace scree;
using namespace scree::testing;

namespace {

/// Ends its process with signal 9, if it still runs, when it goes.
class Child {
 public:
  Child(const testing::Folder& folder, const std::vector<std::string>& command) {
    pid_ = startTool(folder.path(), command, "log");
  }
  ~Child() {
    if (pid_ > 0) kill();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  void kill() {
    ::kill(pid_, SIGKILL);
    wait();
  }
  int wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0) {
    }
    pid_ = -1;
    return codeOf(status);
  }

 private:
  pid_t pid_ = -1;
};

/// What a look at the collections in `vtk` finds.
struct Looks {
  std::size_t looks = 0, entries = 0, broken = 0, most = 0;

  void look(const testing::Folder& folder) {
    for (const char* kind : {"centres", "particles", "driven", "contacts"}) {
      const std::string path = folder.path(fmt::format("vtk/{}.pvd", kind));
      if (!fs::exists(path)) continue;
      ++looks;
      const auto collection = tools::vtp::readCollection(path);
      broken += !collection;
      if (!collection) continue;
      most = std::max(most, collection->entries.size());
      for (const auto& entry : collection->entries) {
        ++entries;
        std::ifstream in(folder.path("vtk/" + entry.file), std::ios::binary | std::ios::ate);
        std::string end(11, ' ');
        if (in && in.tellg() > 11) {
          in.seekg(-11, std::ios::end);
          in.read(end.data(), 11);
        }
        broken += end != "</VTKFile>\n";
      }
    }
  }
};

const std::vector<std::string> follow{"conf2vtk", "out", "-o", "vtk", "--follow", "-q", "-j", "1"};

/// A ball that bounces on a plate, slowly enough to be watched: 200 files and some.
void writeCase(const testing::Folder& folder) {
  folder.write("shapes.shp", ballAndPlate);
  folder.write("conf0", fallingBall("5e-4", "4e-8"));
}

}  // namespace

TEST_CASE("beside a run its collections name whole pieces, whoever is killed",
          "[golden][conf2vtk]") {
  const testing::Folder folder;
  writeCase(folder);
  const std::vector<std::string> start{"rockable", "conf0", "-o", "out", "-q", "-j", "1"};
  const auto filesNow = [&] {
    std::size_t count = 0;
    if (folder.has("out"))
      for (const auto& entry : fs::directory_iterator(folder.path("out")))
        count += entry.path().filename().string().starts_with("conf");
    return count;
  };
  Looks seen;
  const auto lookUntil = [&](std::size_t files) {
    // At most five minutes, whatever goes wrong.
    for (int k = 0; k < 6000 && filesNow() < files; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      seen.look(folder);
    }
    REQUIRE(filesNow() >= files);
  };
  {
    Child rockable(folder, start);
    {
      Child converter(folder, follow);
      lookUntil(40);
      converter.kill();
    }
    Child converter(folder, follow);
    lookUntil(90);
    rockable.kill();
    seen.look(folder);
    Child resumed(folder, {"rockable", "conf0", "-o", "out", "--resume", "-q", "-j", "1"});
    lookUntil(200);
    CHECK(resumed.wait() == 0);
    CHECK(converter.wait() == 0);
  }
  seen.look(folder);
  INFO(folder.read("log"));
  CHECK(seen.broken == 0);
  CHECK(seen.looks > 20);
  CHECK(seen.entries > 1000);
  CHECK(seen.most >= 200);
  REQUIRE(run(folder, "conf2vtk out -o once -q -j 2").code == 0);
  CHECK(difference(folder, "vtk", "once") == "");
}
