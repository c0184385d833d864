#pragma once

#include <algorithm>
#include <string_view>

#include "core/check.h"

namespace drystone::cli {

/// A study of `drystone bench`: the program bench_NAME, built from bench/.
struct BenchStudy {
  std::string_view name;
  std::string_view summary;  ///< one line
};

/// All that there are, built or not, by name.
inline constexpr BenchStudy kBenchStudies[] = {
    {"contacts", "Contacts of every pair of shapes against closed forms"},
    {"direct", "The direct solvers and their factors beside Lefebvre 2020"},
    {"exactness", "Natural map (M.11) and drift over whole simulations"},
    {"gpu", "Sweeps on a CUDA device beside the processor's, and beside Nützi 2011"},
    {"joint_rows", "Time of a step per row of joints and of contacts"},
    {"krylov", "The solvers by conjugate gradients beside Ho 2022"},
    {"learning", "Many copies of a robot on several threads, beside MuJoCo"},
    {"machines", "The scenes of the literature over their whole duration"},
    {"micro", "Kernels of the solvers, by Google Benchmark"},
    {"peers", "The same scenes in drystone, Bullet, ODE and MuJoCo"},
    {"problems", "Which solver solves how many contact problems how fast"},
    {"prox", "The prox solvers beside Poulsen 2010 and Nützi 2011"},
    {"race", "Time of a step against Bullet's own world on one scene"},
    {"scale", "What several processes send, and the memory of bodies and contacts"},
    {"scaling", "Time of a step per contact against the number of bodies"},
    {"settings", "What every setting of every solver changes"},
    {"shots", "Random bodies at up to 1000 m/s against thin walls and surfaces"},
    {"solids", "Deformable solids against theory, and beside Litven 2013"},
    {"staggered", "Staggered projections and the Schur complement beside Litven 2013"},
    {"threads", "Time of a step on the pool of threads and on OpenMP"},
    {"validation", "Motion against closed forms and published laws"},
};

/// The line of a study of that list.
inline std::string_view benchSummary(std::string_view name) {
  const auto* const found = std::ranges::find(kBenchStudies, name, &BenchStudy::name);
  DRYSTONE_ASSERT(found != std::end(kBenchStudies));
  return found->summary;
}

}  // namespace drystone::cli
