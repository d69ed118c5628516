// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of extract: inputs, order of options, columns, tables that go on.
#include "squeezed_run.hpp"
#include "tool_test.hpp"

#include <numeric>

namespace {

/// conf0, conf9 and conf10 at t = 0, 9 and 10.
struct SeriesFolder : Folder {
  SeriesFolder() {
    for (const int k : {0, 9, 10}) writeSqueezed(*this, k, k, 20.0);
  }
};

const std::string vx = "t,vx\n0,0\n9,3\n10,3.3333333333333335\n";

}  // namespace

TEST_CASE("options of extract stand in any order, and files are runs by folder, name and time",
          "[golden][extract]") {
  const SeriesFolder folder;
  for (const char* command :
       {"TrackBody --body 2 run --columns t,vx", "TrackBody run --columns t,vx --body 2",
        "TrackBody --body=2 --columns=t,vx run", "TrackBody 'run/conf*' --body 2 --columns t,vx",
        "TrackBody run/conf10 run/conf9 run/conf0 --body 2 --columns t,vx",
        "bodies @list --columns t,vx", "bodies --columns t,vx @- <list"})
    CHECK(tableOf(folder, std::string("ls -r run/conf* > list; extract ") + command) == vx);
  mustRun(
      folder,
      "mkdir all x y; for to in all/a all/d x/out y/out again; do cp -r run $to; done; cd again; "
      "cp conf0 conf11; cp conf9 conf12; cp conf9 conf13");
  for (const auto& [command, table] : std::vector<std::pair<std::string, std::string>>{
           {"energy run/conf0 --add run=007 --columns run", "run\n007\n"},
           {"bodies run --add mu=0.5 --add name=a --columns name,t",
            "name,t,mu\na,0,0.5\na,9,0.5\na,10,0.5\n"},
           {"bodies run/conf10 --columns vx --digits 3", "vx\n3.33\n"},
           {"bodies run/conf9 --driven --select 'x > 0' --columns id", "id\n1\n"},
           {"runout all/a all/d --columns run,id,path", "run,id,path\na,2,0\nd,2,0\n"},
           {"bodies 'all/*/conf*' --columns run,t", "run,t\na,0\na,9\na,10\nd,0\nd,9\nd,10\n"},
           {"bodies all/a all/d --columns t --one-series", "t\n0\n0\n9\n9\n10\n10\n"},
           // One raster of both runs counts two bodies.
           {"reach --cell 1 --together all/a all/d --columns passes", "passes\n2\n"},
           {"reach --cell 1 all/a all/d --columns run,passes", "run,passes\na,1\nd,1\n"},
           // Named twice, a run counts once.
           {"runout run ./run/ $PWD/run/conf9 --columns id", "id\n2\n"},
           {"bodies run/conf0 ./run/conf0 --columns t", "t\n0\n"},
           // Runs whose folders have the same name are named after the parent folders; --columns
           // keeps `run`.
           {"runout x/out y/out --columns id", "run,id\nx,2\ny,2\n"},
           // Files of a second run behind those of the first: times fall, or are equal.
           {"bodies again --columns t",
            "run,t\nconf0,0\nconf0,9\nconf0,10\nconf11,0\nconf11,9\nconf13,9\n"},
           {"bodies again --columns t --one-series", "t\n0\n9\n10\n0\n9\n9\n"}})
    CHECK(tableOf(folder, "extract " + command) == table);
  expect(folder, "extract runout all/a all/d", 0, {"2 runs"});
  for (const std::string option : {"--append", "--follow"})
    expect(folder, "extract bodies all/a all/d -o t.csv " + option, 2);
  folder.write("pp.txt",
               "firstConf 0\nlastConf 0\nstepConf 1\nPostProcessor ParticleStress\nVolume 1\n");
  expect(folder, "extract --postpro pp.txt all/a all/d -o pp", 2);
  // The name of a table says its format.
  for (const std::string format : {"json", "jsonl", "tsv", "txt", "csv"}) {
    INFO(format);
    expect(folder, "extract energy run -o t." + format, 0);
    expect(folder, "extract energy run -o other --force --format " + format, 0);
    CHECK(run(folder, "sed 's/extract energy run[^\"]*//' t." + format).out ==
          run(folder, "sed 's/extract energy run[^\"]*//' other").out);
  }
}

