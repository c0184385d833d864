// `drystone-problem` version 1: reading. docs/problem_file.md describes every key.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/wording.h"
#include "solvers/file/problem_file_detail.h"

namespace drystone::detail {
namespace {

using nlohmann::json;

std::string lineAndColumn(const std::string& text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const auto begin = text.begin(), end = begin + static_cast<std::ptrdiff_t>(offset);
  const std::size_t lineStart = text.rfind('\n', offset == 0 ? 0 : offset - 1);
  const std::size_t column =
      lineStart == std::string::npos || lineStart >= offset ? offset + 1 : offset - lineStart;
  return fmt::format("{}:{}", std::count(begin, end, '\n') + 1, column);
}

json parse(const std::string& text, FileErrors& errors) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const std::string what = error.what();
    const std::size_t reason = what.find("syntax error");
    errors.fail(lineAndColumn(text, error.byte == 0 ? 0 : error.byte - 1),
                reason == std::string::npos ? "not valid JSON" : what.substr(reason));
  } catch (const json::out_of_range& error) {
    // The parser does not say where; the number stands in quotes at the end of its message.
    const std::string what = error.what();
    const std::size_t open = what.find('\'');
    const std::string number = what.substr(open + 1, what.rfind('\'') - open - 1);
    errors.fail(lineAndColumn(text, text.find(number)),
                fmt::format("the number {} does not fit a double", number));
  }
}

/// Typed access to the members of one JSON object; what is missing or of a wrong type becomes an
/// error with its JSON pointer, and reading goes on with a harmless value.
class ObjectReader {
 public:
  ObjectReader(const json& object, std::string place, FileErrors& errors)
      : object_(object), place_(std::move(place)), errors_(errors) {
    if (!object.is_object()) errors.add(place_, "must be an object {...}");
  }

  std::string at(std::string_view key) const { return fmt::format("{}/{}", place_, key); }
  const std::string& place() const { return place_; }

  const json* find(const char* key, bool required) {
    known_.emplace_back(key);
    if (object_.is_object()) {
      const auto found = object_.find(key);
      if (found != object_.end() && !found->is_null()) return &*found;
      if (required) errors_.add(at(key), "is missing");
    }
    return nullptr;
  }

  std::string text(const char* key, bool required) {
    const json* value = find(key, required);
    if (value == nullptr) return {};
    if (value->is_string()) return value->get<std::string>();
    errors_.add(at(key), "must be a text");
    return {};
  }

  Real real(const char* key, bool required, Real fallback) {
    const json* value = find(key, required);
    if (value == nullptr) return fallback;
    if (value->is_number()) return value->get<Real>();
    errors_.add(at(key), "must be a number");
    return fallback;
  }

  int integer(const char* key, bool required, int fallback) {
    const json* value = find(key, required);
    if (value == nullptr) return fallback;
    if (const std::optional<int> number = asInt(*value)) return *number;
    errors_.add(at(key), "must be a whole number within ±2^31");
    return fallback;
  }

  std::uint64_t key(const char* name, std::uint64_t fallback) {
    const json* value = find(name, false);
    if (value == nullptr) return fallback;
    if (value->is_number_unsigned()) return value->get<std::uint64_t>();
    errors_.add(at(name), "must be a whole number from 0 to 2^64 - 1");
    return fallback;
  }

  /// Array of numbers; null counts as `nullValue` where one is given.
  std::vector<Real> reals(const char* name, bool required, std::optional<Real> nullValue = {}) {
    std::vector<Real> values;
    const json* array = arrayOf(name, required);
    if (array == nullptr) return values;
    for (const json& item : *array) {
      if (item.is_number()) {
        values.push_back(item.get<Real>());
      } else if (item.is_null() && nullValue) {
        values.push_back(*nullValue);
      } else {
        errors_.add(fmt::format("{}/{}", at(name), values.size()), "must be a number");
        values.push_back(0);
      }
    }
    return values;
  }

  std::vector<int> integers(const char* name, bool required) {
    std::vector<int> values;
    const json* array = arrayOf(name, required);
    if (array == nullptr) return values;
    for (const json& item : *array) {
      const std::optional<int> number = asInt(item);
      if (!number) {
        errors_.add(fmt::format("{}/{}", at(name), values.size()), "must be a whole number");
      }
      values.push_back(number.value_or(0));
    }
    return values;
  }

  /// Exactly `size` numbers, or zeros with an error.
  template <class Values>
  void fixed(const char* name, bool required, Values& out) {
    if (find(name, required) == nullptr) return;
    const std::vector<Real> values = reals(name, required);
    if (values.size() != static_cast<std::size_t>(out.size())) {
      errors_.add(at(name), fmt::format("must hold {} numbers, got {}", out.size(), values.size()));
      return;
    }
    std::copy(values.begin(), values.end(), out.data());
  }

