# SPDX-License-Identifier: GPL-3.0-or-later
# For parts of `./test.sh --long` that run clang-tidy, after long.sh.

# tidied FOLDER...: the checks of .clang-tidy on each source of these folders that is built; a row for each folder.
# FILES: at most so many of each folder, evenly chosen (0, all of them).
tidied() {
  scripts/packages.sh clang clang-tidy
  cmake --preset tidy -DSCREE_TEST_DATA="$SCREE_TEST_DATA" >/dev/null
  local folder sources found seconds result before most=${FILES:-0} logs=build/tidy/logs
  rm -rf "$logs"
  mkdir -p "$logs"
  sed -n "s|.*\"file\": \"$root/\(.*\)\".*|\1|p" build/tidy/compile_commands.json >"$logs/built"
  for folder in "$@"; do
    # Sources of the checkout for which there is a command: those that a target builds.
    mapfile -t sources < <(git ls-files "$folder/*.cpp" | grep -Fxf "$logs/built" | awk -v most="$most" '
      { all[NR] = $0 }
      END { n = most > 0 && most < NR ? most : NR; for (k = 1; k <= n; ++k) print all[int((k - 0.5) * NR / n) + 1] }')
    if [ ${#sources[@]} -eq 0 ]; then
      row "$folder" FAILED "0 files: this needs a git checkout, and a configured build that compiles its sources"
      continue
    fi
    seconds=$SECONDS
    processor
    before=$processor
    printf '%s\n' "${sources[@]}" | xargs -P "$jobs" -I '{}' bash -c '
      log=$1/$(tr / _ <<<"$2").log
      clang-tidy -p build/tidy --quiet --warnings-as-errors="*" "$2" >"$log" 2>&1 || echo "$2" >>"$1/failed"' - "$logs" '{}'
    # A header reports the same again for each source that includes it.
    { grep -hE ': (warning|error): ' "$logs/${folder//\//_}"_*.log || true; } | sort -u | tee "$logs/found"
    found=$(wc -l <"$logs/found")
    result=ok
    [ "$found" -eq 0 ] && ! grep -q "^$folder/" "$logs/failed" 2>/dev/null || result=FAILED
    processor
    row "$folder" $result "${#sources[@]} files, $found findings, $((SECONDS - seconds)) s, $((processor - before)) s of processor time"
  done
}
