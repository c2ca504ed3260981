#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "schema/base/result.h"

// A command is a struct that carries its wire name, its parameters and the shape of its reply:
//
//   struct Navigate {
//     static constexpr std::string_view kMethod = "Page.navigate";
//     std::string url;
//     std::string Params() const;                                  // a JSON object
//     struct Reply { std::string frame_id; … };
//     static Result<Reply> ParseReply(std::string_view result_json);
//   };
//
// An event is a struct with kMethod and `static Result<Event> Parse(std::string_view params_json)`.
// Absent optional fields are empty or nullopt. A missing required field is kProtocol and names the
// method and the field; unknown fields are ignored. What grows with the page stays raw JSON text
// (members named …_json), so that whoever needs it parses it once.
namespace topodb::capture::cdp {

// The reply of a command that answers nothing, and the parameters of one that takes none.
struct Empty {
  bool operator==(const Empty&) const = default;
};

template <class T>
concept Command = requires(const T& command) {
  { T::kMethod } -> std::convertible_to<std::string_view>;
  { command.Params() } -> std::same_as<std::string>;
  typename T::Reply;
};

template <class T>
concept Event = requires(std::string_view params_json) {
  { T::kMethod } -> std::convertible_to<std::string_view>;
  { T::Parse(params_json) } -> std::same_as<Result<T>>;
};

template <Command T>
Result<typename T::Reply> ParseReplyOf(std::string_view result_json) {
  if constexpr (std::same_as<typename T::Reply, Empty>) {
    return Empty{};
  } else {
    return T::ParseReply(result_json);
  }
}

}  // namespace topodb::capture::cdp
