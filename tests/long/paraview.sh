#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The products of conf2vtk in ParaView: all open, and view.py draws them.
source "$(dirname "$0")/../support/long.sh"
# Debian's python3-paraview cannot stand beside python3-vtk9, which libvtk9-dev needs: so it is never installed here.
# SCREE_PVPYTHON: a command that runs pvpython, in a chroot for instance that shares /tmp.
read -ra pvpython <<<"${SCREE_PVPYTHON:-pvpython}"
if ! command -v "${pvpython[0]}" >/dev/null; then
  row "ParaView" skipped "pvpython is absent: install python3-paraview, or name a command in SCREE_PVPYTHON"
  finish
fi
scripts/packages.sh xvfb
built shapeSurvey packgen rockable conf2vtk
work=$(mktemp -d)
mkdir "$work/vtk" "$work/out"
# A display of its own. xvfb-run waits three seconds for one, and without -noreset a busy server refuses connections.
Xvfb -displayfd 3 -noreset -screen 0 1600x1200x24 3>"$work/display" >"$work/log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
for ((k = 0; k < 600; ++k)); do
  [ ! -s "$work/display" ] || break
  sleep 0.1
done
export DISPLAY=:$(<"$work/display")

# 216 rocks fall into a box with five walls.
shapeSurvey make boulder --faces 30 --size 1 0.9 0.8 --radius 0.03 --seed 7 --name rock -q -o "$work/rock.shp"
shapeSurvey compute "$work/rock.shp" --force -q -o "$work/rock.shp"
packgen lattice --shape "$work/rock.shp:rock" --type sc --cells 6 6 6 --spacing 1.4 --walls --density 2600 --kn 1e6 --mu 0.4 \
  --duration 1 --interconf 0.5 -q -o "$work/run/conf0"
rockable "$work/run/conf0" -o "$work/run" -j "$jobs" -q
conf2vtk "$work/run" -o "$work/vtk/rocks" --geometry rounded --fineness 4 --tracks --view -q -j "$jobs"
conf2vtk "$work/run" -o "$work/vtk/glyphs" --geometry glyphs --fineness 4 --view -q -j "$jobs"
conf2vtk "$work/run" -o "$work/vtk/chains" --geometry skeleton --contacts chains --view -q -j "$jobs"
conf2vtk "$work/run" -o "$work/vtk/boxes" --geometry boxes --contacts none -q -j "$jobs"
# A ring of eight bonded sectors, of the public cases; and a periodic cell.
ring=$SCREE_TEST_DATA/rockable-cases/stickVerticesInClusters
if [ -d "$ring" ]; then
  cp -r "$ring" "$work/ring"
  (cd "$work/ring" && rockable input.txt -o out --steps 10 -q -j 1) || [ $? -eq 75 ]
  conf2vtk "$work/ring/out/conf0" -o "$work/vtk/ring" --bonds --view -q
fi
packgen scatter --shapes "$work/rock.shp:rock" --container periodic:6,6,6 --number 20 --seed 3 -q -o "$work/cell/conf0"
conf2vtk "$work/cell/conf0" -o "$work/vtk/cell" --images --contacts none -q

cp tests/support/paraview_views.py "$work"
"${pvpython[@]}" "$work/paraview_views.py" "$work/vtk" >"$work/rows" 2>"$work/log" ||
  row "views" FAILED "$(tail -n 1 "$work/log")"
while IFS='|' read -r what result figure; do row "$what" "$result" "$figure"; done <"$work/rows"

# view.py as users call it.
cases=(rocks glyphs chains)
[ ! -d "$ring" ] || cases+=(ring)
for case in "${cases[@]}"; do
  "${pvpython[@]}" "$work/vtk/$case/view.py" --image "$work/out/$case.png" >"$work/log" 2>&1 || true
  bytes=$(stat -c %s "$work/out/$case.png" 2>/dev/null || echo 0)
  row "view.py of $case draws" "$([ "$bytes" -gt 20000 ] && echo ok || echo FAILED)" "$bytes bytes; $(tail -n 1 "$work/log")"
done
[ -z "${SCREE_KEEP_PICTURES:-}" ] || cp "$work"/out/*.png "$SCREE_KEEP_PICTURES"
finish
