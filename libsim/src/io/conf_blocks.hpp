// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/model/conf.hpp"

namespace scree::sim {

// The three lists at the end of a conf-file.
void readParticles(TextReader& in, Conf& conf, Diagnostics& diagnostics);
void readInteractions(TextReader& in, Conf& conf, Diagnostics& diagnostics);
void readInterfaces(TextReader& in, Conf& conf, Diagnostics& diagnostics);
/// `#scree interface number area [slip of each bond]`, which writeInterfaces writes.
void readInterfaceState(TextReader& in, Conf& conf);
/// Complains where `word`, just read at the place of a keyword behind the list `block`, begins a
/// line of that list: more of them than announced.
void refuseExcessLines(TextReader& in, std::string_view block, std::string_view word);

void writeParticles(TextWriter& out, const Conf& conf);
void writeInteractions(TextWriter& out, const Conf& conf);
void writeInterfaces(TextWriter& out, const Conf& conf);

}  // namespace scree::sim
