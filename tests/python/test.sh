#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs test_scree.py with a Python that has numpy. Usage: test.sh BIN     (the folder of the programs)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import numpy' 2>/dev/null; then PATH=$1:$PATH exec "$python" -B "$here/test_scree.py"; fi
done
echo "skipped: no Python with numpy (Debian: python3-numpy)"
[ -z "${SCREE_REQUIRE_DATA:-}" ] || exit 1
exit 77
