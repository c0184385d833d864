#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace drystone {

/// Folders that are one floor of the building: a layer may include its own files and those of the
/// layers that it links, and of what those link.
struct Layer {
  std::string_view name;  ///< its CMake target is drystone::name, where it has one
  std::vector<std::string_view> folders;
  std::vector<std::string_view> links;
};
const std::vector<Layer>& layers();

/// What is wrong with one source file, each as "path:line: problem". `path` is relative to the root
/// of the source tree, with forward slashes: it decides which rules hold (docs/architecture.md).
/// `hasOwnHeader`: a header of the same name stands beside the file.
std::vector<std::string> checkSource(const std::string& path, std::string_view text,
                                     bool hasOwnHeader);

/// A line without its comment and the contents of its string and character literals. Block comments
/// and raw strings over several lines are not followed: the style has none.
std::string codeOf(const std::string& line);

/// The classes that a file defines for other files to see, with their namespaces: not those nested
/// in others or in functions, nor those of anonymous namespaces.
std::vector<std::string> typesDefinedIn(std::string_view text);

/// Every C++ and CUDA file below the root's source folders, relative to the root, sorted.
std::vector<std::string> sourceFiles(const std::filesystem::path& root);

}  // namespace drystone
