#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole simulations with AddressSanitizer and UndefinedBehaviorSanitizer, and with assertions.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized asan 'physics' "simulations with address and undefined" tests_physics
finish
