#pragma once

#include <string>

namespace drystone {

/// What compiled this, with its version: `g++ 12.2.0`.
inline std::string compilerText() {
#if defined(__clang__)
  const int version[] = {__clang_major__, __clang_minor__, __clang_patchlevel__};
  std::string text = "clang ";
#else
  const int version[] = {__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__};
  std::string text = "g++ ";
#endif
  for (const int part : version) {
    if (text.back() != ' ') text += '.';
    text += std::to_string(part);
  }
  return text;
}

/// A build as recordings name it: two with the same text have the same bits. `type` is that of
/// CMake, such as Release, and `processor` the system and what it runs on.
inline std::string buildText(const std::string& type, const std::string& processor) {
  return type + ", " + compilerText() + ", " + processor;
}

}  // namespace drystone
