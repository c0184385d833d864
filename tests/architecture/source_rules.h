#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace drystone {

/// What is wrong with one source file, each as "path:line: problem". `path` is relative to the root
/// of the source tree, with forward slashes: it decides which rules hold (docs/architecture.md).
/// `hasOwnHeader`: a header of the same name stands beside the file.
std::vector<std::string> checkSource(const std::string& path, std::string_view text,
                                     bool hasOwnHeader);

/// A line without its comment and the contents of its string and character literals. Block comments
/// and raw strings over several lines are not followed: the style has none.
std::string codeOf(const std::string& line);

/// Every C++ and CUDA file below the root's source folders, relative to the root, sorted.
std::vector<std::string> sourceFiles(const std::filesystem::path& root);

}  // namespace drystone
