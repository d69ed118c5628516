# SPDX-License-Identifier: GPL-3.0-or-later
# Finds VTK for conf2vtk and the writer of .vtp files: the one that VTK_DIR names, else that of the system, else the
# one inside ParaView (Debian: paraview-dev), since Debian's libvtk9-dev cannot stand beside python3-paraview.
set(SCREE_VTK_COMPONENTS CommonCore CommonDataModel IOXML)
find_package(VTK 9.1 QUIET COMPONENTS ${SCREE_VTK_COMPONENTS})
if(NOT VTK_FOUND)
  file(GLOB inside_paraview LIST_DIRECTORIES true
    /usr/lib/*/cmake/paraview-*/vtk /usr/lib/cmake/paraview-*/vtk /usr/local/lib/cmake/paraview-*/vtk)
  foreach(folder ${inside_paraview})
    if(NOT VTK_FOUND)
      find_package(VTK 9.1 QUIET COMPONENTS ${SCREE_VTK_COMPONENTS} PATHS ${folder} NO_DEFAULT_PATH)
    endif()
  endforeach()
endif()
if(NOT VTK_FOUND)
  message(FATAL_ERROR "VTK 9.1 or later is needed, with ${SCREE_VTK_COMPONENTS}: Debian has it in libvtk9-dev and, "
    "where ParaView is installed, in paraview-dev (scripts/packages.sh chooses). -DVTK_DIR=FOLDER names another; it "
    "holds vtk-config.cmake.")
endif()
message(STATUS "VTK ${VTK_VERSION} in ${VTK_DIR}")
