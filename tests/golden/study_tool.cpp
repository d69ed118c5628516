// SPDX-License-Identifier: GPL-3.0-or-later
// Studies as users run them: killed and resumed by each of their scripts, the same table to the
// byte.
#include "tool_test.hpp"

namespace {

/// Boxes that slide on a plate, at different friction and speed: eight runs.
void writeStudy(const Folder& folder, const std::string& name) {
  if (!folder.has("case/conf0")) {
    mustRun(folder, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp");
    mustRun(
        folder,
        "packgen lattice --shape box.shp --cells 2 2 2 --spacing 1.3 --walls 0.2 --duration "
        "0.3 --interconf 0.02 --dt 4e-5 --kn 1e6 -q -o lattice/conf0 && "
        "packgen transform lattice/conf0 --set 'vx=77*!driven' -q -o case/conf0 && sed -i 's/ 77 / "
        "@vx@ /' case/conf0");
  }
  mustRun(folder,
          "packgen ensemble case --vary muContact:1-1=0.1:0.4:4 --vary vx=0,2 --collect "
          "'energy --columns t,kinetic' -q -o " +
              name);
}

json statusOf(const Folder& folder, const std::string& name) {
  return jsonOf(folder, "packgen ensemble --status " + name + " --json");
}

}  // namespace

TEST_CASE("a study that is killed and resumed by its scripts, or queued again, has the same table",
          "[golden][study]") {
  const Folder folder;
  writeStudy(folder, "whole");
  mustRun(folder,
          "cd whole && for r in $(sh step.sh list); do sh step.sh $r; done && sh step.sh join");
  const std::string expected = folder.read("whole/result.csv");
  CHECK(linesOf(expected).size() == 1 + 8 * 16);
  CHECK(linesOf(expected).front() == "run,t,kinetic,seed,muContact:1-1,vx");
  CHECK(statusOf(folder, "whole").at("done") == 8);
  for (const auto& [name, command] :
       {std::pair<std::string, std::string>("parallel", "sh parallel/run.sh -j 2"),
        {"snakemake",
         "snakemake -d snakemake -s snakemake/Snakefile -j 2 --keep-going --rerun-incomplete "
         "--nolock"}}) {
    INFO(name);
    if (!isInstalled(name) || !isInstalled("setsid") || !isInstalled("pkill")) {
      std::puts((name + ", setsid or pkill is missing: not tested").c_str());
      continue;
    }
    writeStudy(folder, name);
    CHECK(statusOf(folder, name).at("waiting") == 8);
    mustRun(folder, "setsid " + command + " >/dev/null 2>&1 & p=$!; for k in $(seq 600); do [ -f " +
                        name +
                        "/0003/conf5 ] && break; sleep 0.05; done; pkill -9 -s $p; wait $p; "
                        // A process may begin others until it is gone, and takes its time to go.
                        "for k in $(seq 200); do pkill -9 -s $p || break; sleep 0.05; done; true");
    const json after = statusOf(folder, name);
    CHECK(after.at("done").get<int>() < 8);
    CHECK(after.at("waiting").get<int>() < 7);
    mustRun(folder, command);
    CHECK(folder.read(name + "/result.csv") == expected);
    CHECK(statusOf(folder, name).at("done") == 8);
    // A further call computes nothing.
    const auto time = fs::last_write_time(folder / (name + "/0008/run.json"));
    mustRun(folder, command);
    CHECK(fs::last_write_time(folder / (name + "/0008/run.json")) == time);
  }
  // A job array, which is queued again when its time is over.
  writeStudy(folder, "study");
  for (const std::string script : {"run.sh", "slurm.sh", "step.sh"})
    mustRun(folder, "sh -n study/" + script + " && bash -n study/" + script);
  // The array here: its tasks one after the other. The first run is stopped, as by TERM.
  folder.write("bin/sbatch", R"(#!/bin/sh
echo "$*" >>jobs
for word; do case $word in --array=*) n=${word#--array=1-} ;; esac; last=$word; done
case "$*" in
  *--wrap*) sh -c "$last" ;;
  *) for k in $(seq "$n"); do
       SLURM_ARRAY_TASK_ID=$k SLURM_ARRAY_TASK_COUNT=$n SLURM_JOB_ID=70$k SLURM_CPUS_PER_TASK=1 sh "$last"
     done >/dev/null ;;
esac
echo "70;cluster"
)");
  folder.write("bin/srun", "#!/bin/sh\nshift\nexec \"$@\"\n");
  folder.write("bin/rockable", "#!/bin/sh\n[ -f cut ] && exec " + toolsFolder() +
                                   "/rockable \"$@\"\ntouch cut\n" + toolsFolder() +
                                   "/rockable \"$@\" --until 0.1\nkill -TERM $PPID\nexit 75\n");
  folder.write("bin/scontrol", "#!/bin/sh\necho \"$*\" >>jobs\n");
  const std::string path = "chmod +x bin/*; export PATH=" + folder.path("bin") + ":$PATH; ";
  mustRun(folder, path + "sh study/slurm.sh --time=01:00:00");
  CHECK_THAT(folder.read("study/jobs"),
             Contains("--array=1-8 --cpus-per-task=1 --signal=TERM@120 --requeue"));
  CHECK_THAT(folder.read("study/jobs"), Contains("requeue 701"));
  CHECK_THAT(folder.read("study/jobs"), Contains("--time=01:00:00 --dependency=afterany:70 "));
  CHECK(statusOf(folder, "study").at("stopped") == 1);
  CHECK(statusOf(folder, "study").at("done") == 7);
  mustRun(folder, path + "sh study/slurm.sh");
  CHECK(folder.read("study/result.csv") == expected);
}

