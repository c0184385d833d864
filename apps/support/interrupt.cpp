#include "apps/support/program.h"

#include <signal.h>

#include <csignal>

namespace drystone::cli {
namespace {

volatile std::sig_atomic_t interruptRequested = 0;

void onSignal(int) { interruptRequested = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
  interruptRequested = 0;
  struct sigaction action = {};
  action.sa_handler = onSignal;
  // SA_RESETHAND: a second signal meets the default action, so a hung solve can be killed.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::requested() const { return interruptRequested != 0; }

}  // namespace drystone::cli
