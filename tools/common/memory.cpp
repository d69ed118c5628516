// SPDX-License-Identifier: GPL-3.0-or-later

/// Options of jemalloc, which reads them before main(): memory comes in large pages, and what is
/// freed, large blocks, too, stays for reuse for half a minute. The system takes long to supply new
/// pages.
extern "C" const char* const malloc_conf;
extern "C" const char* const malloc_conf = "thp:always,oversize_threshold:0,dirty_decay_ms:30000";
