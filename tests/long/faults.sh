#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# System calls on files and disks that fail in a short job of each tool.
source "$(dirname "$0")/../support/long.sh"
built scree_faults rockable shapeSurvey packgen clumpify extract conf2vtk
while IFS='|' read -r what result figure; do
  row "$(echo $what)" "$(echo $result)" "$(echo $figure)"
done < <(python3 tests/faults/inject.py "$SCREE_BUILD" --jobs "$jobs" || echo "all | FAILED | see above")
finish
