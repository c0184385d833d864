#pragma once

#include <string>
#include <vector>

#include "viewer/exporting/exported_run.h"

namespace drystone::viewer {

/// The recording as one page of HTML that plays it in a browser: it loads nothing else. Holds the
/// frames of the list, and residual and energy of all steps between them.
std::string htmlPage(const ExportedRun& run, const std::vector<std::int64_t>& frames);

/// Texts of the page, from viewer/exporting/page/: the build embeds them.
struct PageText {
  const char* name;  ///< of the file
  const char* text;
};
/// Ends with an entry whose name is null.
extern const PageText kPageTexts[];

/// The data of the page alone: what its scripts read, as JSON. Lists of numbers are in base 64.
std::string pageData(const ExportedRun& run, const std::vector<std::int64_t>& frames);

}  // namespace drystone::viewer
