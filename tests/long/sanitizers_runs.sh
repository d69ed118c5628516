#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tools that make runs and measure them, with AddressSanitizer and UndefinedBehaviorSanitizer.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized asan 'runs' "tools that run long with address and undefined" tests_runs
finish
