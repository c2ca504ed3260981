#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Where a run may go. Pure: real paths come through an injected function.
namespace topodb::capture {

enum class RequestKind {
  kNavigation,   // the main frame's document, popups too
  kFrame,        // a frame's document
  kSubresource,  // everything else
};

struct ScopeVerdict {
  bool allowed = false;
  std::string reason;  // why not: "another origin", "outside the entry's folder", "private address" …
};

struct ScopePolicy {
  std::string entry_url;                   // unredacted, absolute
  std::vector<std::string> allow_origins;  // besides the entry's own
  // Resolves symlinks; nullopt when there is no such file. Empty: the file system's.
  std::function<std::optional<std::string>(const std::string& path)> real_path;

  // file: stays in the entry's folder (every request); other origins are for subresources and
  // frames only; link-local, metadata and private addresses only when the entry is there; about:,
  // data: and blob: never as a navigation of their own; no other scheme at all.
  ScopeVerdict Judge(std::string_view url, RequestKind kind) const;
};

}  // namespace topodb::capture
