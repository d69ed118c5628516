#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Covers of three public meshes: no more spheres for a volume inside, and no lower IoU, than in docs/clumps.md.
source "$(dirname "$0")/../support/long.sh"
built clumpify
clumpify=$SCREE_BUILD/bin/clumpify
workshop

declare -A mesh=([SP3A]=$SCREE_TEST_DATA/authume/STL/SP3A.stl [rock]=$SCREE_TEST_DATA/meshes/rock.stl
  [femur]=$SCREE_TEST_DATA/meshes/Human_femur.stl)
# Spheres at most, IoU at least.
declare -A most=(['SP3A 0.8']=16 ['SP3A 0.9']=43 ['SP3A 0.95']=105 ['rock 0.8']=16 ['rock 0.9']=58 ['rock 0.95']=195
  ['femur 0.8']=23 ['femur 0.9']=64 ['femur 0.95']=168)
declare -A least=(['SP3A 20']=0.905 ['SP3A 40']=0.944 ['rock 20']=0.916 ['rock 40']=0.941 ['femur 20']=0.902 ['femur 40']=0.937)
# user COMMAND...: runs it, and sets `time` to the user time it took [s]
user() {
  local before after
  times >"$work/times"  # not in a pipe: a subshell has times of its own
  before=$(tail -n 1 "$work/times")
  "$@"
  times >"$work/times"
  after=$(tail -n 1 "$work/times")
  time=$(printf '%s %s\n' "$before" "$after" | awk '{split($1, a, /[ms]/); split($3, b, /[ms]/)
    printf "%.1f", 60 * (b[1] - a[1]) + b[2] - a[2]}')
}
for body in SP3A rock femur; do
  [ -f "${mesh[$body]}" ] || { row "$body" skipped "${mesh[$body]} is not there"; continue; }
  for ratio in 0.8 0.9 0.95; do
    user "$clumpify" cover "${mesh[$body]}" --volume-ratio $ratio --inside -q -j 1 -o "$work/c.txt" --force
    spheres=$(grep -c Sphere "$work/c.txt")
    result=ok
    [ "$spheres" -le "${most[$body $ratio]}" ] || result=FAILED
    row "$body, $ratio of the volume inside" $result "$spheres spheres of ${most[$body $ratio]}, $time s"
  done
  for spheres in 20 40; do
    user "$clumpify" cover "${mesh[$body]}" --spheres $spheres -q -j 1 -o "$work/c.txt" --force
    iou=$("$clumpify" quality "$work/c.txt" "${mesh[$body]}" --json | sed -n 's/.*"iou":\([0-9.]*\).*/\1/p')
    result=ok
    awk "BEGIN { exit !($iou >= ${least[$body $spheres]}) }" || result=FAILED
    row "$body, $spheres spheres" $result "IoU $iou of ${least[$body $spheres]}, $time s"
  done
done
finish
