#pragma once

#include <array>
#include <cstddef>

#include "core/types.h"
#include "viewer/draw/draw_list.h"

namespace drystone::viewer {

/// A color from the notation of the web, 0xRRGGBB.
constexpr Color rgb(unsigned hex, float alpha = 1) {
  return {static_cast<float>(hex >> 16 & 0xff) / 255, static_cast<float>(hex >> 8 & 0xff) / 255,
          static_cast<float>(hex & 0xff) / 255, alpha};
}

/// Weight 0: `from`, 1: `to`; the alpha is that of `from`.
constexpr Color mix(const Color& from, const Color& to, float weight) {
  return {from.red + weight * (to.red - from.red), from.green + weight * (to.green - from.green),
          from.blue + weight * (to.blue - from.blue), from.alpha};
}

constexpr Color withAlpha(Color color, float alpha) {
  color.alpha = alpha;
  return color;
}

// Okabe and Ito 2008: told apart with every kind of color vision.
constexpr Color kOrange = rgb(0xe69f00);
constexpr Color kSkyBlue = rgb(0x56b4e9);
constexpr Color kGreen = rgb(0x009e73);
constexpr Color kYellow = rgb(0xf0e442);
constexpr Color kBlue = rgb(0x0072b2);
constexpr Color kVermillion = rgb(0xd55e00);
constexpr Color kPurple = rgb(0xcc79a7);
constexpr Color kBlack = rgb(0x202428);

constexpr Color kStaticBody = rgb(0xb4b9be);
constexpr Color kKinematicBody = rgb(0x7f6f9e);
constexpr Color kFreeBody = rgb(0xe4e2dc);  ///< dynamic, of no island
constexpr Color kAsleep = rgb(0x8f969c);    ///< what sleeping bodies fade into
constexpr Color kSensorGreen = rgb(0x009e73, 0.22f);
constexpr Color kUnknown = rgb(0x8a9096);  ///< what is not measured
constexpr Color kSelection = kOrange;

/// Calm colors for bodies and islands: Paul Tol's "light" scheme, safe for the color-blind, without
/// its gray and its olive, which shade turns to mud. Seven, so that rows of ten or eight do not
/// line up.
constexpr std::array<Color, 7> kBodyColors = {rgb(0x77aadd), rgb(0xee8866), rgb(0x44bb99),
                                              rgb(0xeedd88), rgb(0x99ddff), rgb(0xffaabb),
                                              rgb(0xbbcc33)};
/// Strong ones for points and lines.
constexpr std::array<Color, 7> kMarkColors = {kBlue,   kOrange,     kGreen,  kPurple,
                                              kYellow, kVermillion, kSkyBlue};

/// The usual colours of the axes x, y and z: red, green, blue.
constexpr std::array<Color, 3> kAxisColors = {kVermillion, kGreen, kBlue};

template <std::size_t N>
constexpr const Color& cycled(const std::array<Color, N>& colors, int number) {
  return colors[static_cast<std::size_t>(number) % N];
}

/// Maps of even lightness steps, readable with every kind of color vision and in gray.
enum class ColorMap { kViridis, kCividis };

/// 0: the dark end, 1: the light one; beyond them the ends themselves. NaN: gray.
Color mapColor(ColorMap map, Real share);

/// Place of a value between `low` and `high` on a logarithmic scale, clamped to [0, 1]; NaN stays.
Real logShare(Real value, Real low, Real high);

}  // namespace drystone::viewer
