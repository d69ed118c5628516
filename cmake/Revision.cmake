# SPDX-License-Identifier: GPL-3.0-or-later
# Writes OUT from IN with the source revision of the folder SOURCE, each time the library is built: a
# revision of the time of configuring would name the wrong sources. Unchanged text leaves OUT alone.
set(SCREE_REVISION unknown)
if(GIT)
  execute_process(COMMAND ${GIT} describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    set(SCREE_REVISION ${revision})
  endif()
endif()
configure_file(${IN} ${OUT} @ONLY)
