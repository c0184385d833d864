#include "apps/support/build_info.h"

#include <fmt/format.h>

namespace drystone::cli {
namespace {

std::string compilerText() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

std::string versionText() { return DRYSTONE_VERSION; }

std::string buildText() {
  return fmt::format("{}, {}, {}", DRYSTONE_BUILD_TYPE, compilerText(), DRYSTONE_PROCESSOR);
}

}  // namespace drystone::cli
