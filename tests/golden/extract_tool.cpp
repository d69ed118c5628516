// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of extract: inputs, order of options, columns, tables that go on.
#include "catch.hpp"
#include "command.hpp"
#include "paths.hpp"
#include "skip.hpp"
#include "squeezed_run.hpp"

#include "scree/base/text_reader.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

using namespace scree;
using namespace scree::testing;
using Catch::Matchers::Contains;

namespace {

/// conf0, conf9 and conf10 at t = 0, 9 and 10.
void writeSeries(const Folder& folder) {
  for (const int k : {0, 9, 10}) writeSqueezed(folder, k, k, 20.0);
}

/// Lines of a table that are no comment.
const std::vector<std::string> vx{"t,vx", "0,0", "9,3", "10,3.3333333333333335"};

}  // namespace

TEST_CASE("options of extract stand in any order, and each takes its own value alone",
          "[golden][extract]") {
  const Folder folder;
  writeSeries(folder);
  for (const char* command :
       {"extract TrackBody --body 2 run --columns t,vx",
        "extract TrackBody run --columns t,vx --body 2",
        "extract TrackBody --body=2 --columns=t,vx run",
        "extract TrackBody 'run/conf*' --body 2 --columns t,vx",
        "extract TrackBody run/conf10 run/conf9 run/conf0 --body 2 --columns t,vx",
        "ls run/conf* | extract bodies @- --columns t,vx",
        "ls -r run/conf* > list; extract bodies --columns t,vx @list"}) {
    INFO(command);
    const Outcome o = run(folder, command);
    INFO(o.err);
    CHECK(o.code == 0);
    CHECK(linesOf(o.out) == vx);
  }
  CHECK(linesOf(run(folder, "extract energy run/conf0 --add run=007 --columns run").out) ==
        std::vector<std::string>{"run", "007"});
  CHECK(linesOf(run(folder, "extract bodies run --add mu=0.5 --add name=a --columns name,t").out) ==
        std::vector<std::string>{"name,t,mu", "a,0,0.5", "a,9,0.5", "a,10,0.5"});
  // The name of a table says its format.
  for (const char* format : {"json", "jsonl", "tsv", "txt", "csv"}) {
    INFO(format);
    const std::string name = std::string("t.") + format;
    CHECK(run(folder, "extract energy run -o " + name).code == 0);
    CHECK(run(folder, "extract energy run -o other --force --format " + std::string(format)).code ==
          0);
    const auto content = [&](const std::string& file) {
      std::string text = folder.read(file);  // without the command line
      const auto at = text.find("extract energy run"), end = text.find_first_of("\"\n", at);
      return at == std::string::npos ? text : text.erase(at, end - at);
    };
    CHECK(content(name) == content("other"));
  }
  CHECK(linesOf(run(folder, "extract bodies run --columns vx --digits 3").out).back() == "3.33");
  CHECK(
      linesOf(run(folder, "extract bodies run/conf9 --driven --select 'x > 0' --columns id").out) ==
      std::vector<std::string>{"id", "1"});
}

TEST_CASE("files of several folders are runs of their own, unless they are one series by name",
          "[golden][extract]") {
  const Folder folder;
  writeSeries(folder);
  REQUIRE(run(folder, "mkdir -p all && cp -r run all/a && cp -r run all/d").code == 0);
  const Outcome o = run(folder, "extract runout all/a all/d --columns run,id,path");
  INFO(o.err);
  CHECK(linesOf(o.out) == std::vector<std::string>{"run,id,path", "a,2,0", "d,2,0"});
  CHECK_THAT(o.err, Contains("2 runs"));
  CHECK(linesOf(run(folder, "extract bodies 'all/*/conf*' --columns run,t").out) ==
        std::vector<std::string>{"run,t", "a,0", "a,9", "a,10", "d,0", "d,9", "d,10"});
  CHECK(linesOf(run(folder, "extract bodies all/a all/d --columns t --one-series").out) ==
        std::vector<std::string>{"t", "0", "0", "9", "9", "10", "10"});
  // One raster of both runs counts two bodies.
  CHECK(
      linesOf(run(folder, "extract reach --cell 1 --together all/a all/d --columns passes").out) ==
      std::vector<std::string>{"passes", "2"});
  CHECK(linesOf(run(folder, "extract reach --cell 1 all/a all/d --columns run,passes").out) ==
        std::vector<std::string>{"run,passes", "a,1", "d,1"});
  for (const char* option : {"--append", "--follow"})
    CHECK(run(folder, std::string("extract bodies all/a all/d -o t.csv ") + option).code == 2);
  folder.write("pp.txt",
               "firstConf 0\nlastConf 0\nstepConf 1\nPostProcessor ParticleStress\nVolume 1\n");
  CHECK(run(folder, "extract --postpro pp.txt all/a all/d -o pp").code == 2);
}

