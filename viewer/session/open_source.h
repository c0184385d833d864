#pragma once

#include <memory>
#include <string>

#include "scenes/scene.h"
#include "viewer/session/message_log.h"
#include "viewer/session/source.h"

namespace drystone::viewer {

/// Opens a scene of the library, a scene file or a recording, which is told by its content. Says in
/// the log what was opened and what is doubtful about it. Throws InputError as the readers do.
std::unique_ptr<Source> openSource(const Open& asked, const SolverRegistry& registry,
                                   MessageLog& log);
/// Begins the scene that is open again (Open::restart), with that solver.
std::unique_ptr<Source> restartSource(const Open& asked, const SolverChoice& solver,
                                      const SolverRegistry& registry, MessageLog& log);
/// Opens a scene that was read already.
std::unique_ptr<Source> openScene(const Scene& scene, const SolverRegistry& registry,
                                  MessageLog& log);

}  // namespace drystone::viewer
