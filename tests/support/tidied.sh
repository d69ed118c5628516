# SPDX-License-Identifier: GPL-3.0-or-later
# For parts of `./test.sh --long` that run clang-tidy, after long.sh.

# Sources that use a name of their unit for something else: each is checked alone.
apart=(libshape/src/clump/cover/inside_cover.cpp libshape/src/clump/solid_distance.cpp libshape/src/mass/convex_cell.cpp
  libshape/src/shape/mesh_distance.cpp libshape/src/shape/mesh_write.cpp libshape/src/shape/surface_mesh.cpp libsim/src/detect/sub_search.cpp
  libsim/src/io/conf_file.cpp libsim/src/measure/energy_budget.cpp libsim/src/engine/velocity_verlet.cpp libsim/src/run/run_input.cpp)

# units LIST: writes units of at most UNIT sources (26) into build/tidy/units, and the commands for them. A unit includes sources
# that are compiled with the same options. LIST names the sources, one a line. Headers are then read once a unit, which takes
# most of the time. The static analyzer follows paths through an included source only if the unit is named UnifiedSource.
units() {
  local folder=build/tidy/units
  rm -rf "$folder"
  mkdir -p "$folder"
  printf '%s\n' "${apart[@]}" | awk -v root="$root" -v folder="$folder" -v most="${UNIT:-26}" '
    FILENAME == "-" { apart[$0] = 1; next }
    FILENAME == ARGV[2] { wanted[$0] = 1; next }
    # Alignment of loops matters to no check. Warnings of the compiler belong to the preset clang: here those of -Wshadow
    # would also compare sources with each other.
    /^ *"command": / {
      command = $0
      sub(/^ *"command": "/, "", command)
      sub(/ -o .*/, "", command)
      gsub(/ -falign-[a-z]*=[0-9]*| -Werror/, "", command)
    }
    /^ *"file": / {
      file = $0
      sub(/^ *"file": "/, "", file)
      sub(/".*/, "", file)
      file = substr(file, length(root) + 2)
      if (!(file in wanted) || file in done) next
      done[file] = 1
      split(file, path, "/")
      top = path[1]
      group = (file in apart ? file : top == "tools" ? path[2] : top) " " command  # each tool has a function main
      if (!(group in count)) { groups[++n] = group; tops[n] = top; commands[n] = command }
      sources[group, ++count[group]] = file
    }
    END {
      print "["
      for (g = 1; g <= n; ++g) {
        all = count[groups[g]]
        parts = int((all + most - 1) / most)
        for (part = 0; part < parts; ++part) {
          unit = root "/" folder "/UnifiedSource-" tops[g] "-" ++number[tops[g]] ".cpp"
          for (k = int(part * all / parts) + 1; k <= int((part + 1) * all / parts); ++k)
            printf "// NOLINTNEXTLINE(bugprone-suspicious-include): a unit is made of sources\n#include \"%s/%s\"\n",
              root, sources[groups[g], k] >unit
          printf "%s{\"directory\": \"%s/build/tidy\", \"command\": \"%s -c %s\", \"file\": \"%s\"}", comma, root, commands[g], unit, unit
          comma = ",\n"
        }
      }
      print "\n]"
    }' - "$1" build/tidy/compile_commands.json >"$folder/compile_commands.json"
}

# unused_names FILE...: names that a using declaration or an alias of a namespace brings into a source, and that occur nowhere else
# in it. The two checks of clang-tidy for them, misc-unused-using-decls and misc-unused-alias-decls, see no source inside a unit.
unused_names() {
  awk '
    function report(k) {
      for (k = 1; k <= declared; ++k)
        if (seen[names[k]] < 2) printf "%s:%d: error: %s is declared and not used [misc-unused-using-decls]\n", file, lines[k], names[k]
      declared = 0
      delete seen
    }
    FNR == 1 { report(); file = FILENAME }
    {
      sub(/\/\/.*/, "")
      gsub(/"([^"\\]|\\.)*"/, "")
      if ($1 == "using" && $2 != "namespace" && /::/ && !/=/) { name = $0; sub(/;.*/, "", name); sub(/.*::/, "", name) }
      else if ($1 == "namespace" && $3 == "=") name = $2
      else name = ""
      if (name ~ /^[A-Za-z_][A-Za-z_0-9]*$/) { names[++declared] = name; lines[declared] = FNR }
      count = split($0, words, /[^A-Za-z_0-9]+/)
      for (k = 1; k <= count; ++k) ++seen[words[k]]
    }
    END { report() }' "$@"
}

# tidied FOLDER...: the checks of .clang-tidy on each source of these folders; a row for each folder.
# FILES: at most so many of each folder, evenly chosen (0, all of them).
tidied() {
  scripts/packages.sh clang clang-tidy
  cmake --preset tidy -DSCREE_TEST_DATA="$SCREE_TEST_DATA" >/dev/null
  local folder sources checked found seconds result before most=${FILES:-0} logs=build/tidy/logs
  rm -rf "$logs"
  mkdir -p "$logs"
  for folder in "$@"; do
    git ls-files "$folder/*.cpp" | awk -v most="$most" '
      { all[NR] = $0 }
      END { n = most > 0 && most < NR ? most : NR; for (k = 1; k <= n; ++k) print all[int((k - 0.5) * NR / n) + 1] }' >"$logs/$folder.sources"
    mapfile -t sources <"$logs/$folder.sources"
    if [ ${#sources[@]} -eq 0 ]; then
      row "$folder" FAILED "0 files: this needs a git checkout"
      continue
    fi
    seconds=$SECONDS
    processor
    before=$processor
    units "$logs/$folder.sources"
    # The sources of a unit are listed as clean or as failed once it was read to its end.
    find build/tidy/units -name '*.cpp' | sort | xargs -P "$jobs" -I '{}' bash -c '
      log=$1/$(basename "$2" .cpp).log
      clang-tidy -p build/tidy/units --quiet --warnings-as-errors="*" "$2" >"$log.all" 2>&1 && found= || found=1
      # What the analyzer finds on a path that ends in a header of a library is not counted.
      awk "/: (warning|error|note): / { if (!/: note: /) theirs = /^\/usr\/.*\[clang-analyzer-/ } !theirs" "$log.all" >"$log"
      if [ -z "$found" ] || { grep -q "^/usr/.*\[clang-analyzer-" "$log.all" && ! grep -qE ": (warning|error): " "$log"; }; then
        sed -n "s|^#include \"$3/\(.*\)\"$|\1|p" "$2" >>"$1/$4.clean"
      else
        sed -n "s|^#include \"$3/\(.*\)\"$|\1|p" "$2" >>"$1/$4.failed"
      fi' - "$logs" '{}' "$root" "$folder"
    unused_names "${sources[@]}" >"$logs/UnifiedSource-$folder-names.log"
    # A header reports the same again for each unit that includes it.
    { grep -hE ': (warning|error): ' "$logs/UnifiedSource-$folder"-*.log || true; } | sort -u | tee "$logs/found"
    found=$(wc -l <"$logs/found")
    touch "$logs/$folder.clean" "$logs/$folder.failed"
    checked=$(sort -u "$logs/$folder.clean" "$logs/$folder.failed" | grep -Fxcf "$logs/$folder.sources" || true)
    sort -u "$logs/$folder.clean" "$logs/$folder.failed" | grep -Fxvf - "$logs/$folder.sources" | sed 's/$/: in no unit, so not checked/' || true
    result=ok
    [ "$found" -eq 0 ] && [ ! -s "$logs/$folder.failed" ] && [ "$checked" -eq ${#sources[@]} ] || result=FAILED
    processor
    row "$folder" $result "$checked of ${#sources[@]} files, $found findings, $((SECONDS - seconds)) s, $((processor - before)) s of processor time"
  done
}
