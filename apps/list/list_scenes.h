#pragma once

#include <string>

namespace drystone::cli {

/// The text of `list scenes`: a Markdown table of the library; of one scene (`name` not empty) what
/// it is, what it runs with and its parameters. As JSON, an array that always has the parameters.
/// Throws UsageError for an unknown name.
std::string sceneList(const std::string& name, bool json);

}  // namespace drystone::cli
