#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"

// Which requests a run may make at all. Decides on values only; asked for every request, each hop
// of a redirect included, before it leaves the browser.
namespace topodb::capture {

enum class RequestKind : unsigned char {
  kTopNavigation,    // of a tab or a popup: same origin as the entry, or allowed by name
  kFrameNavigation,  // of a frame inside a page
  kResource,         // scripts, images, fetch, workers, sockets …
};

// Links resolved, "." and ".." gone; nullopt when there is no such file.
using PathResolver = std::function<std::optional<std::string>(const std::string& path)>;
// realpath(3).
std::optional<std::string> ResolveRealPath(const std::string& path);

// Pages of the run, by address: "https://example.com/shop/*", or "/shop/*" wherever the run may be;
// '*' stands for any characters. Without a '?' in the pattern the query does not count.
struct PagePattern {
  std::string text;
  bool operator==(const PagePattern&) const = default;
};
// kInvalidArgument with a hint for what is neither a path nor an address.
Result<PagePattern> ParsePagePattern(std::string_view text);

struct ScopePolicy {
  std::string entry_url;  // after navigation
  // Of the pages opened in a tab; the entry always is one. Empty `include`: all.
  std::vector<PagePattern> include{}, exclude{};
  std::vector<std::string> allow_origins{};  // as ParseAllowOrigin gives them
  std::optional<std::string> entry_ip{};     // address that the entry's host resolved to, if known
  PathResolver resolve_path = ResolveRealPath;
};

struct ScopeVerdict {
  bool allowed = false;
  // scheme | origin | excluded | external_protocol | file_outside_entry | private_address |
  // link_local | invalid; empty when allowed.
  std::string rule;
  std::string reason;  // for people; empty when allowed
  bool operator==(const ScopeVerdict&) const = default;
};

// `resolved_ip`: the address that the host resolved to, where the caller knows it.
ScopeVerdict Judge(const ScopePolicy& policy, std::string_view url, RequestKind kind,
                   std::optional<std::string_view> resolved_ip = std::nullopt);

// "https://cdn.example.com", "https://*.example.com" or "example.com:8080" (http and https).
// kInvalidArgument with a hint otherwise.
Result<std::string> ParseAllowOrigin(std::string_view text);

// What kind of network a host stands in.
enum class AddressClass : unsigned char {
  kName,  // a name that says nothing
  kPublic,
  kPrivate,    // RFC 1918, carrier-grade NAT, unique local, .internal, .local
  kLoopback,   // 127/8, ::1, 0.0.0.0, localhost
  kLinkLocal,  // 169.254/16 with the metadata services, fe80::/10, metadata names
  kReserved,   // multicast, broadcast, documentation: nothing to load there
};
// Whether a web address is at the entry's origin, or at one allowed by name.
bool IsOfTheSite(const ScopePolicy& policy, std::string_view url);
// Whether a URL leads to a service that gives machines their credentials, or to where nothing is.
bool IsLinkLocal(std::string_view url);
// A host as it stands in a URL, or an address; any of the notations of IPv4 that browsers take.
AddressClass ClassifyHost(std::string_view host);

}  // namespace topodb::capture
