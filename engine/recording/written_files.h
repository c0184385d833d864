#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

/// Files that this process writes by HDF5, which opens none of them a second time. All below is to
/// be used within a session. Private to the writer and the reader of recordings.
namespace drystone::detail {

/// The same for all names of a file; zeros where there is none.
using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;
FileIdentity identityOf(const std::string& path);

/// How it goes.
enum class Writing : std::uint8_t {
  kGoesOn,
  kHasFailed,  ///< the library keeps what it could not write for as long as the process runs
};

/// Who begins to write a file puts it here, and takes it out when it has closed it.
std::map<FileIdentity, Writing>& filesBeingWritten();

/// Why a file cannot be written now, with the remedy; "" where this process does not write it.
std::string whyNotWritten(const std::string& path);
/// Likewise why it cannot be read.
std::string whyNotRead(const std::string& path);

}  // namespace drystone::detail
