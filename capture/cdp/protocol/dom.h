#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/cdp/command.h"
#include "capture/cdp/protocol/runtime.h"

namespace topodb::capture::cdp::dom {

struct GetDocument {
  static constexpr std::string_view kMethod = "DOM.getDocument";
  int depth = 1;        // -1: all
  bool pierce = false;  // shadow roots (closed ones too) and same-process frames
  std::string Params() const;
  struct Reply {
    std::string root_json;  // DOM.Node, raw
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct ResolveNode {
  static constexpr std::string_view kMethod = "DOM.resolveNode";
  int64_t backend_node_id = 0;
  std::optional<int64_t> execution_context_id = std::nullopt;
  std::optional<std::string> object_group = std::nullopt;
  std::string Params() const;
  struct Reply {
    runtime::RemoteObject object;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct ShadowRoot {
  int64_t backend_node_id = 0;
  std::string type;  // open | closed | user-agent
  bool operator==(const ShadowRoot&) const = default;
};

struct DescribeNode {
  static constexpr std::string_view kMethod = "DOM.describeNode";
  std::optional<std::string> object_id = std::nullopt;  // one of the two
  std::optional<int64_t> backend_node_id = std::nullopt;
  int depth = 1;
  bool pierce = false;
  std::string Params() const;
  struct Reply {
    int64_t backend_node_id = 0;
    std::string node_name;
    std::string frame_id;  // of a frame owner element: the frame inside it
    std::vector<ShadowRoot> shadow_roots;
    std::string node_json;  // DOM.Node, raw
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

// Fires the events of a choice that a person made.
struct SetFileInputFiles {
  static constexpr std::string_view kMethod = "DOM.setFileInputFiles";
  std::vector<std::string> files;  // absolute paths
  std::string object_id;           // of the input
  std::string Params() const;
  using Reply = Empty;
};

// The element that a frame is in; asked of the session that has the element.
struct GetFrameOwner {
  static constexpr std::string_view kMethod = "DOM.getFrameOwner";
  std::string frame_id;
  std::string Params() const;
  struct Reply {
    int64_t backend_node_id = 0;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

}  // namespace topodb::capture::cdp::dom
