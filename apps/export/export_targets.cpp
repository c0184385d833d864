#include "apps/export/export_targets.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "apps/support/program.h"
#include "core/wording.h"
#include "viewer/exporting/data_files.h"
#include "viewer/exporting/html_page.h"
namespace drystone::cli {
namespace {

/// Browsers give a text of a page no more than half of this.
constexpr double kLargestPage = 1e9;  // [bytes]

std::string sizeText(double bytes) {
  return bytes < 1e6 ? fmt::format("{:.0f} kB", std::ceil(bytes / 1e3))
                     : fmt::format("{:.1f} MB", bytes / 1e6);
}

std::string writeBytes(const Frames& frames, const std::string& path, const std::string& bytes) {
  OutputFile file(path);
  file.out() << bytes;
  return summaryOf(frames, file.close());
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path.string()), file_(path, std::ios::binary) {
  if (!file_) throw std::runtime_error(fmt::format("{}: cannot be written", path_));
}

double OutputFile::close() {
  const auto bytes = static_cast<double>(file_.tellp());
  file_.close();
  if (!file_) {
    throw std::runtime_error(fmt::format("{}: cannot be written: is the disk full?", path_));
  }
  return bytes;
}

std::string summaryOf(const Frames& frames, double bytes) {
  return fmt::format("{}, {}", counted(std::ssize(frames), "frame"), sizeText(bytes));
}

std::string writeHtml(const viewer::ExportedRun& run, const Frames& frames,
                      const std::string& file) {
  const std::string page = viewer::htmlPage(run, frames);
  if (static_cast<double>(page.size()) > kLargestPage) {
    throw UsageError(fmt::format(
        "--html: the page would have {}, more than browsers read: shorten it by --from and --to, "
        "or take a smaller --fps",
        sizeText(static_cast<double>(page.size()))));
  }
  return writeBytes(frames, file, page);
}

std::string writeNpz(const viewer::ExportedRun& run, const Frames& frames,
                     const std::string& file) {
  return writeBytes(frames, file, viewer::npzFile(run, frames));
}

std::string writeGltf(const viewer::ExportedRun& run, const Frames& frames,
                      const std::string& file) {
  return writeBytes(frames, file, viewer::gltfFile(run, frames));
}

std::string writeVtk(const viewer::ExportedRun& run, const Frames& frames,
                     const std::string& folder) {
  WorldSnapshot begin;
  run.recording.frame(frames.front(), begin);
  const viewer::BodyMeshes meshes = viewer::bodyMeshes(*run.scene, begin, true);
  std::vector<Real> times;
  double bytes = 0;
  const auto write = [&](const std::string& name, const std::string& text) {
    OutputFile file(std::filesystem::path(folder) / name);
    file.out() << text;
    bytes += file.close();
  };
  viewer::visitFrames(run, frames, [&](const WorldSnapshot& frame) {
    write(viewer::vtkFrameName("bodies", times.size()), viewer::vtkBodies(meshes, frame));
    write(viewer::vtkFrameName("contacts", times.size()), viewer::vtkContacts(run, frame));
    times.push_back(frame.time);
  });
  for (const std::string series : {"bodies", "contacts"}) {
    write(series + ".pvd", viewer::vtkSeries(series, times));
  }
  return summaryOf(frames, bytes);
}

}  // namespace drystone::cli
