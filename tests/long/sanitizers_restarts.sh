#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulations that are saved and go on from a file, with AddressSanitizer and UndefinedBehaviorSanitizer.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized asan 'restarts' "restarts with address and undefined" tests_restarts
finish
