// `drystone-problem` version 1: writing. One line a key, and one a block or body, so that files can
// be read and compared by eye.

#include <cmath>
#include <nlohmann/json.hpp>

#include "solvers/file/problem_file_detail.h"

namespace drystone::detail {
namespace {

using nlohmann::ordered_json;

ordered_json numbers(std::span<const Real> values) {
  ordered_json array = ordered_json::array();
  for (Real value : values) {
    // JSON has no infinity: null stands for the open side of a bound.
    array.push_back(std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr));
  }
  return array;
}

void setBound(ordered_json& object, const char* key, Real value) {
  if (std::isfinite(value)) object[key] = value;
}

/// One-line text; bytes of a name that are not UTF-8 are replaced, JSON has no place for them.
std::string dumped(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// Joins texts with commas, each on its own line, inside the brackets of an array.
std::string lines(const std::vector<std::string>& items) {
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "\n  " : ",\n  ") + items[i];
  return text + "]";
}

class Document {
 public:
  void add(const char* key, const ordered_json& value) { addText(key, dumped(value)); }
  void addText(const char* key, const std::string& text) {
    members_ += (members_.empty() ? "" : ",\n") + ordered_json(key).dump() + ": " + text;
  }
  std::string text() const { return "{" + members_ + "}\n"; }

 private:
  std::string members_;
};

ordered_json matrixTriplets(const BlockSparseMatrix& matrix) {
  ordered_json rows = ordered_json::array(), columns = ordered_json::array(),
               values = ordered_json::array();
  for (int i = 0; i < matrix.blockCount(); ++i) {
    for (int stored = matrix.blockStart[i]; stored < matrix.blockStart[i + 1]; ++stored) {
      const int j = matrix.blockColumn[stored];
      const Real* value = &matrix.values[matrix.valueStart[stored]];
      for (int r = matrix.rowStart[i]; r < matrix.rowStart[i + 1]; ++r) {
        for (int c = matrix.rowStart[j]; c < matrix.rowStart[j + 1]; ++c) {
          rows.push_back(r);
          columns.push_back(c);
          values.push_back(*value++);
        }
      }
    }
  }
  return {{"rows", rows},
          {"cols", columns},
          {"values", values},
          {"symmetric", matrix.asymmetry() == 0}};
}

void writeAssembled(const ContactProblem& problem, Document& document) {
  document.add("size", problem.rowCount());
  document.add("A", matrixTriplets(*problem.assembled));
  document.add("b", numbers(problem.b));
  std::vector<Real> lower(problem.b.size(), -kInfinity), upper(problem.b.size(), kInfinity);
  std::vector<std::string> contacts, rowBlocks;
  for (const ProblemBlock& block : problem.blocks) {
    ordered_json item = {{"row", block.firstRow}};
    if (block.law == BlockLaw::kContact) {
      item["mu"] = block.friction;
      if (block.normalBound != 0) item["normal_bound"] = block.normalBound;
      if (block.rolling != 0) item["mu_rolling"] = block.rolling;
    } else {
      item["rows"] = block.rows;
      for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
        lower[row] = problem.lower[row];
        upper[row] = problem.upper[row];
      }
    }
    item["key"] = block.key;
    (block.law == BlockLaw::kContact ? contacts : rowBlocks).push_back(dumped(item));
  }
  document.add("lower", numbers(lower));
  document.add("upper", numbers(upper));
  document.addText("contacts", lines(contacts));
  document.addText("row_blocks", lines(rowBlocks));
}

ordered_json blockRow(const ContactProblem& problem, const ProblemBlock& block, int row) {
  ordered_json item = {{"b", problem.b[row]}};
  if (block.bodyA >= 0) item["jacobian_a"] = numbers({problem.jacobianA[row].data(), 6});
  if (block.bodyB >= 0) item["jacobian_b"] = numbers({problem.jacobianB[row].data(), 6});
  if (!problem.compliance.empty()) item["compliance"] = problem.compliance[row];
  if (block.law == BlockLaw::kRows) {
    setBound(item, "lower", problem.lower[row]);
    setBound(item, "upper", problem.upper[row]);
  }
  return item;
}

void writeBodyForm(const ContactProblem& problem, Document& document) {
  std::vector<std::string> bodies, blocks;
  for (const InverseInertia& body : problem.bodies) {
    const Eigen::Matrix<Real, 3, 3, Eigen::RowMajor> inertia = body.inverseInertia;
    bodies.push_back(ordered_json{{"inverse_mass", body.inverseMass},
                                  {"inverse_inertia", numbers({inertia.data(), 9})}}
                         .dump());
  }
  for (const ProblemBlock& block : problem.blocks) {
    const bool contact = block.law == BlockLaw::kContact;
    ordered_json item = {{"key", block.key},
                         {"law", contact ? "contact" : "rows"},
                         {"bodies", {block.bodyA, block.bodyB}}};
    if (contact) item["mu"] = block.friction;
    if (contact && block.normalBound != 0) item["normal_bound"] = block.normalBound;
    if (contact && block.rolling != 0) item["mu_rolling"] = block.rolling;
    ordered_json rows = ordered_json::array();
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      rows.push_back(blockRow(problem, block, row));
    }
    item["rows"] = rows;
    blocks.push_back(dumped(item));
  }
  document.addText("bodies", lines(bodies));
  document.addText("blocks", lines(blocks));
}

}  // namespace

std::string writeProblemJson(const ContactProblem& problem, const ProblemFileNotes& notes) {
  Document document;
  document.add("format", "drystone-problem");
  document.add("version", 1);
  document.add("name", notes.name);
  if (!notes.info.empty()) document.add("info", notes.info);
  document.add("form", problem.assembled != nullptr ? "assembled" : "body");
  document.add("friction_model", std::string(frictionModelName(problem.friction)));
  document.add("timestep", problem.timestep);
  if (problem.assembled != nullptr) {
    writeAssembled(problem, document);
  } else {
    writeBodyForm(problem, document);
  }
  if (!notes.warmStart.empty()) document.add("warm_start", numbers(notes.warmStart));
  if (!notes.warmStates.empty()) {
    ordered_json states = ordered_json::array();
    for (RowState state : notes.warmStates) states.push_back(static_cast<int>(state));
    document.add("row_states", states);
  }
  if (!notes.solution.empty()) {
    document.add("solution", {{"impulse", numbers(notes.solution)}});
  }
  return document.text();
}

}  // namespace drystone::detail