  const json* arrayOf(const char* name, bool required) {
    const json* value = find(name, required);
    if (value == nullptr || value->is_array()) return value;
    errors_.add(at(name), "must be an array [...]");
    return nullptr;
  }

  /// Call when all is read: a member that nothing asked for is a mistake, most likely a misspelt
  /// one.
  void refuseOthers() {
    if (!object_.is_object()) return;
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      errors_.add(at(key), "is not a key of this format; " + didYouMean(key, known_));
    }
  }

  FileErrors& errors() { return errors_; }

 private:
  static std::optional<int> asInt(const json& value) {
    if (!value.is_number_integer()) return {};
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > 0x7fffffffu) return {};
    const auto number = value.get<std::int64_t>();
    if (number < -0x7fffffffL || number > 0x7fffffffL) return {};
    return static_cast<int>(number);
  }

  const json& object_;
  std::string place_;
  FileErrors& errors_;
  std::vector<std::string> known_;
};

void readHeader(ObjectReader& reader, ReadProblem& read) {
  FileErrors& errors = reader.errors();
  if (reader.text("format", true) != "drystone-problem") {
    errors.fail(reader.at("format"), "must be \"drystone-problem\"");
  }
  if (const int version = reader.integer("version", true, 0); version != 1) {
    errors.fail(reader.at("version"),
                fmt::format("this program reads version 1, got {}: use a newer one", version));
  }
  read.name = reader.text("name", false);
  read.info = reader.text("info", false);
  read.problem.timestep = reader.real("timestep", false, 0);
  if (const std::string name = reader.text("friction_model", false); !name.empty()) {
    if (const auto model = frictionModelFromName(name)) {
      read.problem.friction = *model;
    } else {
      errors.add(reader.at("friction_model"),
                 fmt::format("unknown model '{}': use none, box, pyramid, diamond, cone or "
                             "contensou",
                             name));
    }
  }
}

void readImpulses(ObjectReader& reader, ReadProblem& read) {
  read.warmStart = reader.reals("warm_start", false);
  for (const int state : reader.integers("row_states", false)) {
    if (state < 0 || state > static_cast<int>(RowState::kUpper)) {
      reader.errors().add(reader.at("row_states"),
                          "must hold 0 (unknown), 1 (free), 2 (lower) or 3 (upper)");
      return;
    }
    read.warmStates.push_back(static_cast<RowState>(state));
  }
  if (!read.warmStates.empty() && read.warmStates.size() != read.problem.b.size()) {
    reader.errors().add(reader.at("row_states"), "must have one entry for each row");
  }
  if (const json* solution = reader.find("solution", false)) {
    ObjectReader inner(*solution, reader.at("solution"), reader.errors());
    read.solution = inner.reals("impulse", false);
    inner.refuseOthers();
  }
}

/// The blocks of an assembled problem: contacts and groups of rows as listed, every other row a
/// block of its own.
void readAssembledBlocks(ObjectReader& reader, StoredProblem& problem) {
  FileErrors& errors = reader.errors();
  const int rows = static_cast<int>(problem.b.size());
  std::vector<bool> taken(rows, false);
  const auto add = [&](ProblemBlock block, const std::string& place) {
    if (block.rows < 1 || block.rows > kMaxBlockRows || block.firstRow < 0 ||
        block.firstRow > rows - block.rows) {
      errors.add(place, fmt::format("rows {} to {} are not 1 to {} rows of the problem's {}",
                                    block.firstRow, std::int64_t{block.firstRow} + block.rows - 1,
                                    kMaxBlockRows, rows));
      return;
    }
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (taken[row]) errors.add(place, fmt::format("row {} belongs to another block too", row));
      taken[row] = true;
    }
    problem.blocks.push_back(block);
  };
  const auto readList = [&](const char* name, BlockLaw law, bool required) {
    const json* list = reader.arrayOf(name, required);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      ObjectReader item((*list)[i], fmt::format("{}/{}", reader.at(name), i), errors);
      ProblemBlock block;
      block.law = law;
      block.key = item.key("key", i);
      block.firstRow = item.integer("row", true, 0);
      if (law == BlockLaw::kContact) {
        block.rows = contactRows(problem.friction);
        block.friction = item.real("mu", true, 0);
        block.normalBound = item.real("normal_bound", false, 0);
      } else {
        block.rows = item.integer("rows", true, 1);
      }
      item.refuseOthers();
      add(block, item.place());
    }
  };
  readList("contacts", BlockLaw::kContact, true);
  readList("row_blocks", BlockLaw::kRows, false);
  for (int row = 0; row < rows; ++row) {
    if (taken[row]) continue;
    ProblemBlock block;
    block.law = BlockLaw::kRows;
    block.key = static_cast<std::uint64_t>(row);
    block.firstRow = row;
    block.rows = 1;
    problem.blocks.push_back(block);
  }
  std::sort(problem.blocks.begin(), problem.blocks.end(),
            [](const ProblemBlock& a, const ProblemBlock& b) { return a.firstRow < b.firstRow; });
}

