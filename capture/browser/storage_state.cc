#include "capture/browser/storage_state.h"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace topodb::capture {
namespace {

namespace json = boost::json;

// Reads members and remembers the first one that is not as it should be.
class Reader {
 public:
  std::string Text(const json::object& object, std::string_view key, const std::string& place) {
    const json::value* const value = object.if_contains(key);
    if (value != nullptr && value->is_string()) return std::string(value->get_string());
    Fail(fmt::format("{}.{} is no text", place, key));
    return {};
  }
  std::string TextOr(const json::object& object, std::string_view key, std::string_view other) {
    const json::value* const value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->get_string())
                                                  : std::string(other);
  }
  static bool Flag(const json::object& object, std::string_view key) {
    const json::value* const value = object.if_contains(key);
    return value != nullptr && value->is_bool() && value->get_bool();
  }
  static double NumberOr(const json::object& object, std::string_view key, double other) {
    const json::value* const value = object.if_contains(key);
    return value != nullptr && value->is_number() ? value->to_number<double>() : other;
  }
  // Calls `read(member, place)` for each member of the list, which may be absent.
  template <typename Read>
  void Each(const json::object& object, std::string_view key, const std::string& parent,
            const Read& read) {
    const json::value* const list = object.if_contains(key);
    if (list == nullptr) return;
    const std::string path = parent.empty() ? std::string(key) : fmt::format("{}.{}", parent, key);
    if (!list->is_array()) return Fail(path + " is no list");
    size_t index = 0;
    for (const json::value& member : list->get_array()) {
      const std::string place = fmt::format("{}[{}]", path, index++);
      if (!member.is_object()) return Fail(place + " is no object");
      read(member.get_object(), place);
    }
  }
  void Fail(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
  }
  const std::string& problem() const { return problem_; }

 private:
  std::string problem_;
};

Error Invalid(std::string_view what) {
  return Error{ErrorCode::kInvalidArgument, fmt::format("no storage state: {}", what),
               "give a file as Playwright's storageState() writes it"};
}

}  // namespace

Result<StorageState> ParseStorageState(std::string_view text) {
  boost::system::error_code error;
  const json::value document = json::parse(text, error);
  if (error) return Invalid("it is no JSON");
  if (!document.is_object()) return Invalid("it is no JSON object");
  StorageState state;
  Reader reader;
  const json::object& root = document.get_object();
  if (!root.contains("cookies") && !root.contains("origins")) {
    return Invalid("it has neither cookies nor origins");
  }
  reader.Each(root, "cookies", "", [&](const json::object& cookie, const std::string& place) {
    state.cookies.push_back({.name = reader.Text(cookie, "name", place),
                             .value = reader.Text(cookie, "value", place),
                             .domain = reader.Text(cookie, "domain", place),
                             .path = reader.TextOr(cookie, "path", "/"),
                             .expires = Reader::NumberOr(cookie, "expires", -1),
                             .http_only = Reader::Flag(cookie, "httpOnly"),
                             .secure = Reader::Flag(cookie, "secure"),
                             .same_site = reader.TextOr(cookie, "sameSite", ""),
                             .partition_key_json = {}});
  });
  reader.Each(root, "origins", "", [&](const json::object& origin, const std::string& place) {
    StorageState::OriginItems items{.origin = reader.Text(origin, "origin", place), .items = {}};
    reader.Each(origin, "localStorage", place,
                [&](const json::object& item, const std::string& item_place) {
                  items.items.emplace_back(reader.Text(item, "name", item_place),
                                           reader.Text(item, "value", item_place));
                });
    state.local_storage.push_back(std::move(items));
  });
  if (!reader.problem().empty()) return Invalid(reader.problem());
  return state;
}

std::string RestoreScript(const StorageState& state) {
  json::object all;
  for (const StorageState::OriginItems& origin : state.local_storage) {
    json::array items;
    for (const auto& [name, value] : origin.items) items.push_back(json::array{name, value});
    if (!items.empty()) all[origin.origin] = std::move(items);
  }
  if (all.empty()) return {};
  return fmt::format(
      "(() => {{ const all = {}; if (!Object.hasOwn(all, location.origin)) return;"
      " for (const [name, value] of all[location.origin]) localStorage.setItem(name, value); }})()",
      json::serialize(all));
}

}  // namespace topodb::capture
