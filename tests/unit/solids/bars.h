#pragma once

#include "solids/solid.h"

namespace drystone::test {

/// A bar of unit length along x, of `cells` cells by `thick` by `thick`, in the middle of a grid
/// whose nodes lie `offset` cells beside its faces. Density, Young's modulus and with them the
/// speed of waves along it are 1, and Poisson's ratio is 0, so that a bar of any width is a line.
SolidSetup barSetup(int cells, int thick, Real offset);

/// A box of 0.6 × 0.5 × 0.4 m that flies and tumbles through a cube of 2 m and `cells` cells a
/// side.
SolidSetup tumblingBox(int cells);

Real energyOf(const Solid& solid);

/// Period of the lowest longitudinal oscillation of a free bar [s]. In theory it is 2.
Real longitudinalPeriod(const SolidSetup& bar);

/// How far gravity moves the middle of the free end of a bar whose other end is held [m]. A drag
/// [1/s] at the nodes brings it to rest within `duration` [s].
Vec3 sagOf(const SolidSetup& bar, Real drag, Real duration);

/// The same in theory: ρ g L² / 2 E along the bar; across it ρ g A L⁴ / 8 E I by bending and
/// ρ g L² / 2 κ G by shear, κ = 5/6 and G = E / 2.
Vec3 sagInTheory(const SolidSetup& bar);

/// Largest strain after a quarter turn by a rigid velocity, about an axis that lies askew.
Real strainOfTurn(int cells, Advection order);

}  // namespace drystone::test
