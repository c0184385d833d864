#include "engine/recording/written_files.h"

#include <sys/stat.h>

#include <string_view>

namespace drystone::detail {
namespace {

std::string whyNot(const std::string& path, std::string_view goesOn, std::string_view hasFailed) {
  const auto found = filesBeingWritten().find(identityOf(path));
  if (found == filesBeingWritten().end()) return "";
  return std::string(found->second == Writing::kGoesOn ? goesOn : hasFailed);
}

}  // namespace

FileIdentity identityOf(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return {};
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

std::map<FileIdentity, Writing>& filesBeingWritten() {
  static std::map<FileIdentity, Writing> files;
  return files;
}

std::string whyNotWritten(const std::string& path) {
  return whyNot(path, "this program is writing it already; take another name",
                "an error ended it, and this program cannot write it again; take another name");
}

std::string whyNotRead(const std::string& path) {
  return whyNot(path, "this program is still writing it; finish that first",
                "an error ended it, and this program cannot read it any more; another can, as far "
                "as it was flushed");
}

}  // namespace drystone::detail
