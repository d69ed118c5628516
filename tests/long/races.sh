#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tests of libraries with ThreadSanitizer.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized tsan 'unit|physics' "libraries with thread" tests_unit tests_physics
finish