TEST_CASE("gr sees the round wall of a file without contacts", "[golden][extract]") {
  const Folder folder;
  mustRun(folder,
          "shapeSurvey make sphere --size 0.1 --name ball -q -o ball.shp; packgen scatter --shapes "
          "ball.shp --container sphere:0.5 --number 100 -q -o conf0");
  const std::string g = tableOf(folder, "extract gr conf0 --shells 4 --max 0.6");
  CHECK(g == tableOf(folder, "extract gr conf0 --shells 4 --max 0.6 --select 'volume > 0'"));
  CHECK(tableOf(folder, "extract gr conf0 --shells 1 --max 0.4 --columns g").substr(2, 3) < "1.1");
}

TEST_CASE("quality finds the runs below a folder", "[golden][extract]") {
  const SeriesFolder folder;
  mustRun(folder, "for k in a b; do rockable run/conf0 --steps 1 -q -o runs/$k/out || exit; done");
  CHECK(tableOf(folder, "extract quality runs --columns run,status") ==
        "run,status\na,stopped\nb,stopped\n");
  expect(folder, "extract quality run", 4);
}

TEST_CASE("a damaged file in a series is named, the others are measured, and the code is 3",
          "[golden][extract]") {
  const SeriesFolder folder;
  const std::string whole = folder.read("run/conf9");
  folder.write("run/conf9", whole.substr(0, whole.size() / 2));
  CHECK(expect(folder, "extract bodies run --columns t,vx", 3,
               {"run/conf9:", "1 of 3 conf-files skipped"})
            .out.ends_with(with("\n" + vx, "9,3\n", "")));
  expect(folder, "extract bodies run/conf9 -o out.csv", 3);
  CHECK_FALSE(folder.has("out.csv"));
}

TEST_CASE("measures of public field cases have the values of their formulas",
          "[golden][extract][field]") {
  const std::string cases = publicData("field/runs");
  if (cases.empty()) return;
  const Folder folder;
  const auto path = [&](const char* name) { return cases + "/" + name + "/conf"; };
  // Walls that lean: simple shear keeps the volume. A box turned by 30 degrees, pressed.
  const std::string leaning = "macro " + path("00_macro_strain_of_leaning_walls");
  struct Strain {
    std::string files, column;
    std::vector<double> values;  ///< from the second file on
  };
  for (const Strain& s : std::vector<Strain>{{"1[012]", "exx", {-0.002496, -0.022169}},
                                             {"1[012]", "eyy", {0.002496, 0.022169}},
                                             {"1[012]", "exy", {-0.049917, -0.147790}},
                                             {"1[012]", "ev", {0.0, 0.0}},
                                             {"[01]", "exx", {0.014227}},
                                             {"[01]", "eyy", {0.042681}},
                                             {"[01]", "exy", {-0.024642}},
                                             {"[01]", "ev", {0.0569084}}}) {
    INFO(s.files << " " << s.column);
    const std::vector<double> found = columnOf(folder, leaning + s.files, s.column);
    for (std::size_t k = 0; k < s.values.size(); ++k)
      CHECK(found.at(k + 1) == Approx(s.values[k]).margin(s.values[k] == 0.0 ? 1e-12 : 1e-6));
  }
  // Slices of skew cells sum to the sample.
  for (const char* file : {"0", "1"}) {
    const std::string profile =
        "profile --axis x --bins 4 " + path("01_profile_counts_images_in_sheared_cell") + file;
    const auto bodies = columnOf(folder, profile, "bodies"), phi = columnOf(folder, profile, "phi");
    CHECK(std::accumulate(bodies.begin(), bodies.end(), 0.0) == Approx(3.0).epsilon(1e-12));
    CHECK(std::accumulate(phi.begin(), phi.end(), 0.0) / 4 ==
          Approx(0.012566370614359173).epsilon(1e-12));
  }
  // A turned box, and rings in a cylinder that is turned with gravity.
  const std::string uneven = path("02_profile_phi_slices_of_unequal_volume");
  for (const double phi : columnOf(folder, "profile --axis z --bins 6 " + uneven + "1", "phi"))
    CHECK(phi < 1.0);
  const double rings[] = {0.3948552128643916, 0.4334750956051795, 0.4559479561853355,
                          0.43586043032157934, 0.3304396341269266};
  for (const char* file : {"4", "5", "6"}) {
    const auto phi = columnOf(folder, "profile --axis radial --bins 5 " + uneven + file, "phi");
    for (std::size_t b = 0; b < 5; ++b) CHECK(phi.at(b) == Approx(rings[b]).epsilon(1e-9));
  }
  CHECK(columnOf(folder, "walls " + path("04_walls_area_of_tilted_cylinder") + "0", "area").at(2) ==
        Approx(4.0 * pi).epsilon(1e-12));
  // Nine of ten impacts fall between the files.
  mustRun(folder, "cp " + cases + "/07_impacts_missed_between_files/* . && rockable conf0 -o out");
  expect(folder, "extract impacts out", 0, {"velocities change 9 times"});
}

