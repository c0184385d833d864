#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/studies/measure.h"
#include "bench/studies/scale/scale_studies.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

namespace drystone::bench {
namespace {

constexpr int kSteps = 2;

/// Bytes of a process with one world, and what is in that.
struct WorldMemory {
  Real built = 0;    ///< after the world was built and its scene dropped
  Real stepped = 0;  ///< after the steps: arrays keep their capacity
  Real peak = 0;     ///< at any time until then
  Real contacts = 0;
};

Real residentBytes() {
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  Real pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * static_cast<Real>(sysconf(_SC_PAGESIZE));
}

WorldMemory measureHere(const std::vector<std::string>& sets, const std::string& solver) {
  WorldMemory memory;
  const SolverRegistry registry = makeDefaultRegistry();
  World world = buildWorld(sceneAsRun("ball_grid_small", sets, solver), registry);
  memory.built = residentBytes();
  for (int step = 0; step < kSteps; ++step) world.step();
  memory.stepped = residentBytes();
  memory.contacts = world.lastReport().contacts;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  memory.peak = static_cast<Real>(usage.ru_maxrss) * 1024;
  return memory;
}

/// In a process of its own, so that no world takes the memory that another one gave back.
WorldMemory measureAlone(const std::vector<std::string>& sets, const std::string& solver) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe to a process");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process for a world");
  if (child == 0) {
    const WorldMemory memory = measureHere(sets, solver);
    const bool isWritten = write(ends[1], &memory, sizeof memory) == sizeof memory;
    _exit(isWritten ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  close(ends[1]);
  WorldMemory memory;
  const bool isRead = read(ends[0], &memory, sizeof memory) == sizeof memory;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!isRead || status != 0) throw std::runtime_error("the process of a world failed");
  return memory;
}

struct Differences {
  Real built = 0, stepped = 0, peak = 0;
};

/// Per body or contact between two worlds.
Differences between(const WorldMemory& less, const WorldMemory& more, Real count) {
  return {(more.built - less.built) / count, (more.stepped - less.stepped) / count,
          (more.peak - less.peak) / count};
}

/// Bytes of a process, and the time that each step took.
void stepMillion() {
  const SolverRegistry registry = makeDefaultRegistry();
  World world = buildWorld(
      sceneAsRun("ball_grid_large",
                 {"bodies.0.shape.half_extents=[110,110,1]", "generators.0.counts=[100,100,99]",
                  "max_iterations=20", "check_every=21"},
                 "sor-prox-wide"),
      registry);
  printRow("| built | | | {:.0f} | | |\n", residentBytes() / 1e6);
  for (int step = 1; step <= kSteps; ++step) {
    const StepReport& report = world.step();
    std::array<double, 1> load{};
    getloadavg(load.data(), 1);
    const Real bytes = residentBytes();
    printRow("| step {} | {} | {:.1e} | {:.0f} | {:.0f} | {:.1f} at load {:.0f} |\n", step,
             report.contacts, report.naturalMap, bytes / 1e6, bytes / report.contacts,
             report.times.step / 1e3, load[0]);
  }
}

}  // namespace

void runMillion(const StudyOptions&) {
  printRow(
      "| 990,000 spheres | contacts | natural map m/s | resident MB | bytes a contact | s |\n"
      "|---|--:|--:|--:|--:|---|\n");
  stepMillion();
}

void runMemory(const StudyOptions& options) {
  CsvFile csv(options, "memory", "shape,solver,of,count,built,stepped,peak");
  printRow(
      "| shape | solver | of | count | built | after steps | at most |\n"
      "|---|---|---|--:|--:|--:|--:|\n");
  struct Kind {
    std::string name, shape;
    int layers;  ///< of 1,024 bodies each: N
  };
  for (const Kind& kind : {Kind{"sphere", R"({"type": "sphere", "radius": 1})", 10},
                           Kind{"box", R"({"type": "box", "half_extents": [1, 1, 1]})", 4}}) {
    for (const std::string solver : {"sor-prox-wide", "auto"}) {
      const auto measure = [&](int layers, const std::string& spacing) {
        std::vector<std::string> sets = {
            "generators.0.shape=" + kind.shape, "generators.0.spacing=" + spacing,
            "generators.0.counts=[32,32," + std::to_string(layers) + "]"};
        if (solver == "sor-prox-wide") {
          sets.insert(sets.end(), {"max_iterations=20", "check_every=21"});
        } else {
          sets.emplace_back("max_iterations=1000");
        }
        return measureAlone(sets, solver);
      };
      const auto print = [&](const char* of, Real count, const Differences& bytes) {
        csv.row(kind.name, solver, of, count, bytes.built, bytes.stepped, bytes.peak);
        printRow("| {} | {} | {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", kind.name, solver, of,
                 count, bytes.built, bytes.stepped, bytes.peak);
      };
      const char* const apart = "[3,3,3]";
      const char* const touching = "[2,2,2]";
      const WorldMemory few = measure(kind.layers, apart);
      const WorldMemory many = measure(2 * kind.layers, apart);
      const WorldMemory fewTouching = measure(kind.layers, touching);
      const WorldMemory manyTouching = measure(2 * kind.layers, touching);
      const Real bodies = 1024.0 * kind.layers;
      const Real contacts = manyTouching.contacts - fewTouching.contacts;
      const Differences ofBody = between(few, many, bodies);
      const Differences together = between(fewTouching, manyTouching, contacts);
      const Real bodiesPerContact = bodies / contacts;
      print("body apart", bodies, ofBody);
      print("contact", contacts,
            {together.built - bodiesPerContact * ofBody.built,
             together.stepped - bodiesPerContact * ofBody.stepped,
             together.peak - bodiesPerContact * ofBody.peak});
      print("contact, with its bodies", contacts, together);
    }
  }
}

}  // namespace drystone::bench
