#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every kind of product of packgen: checked, and run for 1,000 steps (jammed ones: packings_jammed).
source "$(dirname "$0")/../support/long.sh"
source "$(dirname "$0")/../support/products.sh"
scripts/packages.sh time
configured "$SCREE_BUILD"
cmake --build "$SCREE_BUILD" -j "$jobs" --target packgen rockable shapeSurvey >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

PATH=$SCREE_BUILD/bin:$PATH
mkdir "$work/products"
all_products "$work/products"
finish