TEST_CASE("a run that fails is named, and the others go on", "[golden][study]") {
  const Folder folder;
  writeStudy(folder, "study");
  folder.write("study/0003/conf0", "Rockable 21-08-2022\nbroken\n");
  expect(folder, "sh study/step.sh 0003", 3, {"step.sh: run 0003: exit code 3", "Particles"});
  expect(folder, "sh study/step.sh 0009", 2);
  expect(folder, "sh study/step.sh join", 3);
  const json status = statusOf(folder, "study");
  CHECK(status.at("failed") == 1);
  CHECK_THAT(status.at("failures")[0].get<std::string>(), Contains("0003: exit code 3"));
  CHECK_THAT(mustRun(folder, "packgen ensemble --status study").out,
             Contains("8 runs: 0 done, 0 running, 0 stopped, 1 failed, 7 waiting"));
}

TEST_CASE("releases stand above the terrain, and those that touch it are refused",
          "[golden][study]") {
  const Folder folder;
  mustRun(
      folder,
      "shapeSurvey make slope --size 8 4 6 --steps 3 --radius 0.05 --name slope -q -o slope.shp && "
      "shapeSurvey make boulder --size 0.5 --radius 0.02 --name rock -q -o rocks.shp");
  folder.write("poses.csv", "shape,x,y,z,group,driven\nslope,0,0,0,0,1\n");
  mustRun(folder, "packgen from poses.csv --shapes slope.shp -q -o terrain/conf0");
  folder.write("points.xyz", "# x y z\n1 9 0\n2.5 9 1\n");
  const std::string command =
      "packgen release rocks.shp:rock --on terrain/conf0 --law Avalanche --kn 1e6 --kr 1e4 "
      "--mur 0.1 --duration 0.5 -q ";
  mustRun(folder, command +
                      "--points points.xyz --orientations 3 --velocities 1,0,0 "
                      "--vary muContact:0-1=0.3,0.6 --track -o fall");
  CHECK(linesOf(folder.read("fall/runs.csv")).size() == 13);
  const json made = jsonOf(folder, command + "--points 1,9,0 --orientations 2 --json -o told");
  CHECK(made.at("runs") == 2);
  CHECK(made.at("folder") == "told");
  CHECK(linesOf(folder.read("fall/runs.csv"))[0] ==
        "run,seed,x,y,z,qw,qx,qy,qz,vx,vy,vz,muContact:0-1");
  for (const char* name : {"0001", "0012"}) {
    const json state =
        jsonOf(folder, std::string("rockable fall/") + name + "/conf0 --check --strict --json");
    CHECK(state.at("bodies") == 2);
    CHECK(state.at("deepOverlaps") == 0);
    CHECK(state.at("contacts") == 0);
  }
  // A drop from a height hits the ground within the time of free fall over it, and not before.
  mustRun(folder, command +
                      "--points box:0,0,-2,6,0,2 --above 0.4905 --orientations random --plan sobol "
                      "--runs 4 --dt 1e-4 --interconf 0.01 -o drop");
  mustRun(folder, "for r in $(sh drop/step.sh list); do sh drop/step.sh $r; done");
  const double t = columnOf(folder, "impacts drop/0001", "t").front();
  CHECK(t > 0.305);  // √(2 · 0.4905 / 9.81) = 0.3162, in steps of 0.01
  CHECK(t < 0.335);

  folder.write("four.xyz", "1 9 0 4\n");
  expectRefusals(
      folder, command, " -o bad", {"bad"},
      {{"--points 1,3.5,0", 3,
        "run 0001: at x = 1, z = 0 the body is clear of the terrain above y = "},
       {"--points 50,9,0", 3, "there is no terrain below the body"},
       {"--points box:1,2,3", 2, "expected box:X1,Y1,Z1,X2,Y2,Z2"},
       {"--points none.xyz", 4, "none.xyz"},
       {"--points 1,9,0 --orientations points.xyz", 3, "there is no column 'qw'"},
       {"--points 1,9,0 --orientations 0", 2, "expected 1 to 1000000"},
       {"--points 1,9,0 --orientations random --plan grid", 2, "a grid has no distributions"},
       {"--points box:0,9,0,1,9,1", 2, "how many runs are to be drawn"},
       {"--points four.xyz", 3, "four.xyz: expected a table with a row for each point"},
       {"--points 1,9,0 --vary muContact:0-1=0.3 --vary muContact=0.4", 2, "another --vary sets"},
       {"--points 1,9,0 --vary nothing=1", 2, "no file of the case has the mark"},
       {"--points 1,9,0 --collect runnout", 2, "did you mean 'runout'"}});
  expect(folder, command + "--points 1,9,0 -o fall", 4);
  // More runs of another case would stand beside those of this one.
  mustRun(folder, command + "--points 1,9,0 --orientations random --runs 2 -o more");
  mustRun(folder, command + "--points 1,9,0 --orientations random --runs 3 --append -o more");
  expect(folder,
         command + "--points 1,9,0 --orientations random --runs 4 --append --en2 0.5 -o more", 4,
         {"more/0001/conf0: its content is another one"});
  expect(folder, "packgen ensemble --status terrain", 4);
  expect(folder, "packgen ensemble -o bad", 2);
}
