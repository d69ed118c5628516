// SPDX-License-Identifier: GPL-3.0-or-later
// Values that several keywords of conf-files take, and the keywords of force laws.
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// A number, or arithmetic between dollar signs: `$2 * 0.5e-6$`.
double scalar(TextReader& in, std::string_view what);
double positiveScalar(TextReader& in, std::string_view what);
double notNegativeScalar(TextReader& in, std::string_view what);
/// One of the words `allowed`.
std::string choice(TextReader& in, std::string_view what,
                   std::initializer_list<std::string_view> allowed);
std::uint32_t group(TextReader& in);

/// Adds a row for each parameter that takes `group1 group2 value`.
void addLawKeywords(std::vector<ConfKeyword>& table);

}  // namespace scree::sim
