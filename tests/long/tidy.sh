#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# clang-tidy with the checks of .clang-tidy over all sources of the libraries and tools, or of the folders that FOLDERS names.
source "$(dirname "$0")/../support/long.sh"
source tests/support/tidied.sh
tidied ${FOLDERS:-libshape libsim tools}
finish
