// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "poly_piece.hpp"

#include <string>

namespace scree::tools::vtp {

enum class Compression { none, lz4, zlib };

struct VtpOptions {
  Compression compression = Compression::lz4;
  bool ascii = false;  ///< numbers as text: five times larger, for reading by eye
};

/// The content of a .vtp file. The same piece gives the same bytes, on any run and thread: nothing
/// in it tells when, where or by whom it was made.
/// @throws std::logic_error if an array has not one tuple for each point or cell
std::string vtpText(const PolyPiece& piece, const VtpOptions& options);

/// Writes it under a temporary name and renames, replacing what is there; returns its size in
/// bytes.
/// @throws IoError
std::size_t writeVtp(const std::string& path, const PolyPiece& piece, const VtpOptions& options);

/// "9.1.0"
std::string vtkVersion();

}  // namespace scree::tools::vtp
