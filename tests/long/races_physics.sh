#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole simulations with ThreadSanitizer.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized tsan 'physics' "simulations with thread" tests_physics
finish
