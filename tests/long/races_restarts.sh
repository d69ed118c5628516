#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulations that are saved and go on from a file, with ThreadSanitizer.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized tsan 'restarts' "restarts with thread" tests_restarts
finish
