#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace drystone::viewer {

/// An array as a program in Python has read it.
struct ReadArray {
  std::string shape, type, bytes;

  template <class Number>
  std::vector<Number> as() const {
    std::vector<Number> list(bytes.size() / sizeof(Number));
    std::memcpy(list.data(), bytes.data(), list.size() * sizeof(Number));
    return list;
  }
};

/// The first Python that has the module; empty where none does.
inline std::string pythonWith(const std::string& module) {
  for (const std::string python : {"python3", "/usr/bin/python3"}) {
    if (std::system((python + " -c 'import " + module + "' 2> /dev/null").c_str()) == 0) {
      return python;
    }
  }
  return "";
}

/// The arrays that the script reads from the file: of each it writes a line with name, type, size
/// in bytes and shape, and then the bytes. It has no double quotes.
inline std::map<std::string, ReadArray> readArrays(const std::string& python,
                                                   const std::string& script,
                                                   const std::string& file) {
  const std::string command = python + " -c \"" + script + "\" " + file;
  std::string all;
  std::FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> piece;
  for (std::size_t got; (got = std::fread(piece.data(), 1, piece.size(), pipe)) > 0;) {
    all.append(piece.data(), got);
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  std::istringstream out(all);
  std::map<std::string, ReadArray> arrays;
  std::string name;
  std::size_t size = 0;
  for (ReadArray one; out >> name >> one.type >> size;) {
    out.get();
    std::getline(out, one.shape);
    one.bytes.resize(size);
    out.read(one.bytes.data(), static_cast<std::streamsize>(size));
    arrays[name] = one;
  }
  return arrays;
}

}  // namespace drystone::viewer
