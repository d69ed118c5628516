#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Cases with results of other programs, with AddressSanitizer and UndefinedBehaviorSanitizer.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized asan 'compat' "cases of other programs with address and undefined" tests_compat
finish
