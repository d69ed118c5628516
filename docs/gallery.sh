#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the commands of gallery.md. Usage: docs/gallery.sh [OUTPUT]     (default gallery). Needs the programs on the PATH.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export DATA=$(cd "$here/../data" && pwd)
mkdir -p "${1:-gallery}"
cd "${1:-gallery}"
awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$here/gallery.md" >commands.sh
bash -e commands.sh
