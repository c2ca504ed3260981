#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/cdp/command.h"

namespace topodb::capture::cdp::page {

struct Frame {
  std::string id;
  std::string parent_id;  // empty for the main frame of its target
  std::string loader_id;
  std::string name;
  std::string url;           // without fragment
  std::string url_fragment;  // with '#', or empty
  std::string security_origin;
  std::string mime_type;
  std::string unreachable_url;  // set when the frame shows an error page
  bool operator==(const Frame&) const = default;
};

struct FrameTree {
  Frame frame;
  std::vector<FrameTree> children;
  bool operator==(const FrameTree&) const = default;
};

struct Enable {
  static constexpr std::string_view kMethod = "Page.enable";
  std::string Params() const;
  using Reply = Empty;
};

// Replies when the navigation commits or fails.
struct Navigate {
  static constexpr std::string_view kMethod = "Page.navigate";
  std::string url;
  std::optional<std::string> referrer = std::nullopt;
  std::optional<std::string> frame_id = std::nullopt;
  std::string Params() const;
  struct Reply {
    std::string frame_id;
    std::string loader_id;   // empty for a navigation within the document
    std::string error_text;  // "net::ERR_…"; empty on success
    bool is_download = false;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct AddScriptToEvaluateOnNewDocument {
  static constexpr std::string_view kMethod = "Page.addScriptToEvaluateOnNewDocument";
  std::string source;
  std::optional<std::string> world_name = std::nullopt;  // absent: the page's own world
  bool run_immediately = false;
  std::string Params() const;
  struct Reply {
    std::string identifier;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct RemoveScriptToEvaluateOnNewDocument {
  static constexpr std::string_view kMethod = "Page.removeScriptToEvaluateOnNewDocument";
  std::string identifier;
  std::string Params() const;
  using Reply = Empty;
};

struct GetFrameTree {
  static constexpr std::string_view kMethod = "Page.getFrameTree";
  std::string Params() const;
  struct Reply {
    FrameTree frame_tree;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct HandleJavaScriptDialog {
  static constexpr std::string_view kMethod = "Page.handleJavaScriptDialog";
  bool accept = false;
  std::optional<std::string> prompt_text = std::nullopt;
  std::string Params() const;
  using Reply = Empty;
};

struct SetInterceptFileChooserDialog {
  static constexpr std::string_view kMethod = "Page.setInterceptFileChooserDialog";
  bool enabled = true;
  bool cancel = false;  // the page's chooser is answered with "cancelled"
  std::string Params() const;
  using Reply = Empty;
};

// Never replies: the session closes with kTargetCrashed.
struct Crash {
  static constexpr std::string_view kMethod = "Page.crash";
  std::string Params() const;
  using Reply = Empty;
};

struct CreateIsolatedWorld {
  static constexpr std::string_view kMethod = "Page.createIsolatedWorld";
  std::string frame_id;
  std::string world_name;
  std::string Params() const;
  struct Reply {
    int64_t execution_context_id = 0;
    bool operator==(const Reply&) const = default;
  };
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct StopLoading {
  static constexpr std::string_view kMethod = "Page.stopLoading";
  std::string Params() const;
  using Reply = Empty;
};

struct BringToFront {
  static constexpr std::string_view kMethod = "Page.bringToFront";
  std::string Params() const;
  using Reply = Empty;
};

struct FrameNavigated {
  static constexpr std::string_view kMethod = "Page.frameNavigated";
  Frame frame;
  std::string type;  // Navigation | BackForwardCacheRestore
  bool operator==(const FrameNavigated&) const = default;
  static Result<FrameNavigated> Parse(std::string_view params_json);
};

struct NavigatedWithinDocument {
  static constexpr std::string_view kMethod = "Page.navigatedWithinDocument";
  std::string frame_id;
  std::string url;
  std::string navigation_type;  // fragment | historyApi | other
  bool operator==(const NavigatedWithinDocument&) const = default;
  static Result<NavigatedWithinDocument> Parse(std::string_view params_json);
};

struct FrameAttached {
  static constexpr std::string_view kMethod = "Page.frameAttached";
  std::string frame_id;
  std::string parent_frame_id;
  bool operator==(const FrameAttached&) const = default;
  static Result<FrameAttached> Parse(std::string_view params_json);
};

struct FrameDetached {
  static constexpr std::string_view kMethod = "Page.frameDetached";
  std::string frame_id;
  std::string reason;  // remove | swap (it moved to another process and lives on)
  bool operator==(const FrameDetached&) const = default;
  static Result<FrameDetached> Parse(std::string_view params_json);
};

// The page stands still until HandleJavaScriptDialog.
struct JavascriptDialogOpening {
  static constexpr std::string_view kMethod = "Page.javascriptDialogOpening";
  std::string url;
  std::string frame_id;
  std::string message;
  std::string type;  // alert | confirm | prompt | beforeunload
  std::string default_prompt;
  bool operator==(const JavascriptDialogOpening&) const = default;
  static Result<JavascriptDialogOpening> Parse(std::string_view params_json);
};

struct FileChooserOpened {
  static constexpr std::string_view kMethod = "Page.fileChooserOpened";
  std::string frame_id;
  std::string mode;  // selectSingle | selectMultiple
  std::optional<int64_t> backend_node_id = std::nullopt;
  bool operator==(const FileChooserOpened&) const = default;
  static Result<FileChooserOpened> Parse(std::string_view params_json);
};

struct WindowOpen {
  static constexpr std::string_view kMethod = "Page.windowOpen";
  std::string url;
  std::string window_name;
  bool user_gesture = false;
  bool operator==(const WindowOpen&) const = default;
  static Result<WindowOpen> Parse(std::string_view params_json);
};

}  // namespace topodb::capture::cdp::page
