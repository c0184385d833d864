#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace drystone {
class World;
}  // namespace drystone

namespace drystone::cli {

/// What `run` was asked to save: states of the whole world in a file (World::save()).
struct StateFiles {
  std::string save;                   ///< file; empty: none
  std::optional<std::int64_t> every;  ///< steps between two saves; none: only at the end

  bool isDue(std::int64_t step, bool isLast) const {
    return !save.empty() && (isLast || (every && step % *every == 0));
  }
};

/// Brings the world to the state of the file that `--restore` names; empty: none. Throws
/// InputError, naming the file, where it cannot be read or is no state of such a world.
void restoreFromFile(const std::string& path, World& world);

/// Writes a state beside the file of `--save` and then puts it in its place: a program that is
/// killed leaves the one before. Throws std::runtime_error where that fails.
void saveToFile(const StateFiles& files, const World& world);

}  // namespace drystone::cli
