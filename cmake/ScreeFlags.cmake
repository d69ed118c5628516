# SPDX-License-Identifier: GPL-3.0-or-later
# Flags that decide on bits. They go with the installed package, too.
set(SCREE_ARITHMETIC_FLAGS -ffp-contract=off)  # one rounding per operation: the same bits from every compiler
# Flags every target of ours is built with; kept off whoever links us.
add_library(scree_flags INTERFACE)
target_compile_features(scree_flags INTERFACE cxx_std_20)
target_compile_options(scree_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
  ${SCREE_ARITHMETIC_FLAGS}
  -fno-math-errno  # errno is not read after a square root, so one instruction can compute those of all lanes
  # g++ 12 sees overlapping copies and copies out of bounds where a short text is assigned to a string (its bug
  # 105651), the latter where the standard headers are precompiled.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-stringop-overflow>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-stringop-overread>
  # g++ collects its garbage when a unit has grown by a part; most units fit into 1 GB without: a fifth less time.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=1000>
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>
  $<$<BOOL:${SCREE_WERROR}>:-Werror>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND SCREE_ARCH)
  # Fused multiply-adds stand in what g++ 12 makes of Eigen above v2, in spite of -ffp-contract=off.
  target_compile_options(scree_flags INTERFACE -march=${SCREE_ARCH} -mno-fma)
  list(APPEND SCREE_ARITHMETIC_FLAGS -march=${SCREE_ARCH} -mno-fma)
  if(NOT SCREE_ARCH STREQUAL "x86-64-v2")
    target_compile_options(scree_flags INTERFACE -mno-avx512f)  # Eigen refuses it without them
    list(APPEND SCREE_ARITHMETIC_FLAGS -mno-avx512f)
  endif()
endif()
if(SCREE_SANITIZE)
  target_compile_options(scree_flags INTERFACE
    -fsanitize=${SCREE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # g++ sees uninitialised members in <regex> where the checks of sanitizers stand between (its bug 105562).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(SCREE_SANITIZE MATCHES "address.*undefined|undefined.*address")
    # These four checks stand before each access through a pointer. In one unit they cost more than a third of the time of
    # g++ 12. Address reports most such accesses; docs/reliability.md says what is lost.
    target_compile_options(scree_flags INTERFACE
      $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize=null,object-size,pointer-overflow,alignment>)
  endif()
  target_link_options(scree_flags INTERFACE -fsanitize=${SCREE_SANITIZE})
endif()

# scree_foreign_where_sanitized(OPTIMISATION SOURCE...): sources that hold little but templates of CGAL. With address and
# undefined one takes minutes to compile. They keep address; undefined is left out (docs/reliability.md).
function(scree_foreign_where_sanitized optimisation)
  if(SCREE_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set_source_files_properties(${ARGN} PROPERTIES
      COMPILE_OPTIONS "${optimisation};-fno-sanitize=undefined;-Wno-error" SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# scree_plain_where_sanitized(SOURCE...): with address and undefined g++ 12 follows pointers through the
# lanes of libsim (contact/lanes.hpp) for more than ten minutes; without optimisation it takes seconds.
function(scree_plain_where_sanitized)
  if(SCREE_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A precompiled header serves only units that are optimised as it was.
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O0 SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
