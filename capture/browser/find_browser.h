#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schema/base/result.h"

namespace topodb::capture {

// Where browsers are looked for.
struct BrowserSearch {
  std::optional<std::string> chosen;  // $TOPODB_BROWSER
  std::vector<std::string> binaries;  // absolute paths of real binaries, best first
  std::vector<std::string> names;     // to look for in `path`
  std::vector<std::string> path;      // folders

  // The usual places, and what the environment says.
  static BrowserSearch FromEnvironment();
};

// The program to start: `wanted` (a path, or a name in the search path) when it is not empty, then
// `search.chosen`, then the first of the usual ones that can be executed. Real binaries come before
// the shell wrappers that distributions put in the search path: those start slower.
// kBrowserMissing when there is none.
Result<std::string> FindBrowser(const std::string& wanted, const BrowserSearch& search);

}  // namespace topodb::capture
