#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Cases with results of other programs, with ThreadSanitizer.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized tsan 'compat' "cases of other programs with thread" tests_compat
finish
