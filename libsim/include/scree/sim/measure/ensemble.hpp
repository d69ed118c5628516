// SPDX-License-Identifier: GPL-3.0-or-later
// Measures of several files together: differences of states, tables of an ensemble, exceedance,
// comparison with measurements, and the command files of Rockable's postpro.
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/table.hpp"
#include "scree/sim/measure/instant.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace scree::sim {

/// Columns of differences(): step, t, body, other, sub, quantity, a, b, difference.
std::vector<Column> differenceColumns();

/// Differences of two states, largest first; empty where they are the same.
///
/// Bodies are compared by number, contacts and touches of round walls by their keys, interfaces by
/// their pairs, parameters by name. Two numbers differ where |a - b| > tolerance max(|a|, |b|);
/// two that are no numbers are equal. A thing that one state alone has is 1 against 0, of quantity
/// `contact`, `touch`, `interface` or `bodies`. `body` is -1 for the whole; `other` is the second
/// body of a contact, `sub` names its sub-elements. O(bodies + contacts).
std::vector<Row> differences(const Conf& a, const Conf& b, double tolerance);

struct JoinOptions {
  std::vector<std::string> tables;  ///< paths, in the order of the rows wanted
  std::string runs;                 ///< table with a row for each run; empty: looked up
};
struct JoinedTable {
  Table table;
  std::string runs;  ///< the table of runs in use; empty: none
};
/// The tables of an ensemble as one: a column `run`, their own, then those of runs.csv for it.
///
/// The run of a table is its column `run`. Else it is the folder it stands in where runs.csv has a
/// run of that name, else its own name without the ending. Names of digits compare as numbers, so
/// 0001 is run 1. The column is text: that of runs.csv, or without it that of the table. A runs.csv
/// is looked up beside the first table, then up to two folders above. Its key is its column `run`,
/// else its first column. A column of it that stands in the tables, too, is named `run_NAME`.
/// @throws ModelError where columns differ, or runs.csv has no row for a run, or two
JoinedTable joinTables(const JoinOptions& options, Diagnostics& diagnostics);

struct ExceedanceOptions {
  std::string of;              ///< column of the quantity
  std::string by;              ///< column with a curve for each of its values; empty: one curve
  std::vector<double> levels;  ///< empty: each value that occurs, `bins` even steps with `bins` > 0
  std::int64_t bins = 0;
  std::size_t total = 0;  ///< draws of one curve; those without a row exceed no level; 0: the rows
};
/// Share of an ensemble in which a quantity exceeds a level, with its standard error. Rows of a
/// curve by rising level, curve by curve in the order of their first rows.
///
/// P(x) = K/N for K of N rows above x, with the variance P(1-P)/(N-1) of independent draws. Rows
/// whose quantity is nan do not count.
///
/// For reach, path, drop and tStop, a row whose column `end` is not `rest` is censored: its value
/// is the least there can be, and P is that of Kaplan and Meier (J. Am. Stat. Assoc. 53, 457-481,
/// 1958). low and high are a 95 % interval for as many draws as have its error; where P is 1 for
/// those that may still end, where it is 0 for those just before. Warns where `end` is missing.
/// @throws ModelError where a column is missing or holds words, or has more rows than draws
Table exceedance(const Table& table, const ExceedanceOptions& options, Diagnostics& diagnostics);

/// ∫ |F - G| dx of the distribution functions of two samples: the mean way from one to the other.
/// @param a, b  rising; nan where one is empty. O(a + b)
double wassersteinDistance(const std::vector<double>& a, const std::vector<double>& b);

struct ScoreOptions {
  std::vector<std::string> by;            ///< columns that tell the points of the plan apart
  std::vector<std::string> columns = {};  ///< "OWN=MEASURED" or a name; empty: all in common
  std::vector<std::string> errors = {};   ///< "OWN=S": standard deviation of a measurement
  double outliers = 0.0;                  ///< share of measurements that no run explains
  std::string profile = {};               ///< a parameter: one row for each of its values
};
/// Runs of the same parameters against measurements: a row for each point of the plan, best first.
///
/// Columns: the parameters, `runs` (rows whose values are finite); for each quantity its mean, s.d.
/// and Wasserstein distance from the measurements; `distance`, the mean over the quantities of the
/// Wasserstein distance over the s.d. of the measurements.
///
/// With errors also `logLikelihood` = Σ_j ln ((1-o)/n Σ_i Π_q N(m_jq; x_iq, S_q) + o/V) for
/// measurements m, results x of n runs and the quantities q with an error S; a share o of outliers
/// is uniform over the box V of the measurements; `error`, its standard error from the choice of
/// the runs; `weight`, proportional to the likelihood, 1 in all. Points are ranked by
/// likelihood, else by distance. O(points + runs × measurements).
/// @throws ModelError for a missing column, measurements that do not differ, or one point only
Table score(const Table& runs, const Table& measurements, const ScoreOptions& options,
            Diagnostics& diagnostics);

/// A command file of Rockable's `postpro`: the conf-files, and the processor for each.
struct PostproCommands {
  std::int64_t firstConf = 0, lastConf = 0, stepConf = 1;
  std::string processor;                        ///< ParticleStress or ClusterGranulo
  double volume = 0.0;                          ///< [L³] that the sum of all moments is divided by
  std::map<std::int64_t, double> volumeOfConf;  ///< [L³] by number, in place of `volume`
  std::vector<double> sievingSizes;             ///< labels of the classes of ClusterGranulo

  bool isStress() const { return processor == "ParticleStress"; }
};
/// Comments begin with # / or !. @throws ParseError for an unknown word, a processor without its
/// numbers, no processor at all
PostproCommands readPostproCommands(TextReader& in);

struct PostproTable {
  Table table;                ///< of one conf-file
  Mat3 total = Mat3::Zero();  ///< sum of all M over the volume of this conf-file; 0 without one
};
/// ParticleStress: a row for each body, driven ones 0, with its moment tensor M = V σ (compression
/// positive, `bodyVirials`). The other columns take the axes u = Q z, e = Q x, f = Q y of the body:
/// - a = u·Mu.
/// - r = √((e·Me)² + (f·Mf)²).
/// - tr(PM) = a with P = u⊗u, and tr((1-P)M).
/// ClusterGranulo: for class k of n, the share of parts that bonds hold together (free bodies) with
/// k bodies. The last class has n or more.
PostproTable postproTable(const PostproCommands& commands, const Instant& instant);

}  // namespace scree::sim
