# SPDX-License-Identifier: GPL-3.0-or-later
# Precompiled headers: Eigen, fmt and the standard headers take half of the time of most units.
# Sources include what they use all the same; the presets clang and tidy build without, so that a missing include shows.
option(SCREE_PRECOMPILED "Compile widely used headers once" ON)
# Command lines are compiled in half the time with less optimisation, and hardly run slower: the libraries do the work.
set(SCREE_TOOL_OPTIMISATION $<$<CONFIG:Release>:-O1>)

set(SCREE_COMMON_HEADERS <Eigen/Dense> <fmt/format.h>
  <algorithm> <array> <cmath> <cstdint> <cstdio> <filesystem> <functional> <limits> <map> <memory> <numeric> <optional>
  <set> <span> <sstream> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>)

if(SCREE_PRECOMPILED)
  file(WRITE ${CMAKE_BINARY_DIR}/precompiled.cpp.in "// only there to carry the precompiled header\n")
  configure_file(${CMAKE_BINARY_DIR}/precompiled.cpp.in ${CMAKE_BINARY_DIR}/precompiled.cpp COPYONLY)
  add_library(scree_precompiled OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(scree_precompiled PRIVATE Eigen3::Eigen fmt::fmt Threads::Threads scree_flags)
  target_precompile_headers(scree_precompiled PRIVATE ${SCREE_COMMON_HEADERS})
  if(SCREE_TOOLS)
    add_library(scree_precompiled_tool OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(scree_precompiled_tool PRIVATE Eigen3::Eigen fmt::fmt CLI11::CLI11 Threads::Threads scree_flags)
    target_compile_options(scree_precompiled_tool PRIVATE ${SCREE_TOOL_OPTIMISATION})
    target_precompile_headers(scree_precompiled_tool PRIVATE ${SCREE_COMMON_HEADERS} <CLI/CLI.hpp>)
  endif()
endif()

# scree_precompiled(TARGET...): these use the common precompiled header; their flags must be scree_flags alone.
function(scree_precompiled)
  scree_reuse_precompiled(scree_precompiled ${ARGN})
endfunction()

# scree_precompiled_tool(TARGET...): the same, with the command-line library.
function(scree_precompiled_tool)
  scree_reuse_precompiled(scree_precompiled_tool ${ARGN})
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${SCREE_TOOL_OPTIMISATION})
  endforeach()
endfunction()

function(scree_reuse_precompiled from)
  if(SCREE_PRECOMPILED)
    foreach(target ${ARGN})
      target_precompile_headers(${target} REUSE_FROM ${from})
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> $<BUILD_INTERFACE:fmt::fmt>)
    endforeach()
  endif()
endfunction()
