#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tools that make runs and measure them, with ThreadSanitizer.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized tsan 'runs' "tools that run long with thread" tests_runs
finish
