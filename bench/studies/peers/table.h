#pragma once

#include <span>
#include <string>

#include "bench/studies/peers/rows.h"
#include "bench/studies/study.h"

namespace drystone::bench {

/// Markdown: the table of a scene.
void printPeerTable(const PeerResult& result);

/// Markdown: a line a scene with what each configuration takes in units of Bullet's step and how
/// well it held, then how many of the standing scenes each held.
std::string verdictTable(std::span<const PeerResult> results);

/// Markdown: how far the runs of a configuration differ in time and in measure(). Empty for one
/// run.
std::string repeatability(std::span<const PeerResult> results);

/// Markdown: the verdict on all scenes and how to read it, how far the runs differ, and how the
/// models of the engines differ in what the scenes have.
void printVerdict(std::span<const PeerResult> results, std::span<const PeerScene> scenes);

/// " Not built: ODE (libode-dev is not installed)."; empty where all engines are there.
std::string absentEngines();

/// The file of bench/plots/peers.py.
CsvFile openPeerCsv(const StudyOptions& options);
void writePeerRow(CsvFile& csv, const PeerCase& test, const PeerRow& row);

}  // namespace drystone::bench
