#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# data/ is what data/make.sh makes of it, to the byte, and each case runs 1,000 steps without a finding.
# Usage: data_folder.sh BUILD DATA
set -euo pipefail
bin=$(cd "$1/bin" && pwd)
data=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$data/make.sh" "$bin" "$work"
diff -r -x README.md -x make.sh "$data" "$work"
for case in "$data"/*/conf0; do
  "$bin/rockable" "$case" --check --strict -q >/dev/null
  "$bin/rockable" "$case" -o "$work/run-$(basename "$(dirname "$case")")" --steps 1000 --strict -q >/dev/null || [ $? -eq 75 ]
done
