#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Other tests of the tools, run as users run them, with AddressSanitizer and UndefinedBehaviorSanitizer.
source "$(dirname "$0")/../support/long.sh"
source tests/support/sanitized.sh
sanitized asan 'golden|package' "tools with address and undefined"
finish
