#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jammed packings: 4,000 balls of five seeds, 10,000 of three, and a hundred bodies of other shapes.
source "$(dirname "$0")/../support/long.sh"
source "$(dirname "$0")/../support/hidden_case.sh"
scripts/packages.sh time
configured "$SCREE_BUILD"
cmake --build "$SCREE_BUILD" -j "$jobs" --target unit_pack >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
side_by_side unit_pack "4000 equal balls jam as in the literature" "10000 equal balls jam as in the literature"
case_of unit_pack "a hundred bodies of other shapes than balls jam"
case_of unit_pack "mixed polyhedra are pushed on between walls"
finish
