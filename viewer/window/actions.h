#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace drystone::viewer {

struct AppState;

enum class ActionId {
  kPause,
  kStep,
  kBack,
  kRestart,
  kReopen,
  kMore,
  kLess,
  kLoop,
  kFaster,
  kSlower,
  kNextScene,
  kPreviousScene,
  kNextSolver,
  kPreviousSolver,
  kContacts,
  kForces,
  kIslands,
  kWireframe,
  kTransparent,
  kFrameAll,
  kFollow,
  kDeselect,
  kThrow,
  kRace,
  kPanels,
  kFoldLeft,
  kFoldRight,
  kProfiler,
  kHelp,
  kScreenshot,
  kVideo,
  kCopyCamera,
  kQuit,
};

/// A thing that a key does. The help panel and the manual are made from the table.
struct Action {
  ActionId id;
  std::array<std::string_view, 2> keys;  ///< `Ctrl+Q`, `Space`; the second may be empty
  std::string_view help;
};
std::span<const Action> actions();

/// What the mouse does, for the same help.
struct MouseHelp {
  std::string_view how, help;
};
std::span<const MouseHelp> mouseHelp();

/// The action of a key as the table names it.
std::optional<ActionId> actionOfKey(std::string_view key);

/// The table's name of a key that was pressed: its label with the modifiers, `Shift+S`. `label` is
/// what is printed on it, in upper case. Shift with a sign is the sign above: `?`.
std::string keyName(std::string_view label, bool ctrl, bool shift);

/// `repeated`: the key is held.
void perform(ActionId action, AppState& app, bool repeated = false);

}  // namespace drystone::viewer
