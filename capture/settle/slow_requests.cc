#include "capture/settle/slow_requests.h"

#include <algorithm>

#include "capture/guard/url.h"

namespace topodb::capture {
namespace {

// A request that is silent for this long is called slow and no longer waited for …
constexpr Millis kStall{3000};
// … and the next time it is seen, only for this long.
constexpr Millis kKnownSlow{60};

}  // namespace

Millis SlowRequests::Patience(const PageLog::View& view) const {
  const bool only_slow =
      !view.pending->empty() &&
      std::all_of(view.pending->begin(), view.pending->end(), [&](const auto& request) {
        return view.streams->contains(request.first) ||
               urls_.contains(WithoutQuery(request.second));
      });
  return only_slow ? kKnownSlow : kStall;
}

void SlowRequests::Remember(const std::vector<std::string>& pending_urls) {
  for (const std::string& url : pending_urls) urls_.emplace(WithoutQuery(url));
}

}  // namespace topodb::capture
