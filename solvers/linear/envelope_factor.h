#pragma once

#include <cstdint>
#include <vector>

#include "solvers/linear/envelope_matrix.h"
#include "solvers/linear/free_factor.h"

namespace drystone {

/// How A_FF comes from A.
enum class EnvelopeUpdate : std::uint8_t {
  kDowndate,  ///< A is factored once, and each tight row is taken out of a copy
  kRefactor,  ///< A_FF is factored inside the envelope of A, from the first row that changed on
  kCheaper,   ///< whichever takes fewer operations
};

struct EnvelopeSettings {
  bool reorder = true;  ///< reverse Cuthill–McKee order and envelope; else full columns
  EnvelopeUpdate update = EnvelopeUpdate::kDowndate;
};

/// The tight rows of a basis of plain rows, by place in an envelope.
struct TightRows {
  std::vector<std::uint8_t> isOut;  ///< [size]
  std::vector<int> rows;            ///< ascending

  void find(const EnvelopeMatrix& matrix, const FreeBasis& basis);
};

/// Free systems of plain rows factored in the space of the rows on the assembled symmetric A, by
/// downdating the factor of the whole A (Lefebvre 2020, alg. 2.2 to 2.6). With extra compliance
/// always from scratch.
class EnvelopeFactor : public FreeFactor {
 public:
  explicit EnvelopeFactor(EnvelopeSettings settings) : settings_(settings) {}

  std::string_view name() const override { return "envelope"; }
  void reserve(const ProblemSize& size) override;
  bool takes(BasisKind kind) const override { return kind != BasisKind::kGeneral; }
  bool needsMatrix(const ContactProblem&) const override { return true; }
  void analyze(const RowSystem& system, BasisKind kind) override;
  bool factor(const RowSystem& system, const FreeBasis& basis) override;
  bool sharpen(const RowSystem& system) override;
  void solve(std::span<Real> x) override;
  std::int64_t storage() const override { return matrix_.entries(); }

 private:
  bool downdate(const BlockSparseMatrix& matrix);
  bool refactor(const BlockSparseMatrix& matrix);
  bool factorWithExtra(const BlockSparseMatrix& matrix);
  bool factorWhole(const BlockSparseMatrix& matrix);
  bool prefersDowndate() const;

  EnvelopeSettings settings_;
  EnvelopeMatrix matrix_;
  std::vector<Real> whole_;  // factor of A with all rows in
  bool hasWhole_ = false;
  Real wholeRegularization_ = 0;
  int changedFrom_ = 0;  // columns of the factor before it are those of whole_
  bool isDowndated_ = false;
  bool isFresh_ = false;  // the factor at hand was made without the rows of outBefore_
  std::vector<std::uint8_t> outBefore_;
  TightRows tight_;
  std::vector<std::uint8_t> allIn_;  // [size] zeros
  std::vector<Real> entriesFrom_;    // [size + 1] stored entries of column j and after it
  Real wholeCost_ = 0;               // of factoring A [multiplications]
  std::vector<int> place_;           // [unknowns]
  std::vector<Real> extra_;          // [size] E by place
  std::vector<Real> work_;           // [size]
};

/// x, in the order of the unknowns, by a factor in the order of the envelope.
void solveByPlace(const EnvelopeMatrix& envelope, const TightRows& tight,
                  std::span<const int> place, std::vector<Real>& work, std::span<Real> x);

}  // namespace drystone
