// SPDX-License-Identifier: GPL-3.0-or-later
// Keywords of time, outputs, search, integration and files.
#include "conf_blocks.hpp"
#include "conf_values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::sim {
namespace {

using In = TextReader;
using Out = TextWriter;
using D = Diagnostics;

/// A whole number; the format's description calls it a double, so it may be written as one.
void readNumberOfConf(In& in, Conf& c, D&) {
  const double n = in.number("iconf");
  if (!(n >= 0.0 && n <= INT32_MAX / 2 && n == std::floor(n)))
    throw in.error(
        fmt::format("iconf: expected a whole number from 0 to {}, found {}", INT32_MAX / 2, n));
  c.iconf = static_cast<int>(n);
}

}  // namespace

std::vector<ConfKeyword> runKeywords() {
  return {
      {"AddOrRemoveInteractions",
       {},
       "word",
       "",
       "bruteForce",
       "bruteForce or OBBtree; kept; contacts do not depend on the search method",
       [](In& in, Conf& c, D&) {
         c.addOrRemoveInteractions =
             choice(in, "AddOrRemoveInteractions", {"bruteForce", "OBBtree"});
       },
       [](Out& o, const Conf& c) { o.line("AddOrRemoveInteractions", c.addOrRemoveInteractions); }},
      {"Integrator",
       {},
       "word",
       "",
       "velocityVerlet",
       "velocityVerlet, Euler, Beeman or RungeKutta4",
       [](In& in, Conf& c, D&) {
         c.integrator =
             choice(in, "Integrator", {"velocityVerlet", "Euler", "Beeman", "RungeKutta4"});
       },
       [](Out& o, const Conf& c) { o.line("Integrator", c.integrator); }},
      {"UpdateNL",
       {"UpdateNLStrategy"},
       "word",
       "",
       "bruteForce",
       "bruteForce or linkCells; kept; contacts do not depend on the search method",
       [](In& in, Conf& c, D&) {
         c.updateNL = choice(in, "UpdateNL", {"bruteForce", "linkCells"});
       },
       [](Out& o, const Conf& c) { o.line("UpdateNL", c.updateNL); }},
      {"forceLaw",
       {},
       "word",
       "",
       "Avalanche",
       "force law; `rockable --list laws` prints the names",
       [](In& in, Conf& c, D&) { c.forceLaw = in.word("forceLaw"); },
       [](Out& o, const Conf& c) {
         if (!c.forceLaw.empty()) o.line("forceLaw", c.forceLaw);
       }},
      {"t",
       {},
       "t",
       "T",
       "0",
       "current time",
       [](In& in, Conf& c, D&) { c.t = scalar(in, "t"); },
       [](Out& o, const Conf& c) { o.line("t", c.t); }},
      {"tmax",
       {},
       "t",
       "T",
       "1",
       "time at the end of the run",
       [](In& in, Conf& c, D&) { c.tmax = scalar(in, "tmax"); },
       [](Out& o, const Conf& c) { o.line("tmax", c.tmax); }},
      {"dt",
       {},
       "dt",
       "T",
       "1e-6",
       "time step",
       [](In& in, Conf& c, D&) { c.dt = positiveScalar(in, "dt"); },
       [](Out& o, const Conf& c) { o.line("dt", c.dt); }},
      {"interVerlet",
       {},
       "dt",
       "T",
       "0.01",
       "period of neighbour updates; kept, Scree updates by displacement",
       [](In& in, Conf& c, D&) { c.interVerlet = notNegativeScalar(in, "interVerlet"); },
       [](Out& o, const Conf& c) { o.line("interVerlet", c.interVerlet); }},
      {"interConf",
       {},
       "dt",
       "T",
       "0.25",
       "period of conf-files",
       [](In& in, Conf& c, D&) { c.interConf = positiveScalar(in, "interConf"); },
       [](Out& o, const Conf& c) { o.line("interConf", c.interConf); }},
      {"DVerlet",
       {},
       "d",
       "L",
       "0",
       "gap of neighbouring bodies; kept, Scree chooses its own",
       [](In& in, Conf& c, D&) { c.DVerlet = notNegativeScalar(in, "DVerlet"); },
       [](Out& o, const Conf& c) { o.line("DVerlet", c.DVerlet); }},
      {"dVerlet",
       {},
       "d",
       "L",
       "0",
       "gap of neighbouring sub-elements; kept, Scree chooses its own",
       [](In& in, Conf& c, D&) { c.dVerlet = notNegativeScalar(in, "dVerlet"); },
       [](Out& o, const Conf& c) { o.line("dVerlet", c.dVerlet); }},
      {"parallel_mode",
       {},
       "word",
       "",
       "DefaultParallelMode",
       "DefaultParallelMode (or Default), InteractionBuffer, CellMutex, WaveMethod or "
       "WaveMethodBlock; kept; results do not depend on threads",
       [](In& in, Conf& c, D&) {
         c.parallelMode = choice(in, "parallel_mode",
                                 {"DefaultParallelMode", "Default", "InteractionBuffer",
                                  "CellMutex", "WaveMethod", "WaveMethodBlock"});
         if (c.parallelMode == "Default") c.parallelMode = "DefaultParallelMode";
       },
       [](Out& o, const Conf& c) {
         if (c.parallelMode != "DefaultParallelMode") o.line("parallel_mode", c.parallelMode);
       }},
      {"dynamicUpdateNL",
       {},
       "0|1",
       "",
       "0",
       "kept; Scree always updates by displacement",
       [](In& in, Conf& c, D&) {
         c.dynamicUpdateNL = static_cast<int>(in.integer("dynamicUpdateNL", 0, 1));
       },
       [](Out& o, const Conf& c) { o.line("dynamicUpdateNL", c.dynamicUpdateNL); }},
      {"dispUpdateNL",
       {},
       "d",
       "L",
       "1",
       "kept, as dynamicUpdateNL",
       [](In& in, Conf& c, D&) { c.dispUpdateNL = notNegativeScalar(in, "dispUpdateNL"); },
       [](Out& o, const Conf& c) {
         if (c.dynamicUpdateNL || c.dispUpdateNL != Conf().dispUpdateNL)
           o.line("dispUpdateNL", c.dispUpdateNL);
       }},
      {"angleUpdateNL",
       {},
       "degrees",
       "",
       "",
       "kept, as dynamicUpdateNL",
       [](In& in, Conf& c, D&) { c.angleUpdateNL = notNegativeScalar(in, "angleUpdateNL"); },
       [](Out& o, const Conf& c) {
         if (c.angleUpdateNL) o.line("angleUpdateNL", *c.angleUpdateNL);
       }},
      {"cellMinSizes",
       {},
       "x y z",
       "L",
       "1 1 1",
       "sizes of link cells; kept, Scree has its own",
       [](In& in, Conf& c, D&) { c.cellMinSizes = in.vec3("cellMinSizes"); },
       [](Out& o, const Conf& c) { o.line("cellMinSizes", c.cellMinSizes); }},
      {"boxForLinkCellsOpt",
       {},
       "0|1",
       "",
       "0",
       "kept, as cellMinSizes",
       [](In& in, Conf& c, D&) {
         c.boxForLinkCellsOpt = static_cast<int>(in.integer("boxForLinkCellsOpt", 0, 1));
       },
       [](Out& o, const Conf& c) { o.line("boxForLinkCellsOpt", c.boxForLinkCellsOpt); }},
      {"iconf",
       {},
       "n",
       "",
       "0",
       "number of this conf-file; the next one is n + 1",
       readNumberOfConf,
       [](Out& o, const Conf& c) { o.line("iconf", c.iconf); }},
      {"nDriven",
       {},
       "n",
       "",
       "0",
       "the first n bodies are fixed, or driven by drivingSystem.txt",
       [](In& in, Conf& c, D&) {
         c.nDriven = static_cast<std::uint32_t>(in.integer("nDriven", 0, UINT32_MAX - 1));
       },
       [](Out& o, const Conf& c) { o.line("nDriven", c.nDriven); }},
      {"shapeFile",
       {},
       "path",
       "",
       "",
       "library of the shapes; looked for beside this file, then in the current folder",
       [](In& in, Conf& c, D&) { c.shapeFile = in.word("shapeFile"); },
       [](Out& o, const Conf& c) {
         if (!c.shapeFile.empty()) o.line("shapeFile", c.shapeFile);
       }},
      {"separator",
       {},
       "word",
       "",
       "space",
       "space, tab or semicolon; kept, without effect",
       [](In& in, Conf& c, D&) {
         c.separator = choice(in, "separator", {"tab", "semicolon", "space"});
       },
       [](Out& o, const Conf& c) {
         if (c.separator != "space") o.line("separator", c.separator);
       }},
      {"precision",
       {},
       "n",
       "",
       "",
       "0 to 60 decimals of particles and interactions, 16 being exact; absent or 0: shortest "
       "exact text",
       [](In& in, Conf& c, D&) {
         const auto n = in.integer("precision", INT32_MIN, INT32_MAX);
         if (n < 0 || n > 60)
           throw in.error(fmt::format("precision: expected 0 to 60, found {}", n));
         c.precision = n > 0 ? static_cast<int>(n) : -1;
       },
       [](Out& o, const Conf& c) {
         if (c.precision > 0) o.line("precision", c.precision);
       }},
      {"Particles",
       {},
       "N, then N lines",
       "",
       "",
       "the bodies: name group cluster homothety pos vel acc Q vrot arot",
       readParticles,
       writeParticles},
      {"Interactions",
       {},
       "N, then N lines",
       "",
       "0",
       "the contacts: i j type isub jsub n dn pos vel fn ft mom damp",
       readInteractions,
       writeInteractions},
      {"Interfaces",
       {},
       "N, then N lines",
       "",
       "0",
       "the glued pairs: i j bonds [dn0] [parameters] (type isub jsub)...",
       readInterfaces,
       writeInterfaces},
      {"DataExtractor",
       {},
       "name parameters",
       "",
       "",
       "a table written during the run, as in a line of dataExtractors.txt",
       keepLine<true>,
       nullptr},
      {"preventCrossingLength",
       {},
       "d",
       "L",
       "0",
       "kept; without effect",
       [](In& in, Conf& c, D&) {
         c.preventCrossingLength = notNegativeScalar(in, "preventCrossingLength");
       },
       [](Out& o, const Conf& c) {
         if (c.preventCrossingLength > 0) o.line("preventCrossingLength", c.preventCrossingLength);
       }},
  };
}

}  // namespace scree::sim
