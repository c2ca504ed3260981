#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "capture/cdp/session.h"
#include "capture/guard/network_guard.h"
#include "capture/settle/page_clock.h"

namespace topodb::capture {

// The isolated world that topodb's scripts live in, and their way to speak.
inline constexpr std::string_view kWorldName = "topodb";
inline constexpr std::string_view kSignalBinding = "topodbSignal";
// What completion.js says by it; everything else is a receipt of act.js.
inline constexpr std::string_view kRegionSignal = "region";

// What topodb brings into every document of a page before the page's own script runs.
struct PageScripts {
  std::string isolated;  // looks and acts, in a world that the page cannot see
  std::string main;      // in the page's own world: what it waits for, and which nodes listen
  // In the own world of windows, and part of `main`: what is not armed in time, and the ways out of
  // the browser that the guard is not asked about.
  std::string window;
  // In workers: only those ways. Empty when the guard is off.
  std::string worker;
};

// Whose browser the page is in. In one that others use not every target can be watched.
enum class BrowserOwner : uint8_t { kUs, kOthers };

// `channel`: the name by which the two worlds find each other; nobody else may know it.
PageScripts MakePageScripts(std::string_view channel, ClockKind clock, GuardMode guard);

// Sends them to a target that has not run yet, with the binding by which they speak.
void Install(const PageScripts& scripts, cdp::Session& session);
// To a window and to a worker that has not run yet.
void InstallInWindow(const PageScripts& scripts, cdp::Session& session);
void InstallInWorker(const PageScripts& scripts, cdp::Session& session);

}  // namespace topodb::capture