TEST_CASE("a run is itself by whatever path, and others have other names or times",
          "[golden][extract]") {
  const Folder folder;
  writeSeries(folder);
  const auto rows = [&](const std::string& command) {
    const Outcome o = run(folder, command);
    INFO(o.err);
    CHECK(o.code == 0);
    return linesOf(o.out);
  };
  // Named twice, it counts once.
  CHECK(rows("extract runout run ./run/ $PWD/run/conf9 --columns id,vMax").size() == 2);
  CHECK(rows("extract bodies run/conf0 ./run/conf0 --columns t").size() == 2);
  // Runs whose folders have the same name are named after the parent folders; --columns keeps
  // `run`.
  REQUIRE(run(folder, "mkdir x y && cp -r run x/out && cp -r run y/out").code == 0);
  CHECK(rows("extract runout x/out y/out --columns id") ==
        std::vector<std::string>{"run,id", "x,2", "y,2"});
  // Files of a second run behind those of the first: times fall, or are equal.
  REQUIRE(run(folder, "cp run/conf0 run/conf11; cp run/conf9 run/conf12; cp run/conf9 run/conf13")
              .code == 0);
  CHECK(rows("extract bodies run --columns t") ==
        std::vector<std::string>{"run,t", "conf0,0", "conf0,9", "conf0,10", "conf11,0", "conf11,9",
                                 "conf13,9"});
  CHECK(rows("extract bodies run --columns t --one-series").size() == 7);
}

TEST_CASE("quality finds the runs below a folder", "[golden][extract]") {
  const Folder folder;
  writeSeries(folder);
  REQUIRE(run(folder,
              "for k in a b; do rockable run/conf0 --steps 1 -q -o runs/$k/out; done; "
              "test -f runs/b/out/run.json")
              .code == 0);
  const Outcome o = run(folder, "extract quality runs --columns run,status");
  INFO(o.err);
  CHECK(linesOf(o.out) == std::vector<std::string>{"run,status", "a,stopped", "b,stopped"});
  CHECK(run(folder, "extract quality run").code == 4);
}

TEST_CASE("a damaged file in a series is named, the others are measured, and the code is 3",
          "[golden][extract]") {
  const Folder folder;
  writeSeries(folder);
  const std::string whole = folder.read("run/conf9");
  folder.write("run/conf9", whole.substr(0, whole.size() / 2));
  const Outcome o = run(folder, "extract bodies run --columns t,vx");
  CHECK(o.code == 3);
  CHECK(linesOf(o.out) == std::vector<std::string>{"t,vx", "0,0", vx.back()});
  CHECK_THAT(o.err, Contains("run/conf9:") && Contains("1 of 3 conf-files skipped"));
  const Outcome alone = run(folder, "extract bodies run/conf9 -o out.csv");
  CHECK(alone.code == 3);
  CHECK_FALSE(folder.has("out.csv"));
}

TEST_CASE("measures of public field cases have the values of their formulas",
          "[golden][extract][field]") {
  const std::string cases = dataFolder() + "/field/runs";
  if (!std::filesystem::exists(cases)) return skip("no field cases");
  const Folder folder;
  const auto cell = [&](const std::string& command, std::size_t row, std::size_t column) {
    const Outcome o = run(folder, "extract " + command);
    INFO(command << "\n" << o.err);
    std::istringstream line(linesOf(o.out).at(row + 1));
    std::string text;
    for (std::size_t k = 0; k <= column; ++k) std::getline(line, text, ',');
    return parseNumber(text).value_or(std::nan(""));
  };
  // Walls that lean: simple shear keeps the volume. A box turned by 30 degrees, pressed.
  const std::string leaning =
      "macro --columns exx,eyy,exy,ev " + cases + "/00_macro_strain_of_leaning_walls/conf";
  for (const auto& [k, values] : {std::pair(1, Vec3(-0.002496, 0.002496, -0.049917)),
                                  std::pair(2, Vec3(-0.022169, 0.022169, -0.147790))}) {
    const auto row = static_cast<std::size_t>(k);
    for (std::size_t c = 0; c < 3; ++c)
      CHECK(cell(leaning + "1[012]", row, c) ==
            Approx(values[static_cast<Eigen::Index>(c)]).margin(1e-6));
    CHECK(std::abs(cell(leaning + "1[012]", row, 3)) < 1e-12);
  }
  for (const auto& [column, value] :
       {std::pair(0, 0.014227), {1, 0.042681}, {2, -0.024642}, {3, 0.0569084}})
    CHECK(cell(leaning + "[01]", 1, static_cast<std::size_t>(column)) ==
          Approx(value).margin(1e-6));
  // Slices of skew cells sum to the sample.
  for (const char* file : {"conf0", "conf1"}) {
    double bodies = 0.0, phi = 0.0;
    const std::string profile = "profile --axis x --bins 4 --columns bodies,phi " + cases +
                                "/01_profile_counts_images_in_sheared_cell/" + file;
    for (std::size_t b = 0; b < 4; ++b) {
      bodies += cell(profile, b, 0);
      phi += 0.25 * cell(profile, b, 1);
    }
    CHECK(bodies == Approx(3.0).epsilon(1e-12));
    CHECK(phi == Approx(0.012566370614359173).epsilon(1e-12));
  }
  // A turned box, and rings in a cylinder that is turned with gravity.
  const std::string uneven = cases + "/02_profile_phi_slices_of_unequal_volume/conf";
  for (std::size_t b = 0; b < 6; ++b)
    CHECK(cell("profile --axis z --bins 6 --columns phi " + uneven + "1", b, 0) < 1.0);
  const double rings[] = {0.3948552128643916, 0.4334750956051795, 0.4559479561853355,
                          0.43586043032157934, 0.3304396341269266};
  for (const char* file : {"4", "5", "6"})
    for (std::size_t b = 0; b < 5; ++b)
      CHECK(cell("profile --axis radial --bins 5 --columns phi " + uneven + file, b, 0) ==
            Approx(rings[b]).epsilon(1e-9));
  CHECK(cell("walls --columns area " + cases + "/04_walls_area_of_tilted_cylinder/conf0", 2, 0) ==
        Approx(4.0 * pi).epsilon(1e-12));
  const Outcome tracks =
      run(folder, "conf2vtk " + cases +
                      "/05_conf2vtk_displacement_tracks_not_nearest_image/conf0 " + cases +
                      "/05_conf2vtk_displacement_tracks_not_nearest_image/conf1 "
                      "-o vtk --ascii --tracks --contacts none; "
                      "grep -A1 'Name=\"length\"' vtk/tracks/tracks.vtp");
  CHECK_THAT(tracks.out, Contains("0.46637"));
  // Nine of ten impacts fall between the files.
  REQUIRE(
      run(folder, "cp " + cases + "/07_impacts_missed_between_files/* . && rockable conf0 -o out")
          .code == 0);
  CHECK_THAT(run(folder, "extract impacts out").err, Contains("velocities change 9 times"));
}

