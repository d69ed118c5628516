// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace scree::testing {

/// Compiled once: the parser costs two seconds in each unit that names it. Throws
/// nlohmann::json::parse_error.
nlohmann::json parseJson(const std::string& text);

}  // namespace scree::testing
