#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The start check of a million balls (at most 2 GB), calls with 4,000 shapes that nobody has surveyed, and images: memory and time.
source "$(dirname "$0")/../support/long.sh"
built rockable shapeSurvey extract packgen golden_image
scripts/packages.sh time >/dev/null
workshop
cd "$work"
bin=$SCREE_BUILD/bin

# measured WHAT MOST COMMAND...: a row with time and memory; FAILED above MOST kB
measured() {
  local what=$1 most=$2 code=0 seconds kb
  shift 2
  /usr/bin/env time -f "%e %M" -o figures "$@" >log 2>&1 || code=$?
  read -r seconds kb < <(tail -1 figures)
  row "$what" "$([ $code -eq 0 ] && [ "$kb" -le "$most" ] && echo ok || echo FAILED)" "$seconds s, $((kb / 1024)) MB"
}

"$bin/shapeSurvey" make sphere --size 0.1 --name B | "$bin/shapeSurvey" compute - -o s.shp >/dev/null
"$bin/shapeSurvey" make box --size 12 0.02 12 --name P | "$bin/shapeSurvey" compute - >>s.shp
head='Rockable 29-11-2018
t 0
tmax 1e-3
dt 1e-5
interConf 1e-3
density 0 2700
density 1 2700
gravity 0 -9.81 0
forceLaw Default
knContact 0 1 1e6
en2Contact 0 1 0.1
ktContact 0 1 8e5
muContact 0 1 0.5
knContact 1 1 1e6
en2Contact 1 1 0.1
ktContact 1 1 8e5
muContact 1 1 0.5
nDriven 1
shapeFile s.shp'
awk -v head="$head" 'BEGIN {
  print head; print "Particles 1000001"; tail = "0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0"
  print "P 0 0 1 5 -0.01 5", tail
  for (i = 0; i < 100; ++i) for (j = 0; j < 100; ++j) for (k = 0; k < 100; ++k)
    print "B 1", n++ + 1, "1", 0.1 * i + 0.05, 0.0999 * j + 0.0499, 0.1 * k + 0.05, tail
}' >balls
measured "check of a million balls" 2000000 "$bin/rockable" balls --check

"$bin/shapeSurvey" make box --size 0.09 --radius 0.005 --name Rock >rock.shp
awk -v head="${head/s.shp/raw.shp}" '
  { text = text $0 "\n" }
  END {
    tail = "0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0"
    print head "\nParticles 4001\nP 0 0 1 0.8 -0.011 0.8", tail >"raw"
    for (k = 0; k < 4000; ++k) {
      shape = text
      sub("Rock", "Rock" k, shape)
      printf "%s", shape >"raw.shp"
      print "Rock" k, "1", k + 1, "1", 0.1 * (k % 16), 0.1 * (int(k / 16) % 16) + 0.05, 0.1 * int(k / 256), tail >"raw"
    }
  }' rock.shp
cat s.shp >>raw.shp
measured "check of 4,000 raw shapes" 2000000 "$bin/rockable" raw --check
grep -q "shapeSurvey compute does it once" log && row "hint to survey once" ok "" || row "hint to survey once" FAILED ""
measured "survey of 4,000 shapes" 2000000 "$bin/shapeSurvey" compute raw.shp -o surveyed.shp
sed -i 's/raw.shp/surveyed.shp/' raw
measured "check of 4,000 surveyed shapes" 2000000 "$bin/rockable" raw --check
# Balls of 40 voxels, 200 of them, in an image of 1,000 x 1,000 x 1,000 voxels of 16 bits.
python3 - <<'E'
from array import array
def inside(i, j, k):
    return (i - 49.5) ** 2 + (j - 49.5) ** 2 + (k - 49.5) ** 2 < 400
with open("image.raw", "wb") as file:
    for z in range(1000):
        for y in range(1000):
            row = [inside(i, y % 100, z % 100) if z < 200 else 0 for i in range(100)]
            first = z // 100 * 100 + y // 100 * 10 + 1
            labels = [(first + x) * v for x in range(10) for v in row] if any(row) else bytes(2000)
            file.write(array("H", labels).tobytes())
E
measured "import of 200 balls in 1,000 x 1,000 x 1,000 voxels" 6000000 \
  "$bin/shapeSurvey" import image.raw --voxel 1e-5 --size-of 1000,1000,1000 --type uint16 --radius 1e-5 --inset --faces 100 --name ball -o balls.shp
# The same image as TIFF, a page a layer.
python3 - <<'E'
import struct
layer = 2000000
with open("image.raw", "rb") as raw, open("image.tif", "wb") as tiff:
    tiff.write(struct.pack("<2sHI", b"II", 42, 8))
    for z in range(1000):
        data = tiff.tell() + 114
        after = 0 if z == 999 else data + layer
        tags = [(256, 1000), (257, 1000), (258, 16), (259, 1), (262, 1), (273, data), (277, 1), (278, 1000), (279, layer)]
        tiff.write(struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags) + struct.pack("<I", after))
        tiff.write(raw.read(layer))
E
measured "the same from TIFF" 6000000 "$bin/shapeSurvey" import image.tif --voxel 1e-5 --radius 1e-5 --inset --faces 100 --name ball -o tiff.shp
cmp -s balls.shp tiff.shp && result=ok || result=FAILED
row "the same shapes from both" $result ""
"$SCREE_BUILD/tests/bin/golden_image" "500 grains*" >log 2>&1 && result=ok || result=FAILED
row "500 grains come back from their image, and run" $result ""
finish
