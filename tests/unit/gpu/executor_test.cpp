// The parts that every kernel builds on: memory layout, and threads that wait for each other.
#include <gmock/gmock.h>

#include <cstdint>
#include <map>
#include <vector>

#include "gpu/host_executor.h"
#include "gpu/layout/memory_layout.h"
#include "gpu/layout/sweep_view.h"

namespace drystone::gpu {
namespace {

// Each array starts at a multiple of the alignment, behind the end of the one before it, and what
// lies between is told, so that the sanitizer can guard it.
TEST(SweepLayout, Arrays_AreAlignedAndApart) {
  SweepSizes sizes{.contactRows = 3,
                   .contacts = 5,
                   .rows = 2,
                   .units = 6,
                   .problemRows = 17,
                   .bodies = 4,
                   .entries = 11,
                   .gatheredBodies = 3,
                   .hasCompliance = true};
  SweepView<double> view;
  std::map<std::byte*, std::size_t> gaps;
  const auto count = [&](std::byte* begin, std::size_t bytes) { gaps[begin] = bytes; };
  const Sections needed =
      bindSweepView<double>(sizes, nullptr, view, [](std::byte*, std::size_t) {});
  HostExecutor executor;
  HostExecutor::Memory memory;
  memory.resize(executor, needed.end);
  const Sections sections = bindSweepView<double>(sizes, memory.data(), view, count);
  EXPECT_EQ(sections.end, needed.end);
  EXPECT_LE(sections.keptEnd, sections.inputEnd);
  EXPECT_LE(sections.inputEnd, sections.impulseEnd);
  EXPECT_LE(sections.impulseEnd, sections.resultEnd);
  EXPECT_EQ(view.stride, 32u);
  const auto endsInGap = [&](const auto* array, std::size_t elements) {
    auto* end =
        reinterpret_cast<std::byte*>(const_cast<void*>(static_cast<const void*>(array + elements)));
    return gaps.contains(end) && reinterpret_cast<std::uintptr_t>(array) % kArrayAlignment == 0;
  };
  EXPECT_TRUE(endsInGap(view.jacobian, 3 * 12 * 32));
  EXPECT_TRUE(endsInGap(view.compliance, 3 * 32));
  EXPECT_TRUE(endsInGap(view.slotB, 5));
  EXPECT_TRUE(endsInGap(view.rowStep, 2));
  EXPECT_TRUE(endsInGap(view.slotStart, 5));
  EXPECT_TRUE(endsInGap(view.updates, 5));
  EXPECT_TRUE(endsInGap(view.problemJacobianB, 6 * 17));
  EXPECT_TRUE(endsInGap(view.roots, 5 * 10));
  EXPECT_TRUE(endsInGap(view.velocity, 5));
  EXPECT_TRUE(endsInGap(view.contribution, 6 * 11));
  EXPECT_EQ(reinterpret_cast<std::byte*>(view.contactRow), memory.data());
  EXPECT_EQ(reinterpret_cast<std::byte*>(view.problemJacobianA), memory.data() + sections.keptEnd);
  EXPECT_EQ(reinterpret_cast<std::byte*>(view.impulse), memory.data() + sections.inputEnd);
  EXPECT_EQ(reinterpret_cast<std::byte*>(view.w), memory.data() + sections.impulseEnd);
}

/// Sum over a block by halves, as kernels that reduce do.
struct SumOfBlock {
  const int* in;
  int* out;

  using Shared = int;
  struct State {
    int own = 0;
  };
  int sharedCount() const { return 8; }
  int phaseCount() const { return 5; }
  void phase(int phase, const Place& place, int* shared, State& state) const {
    if (phase == 0) {
      state.own = in[place.block * place.threads + place.thread];
      shared[place.thread] = state.own;
    } else if (phase < 4) {
      const int half = 8 >> phase;
      if (place.thread < half) shared[place.thread] += shared[place.thread + half];
    } else if (place.thread == 0) {
      out[place.block] = shared[0] + 100 * state.own;
    }
  }
};

TEST(HostExecutor, Phases_RunForAllThreadsOfABlockBeforeTheNext) {
  std::vector<int> in(24), out(3);
  for (int i = 0; i < 24; ++i) in[i] = i;
  for (const bool runsBackwards : {false, true}) {
    HostExecutor(runsBackwards).launch(3, 8, SumOfBlock{in.data(), out.data()});
    // 0 + … + 7 = 28, and 64 more each; the first thread of a block keeps what it read.
    EXPECT_THAT(out, testing::ElementsAre(28, 92 + 800, 156 + 1600));
  }
}

/// As SumOfBlock with a barrier too few: a thread adds what its neighbour may have changed.
struct SumWithoutBarrier {
  const int* in;
  int* out;

  using Shared = int;
  struct State {};
  int sharedCount() const { return 2; }
  int phaseCount() const { return 2; }
  void phase(int phase, const Place& place, int* shared, State&) const {
    if (phase == 0) {
      shared[place.thread] = in[place.thread];
    } else {
      shared[place.thread] += shared[1 - place.thread];
      out[place.thread] = shared[place.thread];
    }
  }
};

TEST(HostExecutor, MissingBarrier_ShowsInTheOrderOfThreads) {
  const int in[] = {1, 2};
  int forwards[2], backwards[2];
  HostExecutor().launch(1, 2, SumWithoutBarrier{in, forwards});
  HostExecutor(true).launch(1, 2, SumWithoutBarrier{in, backwards});
  EXPECT_THAT(forwards, testing::ElementsAre(3, 5));
  EXPECT_THAT(backwards, testing::ElementsAre(4, 3));
}

/// What is asked for, one after the other, of memory with room for `room` bytes.
std::vector<std::size_t> asked(std::size_t bytes, bool isFirst, std::size_t room,
                               std::size_t& given) {
  std::vector<std::size_t> sizes;
  given = allocateGrowing(bytes, isFirst, [&](std::size_t wanted) {
    sizes.push_back(wanted);
    return wanted <= room;
  });
  return sizes;
}

TEST(Growth, TakesNoMoreThanIsNeededAtFirst) {
  std::size_t given = 0;
  EXPECT_THAT(asked(1000, true, 1000, given), testing::ElementsAre(1000));
  EXPECT_EQ(given, 1000u);
}

TEST(Growth, TakesAQuarterMoreWhenItGrows) {
  std::size_t given = 0;
  EXPECT_THAT(asked(1000, false, 1250, given), testing::ElementsAre(1250));
  EXPECT_EQ(given, 1250u);
}

TEST(Growth, TakesJustWhatIsNeededWhereMoreIsTooMuch) {
  std::size_t given = 0;
  EXPECT_THAT(asked(1000, false, 1249, given), testing::ElementsAre(1250, 1000));
  EXPECT_EQ(given, 1000u);
}

TEST(Growth, SaysThatThereIsNoRoom) {
  for (const bool isFirst : {true, false}) {
    std::size_t given = 1;
    EXPECT_EQ(asked(1000, isFirst, 999, given).back(), 1000u);
    EXPECT_EQ(given, 0u);
  }
}

}  // namespace
}  // namespace drystone::gpu
