// SPDX-License-Identifier: GPL-3.0-or-later

/// Options of jemalloc, which reads them before main(): memory comes in large pages. The system
/// takes long to supply small ones, and tables of where they are no longer fit the processor.
extern "C" const char* const malloc_conf;
extern "C" const char* const malloc_conf = "thp:always";
