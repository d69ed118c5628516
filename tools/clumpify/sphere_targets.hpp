// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "targets.hpp"

namespace scree::tools {

/// Writes what takes balls alone, by `target.writeSpheres`. Other particles are lost.
std::vector<ConvertedFile> toSpheres(const clump::ShapePack& pack, const Target& target,
                                     const ConvertOptions& options, Losses& losses, Diagnostics&);

// Texts for programs that build particles of spheres.
std::vector<ConvertedFile> yadeFiles(const std::vector<SphereBody>&, const clump::ShapePack&,
                                     const ConvertOptions&);
std::vector<ConvertedFile> csvFiles(const std::vector<SphereBody>&, const clump::ShapePack&,
                                    const ConvertOptions&);
std::vector<ConvertedFile> lammpsFiles(const std::vector<SphereBody>&, const clump::ShapePack&,
                                       const ConvertOptions&);
std::vector<ConvertedFile> liggghtsFiles(const std::vector<SphereBody>&, const clump::ShapePack&,
                                         const ConvertOptions&);

}  // namespace scree::tools
