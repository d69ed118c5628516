// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "poly_piece.hpp"

#include <string>
#include <string_view>
#include <vector>

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

/// Writes it under a temporary name and renames, replacing what is there; returns its bytes.
/// @throws IoError
std::size_t writeVtp(const std::string& path, const PolyPiece& piece, const VtpOptions& options);

/// A file of a ParaView collection (.pvd), and the time that it shows.
struct Dated {
  double time = 0.0;  ///< [T]
  std::string file;   ///< relative to the folder of the .pvd
};

/// The text of a collection, by time and, where times are equal, by name. VTK has no writer for it.
std::string collectionText(std::vector<Dated> files);

/// A multi-block file (.vtm) that names one file a block; files relative to its folder.
struct Block {
  std::string name, file;
};
std::string multiBlockText(const std::vector<Block>& blocks);

/// `text` with & < > " ' as XML writes them in attributes.
std::string xmlEscaped(std::string_view text);

/// "9.1.0"
std::string vtkVersion();

}  // namespace scree::tools::vtp