TEST_CASE("extract refuses what it cannot use with one line that helps", "[golden][extract]") {
  const Folder folder;
  writeSeries(folder);
  folder.write("text.csv", "precious text\n");
  const auto [command, code, message] = GENERATE(table<std::string, int, std::string>({
      {"extract TrackBody run", 2, "--body"},
      {"extract TrackBody --body 1,x run", 2, "--body: expected a whole number from 0"},
      {"extract TrackBody --body 9 run/conf9", 3, "there is no body 9"},
      {"extract bodies run --columns t,vw", 2, "there is no column 'vw'"},
      {"extract bodies run --select 'z <'", 2, "--select: 'z <': column 4"},
      {"extract stress run --each bin:w,3", 2, "--each: expected body, group or bin:AXIS,N"},
      {"extract stress run/conf9 --volume cell", 3, "--volume cell: there is no periodic cell"},
      {"extract fabric run --of bonds", 2, "--of: expected one of points pairs"},
      {"extract bodies 'nothing*'", 4, "nothing*: no file matches"},
      {"extract bodies run --add x=1", 2, "with a new NAME"},
      {"extract bodies run --columns x,t --append -o t.csv", 2, "whose first column is t"},
      {"extract bodies run --append -o t.jsonl", 2, "csv, tsv or txt"},
      {"extract bodies run --append", 2, "expected -o FILE"},
      {"extract bodies run --append -o text.csv", 2, "is no table of extract"},
      {"extract runout run --append -o runout.csv", 2, "runout needs the whole series"},
      {"extract --script s.txt --postpro p.txt run", 2, "excludes"},
      {"extract TrackBdy run", 2, "did you mean 'TrackBody'?"},
  }));
  INFO(command);
  const Outcome o = run(folder, command);
  CHECK(o.code == code);
  CHECK_THAT(o.err, Contains(message));
  CHECK(std::count(o.err.begin(), o.err.end(), '\n') == 1);
  CHECK(folder.read("text.csv") == "precious text\n");
}

TEST_CASE("diff names what differs in two files, to the last bit", "[golden][extract][diff]") {
  const Folder folder;
  writeSeries(folder);
  CHECK(run(folder, "extract diff run/conf9 run/conf9").code == 0);
  Diagnostics quiet;
  sim::Conf conf = sim::readConfFromFile(folder.path("run/conf9"), quiet);
  conf.particles[2].vel.x() = std::nextafter(conf.particles[2].vel.x(), 9.0);
  conf.interactions[1].fn += 0.25;
  conf.interactions.erase(conf.interactions.begin());
  folder.write("other", sim::confText(conf));
  const Outcome o =
      run(folder, "extract diff run/conf9 other --columns body,other,sub,quantity,a,b");
  INFO(o.err);
  CHECK(o.code == 3);
  CHECK(linesOf(o.out) ==
        std::vector<std::string>{"body,other,sub,quantity,a,b", "2,0,vf:0:0,contact,1,0",
                                 "2,1,vf:0:0,fn,50,50.25", "2,-1,-,vx,3,3.0000000000000004"});
  CHECK(linesOf(run(folder, "extract diff run/conf9 other --tolerance 0.01").out).size() == 2);
  CHECK(run(folder, "extract diff run/conf9 other --first --columns body").code == 3);
  CHECK(run(folder, "extract diff run other").code == 2);
  CHECK(run(folder, "extract diff run").code == 2);
  CHECK(run(folder, "extract diff run nothing").code == 4);
  CHECK(run(folder, "extract diff run run").code == 0);
}
