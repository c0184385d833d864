#pragma once

#include <span>
#include <vector>

#include "solids/node_extension.h"
#include "solids/solid_material.h"
#include "solids/solid_shape.h"

namespace drystone {

/// Nodal fields of a body and what they are integrated over: each cell that touches a carrier has
/// eight cubes of half its side, of which the part inside counts, at the values of the middle.
struct CellFields {
  const SolidGrid& grid;
  const SolidShape& shape;
  const SolidMaterial& material;
  const NodeExtension& nodes;
  std::span<const Vec3> reference;  ///< X [m]
  std::span<const Vec3> velocity;   ///< [m/s]
};

/// Sums over the cells.
struct CellTotals {
  Real mass = 0;            ///< [kg]
  Real elasticEnergy = 0;   ///< [J]
  Real soundSquared = 0;    ///< the largest [m²/s²]
  Real viscosity = 0;       ///< the largest [m²/s]
  Real strain = 0;          ///< largest entry of Green's strain
  bool isInverted = false;  ///< some of the body is turned inside out
};

/// The integrals at the nodes, of all cells: they lie where the cells do, so on followers too.
class CellIntegrals {
 public:
  explicit CellIntegrals(const SolidGrid& grid);

  /// Masses ∫ φ_N ρ dΩ, volumes ∫ φ_N dΩ and forces −∫ σ ∇φ_N dΩ.
  CellTotals integrate(const CellFields& fields, int threads);

  std::span<const Real> mass() const { return mass_; }      ///< [kg]
  std::span<const Real> volume() const { return volume_; }  ///< [m³]
  std::span<const Vec3> force() const { return force_; }    ///< [N]

 private:
  void integrateCell(const CellFields& fields, int cell, CellTotals& totals);

  std::vector<Real> mass_;
  std::vector<Real> volume_;
  std::vector<Vec3> force_;
  std::vector<CellTotals> rows_;  ///< of each row of cells
};

/// A part of a body's surface.
struct SolidSurfacePoint {
  int cell = 0;                  ///< that holds it
  Vec3 position = Vec3::Zero();  ///< [m]
  Vec3 area = Vec3::Zero();      ///< n dΓ, outward [m²]
};

/// Lists the surface, by ascending cell. Sums over the points are integrals over Γ: a row of a
/// contact in cell c is j_N = Σ φ_N(x_p) a_p of its points.
void listSurface(const CellFields& fields, std::vector<SolidSurfacePoint>& points);

}  // namespace drystone
