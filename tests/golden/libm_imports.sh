#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Which functions of the system's mathematical library do our libraries reach? Those whose last digit differs between
# systems must not reach a state: base/elementary.hpp and base/math.hpp stand in for them. Nor must products that a
# processor fuses with sums.
# Usage: libm_imports.sh LIBRARY.a...   Ends with 1 where a library imports or holds one that is not allowed.
set -euo pipefail

# Exact by IEEE 754 or by their definition, so the same everywhere.
exact="sqrt fma fmod remainder ldexp scalbn frexp modf ilogb logb nextafter copysign fabs fmin fmax fdim floor ceil
trunc round rint nearbyint lround llround lrint llrint"

# Object and functions that it may import, and why no state depends on them.
allowed=(
  # CGAL's alpha wrap, for `shapeSurvey import --wrap` alone: levels of its search tree, and nudges of points that lie
  # in one plane. The wrap is written to a file once; who surveys that file gets the same bits everywhere.
  "cgal_wrap.cpp.o log sincos sin cos"
)

names="sin cos tan sincos asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10
log1p pow cbrt hypot erf erfc tgamma lgamma j0 j1 jn y0 y1 yn $exact"
pattern="^(_*($(echo $names | tr ' ' '|'))(f|l|_finite)?)\$"

status=0
for library in "$@"; do
  object=
  while read -r line; do
    case "$line" in
      *.o:) object=${line%:} ; continue ;;
      "U "*) ;;
      *) continue ;;
    esac
    symbol=${line#U }
    [[ $symbol =~ $pattern ]] || continue
    function=$(sed -E 's/^_*//; s/_finite$//' <<<"$symbol")
    [[ " $(echo $exact) " == *" $function "* || " $(echo $exact) " == *" ${function%[fl]} "* ]] && continue
    verdict=forbidden
    for row in "${allowed[@]}"; do
      read -r of functions <<<"$row"
      [ "$of" = "$object" ] && [[ " $functions " == *" $function "* ]] && verdict=allowed
    done
    echo "$(basename "$library") $object $symbol: $verdict"
    [ $verdict = allowed ] || status=1
  done < <(nm -u "$library")
  # A product fused with a sum is rounded once, by a processor that has it; plain code rounds twice.
  fused=$(objdump -d --no-show-raw-insn "$library" | awk '/[ \t]vfn?m(add|sub)/ && ++n <= 3')
  if [ -n "$fused" ]; then
    echo "$fused"
    echo "$(basename "$library"): fused products and sums"
    status=1
  fi
done
exit $status
