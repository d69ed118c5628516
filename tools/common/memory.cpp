// SPDX-License-Identifier: GPL-3.0-or-later

/// Options of jemalloc, which it reads before main(). Memory comes in large pages. Freed memory,
/// large blocks included, stays for reuse for half a minute: the system takes long to supply new
/// pages.
extern "C" const char* const malloc_conf;  // declared first, since a constant is else local
extern "C" const char* const malloc_conf = "thp:always,oversize_threshold:0,dirty_decay_ms:30000";
