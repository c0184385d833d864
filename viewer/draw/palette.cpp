#include "viewer/draw/palette.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace drystone::viewer {
namespace {

// Equidistant colors of the published maps; between them the components are interpolated.
constexpr Color kViridisColors[] = {rgb(0x440154), rgb(0x472d7b), rgb(0x3b528b),
                                    rgb(0x2c728e), rgb(0x21918c), rgb(0x28ae80),
                                    rgb(0x5ec962), rgb(0xaddc30), rgb(0xfde725)};
constexpr Color kCividisColors[] = {rgb(0x00204d), rgb(0x00336f), rgb(0x39486b), rgb(0x575c6d),
                                    rgb(0x707173), rgb(0x8a8779), rgb(0xa69d75), rgb(0xc4b56c),
                                    rgb(0xe4cf5b), rgb(0xffea46)};

}  // namespace

Color mapColor(ColorMap map, Real share) {
  if (std::isnan(share)) return kUnknown;
  const std::span<const Color> colors =
      map == ColorMap::kViridis ? std::span<const Color>(kViridisColors) : kCividisColors;
  const Real at = std::clamp<Real>(share, 0, 1) * static_cast<Real>(colors.size() - 1);
  const std::size_t first = std::min(static_cast<std::size_t>(at), colors.size() - 2);
  return mix(colors[first], colors[first + 1], static_cast<float>(at - static_cast<Real>(first)));
}

Real logShare(Real value, Real low, Real high) {
  if (std::isnan(value)) return value;
  if (value <= low) return 0;
  if (value >= high) return 1;
  return std::log(value / low) / std::log(high / low);
}

}  // namespace drystone::viewer
