# SPDX-License-Identifier: GPL-3.0-or-later
# For parts of `./test.sh --long` that run tests with sanitizers, after long.sh.

# sanitized PRESET LABELS WHAT [TARGET...]: builds these targets (or all) with the preset, runs the tests with these
# labels, adds a row
sanitized() {
  local preset=$1 labels=$2 what=$3 result=ok begin=$SECONDS
  shift 3
  processor
  local before=$processor
  local folder=build/$preset
  local require=OFF  # a test that is skipped fails where the data are there
  [ ! -d "$SCREE_TEST_DATA" ] || require=ON
  cmake --preset "$preset" -DSCREE_TEST_DATA="$SCREE_TEST_DATA" -DSCREE_REQUIRE_DATA=$require >/dev/null
  if ! cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"} >"$folder/build.log" 2>&1; then
    tail -30 "$folder/build.log"
    row "build" FAILED "see $folder/build.log"
    return
  fi
  processor
  row "build" ok "$((SECONDS - begin)) s, $((processor - before)) s of processor time"
  begin=$SECONDS before=$processor
  ctest --preset "$preset" --no-tests=error -j "$jobs" -L "$labels" >"$folder/test.log" 2>&1 || result=FAILED
  processor
  sed -n '/The following tests FAILED/,$p' "$folder/test.log"
  row "$what" $result "$(grep 'tests passed' "$folder/test.log" || echo 'no test ran'), $((SECONDS - begin)) s, $((processor - before)) s of processor time"
}

# tested_with PRESET SANITIZERS GROUP...: rows for these groups of tests, or for those that GROUPS_OF_TESTS names
tested_with() {
  local preset=$1 by=$2 group
  shift 2
  for group in ${GROUPS_OF_TESTS:-"$@"}; do
    case $group in
      tools) sanitized "$preset" 'golden|package' "tools with $by" ;;
      fuzz) sanitized "$preset" fuzz "fuzz targets with $by" fuzz ;;
      *) sanitized "$preset" "$group" "$group with $by" "tests_$group" ;;
    esac
  done
}
