#include "capture/completion/region_reading.h"

#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

namespace topodb::capture {
namespace {

namespace json = boost::json;

Error Unreadable(std::string_view why) {
  return {ErrorCode::kProtocol, fmt::format("the region cannot be read: {}", why), ""};
}

std::string TextIn(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::optional<std::string> OptionalIn(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string(value->get_string());
}

std::optional<int64_t> NumberIn(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  if (value == nullptr || !value->is_int64()) return std::nullopt;
  return value->get_int64();
}

bool FlagIn(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

const json::array& ListIn(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_array() ? value->get_array() : kNone;
}

RegionImage ReadImage(const json::object& object) {
  RegionImage image{.source = TextIn(object, "source"),
                    .alternative = TextIn(object, "alternative"),
                    .ancestor_ids = {},
                    .loaded = FlagIn(object, "loaded")};
  for (const json::value& id : ListIn(object, "ancestorIds")) {
    if (id.is_string()) image.ancestor_ids.emplace_back(id.get_string());
  }
  return image;
}

std::optional<RegionTurn> ReadTurn(const json::value& value) {
  if (!value.is_object()) return std::nullopt;
  const json::object& object = value.get_object();
  const auto index = NumberIn(object, "index");
  if (!index) return std::nullopt;
  RegionTurn turn{.index = *index,
                  .message_id = OptionalIn(object, "messageId"),
                  .turn_id = OptionalIn(object, "turnId"),
                  .control = TextIn(object, "control"),
                  .text = OptionalIn(object, "text"),
                  .busy = FlagIn(object, "busy"),
                  .images = {}};
  for (const json::value& image : ListIn(object, "images")) {
    if (image.is_object()) turn.images.push_back(ReadImage(image.get_object()));
  }
  return turn;
}

}  // namespace

Result<RegionReading> ParseRegionReading(std::string_view text) {
  boost::system::error_code error;
  const json::value document = json::parse(text, error);
  if (error || !document.is_object()) return Unreadable("the answer is no JSON object");
  const json::object& object = document.get_object();
  if (!FlagIn(object, "ok")) {
    const std::string reason = TextIn(object, "reason");
    if (const auto selector = OptionalIn(object, "selector")) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("'{}' of the profile is no selector", *selector),
                   "write it as querySelector takes it"};
    }
    return Unreadable(reason.empty() ? "the page gave no reason" : reason);
  }
  const auto count = NumberIn(object, "count");
  if (!count) return Unreadable("the answer counts nothing");
  RegionReading reading{.url = TextIn(object, "url"),
                        .count = *count,
                        .turns = {},
                        .before_last_user = NumberIn(object, "beforeLastUser"),
                        .stops = {},
                        .progress = TextIn(object, "progress"),
                        .activity_unread = FlagIn(object, "activityUnread")};
  for (const json::value& value : ListIn(object, "turns")) {
    auto turn = ReadTurn(value);
    if (!turn) return Unreadable("the answer holds something that is no item");
    reading.turns.push_back(*std::move(turn));
  }
  for (const json::value& value : ListIn(object, "stops")) {
    if (!value.is_object()) continue;
    const auto rule = NumberIn(value.get_object(), "rule");
    reading.stops.push_back({.rule = static_cast<size_t>(rule.value_or(0)),
                             .label = TextIn(value.get_object(), "label")});
  }
  return reading;
}

}  // namespace topodb::capture
