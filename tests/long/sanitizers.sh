#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# All tests with AddressSanitizer and UndefinedBehaviorSanitizer, and with assertions.
source "$(dirname "$0")/../support/long.sh"
cmake --preset asan -DSCREE_TEST_DATA="$SCREE_TEST_DATA" >/dev/null
cmake --build --preset asan -j "$jobs" >build/asan/build.log 2>&1 || { tail -30 build/asan/build.log; row "build" FAILED "see build/asan/build.log"; finish; }
if ctest --preset asan -j "$jobs" >build/asan/test.log 2>&1; then result=ok; else result=FAILED; fi
sed -n '/The following tests FAILED/,$p' build/asan/test.log
row "tests with address and undefined" $result "$(grep 'tests passed' build/asan/test.log)"
finish
