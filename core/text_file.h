#pragma once

#include <cstdint>
#include <string>

namespace drystone {

// Whole files as text. What is named need not be a file on disk: a pipe (`<(make_scene)`,
// /dev/stdin) is read to its end as well. Some such names have no end, as /dev/zero, and sizes of
// files are what their writers chose: no reader may take all of a machine's memory for them.

/// What a path should lead to.
struct WantedText {
  std::string kind;          ///< for the message where it is a folder: "scene file"
  std::uintmax_t mostBytes;  ///< a file that holds more is refused [bytes]
  std::string remedy;        ///< for such a file: "write it as HDF5"
};

/// All bytes of the file at `path`. Throws InputError, which begins with the path, when nothing is
/// there, when it is a folder, when it cannot be read, or when it holds more than
/// `mostBytes`: little more is read then.
std::string readTextFile(const std::string& path, const WantedText& wanted);

}  // namespace drystone
