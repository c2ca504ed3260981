#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/browser/launcher.h"
#include "capture/cdp/session.h"
#include "schema/base/result.h"

// Asks topodb's script and the browser for the roles and names of ALL elements of a page, also of
// those that no record would hold.
namespace topodb::testing {

struct RoleAndName {
  std::string role, name;
  bool operator==(const RoleAndName&) const = default;
};

struct ProbedElement {
  std::string tag;
  RoleAndName computed;                        // what topodb says
  std::optional<RoleAndName> in_tree;          // what the accessibility tree says; absent: ignored
  std::optional<std::string> expected, title;  // data-expectedlabel, data-testname
};

// Where the browser's own names are read.
enum class NameSource {
  kElements,  // properties of elements, in browsers that topodb starts
  kDevTools,  // functions of the console, in all others
};

// One tab of a browser of its own. Dialogs are dismissed.
class NameProbe {
 public:
  static Result<std::unique_ptr<NameProbe>> Open(NameSource source = NameSource::kElements);
  ~NameProbe();

  // Every element of the main frame, open shadow trees included, in the order of the document.
  Result<std::vector<ProbedElement>> Look(const std::string& url);

 private:
  NameProbe() = default;
  Result<std::string> Ask(int64_t world, const std::string& expression);
  // The accessibility tree, by backend node.
  Result<std::map<int64_t, RoleAndName>> Tree();

  std::unique_ptr<capture::Browser> browser_;
  std::shared_ptr<capture::cdp::Session> session_;
  std::string frame_id_;
};

}  // namespace topodb::testing
