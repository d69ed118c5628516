// SPDX-License-Identifier: GPL-3.0-or-later
// How fast conf-files are read, written, compressed and decompressed, and what memory that takes.
//     `bench_conf_io [particles, default 1000000]`
// Prints a line a measure: MB of text, MB/s, peak memory over the size of the text.
#include "scree/base/files.hpp"
#include "scree/base/rng.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

using namespace scree;

namespace {

/// Largest memory since the last reset, as Linux counts it.
double peakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      double kilobytes = 0.0;
      status >> kilobytes;
      return 1024.0 * kilobytes;
    }
  return 0.0;
}
void resetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Numbers as a run leaves them: 15 to 17 digits each.
sim::Conf randomConf(std::size_t n) {
  Rng rng(1);
  sim::Conf conf;
  conf.shapeFile = "shapes.shp";
  for (const char* name : {"Boulder", "Ball", "Slab"}) conf.internShapeName(name);
  const auto vector = [&](double size) {
    const double x = rng.uniform(-size, size), y = rng.uniform(-size, size),
                 z = rng.uniform(-size, size);
    return Vec3(x, y, z);
  };
  for (std::size_t k = 0; k < n; ++k) {
    sim::ParticleRecord p;
    p.shapeName = static_cast<std::uint32_t>(k % 3);
    p.group = static_cast<std::uint32_t>(k % 2);
    p.cluster = static_cast<std::int32_t>(k);
    p.pos = vector(10.0);
    p.vel = vector(1.0);
    p.acc = vector(1e3);
    p.q = rng.orientation();
    p.vrot = vector(10.0);
    p.arot = vector(1e4);
    conf.particles.push_back(p);
  }
  return conf;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  std::string text;
  const auto print = [&text](const char* what, double seconds, const std::string& more) {
    const double bytes = static_cast<double>(text.size());
    std::printf("%-22s%8.1f MB  %6.0f MB/s  %s\n", what, 1e-6 * bytes, 1e-6 * bytes / seconds,
                more.c_str());
  };
  const auto peak = [&text] {
    char words[64];
    std::snprintf(words, sizeof words, "peak %.2f times the text",
                  peakBytes() / static_cast<double>(text.size()));
    return std::string(words);
  };
  {
    const sim::Conf conf = randomConf(n);
    const auto begin = Clock::now();
    text = sim::confText(conf);
    print("write", secondsSince(begin), peak() + ", bodies included");
  }
  {
    std::string copy = text;
    resetPeak();
    Diagnostics diagnostics(true);
    const auto begin = Clock::now();
    TextReader in("conf", std::move(copy));
    const sim::Conf conf = sim::readConf(in, diagnostics);
    const double seconds = secondsSince(begin);
    print("read", seconds, peak() + ", a second copy of it included");
    if (conf.particles.size() != n) return 1;
  }
  auto begin = Clock::now();
  const std::string packed = compressed(text);
  char share[64];
  std::snprintf(share, sizeof share, "to %.1f %% of the size",
                100.0 * static_cast<double>(packed.size()) / static_cast<double>(text.size()));
  print("compress", secondsSince(begin), share);
  begin = Clock::now();
  const std::string again = decompressed(packed, "conf");
  print("decompress", secondsSince(begin), "");
  return again == text ? 0 : 1;
}
