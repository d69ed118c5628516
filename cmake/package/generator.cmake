# SPDX-License-Identifier: GPL-3.0-or-later
# CPack reads this before it installs: which components go into which package.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_COMPONENTS_ALL programs development)
else()
  set(CPACK_COMPONENTS_ALL programs development licence archive)
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
  set(CPACK_COMPONENTS_ALL_IN_ONE_PACKAGE 1)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
  set(CPACK_PACKAGE_FILE_NAME "scree-${CPACK_PACKAGE_VERSION}-${CPACK_SYSTEM_NAME}-x86_64")
endif()
