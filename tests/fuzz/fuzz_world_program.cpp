// Bytes are a program of calls of World: bodies and joints come, change and go, between steps,
// saved states and queries. A call is refused with InputError or done; after each step all is
// finite; a state that was saved is restored to the same hash.

#include <optional>

#include "solvers/default_registry.h"
#include "tests/fuzz/fuzz_world.h"
#include "tests/fuzz/world_calls.h"

namespace drystone::fuzz {
namespace {

constexpr int kMostCalls = 60;
constexpr int kMostSteps = 8;

WorldSettings settingsOf(FuzzInput& in, const SolverRegistry& registry) {
  WorldSettings settings;
  const std::vector<std::string> names = registry.names();
  settings.solver.name = names[in.byte() % names.size()];
  settings.solver.budget.iterations = 30;
  settings.friction = static_cast<FrictionModel>(in.below(kFrictionModelCount));
  settings.integrator = static_cast<Integrator>(in.below(2));
  settings.impactLaw = static_cast<ImpactLaw>(in.below(3));
  settings.jointRows = static_cast<JointRows>(in.below(2));
  settings.stepping = static_cast<Stepping>(in.below(2));
  settings.contactSet = static_cast<ContactSet>(in.below(2));
  settings.detection = static_cast<Detection>(in.below(2));
  settings.substeps = 1 + in.below(3);
  settings.sleeping.enabled = in.flag();
  settings.geometricStiffness = in.flag();
  if (in.flag()) settings.projection = Projection::on();
  return settings;
}

/// A world with what the program remembers of it.
class Program {
 public:
  Program(FuzzInput& in, const SolverRegistry& registry)
      : in_(in), world_(settingsOf(in, registry), registry) {}

  void run() {
    for (int call = 0; call < kMostCalls && steps_ < kMostSteps && !in_.isEmpty(); ++call) {
      isAccepted([&] { callOne(); });
    }
    step();
  }

 private:
  void callOne() {
    switch (in_.below(12)) {
      case 0:
      case 1:
        return addBody(in_, world_);
      case 2:
        return addJoint(in_, world_);
      case 3:
        return changeBody(in_, world_);
      case 4:
        return changeJoint(in_, world_);
      case 5:
        return changeWorld(in_, world_);
      case 6:
        return askQuery(in_, world_);
      case 7:
        return removeSomething(in_, world_);
      case 8:
        return save();
      case 9:
        return restore();
      default:
        return step();
    }
  }

  void step() {
    world_.step();
    ++steps_;
    checkStep(world_);
  }

  void save() {
    state_ = world_.save();
    hash_ = world_.observe().hash();
    bodies_ = world_.bodies();
  }

  void restore() {
    std::vector<std::byte> state = state_;
    const auto mode = static_cast<RestoreMode>(in_.below(3));
    const bool isDamaged = in_.flag() && !state.empty();
    if (isDamaged) {
      const std::size_t at = (in_.byte() * 256u + in_.byte()) % state.size();
      state[at] ^= static_cast<std::byte>(in_.byte());
      if (in_.flag()) state.resize(at);
    }
    world_.restore(state, mode);
    if (isDamaged || mode != RestoreMode::kExact) return;
    require(world_.observe().hash() == hash_, "a restored world has another hash");
    require(world_.bodies() == bodies_, "a restored world has other bodies");
  }

  FuzzInput& in_;
  World world_;
  int steps_ = 0;
  std::vector<std::byte> state_;
  std::uint64_t hash_ = 0;
  std::vector<BodyId> bodies_;
};

}  // namespace
}  // namespace drystone::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace drystone;
  static const SolverRegistry registry = makeDefaultRegistry();
  fuzz::FuzzInput in(data, size);
  fuzz::isAccepted([&] { fuzz::Program(in, registry).run(); });
  return 0;
}
