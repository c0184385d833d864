#pragma once

#include <string>
#include <vector>

#include "bench/studies/peers/cases.h"
#include "bench/studies/peers/figures.h"
#include "bench/studies/study.h"

namespace drystone::bench {

/// What became of a scene in one configuration.
struct PeerRow {
  std::string configuration;
  PeerFigures figures;
};

/// "stands", "fell", "ran", "ended" (before the last step) or "refused" (the scene).
std::string_view outcome(const PeerCase& test, const PeerRow& row);

/// Markdown: the table of a case, and how the models of the engines differ in it.
void printPeerTable(const PeerCase& test, const Scene& scene, const PeerScene& peers,
                    const std::vector<PeerRow>& rows);

/// The file of bench/plots/peers.py.
CsvFile openPeerCsv(const StudyOptions& options);
void writePeerRow(CsvFile& csv, const PeerCase& test, const Scene& scene, const PeerRow& row);

}  // namespace drystone::bench
