#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capture/browser/page_driver.h"
#include "schema/base/error.h"
#include "schema/model.h"

// Why something did not become part of the graph: from the driver's answers to the reasons that a
// FailedObservation carries. Pure.
namespace topodb::capture {

// True for addresses that the run may open.
using ScopeCheck = std::function<bool(const std::string& url)>;

struct Refusal {
  FailureReason reason = FailureReason::kUnexpectedState;
  std::string message;  // never empty
  bool operator==(const Refusal&) const = default;
};

enum class DriverCall : uint8_t { kReset, kNavigate, kSnapshot, kPerform };

// A verb of the driver failed.
Refusal RefusalOf(DriverCall call, const Error& error);

// nullopt for kDispatched.
std::optional<Refusal> RefusalOf(const ActionReport& report);

// What the page does on its own: requests that were already stopped while it was loaded and led to
// the source state are not the action's. Compared by method and URL without query and fragment.
bool IsOwnRequest(const RequestSeen& request, const std::vector<RequestSeen>& own);

struct ActionFacts {
  const ActionReport& report;
  const std::vector<RequestSeen>& own_requests;  // of the page before the action
  const PageSnapshot* after = nullptr;           // null: not taken
  const std::vector<Effect>& effects;
};

// Why an action that was tried makes no edge, strongest reason first; nullopt: it makes one.
std::optional<Refusal> JudgeAction(const ActionFacts& facts, const ScopeCheck& in_scope);

// What stops exploring at a page: a challenge, a missing login or permission. The page itself is a
// state all the same.
std::optional<Refusal> ObstacleIn(const PageSnapshot& snapshot, AuthContext auth);

// False only when the check says so: no check allows everything, and a script is no address.
bool MayOpen(const ScopeCheck& in_scope, const std::string& url);

}  // namespace topodb::capture
