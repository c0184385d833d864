#pragma once

#include <string>

namespace drystone::cli {

/// What a file is by its content, whatever its name.
enum class FileKind {
  kScene,      ///< JSON with a key that scenes alone have, or the name of a library scene
  kProblem,    ///< `drystone-problem` JSON, or HDF5 with the groups of a contact problem
  kRecording,  ///< HDF5 with the group of a recording
  kOther,      ///< nothing of these, damaged, or not there
};

/// Reads no more of a file than tells its kind; of JSON that is no problem, all.
FileKind fileKind(const std::string& path);

/// True for a JSON file that begins as a contact problem. Problem sets have index files beside
/// them, which do not.
bool startsAsProblem(const std::string& path);

/// Throws InputError where a file is of another kind than a command takes: it says what the file is
/// and which command takes it. What is wrong with a file of no known kind is for its reader to say.
void requireFileKind(const std::string& path, FileKind wanted);

}  // namespace drystone::cli
