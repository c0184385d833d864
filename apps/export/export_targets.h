#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "viewer/exporting/exported_run.h"

namespace drystone::cli {

/// A file of bytes, written anew. What cannot be written throws std::runtime_error.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  std::ostream& out() { return file_; }
  /// Closes it; returns its size in bytes.
  double close();

 private:
  std::string path_;
  std::ofstream file_;
};

/// Indices of the frames to write, ascending.
using Frames = std::vector<std::int64_t>;

/// What was written, in words: "31 frames, 2.1 MB".
std::string summaryOf(const Frames& frames, double bytes);

// Each writes the frames to a file or folder that can be written, and returns its summary.

std::string writeHtml(const viewer::ExportedRun& run, const Frames& frames,
                      const std::string& file);
std::string writeNpz(const viewer::ExportedRun& run, const Frames& frames, const std::string& file);
std::string writeGltf(const viewer::ExportedRun& run, const Frames& frames,
                      const std::string& file);
/// Series of the bodies' surfaces and of the contact points.
std::string writeVtk(const viewer::ExportedRun& run, const Frames& frames,
                     const std::string& folder);
/// bodies.csv, contacts.csv and, where there are force plates, force_plates.csv.
std::string writeCsv(const viewer::ExportedRun& run, const Frames& frames,
                     const std::string& folder);

}  // namespace drystone::cli
