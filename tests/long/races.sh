#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of single parts of the libraries with ThreadSanitizer.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized tsan 'unit' "parts of the libraries with thread" tests_unit
finish
