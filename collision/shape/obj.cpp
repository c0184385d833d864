// Wavefront OBJ: only what geometry needs, `v` and `f`. Other statements are skipped.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "collision/shape/shape.h"
#include "core/input_error.h"

namespace drystone {
namespace {

// A wrong file has one wrong line after another; more messages than these help nobody.
constexpr std::size_t kMaxProblems = 20;

std::string_view nextToken(std::string_view& line) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = std::min(line.find_first_not_of(kBlank), line.size());
  const std::size_t end = std::min(line.find_first_of(kBlank, begin), line.size());
  const std::string_view token = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return token;
}

template <class Number>
bool parse(std::string_view text, Number& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  /// Both `v` and `f` lines; a file without the latter is a mistake.
  MeshData readMesh() {
    readLines();
    if (mesh_.triangles.empty()) {
      throw InputError(path_ + ": has no faces (f lines); export the mesh as a Wavefront OBJ");
    }
    return std::move(mesh_);
  }

  std::vector<Vec3> readVertices() {
    readLines();
    if (mesh_.vertices.empty()) {
      throw InputError(path_ + ": has no vertices (v lines); is it a Wavefront OBJ?");
    }
    return std::move(mesh_.vertices);
  }

 private:
  void readLines() {
    while (problems_.size() < kMaxProblems && !text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      ++line_;
      readLine(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    if (!problems_.empty()) throw InputError(std::move(problems_));
  }

  void problem(const std::string& text) {
    problems_.push_back(fmt::format("{}:{}: {}", path_, line_, text));
  }

  void readLine(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const std::string_view keyword = nextToken(line);
    if (keyword == "v") readVertex(line);
    if (keyword == "f") readFace(line);
  }

  void readVertex(std::string_view line) {
    Vec3 vertex = Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
      const std::string_view token = nextToken(line);
      if (token.empty()) {
        problem(fmt::format("v needs three coordinates, got {}", i));
      } else if (!parse(token, vertex[i]) || !std::isfinite(vertex[i])) {
        problem(
            fmt::format("coordinate {} of v must be a finite number, got \"{}\"", i + 1, token));
      } else {
        continue;
      }
      break;
    }
    // Kept even when wrong, so that later faces do not repeat the complaint.
    mesh_.vertices.push_back(vertex);
  }

  void readFace(std::string_view line) {
    corners_.clear();
    for (std::string_view token = nextToken(line); !token.empty(); token = nextToken(line)) {
      const int corner = readCorner(token);
      if (corner < 0) return;
      if (std::find(corners_.begin(), corners_.end(), corner) != corners_.end()) {
        problem(fmt::format("f uses vertex {} twice; remove the degenerate face", corner + 1));
        return;
      }
      corners_.push_back(corner);
    }
    if (corners_.size() < 3) {
      problem(fmt::format("f needs at least three vertices, got {}", corners_.size()));
      return;
    }
    for (std::size_t i = 1; i + 1 < corners_.size(); ++i) {
      mesh_.triangles.push_back({corners_[0], corners_[i], corners_[i + 1]});
    }
  }

  /// `i`, `i/t`, `i/t/n` or `i//n`; a negative i counts back from the last vertex so far. Returns
  /// the index from 0, or -1 after stating the problem.
  int readCorner(std::string_view token) {
    const std::string_view text = token.substr(0, token.find('/'));
    int index = 0;
    if (!parse(text, index)) {
      problem(fmt::format("f must list vertex numbers such as 3 or 3/1/2, got \"{}\"", token));
      return -1;
    }
    const int count = static_cast<int>(mesh_.vertices.size());
    if (index == 0 || index > count || index < -count) {
      problem(fmt::format(
          "f refers to vertex {}, but {} are defined above; count from 1, or from -1 backwards",
          index, count));
      return -1;
    }
    return index > 0 ? index - 1 : count + index;
  }

  std::string_view text_;  ///< what is still to be read
  const std::string& path_;
  int line_ = 0;
  MeshData mesh_;
  std::vector<int> corners_;
  std::vector<std::string> problems_;
};

}  // namespace

std::string readObjText(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    throw InputError(path + ": is a folder; give the path of an OBJ file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw InputError(path + ": cannot be opened; check the path and the permission to read it");
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

MeshData parseObj(std::string_view text, const std::string& path) {
  return ObjReader(text, path).readMesh();
}

std::vector<Vec3> parseObjVertices(std::string_view text, const std::string& path) {
  return ObjReader(text, path).readVertices();
}

MeshData readObj(const std::string& path) { return parseObj(readObjText(path), path); }

std::vector<Vec3> readObjVertices(const std::string& path) {
  return parseObjVertices(readObjText(path), path);
}

}  // namespace drystone
