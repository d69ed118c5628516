// SPDX-License-Identifier: GPL-3.0-or-later
#include "json.hpp"

namespace scree::testing {

nlohmann::json parseJson(const std::string& text) { return nlohmann::json::parse(text); }

}  // namespace scree::testing
