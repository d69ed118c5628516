#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# All tests with ThreadSanitizer; some of them with GROUPS_OF_TESTS, such as "unit physics".
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
tested_with tsan thread unit compat physics restarts runs tools
finish
