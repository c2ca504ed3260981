#pragma once

#include <string>
#include <string_view>

#include "schema/base/result.h"

// URL rules of the graph: pure but for ResolveInput. No input throws; what is no URL is kept as is.
namespace topodb::capture {

// The page a run starts from.
struct UrlEntry {
  std::string_view url;
  bool with_directory = false;  // an explicit seed was given: the entry's folder is "@entry" too
};

// docs/format.md, "url key": tracking parameters dropped, query sorted, fragment dropped unless it
// is a route, scheme and host lower-case, default port dropped, percent-encoding normalised, the
// entry's origin (and folder) written "@entry".
std::string UrlCanonicalKey(std::string_view url, const UrlEntry& entry);

// Path, and the fragment when it is a route ("#/…", "#!…").
std::string Route(std::string_view url);

// scheme://host[:port], default port dropped; "file://" for files; "null" for opaque URLs.
std::string Origin(std::string_view url);

// The path with digits and tokens masked.
std::string PathTemplate(std::string_view url);

// What the user typed -> an absolute URL: an existing path becomes a file: URL (real path,
// percent-encoded). kInvalidArgument, with a hint, for anything but http, https and file.
Result<std::string> ResolveInput(std::string_view url_or_path);

}  // namespace topodb::capture