void readMatrix(ObjectReader& reader, StoredProblem& problem) {
  FileErrors& errors = reader.errors();
  const json* matrix = reader.find("A", true);
  if (matrix == nullptr) return;
  ObjectReader inner(*matrix, reader.at("A"), errors);
  const std::vector<int> rows = inner.integers("rows", true),
                         columns = inner.integers("cols", true);
  const std::vector<Real> values = inner.reals("values", true);
  inner.find("symmetric", false);  // for the eye; the entries tell
  inner.refuseOthers();
  if (rows.size() != values.size() || columns.size() != values.size()) {
    errors.add(reader.at("A"), fmt::format("rows, cols and values must have one length, got {}, {} "
                                           "and {}",
                                           rows.size(), columns.size(), values.size()));
    return;
  }
  const int size = static_cast<int>(problem.b.size());
  const auto checkIndices = [&](const char* name, const std::vector<int>& indices) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] >= 0 && indices[i] < size) continue;
      errors.add(fmt::format("{}/{}", inner.at(name), i),
                 fmt::format("must be 0 to {}, got {}", size - 1, indices[i]));
    }
  };
  checkIndices("rows", rows);
  checkIndices("cols", columns);
  if (!errors.empty()) return;
  problem.assembled =
      blockSparseFromTriplets(blockRowStarts(problem.blocks), rows, columns, values);
}

std::string assembledPlace(ProblemField field, int index) {
  switch (field) {
    case ProblemField::kB:
      return fmt::format("/b/{}", index);
    case ProblemField::kLower:
      return fmt::format("/lower/{}", index);
    case ProblemField::kUpper:
      return fmt::format("/upper/{}", index);
    case ProblemField::kMatrix:
      return "/A/values";
    case ProblemField::kWarmStart:
      return fmt::format("/warm_start/{}", index);
    case ProblemField::kSolution:
      return fmt::format("/solution/impulse/{}", index);
    case ProblemField::kFriction:
      return fmt::format("/contacts: block {}, mu", index);
    case ProblemField::kNormalBound:
      return fmt::format("/contacts: block {}, normal_bound", index);
    default:
      return fmt::format("/contacts: block {}", index);
  }
}

void readAssembled(ObjectReader& reader, ReadProblem& read) {
  FileErrors& errors = reader.errors();
  StoredProblem& problem = read.problem;
  problem.b = reader.reals("b", true);
  problem.lower = reader.reals("lower", true, -kInfinity);
  problem.upper = reader.reals("upper", true, kInfinity);
  const int size = reader.integer("size", true, 0);
  const auto checkSize = [&](const char* name, const std::vector<Real>& values) {
    if (static_cast<std::int64_t>(values.size()) == size) return;
    errors.add(reader.at(name),
               fmt::format("must have \"size\" = {} entries, got {}", size, values.size()));
  };
  checkSize("b", problem.b);
  checkSize("lower", problem.lower);
  checkSize("upper", problem.upper);
  errors.throwIfAny();
  readAssembledBlocks(reader, problem);
  errors.throwIfAny();
  readMatrix(reader, problem);
}

std::string bodyPlace(const StoredProblem& problem, ProblemField field, int index) {
  const auto row = [&](const char* name) {
    int block = 0;
    while (block + 1 < static_cast<int>(problem.blocks.size()) &&
           problem.blocks[block + 1].firstRow <= index) {
      ++block;
    }
    return fmt::format("/blocks/{}/rows/{}/{}", block, index - problem.blocks[block].firstRow,
                       name);
  };
  switch (field) {
    case ProblemField::kB:
      return row("b");
    case ProblemField::kCompliance:
      return row("compliance");
    case ProblemField::kLower:
      return row("lower");
    case ProblemField::kUpper:
      return row("upper");
    case ProblemField::kJacobianA:
      return row("jacobian_a");
    case ProblemField::kJacobianB:
      return row("jacobian_b");
    case ProblemField::kFriction:
      return fmt::format("/blocks/{}/mu", index);
    case ProblemField::kNormalBound:
      return fmt::format("/blocks/{}/normal_bound", index);
    case ProblemField::kInverseMass:
      return fmt::format("/bodies/{}/inverse_mass", index);
    case ProblemField::kInverseInertia:
      return fmt::format("/bodies/{}/inverse_inertia", index);
    case ProblemField::kWarmStart:
      return fmt::format("/warm_start/{}", index);
    case ProblemField::kSolution:
      return fmt::format("/solution/impulse/{}", index);
    default:
      return fmt::format("/blocks/{}", index);
  }
}

