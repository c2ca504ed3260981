#include "query/replay/base_map.h"

#include <algorithm>
#include <optional>

namespace topodb::replay {
namespace {

struct Address {
  std::string origin;     // "http://host:port", "file://"
  std::string directory;  // from the first to the last '/' of the path
  std::string rest;       // file name, query, fragment
};

Address Split(std::string_view url) {
  const size_t scheme = url.find("://");
  const size_t authority = scheme == std::string_view::npos ? 0 : scheme + 3;
  const size_t path = std::min(url.find_first_of("/?#", authority), url.size());
  const size_t path_end = std::min(url.find_first_of("?#", path), url.size());
  const std::string_view whole = url.substr(path, path_end - path);
  const size_t slash = whole.rfind('/');
  const size_t cut = slash == std::string_view::npos ? 0 : slash + 1;
  return {.origin = std::string(url.substr(0, path)),
          .directory = cut == 0 ? "/" : std::string(whole.substr(0, cut)),
          .rest = std::string(url.substr(path + cut))};
}

void ReplacePrefix(std::string& text, const std::string& from, const std::string& to) {
  if (text.starts_with(from)) text.replace(0, from.size(), to);
}

void MapLinks(IdentityFacts& facts, const std::string& from, const std::string& to) {
  for (auto& id : facts.ids) {
    if (id.kind == IdKind::kHref) ReplacePrefix(id.value, from, to);
  }
}

}  // namespace

Result<BaseMap> BaseMap::Make(std::string_view recorded_entry, std::string_view base) {
  const Address recorded = Split(recorded_entry);
  if (base.empty()) {
    if (recorded_entry.find("REDACTED") != std::string_view::npos) {
      return Error{ErrorCode::kInvalidArgument,
                   "the run's entry address was redacted when it was stored",
                   "say where to start with --base URL"};
    }
    return BaseMap(std::string(recorded_entry), recorded.directory, recorded.directory);
  }
  if (base.find("://") == std::string_view::npos) {
    return Error{ErrorCode::kInvalidArgument, "the base is not an absolute URL",
                 "for example --base http://127.0.0.1:8080/"};
  }
  const Address live = Split(base);
  const bool whole_site = live.rest.empty() && live.directory == "/";
  if (whole_site && !live.origin.starts_with("file:")) {
    return BaseMap(live.origin + recorded.directory + recorded.rest, recorded.directory,
                   recorded.directory);
  }
  const std::string& page = live.rest.empty() ? recorded.rest : live.rest;
  return BaseMap(live.origin + live.directory + page, live.directory, recorded.directory);
}

PageSnapshot BaseMap::ToRecorded(PageSnapshot snapshot) const {
  if (live_directory_ == recorded_directory_) return snapshot;
  ReplacePrefix(snapshot.url_canonical_key, "@entry" + live_directory_,
                "@entry" + recorded_directory_);
  if (snapshot.origin == "@entry") {
    ReplacePrefix(snapshot.route, live_directory_, recorded_directory_);
  }
  for (auto& node : snapshot.nodes) {
    MapLinks(node.identity, live_directory_, recorded_directory_);
  }
  for (auto& mark : snapshot.marks) {
    MapLinks(mark.identity, live_directory_, recorded_directory_);
  }
  return snapshot;
}

}  // namespace topodb::replay
