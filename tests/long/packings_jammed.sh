#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jammed packings: 4,000 and 10,000 balls of five seeds each, and a hundred bodies of other shapes.
source "$(dirname "$0")/../support/long.sh"
source "$(dirname "$0")/../support/hidden_case.sh"
scripts/packages.sh time
configured "$SCREE_BUILD"
cmake --build "$SCREE_BUILD" -j "$jobs" --target unit_pack >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case_of unit_pack "thousands of equal balls jam as in the literature"
case_of unit_pack "a hundred bodies of other shapes than balls jam"
finish
