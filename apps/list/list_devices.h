#pragma once

#include <string>

namespace drystone::cli {

/// The text of `list devices`: a Markdown table of the processor and the CUDA devices, or JSON.
std::string deviceList(bool json);

}  // namespace drystone::cli
