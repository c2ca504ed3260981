#pragma once

#include <string>
#include <string_view>

#include "schema/base/result.h"

// What the graph derives from URLs. Pure except ResolveInput; opaque (data:, blob:, about:) and
// invalid URLs give some stable text, never an error.
namespace topodb::capture {

enum class EntryScope : unsigned char {
  kOrigin,     // the entry's origin is written "@entry"
  kDirectory,  // and its directory too: with an explicit seed, so that folders can be compared
};

enum class FragmentUse : unsigned char {
  kRoutesOnly,  // "#/…" and "#!…" are part of the key, other fragments are not
  kAlways,      // the page has a hashchange router
};

struct UrlEntry {
  std::string url;  // after navigation
  EntryScope scope = EntryScope::kOrigin;
};

// The URL as it enters ids: redacted, tracking parameters dropped, query sorted by key, fragment
// dropped unless it is a route, scheme and host in lower case, default port dropped, percent
// encoding normalised, dot segments resolved. The same site on another port, host or (with
// kDirectory) folder gives the same key:
//   kOrigin     http://h:1/a/x?b=2&a=1  ->  "@entry/a/x?a=1&b=2"
//   kDirectory  http://h:1/a/x, entry http://h:1/a/index.html  ->  "@entry/x"
//               http://h:1/other/x (outside the folder)        ->  "@origin/other/x"
std::string UrlCanonicalKey(std::string_view url, const UrlEntry& entry,
                            FragmentUse fragments = FragmentUse::kRoutesOnly);

// "scheme://host[:port]", for file: and opaque URLs the scheme alone ("file:"); empty if invalid.
std::string Origin(std::string_view url);

// Everything before the query and the fragment.
std::string_view WithoutQuery(std::string_view url);

// "@entry" for the entry's own origin, else Origin(url).
std::string OriginKey(std::string_view url, const UrlEntry& entry);

// The path, and for hash routers the route: "/app#/users".
std::string Route(std::string_view url);

// Path, query and route with numbers, uuids and generated tokens written '#': "/p/17?id=3" and
// "/p/18?id=4" share "/p/#?id=#". The unit of per-template budgets.
std::string PathTemplate(std::string_view url);

// What the user typed -> a URL to open. An existing path becomes a file: URL (links resolved,
// percent-encoded); http, https and file URLs are taken as they are.
// kInvalidArgument for other schemes and for what is neither, with a hint.
Result<std::string> ResolveInput(std::string_view url_or_path);

}  // namespace topodb::capture
