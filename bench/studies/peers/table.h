#pragma once

#include <span>
#include <string>

#include "bench/studies/peers/rows.h"
#include "bench/studies/study.h"

namespace drystone::bench {

/// Markdown: the table of a scene.
void printPeerTable(const PeerResult& result);

/// Markdown: the verdict on all scenes and how to read it, how far the runs differ, and how the
/// models of the engines differ in what the scenes have.
void printVerdict(std::span<const PeerResult> results, std::span<const PeerScene> scenes);

/// "Not built: ODE (libode-dev is not installed)."; empty where all engines are there.
std::string absentEngines();

/// The file of bench/plots/peers.py.
CsvFile openPeerCsv(const StudyOptions& options);
void writePeerRow(CsvFile& csv, const PeerCase& test, const PeerRow& row);

}  // namespace drystone::bench
