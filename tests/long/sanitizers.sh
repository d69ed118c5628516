#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of the libraries with AddressSanitizer and UndefinedBehaviorSanitizer, and with assertions.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized asan 'unit|physics|fuzz' "libraries with address and undefined" tests_unit tests_physics fuzz
finish
