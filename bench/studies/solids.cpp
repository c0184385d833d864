// Deformable solids against the theory of elasticity, and what a sub-step of them costs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/support/option_checks.h"
#include "bench/studies/solids/cylinders.h"
#include "bench/studies/study_program.h"
#include "core/timer.h"
#include "tests/unit/solids/bars.h"

namespace drystone::bench {
namespace {

using test::barSetup;

void periods() {
  fmt::print("\n| cells | nodes on the faces | between them |\n|--:|--:|--:|\n");
  for (const int cells : {8, 16, 32}) {
    fmt::print("| {} ", cells);
    for (const Real offset : {0.0, 0.37}) {
      const Real period = test::longitudinalPeriod(barSetup(cells, 3, offset));
      fmt::print("| {:+.3f} % ", 100 * (period / 2 - 1));
    }
    fmt::print("|\n");
  }
}

void sags() {
  fmt::print("\n| bar | cells | sag by theory |\n|---|---|--:|\n");
  const auto row = [](const char* name, int cells, int thick, const Vec3& gravity, Real drag,
                      Real duration) {
    SolidSetup bar = barSetup(cells, thick, 0);
    bar.gravity = gravity;
    const Real ratio = test::sagOf(bar, drag, duration).norm() / test::sagInTheory(bar).norm();
    fmt::print("| {} | {} x {} x {} | {:.4f} |\n", name, cells, thick, thick, ratio);
  };
  for (const int cells : {8, 16, 32}) row("hangs", cells, 3, Vec3(1e-3, 0, 0), 2, 8);
  row("clamped beam", 8, 2, Vec3(0, 0, -1e-4), 0.35, 40);
  row("", 12, 3, Vec3(0, 0, -1e-4), 0.35, 40);
  row("", 16, 4, Vec3(0, 0, -1e-4), 0.35, 40);
  row("", 24, 6, Vec3(0, 0, -1e-4), 0.35, 40);
}

void turns() {
  fmt::print("\n| cells | upwind | quadratic |\n|--:|--:|--:|\n");
  for (const int cells : {10, 20, 40}) {
    fmt::print("| {} | {:.2e} | {:.2e} |\n", cells, test::strainOfTurn(cells, Advection::kUpwind),
               test::strainOfTurn(cells, Advection::kQuadratic));
  }
}

/// Part of the energy that is left of a bar that was stretched by a tenth and let go.
void stretched() {
  fmt::print(
      "\n| advection of v | of X | energy after 1 s | 2 s | 4 s | largest "
      "|\n|---|---|--:|--:|--:|--:|\n");
  for (const Advection ofVelocity : {Advection::kUpwind, Advection::kQuadratic}) {
    for (const Advection ofReference : {Advection::kUpwind, Advection::kQuadratic}) {
      SolidSetup setup = barSetup(16, 4, 0.3);
      setup.grid.nodes[0] += 6;
      setup.grid.origin.x() -= 3 * setup.grid.spacing;
      setup.material.poissonRatio = 0.3;
      setup.velocityAdvection = ofVelocity;
      setup.referenceAdvection = ofReference;
      Solid solid(setup);
      solid.setReference([](const Vec3& x) { return Vec3(x.x() / 1.1, x.y(), x.z()); });
      const Real begin = test::energyOf(solid);
      std::array<Real, 41> energies{};
      for (int i = 0; i <= 40; ++i) {
        energies[i] = solid.status() == SolidStatus::kOk ? test::energyOf(solid) / begin : NAN;
        solid.step(0.1);
      }
      const auto name = [](Advection order) {
        return order == Advection::kUpwind ? "upwind" : "quadratic";
      };
      fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.3f} |\n", name(ofVelocity),
                 name(ofReference), energies[10], energies[20], energies[40],
                 *std::max_element(energies.begin(), energies.end()));
    }
  }
}

void tumbling() {
  fmt::print(
      "\n| cells | momentum | spin | energy | largest correction m/s |\n|--:|--:|--:|--:|--:|\n");
  for (const int cells : {12, 24, 48}) {
    Solid solid(test::tumblingBox(cells));
    const Vec3 momentum = solid.momentum(), spin = solid.spin();
    const Real energy = test::energyOf(solid);
    Real correction = 0, change = 0;
    for (int i = 0; i < 10; ++i) {
      correction = std::max(correction, solid.step(0.15).correction);
      change = std::max(change, std::abs(test::energyOf(solid) / energy - 1));
    }
    fmt::print("| {} | {:.1e} | {:.1e} | {:.2f} % | {:.1e} |\n", cells,
               (solid.momentum() - momentum).norm() / momentum.norm(),
               (solid.spin() - spin).norm() / spin.norm(), 100 * change, correction);
  }
}

void costs() {
  fmt::print(
      "\n| cells | carriers | 1 thread ms | 2 threads ms | us a carrier "
      "|\n|--:|--:|--:|--:|--:|\n");
  for (const int cells : {16, 32, 64}) {
    std::array<double, 3> best{};
    std::size_t carriers = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
      for (const int threads : {1, 2}) {
        SolidSetup setup = test::tumblingBox(cells);
        setup.threads = threads;
        Solid solid(setup);
        solid.step(0.02);
        const Timer timer;
        const int substeps = solid.step(0.2).substeps;
        const double ms = timer.milliseconds() / substeps;
        best[threads] = repeat == 0 ? ms : std::min(best[threads], ms);
        carriers = solid.nodes().carriers().size();
      }
    }
    fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} |\n", cells, carriers, best[1], best[2],
               1e3 * best[1] / static_cast<double>(carriers));
  }
}

}  // namespace
}  // namespace drystone::bench

int main(int argc, char** argv) {
  using namespace drystone::bench;
  StudyApp app("solids");
  double spacing = 0;
  app.add_option("--cylinders", spacing,
                 "only the collision of nine cylinders of Litven 2013, at this spacing [m]")
      ->transform(drystone::cli::positiveNumber("m"));
  return runStudy(app, argc, argv, [&] {
    fmt::print("{}\n", machineLine());
    if (spacing > 0) {
      studyCylinders(spacing);
      return 0;
    }
    periods();
    sags();
    turns();
    stretched();
    tumbling();
    costs();
    return 0;
  });
}
