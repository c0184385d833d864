#include <fmt/format.h>

#include <algorithm>

#include "collision/shape/shape_operations.h"
#include "core/field_checks.h"

namespace drystone {
namespace {
namespace heightfield {

void check(const Shape& shape, std::vector<std::string>& problems) {
  const auto& field = std::get<Heightfield>(shape);
  if (!field.data) {
    problems.emplace_back("heightfield: has no data; give columns, rows and heights");
    return;
  }
  const HeightfieldData& data = *field.data;
  if (data.columns < 2 || data.rows < 2) {
    problems.push_back(
        fmt::format("heightfield: columns and rows must be at least 2, got {} and {}", data.columns,
                    data.rows));
    return;
  }
  for (const Real spacing : {data.spacingX, data.spacingY}) {
    const std::string problem =
        rangeProblem(spacing, kSmallestPositiveInput, kLargestShapeSize, "m");
    if (!problem.empty()) problems.push_back("heightfield: spacing " + problem);
  }
  const std::size_t expected = static_cast<std::size_t>(data.columns) * data.rows;
  if (data.heights.size() != expected) {
    problems.push_back(
        fmt::format("heightfield: heights must have columns × rows = {} entries, got {}", expected,
                    data.heights.size()));
  }
  for (std::size_t i = 0; i < data.heights.size(); ++i) {
    const std::string problem =
        rangeProblem(data.heights[i], -kLargestShapeSize, kLargestShapeSize, "m");
    if (!problem.empty())
      problems.push_back(fmt::format("heightfield: heights[{}] {}", i, problem));
  }
}

void hashData(const Shape& shape, Hasher& hasher) {
  const HeightfieldData& data = *std::get<Heightfield>(shape).data;
  hasher.add(data.columns);
  hasher.add(data.spacingX);
  hasher.add(data.spacingY);
  hasher.array(data.heights);
}

std::optional<Bounds> bounds(const Shape& shape) {
  const HeightfieldData& data = *std::get<Heightfield>(shape).data;
  const auto [low, high] = std::ranges::minmax(data.heights);
  const Real x = 0.5 * (data.columns - 1) * data.spacingX;
  const Real y = 0.5 * (data.rows - 1) * data.spacingY;
  return Bounds{{-x, -y, low}, {x, y, high}};
}

}  // namespace heightfield
}  // namespace

const ShapeOperations Heightfield::operations = {
    .name = "heightfield",
    .help = "regular grid of heights about the origin; static bodies only",
    .check = heightfield::check,
    .hashData = heightfield::hashData,
    .bounds = heightfield::bounds,
};

}  // namespace drystone
