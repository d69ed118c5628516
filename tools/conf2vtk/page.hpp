// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "conf2vtk.hpp"
#include "view_data.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// One HTML file that shows a series in a browser, without a network and without other files:
/// data, three.js with its licence, and tools/conf2vtk/page/.
///
/// Positions are 32-bit numbers that count from the middle of the scene. Orientations have 16 bits
/// a component, so they are off by at most 1e-4 rad. Ends of chains are off by 1/65,535 of the box
/// around the scene. Equal data, of bodies that rest or arrays that stay, are there once. Names
/// from files are data to the page, never a part of it.
/// @param options  `colourBy`, `tracks`, `zoom`
/// @throws UsageError where this program was built without three.js
/// @throws UsageError where the page would exceed what browsers take (400 MB)
std::string pageText(const std::string& title, const ViewSeries& series,
                     const Conf2vtkOptions& options);

/// One line for people: how many bodies, at which times.
std::string summaryOf(const ViewSeries& series);

/// Whether this program was built with three.js.
bool hasPages();

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// A Python script that ParaView opens ready to look at: `paraview --script=view.py`. It names the
/// collections relative to itself, so the folder may move.
/// @param kinds    collections beside it, "particles" for particles.pvd
/// @param options  `colourBy`, `zoom`
std::string viewScript(const std::vector<std::string>& kinds, const ViewFrom& from,
                       const Conf2vtkOptions& options);

}  // namespace scree::tools
