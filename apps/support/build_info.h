#pragma once

#include <string>

namespace drystone::cli {

/// Version of the program, as `--version` prints it.
std::string versionText();
/// What decides the bits of a result beside the source: build type, compiler, target.
std::string buildText();

}  // namespace drystone::cli
