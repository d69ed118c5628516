#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A page of conf2vtk --html in headless Chromium without a network: it loads, slider, colours and clicks work.
source "$(dirname "$0")/../support/long.sh"
scripts/packages.sh chromium libjs-three
built shapeSurvey packgen rockable conf2vtk
workshop

# 512 rocks fall into a box with five walls.
shapeSurvey make boulder --faces 30 --size 1 0.9 0.8 --radius 0.03 --seed 7 --name rock -q -o "$work/rock.shp"
shapeSurvey compute "$work/rock.shp" --force -q -o "$work/rock.shp"
packgen lattice --shape "$work/rock.shp:rock" --type sc --cells 8 8 8 --spacing 1.4 --walls --density 2600 --kn 1e6 --mu 0.4 \
  --duration 0.98 --interconf 0.02 -q -o "$work/run/conf0"
rockable "$work/run/conf0" -o "$work/run" -j "$jobs" -q
conf2vtk "$work/run" --html "$work/page.html" -j "$jobs" -q

# Without a network: in a network namespace of its own, where one may be made; else without names.
apart=()
if unshare -rn true 2>/dev/null; then apart=(unshare -rn); fi
"${apart[@]}" python3 tests/support/page_in_browser.py "$work/page.html" 512 \
  ${SCREE_KEEP_PICTURES:+"$SCREE_KEEP_PICTURES/page.png"} >"$work/rows" || row "browser" FAILED "ended early"
while IFS='|' read -r what result figure; do row "$what" "$result" "$figure"; done <"$work/rows"
megabytes=$(awk -v n="$(stat -c %s "$work/page.html")" 'BEGIN { printf "%.1f", n / 1e6 }')
row "at most 20 MB" "$(awk -v m="$megabytes" 'BEGIN { print m <= 20 ? "ok" : "FAILED" }')" "$megabytes MB, $(ls "$work"/run/conf* | wc -l) files"
finish
