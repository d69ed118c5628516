# SPDX-License-Identifier: GPL-3.0-or-later
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4)
find_dependency(Threads)
find_dependency(CGAL)
find_dependency(fmt)
find_dependency(nlohmann_json)
include("${CMAKE_CURRENT_LIST_DIR}/screeTargets.cmake")
