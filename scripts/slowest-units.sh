#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Time of each translation unit of the last build in a Ninja folder, longest first. It shows the cost of heavy headers
# (CGAL, VTK, Eigen). Usage: scripts/slowest-units.sh BUILD [HOW_MANY]
set -euo pipefail
log=$1/.ninja_log
[ -f "$log" ] || exit 0
awk -F'\t' '!/^#/ && $4 ~ /\.cpp\.o$/ { t[$4] = ($2 - $1) / 1000 }
  END { for (f in t) { n = f; sub(/.*\.dir\//, "", n); printf "%8.1f s  %s\n", t[f], n } }' "$log" |
  sort -rn | awk -v many="${2:-12}" 'NR <= many'
