#pragma once

#include <atomic>

#include "capture/browser/clock.h"
#include "capture/browser/page_driver.h"
#include "query/replay/base_map.h"
#include "query/replay/report.h"
#include "query/replay/script_player.h"
#include "schema/identity/target_identity.h"
#include "schema/snapshot.h"

// Waits for a recorded landmark. Internal to query/replay.
namespace topodb::replay {

// The page of the record's scope shows a mark that carries the recorded identity. Pure.
bool HoldsLandmark(const TargetIdentity& recorded, const PageSnapshot& page);

class LandmarkWait {
 public:
  // All must outlive it.
  LandmarkWait(const capture::Clock& clock, const PlayOptions& options,
               const std::atomic<bool>& cancelled)
      : clock_(clock), options_(options), cancelled_(cancelled) {}

  // Looks again and again. An impostor, or a page that cannot be read, does not end the wait before
  // its time; then nothing but the landmark itself is a pass. Diverged: identity-unverifiable
  // (nothing is looked at), identity-mismatch (only others of that role and name were there),
  // action-failure (none was), capture-failure (the page could never be read).
  void Run(capture::PageDriver& driver, const BaseMap& base, const TargetIdentity& recorded,
           StepReport& step) const;

 private:
  const capture::Clock& clock_;
  const PlayOptions& options_;
  const std::atomic<bool>& cancelled_;
};

}  // namespace topodb::replay
