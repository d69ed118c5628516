// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace scree::sim {

/// The comment lines of a table and its lines whose first number, the time, is not beyond `t`;
/// empty where there is no file. So a resumed run continues a table where its state stands.
std::string linesUpTo(const std::string& path, double t);

/// The first line of a table, with its end; empty where there is no file.
std::string firstLine(const std::string& path);

/// The distinct times of the rows of a table after `from` and up to `to`: how many there are.
std::size_t timesBetween(const std::string& path, double from, double to);

/// Adds whole lines to a file of `folder`; none of them where that fails. @throws IoError
void appendTo(const std::string& folder, const std::string& name, const std::string& lines);

}  // namespace scree::sim
