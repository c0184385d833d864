#pragma once

#include <string>

namespace drystone::viewer {

/// A file that appears under its name only when it is complete: it is written beside it as
/// NAME.part, or NAME.part2 and so on where that is taken. A link stays one, and what it points to
/// is replaced. What is no plain file, as a device, is written as it is.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  /// Removes what was written, unless it is complete.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  const std::string& written() const { return written_; }  ///< where to write to
  /// Gives it its name; throws std::runtime_error when that does not work.
  void complete();

 private:
  std::string path_;   ///< as asked for
  std::string place_;  ///< where links from there lead
  std::string written_;
  bool isOurs_ = false;  ///< `written_` was made by this, and is not complete
};

/// A std::runtime_error with the path and the reason.
[[noreturn]] void failWriting(const std::string& path, const std::string& reason);

}  // namespace drystone::viewer