TEST_CASE("extract refuses what it cannot use with one line that helps", "[golden][extract]") {
  const SeriesFolder folder;
  folder.write("text.csv", "precious text\n");
  expectRefusals(folder, "extract ", "", {"t.csv", "t.jsonl", "runout.csv"},
                 {{"TrackBody run", 2, "--body"},
                  {"TrackBody --body 1,x run", 2, "--body: expected a whole number from 0"},
                  {"TrackBody --body 9 run/conf9", 3, "there is no body 9"},
                  {"bodies run --columns t,vw", 2, "there is no column 'vw'"},
                  {"bodies run --select 'z <'", 2, "--select: 'z <': column 4"},
                  {"stress run --each bin:w,3", 2, "--each: expected body, group or bin:AXIS,N"},
                  {"stress run/conf9 --volume cell", 3, "--volume cell: there is no periodic cell"},
                  {"fabric run --of bonds", 2, "--of: expected one of points pairs"},
                  {"bodies 'nothing*'", 4, "nothing*: no file matches"},
                  {"bodies run --add x=1", 2, "with a new NAME"},
                  {"bodies run --columns x,t --append -o t.csv", 2, "whose first column is t"},
                  {"bodies run --append -o t.jsonl", 2, "csv, tsv or txt"},
                  {"bodies run --append", 2, "expected -o FILE"},
                  {"bodies run --append -o text.csv", 2, "is no table of extract"},
                  {"runout run --append -o runout.csv", 2, "runout needs the whole series"},
                  {"--script s.txt --postpro p.txt run", 2, "excludes"},
                  {"TrackBdy run", 2, "did you mean 'TrackBody'?"},
                  {"diff run nothing", 4, "nothing"}});
  CHECK(folder.read("text.csv") == "precious text\n");
}

TEST_CASE("diff names what differs in two files, to the last bit", "[golden][extract][diff]") {
  const SeriesFolder folder;
  expect(folder, "extract diff run/conf9 run/conf9", 0);
  sim::Conf conf = confAt(folder.path("run/conf9"));
  conf.particles[2].vel.x() = std::nextafter(conf.particles[2].vel.x(), 9.0);
  conf.interactions[1].fn += 0.25;
  conf.interactions.erase(conf.interactions.begin());
  folder.write("other", sim::confText(conf));
  CHECK(expect(folder, "extract diff run/conf9 other --columns body,other,sub,quantity,a,b", 3)
            .out.ends_with("body,other,sub,quantity,a,b\n2,0,vf:0:0,contact,1,0\n"
                           "2,1,vf:0:0,fn,50,50.25\n2,-1,-,vx,3,3.0000000000000004\n"));
  CHECK(linesOf(run(folder, "extract diff run/conf9 other --tolerance 0.01").out).size() == 2);
  expect(folder, "extract diff run/conf9 other --first --columns body", 3);
  expect(folder, "extract diff run other", 2);
  expect(folder, "extract diff run run", 0);
  sim::Conf set = confAt(folder.path("run/conf9"));
  set.forceLaw = "HertzMindlin";
  set.integrator = "Euler";
  set.contactPartnership = "NumberWeight";
  set.numericalDampingCoeff = 0.5;
  set.setGroupParameter("youngModulus", 3, 1e9);
  set.boundaries = {{sim::Boundary::Kind::plane, Vec3(0, -9, 0), Vec3::UnitY(), 0.0, 0}};
  folder.write("set", sim::confText(set));
  CHECK(expect(folder, "extract diff run/conf9 set --columns sub,quantity", 3)
            .out.ends_with("sub,quantity\n3,youngModulus\n-,forceLaw\n-,Integrator\n"
                           "-,ContactPartnership\n-,boundaries\n-,numericalDampingCoeff\n"));
  set.boundaries[0].centre.y() = -8;
  set.boundaries[0].group = 3;
  folder.write("moved", sim::confText(set));
  CHECK(expect(folder, "extract diff set moved --columns sub,quantity,a,b", 3)
            .out.ends_with("\nwall:0,group,0,3\nwall:0,centre.y,-9,-8\n"));
}
