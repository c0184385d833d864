// A brick wall in running bond along x, centred on x = 0 and y = 0, standing on z = 0. Even rows
// hold `columns` bricks; odd rows are shifted by half a brick and closed by half bricks, or left
// open with one brick less.

#include <fmt/format.h>

#include <array>

#include "scenes/generators/generation.h"

namespace drystone {
namespace {

constexpr std::array<std::string_view, 2> kEnds = {"half_bricks", "open"};
enum class Ends { kHalfBricks, kOpen };

struct WallLayout {
  int columns = 0;
  int rows = 0;
  Vec3 half{0.2, 0.1, 0.1};  ///< of a brick [m]
  Real gap = 0;              ///< between neighbours of a row [m]
  Real verticalGap = 0;      ///< under every row [m]
  Ends ends = Ends::kHalfBricks;

  Real pitch() const { return 2 * half.x() + gap; }
  Real width() const { return columns * pitch() - gap; }
  /// Half a half brick: two of them and a gap make a brick.
  Real halfBrick() const { return (2 * half.x() - gap) / 4; }
  Real height(int row) const {
    return (half.z() + verticalGap) + (2 * half.z() + verticalGap) * row;
  }
  /// Bodies of the whole wall, in reals: it may be more than fits an integer.
  Real count() const {
    const Real odd = ends == Ends::kHalfBricks ? columns + 1.0 : columns - 1.0;
    return Real(columns) * (rows - rows / 2) + odd * (rows / 2);
  }
};

void addRow(const WallLayout& wall, int row, Generation& generation) {
  const Real left = -wall.width() / 2;
  const bool shifted = row % 2 == 1;
  const bool closed = shifted && wall.ends == Ends::kHalfBricks;
  const Box brick{wall.half};
  const Box end{Vec3(wall.halfBrick(), wall.half.y(), wall.half.z())};
  int number = 0;
  const auto place = [&](const Box& box, Real x) {
    generation.add(fmt::format("{}_{}", row, number++), box,
                   {Vec3(x, 0, wall.height(row)), Quat::Identity()});
  };

  if (closed) place(end, left + wall.halfBrick());
  const Real offset = shifted ? 2 * wall.halfBrick() + wall.gap : 0;
  for (int i = 0; i < wall.columns - (shifted ? 1 : 0); ++i) {
    place(brick, left + offset + wall.half.x() + i * wall.pitch());
  }
  if (closed) place(end, wall.width() / 2 - wall.halfBrick());
}

}  // namespace

void generateWall(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "wall");
  WallLayout wall;
  in.integer({"columns", "bricks of an even row"}, wall.columns, 1, std::numeric_limits<int>::max(),
             kRequired);
  in.integer({"rows", "rows"}, wall.rows, 1, std::numeric_limits<int>::max(), kRequired);
  in.vector({"half_extents", "of a brick"}, wall.half, positive("m", 1e6), kRequired);
  in.real({"gap", "between the bricks of a row"}, wall.gap, notNegative("m"));
  in.real({"vertical_gap", "under every row"}, wall.verticalGap, notNegative("m"));
  in.choice({"ends", "of odd rows"}, wall.ends, kEnds);
  if (in.has("mass")) {
    in.at().member("mass")->keyError("the bricks of a wall differ in size; give \"density\"");
  }
  if (wall.ends == Ends::kHalfBricks && wall.gap >= 2 * wall.half.x()) {
    in.at().member("gap")->error("must be smaller than a brick is long");
  }
  if (!generation.allows(wall.count(), fmt::format("{} x {}", wall.columns, wall.rows))) return;
  for (int row = 0; row < wall.rows; ++row) addRow(wall, row, generation);
}

}  // namespace drystone
