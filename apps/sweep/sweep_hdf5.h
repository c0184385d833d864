#pragma once

#include <string>

#include "apps/sweep/sweep_table.h"

namespace drystone::cli {

// Tables of sweeps as HDF5: a dataset for each column under `columns`, with an element for each
// run. Columns of numbers are doubles, with NaN for what a run lacks; `run` is of 64-bit integers.
// Columns of texts are bytes, as many for each run as the longest text has, with zeros behind it.

void writeSweepHdf5(const std::string& path, const SweepTable& table);
/// Throws InputError, naming the file, where it is no such table.
SweepContent readSweepHdf5(const std::string& path);

}  // namespace drystone::cli
