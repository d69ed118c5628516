# SPDX-License-Identifier: GPL-3.0-or-later
# Sources compiled together: headers are read, and templates made, once for several of them.
# The presets clang and tidy build without, so that a missing include shows.
option(SCREE_TOGETHER "Compile several sources as one unit where no loop over contacts is among them" ON)

# scree_together(TARGET...): all sources of these targets, seven at a time.
function(scree_together)
  if(SCREE_TOGETHER)
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 7)
  endif()
endfunction()

# scree_folders_together(TARGET FOLDERS FOLDER... [ALONE NAME...]): the sources of these folders of src/, at most seven a
# unit; all others, and those of the given names, alone.
function(scree_folders_together target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;ALONE")
  if(NOT SCREE_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(folder ${arg_FOLDERS})
    set(count 0)
    foreach(source ${sources})
      get_filename_component(name ${source} NAME_WE)
      if(source MATCHES "^src/${folder}/[^/]+\\.cpp$" AND NOT name IN_LIST arg_ALONE)
        math(EXPR part "${count} / 7")
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${folder}${part}")
        math(EXPR count "${count} + 1")
      endif()
    endforeach()
  endforeach()
endfunction()
