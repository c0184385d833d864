#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drystone::importing {

/// What there is to say of a model while it is read, each with its line. A model of several files
/// counts the lines on from file to file, so that a line tells the file, too.
class ImportLog {
 public:
  /// Adds a file; `label` stands for it in messages. Returns what is to be added to its lines.
  int addFile(std::string label, std::string_view text);
  /// `FILE:line`.
  std::string place(int line) const;

  /// Something is wrong: the file is read on, so that all that is wrong is named, and refused.
  void problem(int line, std::string_view what);
  /// Something of the file is not in the scene. `what` is named once, with its count.
  void leftOut(int line, std::string_view what);
  /// Something of the file is in the scene, but not as one may think.
  void note(int line, std::string_view what);

  bool clean() const { return problems_.empty(); }
  /// Throws InputError with all problems, if there are any.
  void throwProblems() const;
  /// What was left out and noted, in the order of the first lines: `FILE:line: what`.
  std::vector<std::string> notes() const;

 private:
  struct File {
    int linesBefore = 0;
    std::string label;
  };
  struct Note {
    int line = 0;  ///< of the first one
    int count = 1;
    bool isLeftOut = false;
    std::string text;
  };
  void add(int line, bool isLeftOut, std::string_view what);

  std::vector<File> files_;  ///< in the order of their lines
  int lines_ = 0;            ///< of all of them
  std::vector<std::string> problems_;
  std::vector<Note> notes_;
};

}  // namespace drystone::importing
