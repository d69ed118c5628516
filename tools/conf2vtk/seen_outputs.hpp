// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "conf2vtk.hpp"
#include "seen.hpp"

#include <functional>
#include <string>
#include <vector>

namespace scree::tools {

/// Whether a call makes anything of frames: tracks, a page or pictures.
bool hasSeenOutputs(const Conf2vtkOptions& options);
/// Refuses what would be overwritten, and several pictures on standard output.
/// @param files  of the series
/// @throws UsageError, IoError
void checkSeenOutputs(const Conf2vtkOptions& options, std::size_t files);
/// Refuses to replace a file that the call reads, even with `--force`. @throws UsageError
void refuseInputs(const Conf2vtkOptions& options, std::size_t files,
                  const std::vector<std::string>& read);
/// Warns of options that change ParaView files alone, where none are written.
void warnOfUnused(const Conf2vtkOptions& options, Diagnostics& diagnostics);
/// Writes tracks, page and pictures.
/// @param report  gets bytes and collections
void writeSeenOutputs(const Conf2vtkOptions& options, const SeenSeries& series,
                      Conf2vtkReport& report,
                      const std::function<void(const std::string&)>& announce,
                      const Progress& progress);

}  // namespace scree::tools
