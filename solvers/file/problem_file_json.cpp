// `drystone-problem` version 1: reading. docs/problem_file.md describes every key.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "solvers/file/problem_file_detail.h"
#include "solvers/file/problem_file_json_object.h"

namespace drystone::detail {
namespace {

using nlohmann::json;

void readHeader(JsonObjectReader& reader, ReadProblem& read) {
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

void readImpulses(JsonObjectReader& reader, ReadProblem& read) {
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
    JsonObjectReader inner(*solution, reader.at("solution"), reader.errors());
    read.solution = inner.reals("impulse", false);
    inner.refuseOthers();
  }
}

/// The blocks of an assembled problem: contacts and groups of rows as listed, every other row a
/// block of its own.
void readAssembledBlocks(JsonObjectReader& reader, StoredProblem& problem) {
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
      JsonObjectReader item((*list)[i], fmt::format("{}/{}", reader.at(name), i), errors);
      ProblemBlock block;
      block.law = law;
      block.key = item.key("key", i);
      block.firstRow = item.integer("row", true, 0);
      if (law == BlockLaw::kContact) {
        block.rows = contactRows(problem.friction);
        block.friction = item.real("mu", true, 0);
        block.normalBound = item.real("normal_bound", false, 0);
        block.rolling = item.real("mu_rolling", false, 0);
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

void readMatrix(JsonObjectReader& reader, StoredProblem& problem) {
  FileErrors& errors = reader.errors();
  const json* matrix = reader.find("A", true);
  if (matrix == nullptr) return;
  JsonObjectReader inner(*matrix, reader.at("A"), errors);
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
    case ProblemField::kRolling:
      return fmt::format("/contacts: block {}, mu_rolling", index);
    default:
      return fmt::format("/contacts: block {}", index);
  }
}

void readAssembled(JsonObjectReader& reader, ReadProblem& read) {
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
    case ProblemField::kRolling:
      return fmt::format("/blocks/{}/mu_rolling", index);
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

void readBlockRow(JsonObjectReader& row, StoredProblem& problem, bool& compliant) {
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

void readBlock(JsonObjectReader& item, std::size_t index, StoredProblem& problem, bool& compliant) {
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
  block.rolling = item.real("mu_rolling", false, 0);
  if (const json* rows = item.arrayOf("rows", true)) {
    for (std::size_t i = 0; i < rows->size(); ++i) {
      JsonObjectReader row((*rows)[i], fmt::format("{}/{}", item.at("rows"), i), errors);
      readBlockRow(row, problem, compliant);
    }
    block.rows = static_cast<int>(rows->size());
  }
  item.refuseOthers();
  problem.blocks.push_back(block);
}

void readBodyForm(JsonObjectReader& reader, ReadProblem& read) {
  FileErrors& errors = reader.errors();
  StoredProblem& problem = read.problem;
  if (const json* bodies = reader.arrayOf("bodies", true)) {
    for (std::size_t i = 0; i < bodies->size(); ++i) {
      JsonObjectReader item((*bodies)[i], fmt::format("{}/{}", reader.at("bodies"), i), errors);
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
      JsonObjectReader item((*blocks)[i], fmt::format("{}/{}", reader.at("blocks"), i), errors);
      readBlock(item, i, problem, compliant);
    }
  }
  if (!compliant) problem.compliance.clear();
}

}  // namespace

ReadProblem readProblemJson(const std::string& text, FileErrors& errors) {
  const json document = parseProblemText(text, errors);
  JsonObjectReader reader(document, "", errors);
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
