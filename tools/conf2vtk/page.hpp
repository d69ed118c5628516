// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "conf2vtk.hpp"
#include "view_data.hpp"

#include "scree/base/parallel.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// One HTML file that shows a series in a browser, without a network and without other files:
/// data, three.js with its licence, and tools/conf2vtk/page/.
///
/// Positions are 32-bit numbers that count from the middle of the scene. Orientations have 16 bits
/// a component, so they are off by at most 1e-4 rad. Ends of chains and bonds are off by 1/65,535
/// of the box around the scene. Equal data, of bodies that rest or arrays that stay, are there
/// once. Names from files are data to the page, never a part of it.
/// @param options  `colourBy`, `explode`, `tracks`, `zoom`
/// @throws UsageError where the page would exceed what browsers take (400 MB)
std::string pageText(const std::string& title, const ViewSeries& series,
                     const Conf2vtkOptions& options);

/// One line for people: how many bodies, at which times.
std::string summaryOf(const ViewSeries& series);

/// A Python script that ParaView opens ready to look at: `paraview --script=view.py`. It names the
/// collections relative to itself, so the folder may move.
/// @param kinds    collections beside it, "particles" for particles.pvd
/// @param options  `colourBy`, `zoom`
std::string viewScript(const std::vector<std::string>& kinds, const image::View& view,
                       const Conf2vtkOptions& options);

/// Draws a series without a display, one picture a frame: bodies by a colour, driven ones grey, the
/// periodic cell, round walls, the time, and on request bonds or force chains, and the tracks up to
/// that time. What moves is drawn over driven bodies, and what stands before it is left out. All
/// pictures share one camera, with gravity downwards, and one range of colours.
/// @param options  `colourBy`, `contacts`, `explode`, `tracks`, `size`, `zoom`, `threads`
/// @param paths    as picturePaths has them
/// @return the bytes written
std::size_t drawPictures(const ViewSeries& series, const Conf2vtkOptions& options,
                         const std::vector<std::string>& paths, const Progress& progress);

/// FILE.png; of a series FILE_0000.png and on. None where `path` is empty.
std::vector<std::string> picturePaths(const std::string& path, std::size_t count);

}  // namespace scree::tools
