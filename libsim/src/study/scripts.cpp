// SPDX-License-Identifier: GPL-3.0-or-later
// The scripts of a study: a step that all schedulers call, and one script for each of these.
#include "scree/sim/study/study.hpp"

#include <string_view>

namespace scree::sim {
namespace {

constexpr std::string_view step = R"sh(#!/bin/sh
# A step of this study:
#   sh step.sh RUN    runs what is left of a run, and measures it; nothing where its table is there
#   sh step.sh join   joins the tables into result.csv
#   sh step.sh list   prints the runs
# Exit codes are those of rockable; 75: stopped, the next call goes on. Other options of rockable
# and extract go in here.
CDPATH= cd -- "$(dirname -- "$0")" || exit 4
runs() { awk -F, '/^[0-9]/ { print $1 }' runs.csv; }
mkdir -p tables logs || exit 4
case $1 in
  list) runs; exit ;;
  join)
    runs | while read -r r; do [ ! -f "tables/$r.csv" ] || echo "tables/$r.csv"; done >tables/list
    [ -s tables/list ] || { echo "step.sh: no run has a table yet" >&2; exit 3; }
    extract join @tables/list --runs runs.csv --force -q -o result.csv
    exit ;;
esac
r=$1
rm -f "logs/$r.failed"
[ ! -f "tables/$r.csv" ] || exit 0
seed=$(awk -F, -v r="$r" '$1 == r { print $2; exit }' runs.csv)
[ -n "$seed" ] || { echo "step.sh: runs.csv has no run '$r'" >&2; exit 2; }
trap : TERM INT HUP USR1  # rockable gets them, too: it saves its state and ends
rockable "$r/CONF" -o "$r" -j "${THREADS:-1}" --seed "$seed" --resume --done "$r/done.json" -q >>"logs/$r" 2>&1 &&
  extract COLLECT "$r" --add run="$r" --force -q -o "tables/$r.csv" >>"logs/$r" 2>&1
code=$?
[ $code -ne 0 ] || rm -f "logs/$r.failed"
if [ $code -ne 0 ] && [ $code -ne 75 ] && [ $code -le 128 ]; then
  { echo "exit code $code:"; tail -n 1 "logs/$r"; } >"logs/$r.failed"
  echo "step.sh: run $r: exit code $code: $(tail -n 1 "logs/$r")" >&2
fi
exit $code
)sh";

constexpr std::string_view gnuParallel = R"sh(#!/bin/sh
# All runs by GNU parallel, then result.csv. After a stop or a kill, the same command goes on.
#   sh run.sh [-j N] [OPTIONS OF PARALLEL]
CDPATH= cd -- "$(dirname -- "$0")" || exit 4
command -v parallel >/dev/null || { echo "run.sh: GNU parallel is missing (Debian: parallel)" >&2; exit 4; }
sh step.sh list | parallel "$@" sh step.sh {} &
trap "kill $!; wait $!" TERM INT HUP  # the runs save their states
wait $!
code=$?
sh step.sh join && exit $code
)sh";

constexpr std::string_view snakefile =
    R"sh(# All runs by Snakemake 7, then result.csv. After a stop or a kill, the same command goes on.
#   snakemake -j N --keep-going --rerun-incomplete --nolock
RUNS = [line.split(",")[0] for line in open("runs.csv") if line[0].isdigit()]

wildcard_constraints:
    r=r"\d+"

rule all:
    input: "result.csv"

rule run:
    output: "tables/{r}.csv"
    shell: "sh step.sh {wildcards.r}"

onerror:
    shell("sh step.sh join")

rule join:
    input: expand("tables/{r}.csv", r=RUNS)
    output: "result.csv"
    shell: "sh step.sh join"
)sh";

constexpr std::string_view slurm = R"sh(#!/bin/sh
# All runs by a job array of Slurm, then result.csv. After a stop or a kill, the same command goes on.
#   sh slurm.sh [OPTIONS OF SBATCH, such as --time=04:00:00 --partition=NAME]
# A task does each 1000th run. 120 s before its time is over, its run saves its state and the task
# is queued again.
if [ -z "$SLURM_ARRAY_TASK_ID" ]; then
  CDPATH= cd -- "$(dirname -- "$0")" || exit 4
  n=$(sh step.sh list | wc -l)
  [ "$n" -le 1000 ] || n=1000
  id=$(sbatch --parsable --array=1-"$n" --cpus-per-task=1 --signal=TERM@120 --requeue --open-mode=append \
    --output=logs/slurm-%a "$@" slurm.sh) || exit
  sbatch --parsable "$@" --dependency=afterany:"${id%%;*}" --output=logs/slurm-join --wrap "sh step.sh join"
  exit
fi
code=0
for r in $(sh step.sh list | awk -v k="$SLURM_ARRAY_TASK_ID" -v n="$SLURM_ARRAY_TASK_COUNT" 'NR % n == k % n'); do
  srun --ntasks=1 env THREADS="${SLURM_CPUS_PER_TASK:-1}" sh step.sh "$r"
  case $? in
    0) ;;
    75) scontrol requeue "$SLURM_JOB_ID"; exit 75 ;;
    *) code=1 ;;
  esac
done
exit $code
)sh";

std::string filled(std::string_view script, std::string_view mark, const std::string& text) {
  std::string out(script);
  return out.replace(out.find(mark), mark.size(), text);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> studyScripts(const std::string& conf,
                                                              const std::string& collect) {
  return {{"step.sh", filled(filled(step, "COLLECT", collect), "CONF", conf)},
          {"run.sh", std::string(gnuParallel)},
          {"Snakefile", std::string(snakefile)},
          {"slurm.sh", std::string(slurm)}};
}

}  // namespace scree::sim
