#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Large packings: saturation, mixtures of 10,000 and 100,000 bodies (jammed ones: packings_jammed).
# Then every kind of product of packgen: checked, and run for 1,000 steps
source "$(dirname "$0")/../support/long.sh"
source "$(dirname "$0")/../support/products.sh"
source "$(dirname "$0")/../support/hidden_case.sh"
scripts/packages.sh time
configured "$SCREE_BUILD"
cmake --build "$SCREE_BUILD" -j "$jobs" --target golden_packgen packgen rockable shapeSurvey >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case_of golden_packgen "packgen packs thousands of mixed bodies within its time and memory"

"$SCREE_BUILD/bin/shapeSurvey" make sphere --size 1 -q -o "$work/ball.shp"
edge=$(awk 'BEGIN { print (20000 * 3.14159265358979 / 6 / 0.384) ^ (1 / 3) }')
begin=$SECONDS
fraction=$("$SCREE_BUILD/bin/packgen" scatter --shapes "$work/ball.shp" --container "periodic:$edge,$edge,$edge" --saturate --json -q \
  -o "$work/full/conf0" | sed 's/.*"solidFraction":\([0-9.]*\).*/\1/')
seconds=$((SECONDS - begin))
row "20,000 periodic balls, saturated" \
  "$(awk -v f="$fraction" -v s=$seconds 'BEGIN { print (f > 0.381 && f < 0.387 && s <= 120) ? "ok" : "FAILED" }')" "$fraction in $seconds s"
PATH=$SCREE_BUILD/bin:$PATH
mkdir "$work/products"
all_products "$work/products"
finish
