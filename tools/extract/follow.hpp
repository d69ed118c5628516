// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "series.hpp"

namespace scree::tools {

/// Measures a series while a run still writes it. Looks for new conf-files every `seconds`, until
/// the run is over (see runIsOver) or `stopped` returns true. Waits for a folder that does not
/// exist yet.
///
/// A file that cannot be read is tried again until a later one exists or the run is over. After
/// that it is named in the outcome and left out. Rows come in the order of the files.
/// @param flush  called after each look that found something
SeriesOutcome followSeries(const std::vector<const Kind*>& kinds,
                           const std::vector<std::string>& paths, SeriesOptions options,
                           Diagnostics& diagnostics, double seconds,
                           const std::function<bool()>& stopped,
                           const std::function<void(std::size_t kind, std::vector<sim::Row>)>& take,
                           const std::function<void()>& flush);

}  // namespace scree::tools
