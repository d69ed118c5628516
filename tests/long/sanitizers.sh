#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of single parts of the libraries with AddressSanitizer and UndefinedBehaviorSanitizer, and with assertions.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized asan 'unit|fuzz' "parts of the libraries with address and undefined" tests_unit fuzz
finish
