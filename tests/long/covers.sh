#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# covers of three public meshes: spheres for a volume inside, IoU for a number of spheres
source "$(dirname "$0")/../support/long.sh"
configured "$SCREE_BUILD"
cmake --build "$SCREE_BUILD" -j "$jobs" --target clumpify >/dev/null
clumpify=$SCREE_BUILD/bin/clumpify
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

declare -A mesh=([SP3A]=$SCREE_TEST_DATA/authume/STL/SP3A.stl [rock]=$SCREE_TEST_DATA/meshes/rock.stl
  [femur]=$SCREE_TEST_DATA/meshes/Human_femur.stl)
for body in SP3A rock femur; do
  [ -f "${mesh[$body]}" ] || { row "$body" skipped "${mesh[$body]} is not there"; continue; }
  for ratio in 0.8 0.9 0.95; do
    begin=$SECONDS
    "$clumpify" cover "${mesh[$body]}" --volume-ratio $ratio --inside -q -j 1 -o "$folder/c.txt" --force
    row "$body, $ratio of the volume inside" ok \
      "$(grep -c Sphere "$folder/c.txt") spheres, $((SECONDS - begin)) s"
  done
  for spheres in 20 40; do
    begin=$SECONDS
    "$clumpify" cover "${mesh[$body]}" --spheres $spheres -q -j 1 -o "$folder/c.txt" --force
    time=$((SECONDS - begin))
    row "$body, $spheres spheres" ok "IoU $("$clumpify" quality "$folder/c.txt" "${mesh[$body]}" --json |
      sed 's/.*"iou":\([0-9.]*\).*/\1/'), $time s"
  done
done
finish
