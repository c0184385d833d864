#pragma once

#include <cstdint>

namespace CLI {
class App;
}

namespace drystone::cli {

// For files that someone else made: a line of a scene can ask for a million bodies.

/// The least limit that can be asked for: what the program itself takes, with room for messages.
constexpr std::int64_t kLeastMemory = std::int64_t{64} << 20;

/// Adds `--max-memory SIZE` to a command. It counts from the parsing of the command line on.
/// SIZE is a whole number with M (MiB) or G (GiB), from kLeastMemory to 2^50 bytes.
void addMemoryLimit(CLI::App& app);

/// From now on the program takes no more than so many bytes of memory of its own: its heap, and the
/// stacks of its threads. What goes beyond throws std::bad_alloc; where nothing can catch that, the
/// program ends with kInvalidInput and the message all the same. Programs that it starts inherit
/// the limit, each for itself. A lower limit that the system has set stays. Throws UsageError where
/// the system refuses the limit. To be called before there are other threads; the last call counts.
void limitMemory(std::int64_t bytes);

/// What to say where memory ended: names the limit; nullptr where none was set.
const char* memoryLimitMessage();

}  // namespace drystone::cli
