# SPDX-License-Identifier: GPL-3.0-or-later
# Installation beside programs and libraries, and packages: `cpack -G DEB` makes scree and libscree-dev, `cpack -G TGZ` one
# archive that brings the libraries it needs. With SOURCE_DATE_EPOCH the same build makes the same bytes.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(SCREE_PYTHON lib/python3/dist-packages CACHE PATH "Folder of scree.py below the prefix")
set(SCREE_MAINTAINER "The Scree maintainers <maintainers@scree.invalid>" CACHE STRING "Contact of Debian packages")

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # packing needs no tests

# Man pages and completions follow from the help of the programs.
set(scree_tools shapeSurvey packgen clumpify rockable conf2vtk extract)
set(share ${CMAKE_BINARY_DIR}/share)
add_custom_command(OUTPUT ${share}/made
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/help_pages.py $<TARGET_FILE_DIR:rockable> ${share}
  DEPENDS ${scree_tools} ${PROJECT_SOURCE_DIR}/scripts/help_pages.py COMMENT "Man pages and completions")
add_custom_target(scree_help ALL DEPENDS ${share}/made)
install(DIRECTORY ${share}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT programs PATTERN made EXCLUDE)

install(FILES python/scree.py DESTINATION ${SCREE_PYTHON} COMPONENT programs)
install(DIRECTORY data DESTINATION ${CMAKE_INSTALL_DATADIR}/scree COMPONENT programs USE_SOURCE_PERMISSIONS)
install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs USE_SOURCE_PERMISSIONS)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/scree COMPONENT licence)
# The pages and scripts find data beside docs.
install(CODE [[
  set(doc "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/doc/scree")
  file(REMOVE "${doc}/data")
  file(CREATE_LINK ../../scree/data "${doc}/data" SYMBOLIC)]] COMPONENT programs)

# Programs in the build folder have the same path: one of CMake has empty entries, which mean the current folder.
set_target_properties(${scree_tools} PROPERTIES
  INSTALL_RPATH "$ORIGIN/../lib/scree" INSTALL_RPATH_USE_LINK_PATH ON BUILD_WITH_INSTALL_RPATH ON)
foreach(tool ${scree_tools})
  target_link_options(${tool} PRIVATE -Wl,--disable-new-dtags)  # RPATH, which libraries of libraries follow, too
endforeach()
install(TARGETS ${scree_tools} RUNTIME_DEPENDENCY_SET scree_libraries DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
# The archive brings all shared libraries but those of the C library, so that it runs on other Linux systems.
install(RUNTIME_DEPENDENCY_SET scree_libraries DESTINATION lib/scree COMPONENT archive EXCLUDE_FROM_ALL
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util)\\.so")

set(CPACK_PACKAGE_VENDOR "Scree")
set(CPACK_PACKAGE_CONTACT "${SCREE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "discrete-element simulation of particles of real shape")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME scree)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS "python3:any")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS "python3-numpy, gnuplot-nox | gnuplot, parallel")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "paraview, python3-pandas, python3-zstandard, bash-completion")
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
  "Six programs make shapes, pack bodies, run the discrete element method, and\nmeasure and draw the results. A particle is a sphero-polyhedron or a clump of\nspheres. They read and write the files of Rockable and Woo.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libscree-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libeigen3-dev, libcgal-dev, libfmt-dev, nlohmann-json3-dev, libzstd-dev, libxxhash-dev, voro++-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "Headers, static libraries and CMake package of libshape (shapes and their mass)\nand libsim (the simulation), on which the programs of scree are built.")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package/generator.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package/before_packing.cmake)
set(CPACK_SCREE_FILES ${PROJECT_SOURCE_DIR}/cmake/package)
set(CPACK_SCREE_SOURCE ${PROJECT_SOURCE_DIR})
include(CPack)
