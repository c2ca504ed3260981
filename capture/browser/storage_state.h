#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/cdp/protocol/storage.h"
#include "schema/base/result.h"
#include "schema/model.h"

namespace topodb::capture {

// What makes a browser logged in: secrets, kept in memory only.
struct StorageState {
  struct OriginItems {
    std::string origin;  // "https://example.org"
    std::vector<NameValue> items;
  };
  std::vector<cdp::storage::Cookie> cookies;
  std::vector<OriginItems> local_storage;
};

// Playwright's format: {"cookies": [{name, value, domain, path, expires, httpOnly, secure,
// sameSite}], "origins": [{origin, localStorage: [{name, value}]}]}. Members that are not known are
// left out. kInvalidArgument, which names the place and never a value.
Result<StorageState> ParseStorageState(std::string_view json);

// A script for the start of every document: fills the local storage of those origins. Empty when
// there is nothing to fill.
std::string RestoreScript(const StorageState& state);

}  // namespace topodb::capture
