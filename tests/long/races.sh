#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tests of libraries with ThreadSanitizer.
source "$(dirname "$0")/../support/long.sh"
cmake --preset tsan -DSCREE_TEST_DATA="$SCREE_TEST_DATA" >/dev/null
cmake --build --preset tsan -j "$jobs" >build/tsan/build.log 2>&1 || { tail -30 build/tsan/build.log; row "build" FAILED "see build/tsan/build.log"; finish; }
if ctest --preset tsan -j "$jobs" -L 'unit|physics' >build/tsan/test.log 2>&1; then result=ok; else result=FAILED; fi
sed -n '/The following tests FAILED/,$p' build/tsan/test.log
row "unit and physics tests with thread" $result "$(grep 'tests passed' build/tsan/test.log)"
finish
