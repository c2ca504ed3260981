#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/browser/page_log.h"

namespace topodb::capture {

// Requests that do not answer: how long one is waited for, and which never answered before.
class SlowRequests {
 public:
  // How long all that is pending may be silent.
  Millis Patience(const PageLog::View& view) const;
  // What is pending now was silent for too long.
  void Remember(const std::vector<std::string>& pending_urls);
  size_t size() const { return urls_.size(); }

 private:
  std::set<std::string, std::less<>> urls_;  // without query
};

}  // namespace topodb::capture
