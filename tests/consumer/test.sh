#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs a build into a temporary prefix, looks for what it brings, builds the programs of examples/ on it and runs them.
# Usage: test.sh BUILD [SANITIZERS]   with the sanitizers that BUILD was built with: its libraries link with nothing else
set -euo pipefail
export CMAKE_GENERATOR=Ninja  # make need not be there
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
sanitize=${2:+-fsanitize=$2}
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$1" --prefix "$prefix/install" >/dev/null
for tool in shapeSurvey packgen clumpify rockable conf2vtk extract; do
  "$prefix/install/bin/$tool" --version
  test -s "$prefix/install/share/man/man1/$tool.1.gz"
  test -s "$prefix/install/share/bash-completion/completions/$tool"
done
for file in lib/python3/dist-packages/scree.py share/scree/data/heap/conf0 share/doc/scree/docs/units.md share/doc/scree/data/heap/conf0 \
  share/doc/scree/CITATION.cff share/licenses/scree/LICENSE; do test -s "$prefix/install/$file"; done

# Twice: with usual flags, and with flags that fuse multiplications with additions. The bits must be the same.
build() {
  cmake -S "$prefix/install/share/doc/scree/examples" -B "$prefix/$1" -DCMAKE_PREFIX_PATH="$prefix/install" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="$2" >/dev/null
  cmake --build "$prefix/$1" -j2 >/dev/null
}
build usual "$sanitize"
build fused "-march=native -ffp-contract=fast $sanitize"
"$prefix/usual/ball_on_plane" | tee "$prefix/usual.txt"
"$prefix/fused/ball_on_plane" >"$prefix/fused.txt"
cmp "$prefix/usual.txt" "$prefix/fused.txt"
awk '/at rest/ { if (($4 - $7)^2 > 1e-16) { print "height and theory differ"; exit 1 } found = 1 } END { exit !found }' "$prefix/usual.txt"

# A tetrahedron of volume 1/6 with its centre at 1/4.
cat >"$prefix/corner.off" <<END
OFF
4 4 0
0 0 0
1 0 0
0 1 0
0 0 1
3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3
END
"$prefix/usual/mesh_mass" "$prefix/corner.off" 6 | tee "$prefix/mass.txt"
grep -qx 'mass    1' "$prefix/mass.txt"
grep -qx 'centre  0.25 0.25 0.25' "$prefix/mass.txt"

# Two balls that touch, and a bond or a gap less: one row.
cat >"$prefix/conf0" <<CONF
Rockable 29-11-2018
t 0.5
shapeFile balls.shp
density 0 1000
forceLaw Default
Particles 3
ball 0 0 1.0 0 0 0  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0
ball 0 0 1.0 0.19 0 0  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0
ball 0 0 1.0 0.5 0 0  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0
Interactions 2
0 1 0 0 0  -1 0 0  -0.01  0.095 0 0  0 0 0  10  0 3 4  0 0 0  0
1 2 0 0 0  -1 0 0  0.11  0.345 0 0  0 0 0  0  0 0 0  0 0 0  0
CONF
cat >"$prefix/balls.shp" <<SHAPE
<
name ball
radius 0.1
preCompDone y
nv 1
0 0 0
ne 0
nf 0
obb.extent 0.1 0.1 0.1
obb.e1 1 0 0
obb.e2 0 1 0
obb.e3 0 0 1
obb.center 0 0 0
volume 0.004188790204786391
I/m 0.004 0.004 0.004
>
SHAPE
"$prefix/usual/conf_table" "$prefix/conf0" | tee "$prefix/table.txt"
grep -qx '0 1 -0.01 10 5' "$prefix/table.txt"
test "$(grep -vc '^#' "$prefix/table.txt")" = 1

# The libraries by themselves: CMake finds neither CLI11 nor VTK nor libpng, and needs none of them.
cmake -S "$top" -B "$prefix/libraries" -DSCREE_TOOLS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_VTK=ON -DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON >/dev/null