void readBlockRow(ObjectReader& row, StoredProblem& problem, bool& compliant) {
  Vec6 jacobian = Vec6::Zero();
  row.fixed("jacobian_a", false, jacobian);
  problem.jacobianA.push_back(jacobian);
  jacobian.setZero();
  row.fixed("jacobian_b", false, jacobian);
  problem.jacobianB.push_back(jacobian);
  problem.b.push_back(row.real("b", true, 0));
  compliant |= row.find("compliance", false) != nullptr;
  problem.compliance.push_back(row.real("compliance", false, 0));
  problem.lower.push_back(row.real("lower", false, -kInfinity));
  problem.upper.push_back(row.real("upper", false, kInfinity));
  row.refuseOthers();
}

void readBlock(ObjectReader& item, std::size_t index, StoredProblem& problem, bool& compliant) {
  FileErrors& errors = item.errors();
  ProblemBlock block;
  block.key = item.key("key", index);
  block.firstRow = static_cast<int>(problem.b.size());
  if (const std::string law = item.text("law", true); law == "contact" || law == "rows") {
    block.law = law == "contact" ? BlockLaw::kContact : BlockLaw::kRows;
  } else {
    errors.add(item.at("law"), "must be \"contact\" or \"rows\"");
  }
  if (const std::vector<int> bodies = item.integers("bodies", true); bodies.size() == 2) {
    block.bodyA = bodies[0];
    block.bodyB = bodies[1];
  } else {
    errors.add(item.at("bodies"), "must name two bodies by number, -1 for none");
  }
  block.friction = item.real("mu", block.law == BlockLaw::kContact, 0);
  block.normalBound = item.real("normal_bound", false, 0);
  if (const json* rows = item.arrayOf("rows", true)) {
    for (std::size_t i = 0; i < rows->size(); ++i) {
      ObjectReader row((*rows)[i], fmt::format("{}/{}", item.at("rows"), i), errors);
      readBlockRow(row, problem, compliant);
    }
    block.rows = static_cast<int>(rows->size());
  }
  item.refuseOthers();
  problem.blocks.push_back(block);
}

void readBodyForm(ObjectReader& reader, ReadProblem& read) {
  FileErrors& errors = reader.errors();
  StoredProblem& problem = read.problem;
  if (const json* bodies = reader.arrayOf("bodies", true)) {
    for (std::size_t i = 0; i < bodies->size(); ++i) {
      ObjectReader item((*bodies)[i], fmt::format("{}/{}", reader.at("bodies"), i), errors);
      InverseInertia body;
      body.inverseMass = item.real("inverse_mass", true, 0);
      Eigen::Matrix<Real, 9, 1> rowMajor = Eigen::Matrix<Real, 9, 1>::Zero();
      item.fixed("inverse_inertia", true, rowMajor);
      body.inverseInertia = rowMajor.reshaped<Eigen::RowMajor>(3, 3);
      item.refuseOthers();
      problem.bodies.push_back(body);
    }
  }
  bool compliant = false;
  if (const json* blocks = reader.arrayOf("blocks", true)) {
    for (std::size_t i = 0; i < blocks->size(); ++i) {
      ObjectReader item((*blocks)[i], fmt::format("{}/{}", reader.at("blocks"), i), errors);
      readBlock(item, i, problem, compliant);
    }
  }
  if (!compliant) problem.compliance.clear();
}

}  // namespace

ReadProblem readProblemJson(const std::string& text, FileErrors& errors) {
  const json document = parse(text, errors);
  ObjectReader reader(document, "", errors);
  ReadProblem read;
  readHeader(reader, read);
  FieldPlace place = assembledPlace;
  if (const std::string form = reader.text("form", true); form == "assembled") {
    readAssembled(reader, read);
  } else if (form == "body") {
    readBodyForm(reader, read);
    place = [&read](ProblemField field, int index) {
      return bodyPlace(read.problem, field, index);
    };
  } else {
    errors.fail(reader.at("form"), "must be \"assembled\" or \"body\"");
  }
  readImpulses(reader, read);
  reader.refuseOthers();
  errors.throwIfAny();
  checkProblem(read.problem.view(), place, errors);
  const int rows = static_cast<int>(read.problem.b.size());
  checkImpulses(read.warmStart, rows, ProblemField::kWarmStart, place, errors);
  checkImpulses(read.solution, rows, ProblemField::kSolution, place, errors);
  errors.throwIfAny();
  return read;
}

}  // namespace drystone::detail
