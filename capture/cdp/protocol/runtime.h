#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/cdp/command.h"

namespace topodb::capture::cdp::runtime {

struct RemoteObject {
  std::string type;     // object | function | string | number | boolean | undefined | …
  std::string subtype;  // array | null | node | error | promise | …
  std::string object_id;
  std::string description;
  std::string unserializable_value;  // NaN, -0, Infinity, bigint
  std::string value_json;            // raw JSON text; empty when there is no value
  bool operator==(const RemoteObject&) const = default;
};

struct ExceptionDetails {
  std::string text;         // "Uncaught"
  std::string description;  // of the thrown value: "TypeError: …", with its stack
  std::string url;
  int64_t line_number = 0;
  int64_t column_number = 0;
  bool operator==(const ExceptionDetails&) const = default;
};

struct EvaluateReply {
  RemoteObject result;
  std::optional<ExceptionDetails> exception = std::nullopt;
  bool operator==(const EvaluateReply&) const = default;
};

struct Enable {
  static constexpr std::string_view kMethod = "Runtime.enable";
  std::string Params() const;
  using Reply = Empty;
};

struct Disable {
  static constexpr std::string_view kMethod = "Runtime.disable";
  std::string Params() const;
  using Reply = Empty;
};

// In the page's default context unless one is named. A thrown exception is not an Error: see
// Reply::exception.
struct Evaluate {
  static constexpr std::string_view kMethod = "Runtime.evaluate";
  std::string expression;
  std::optional<std::string> unique_context_id = std::nullopt;  // at most one of the two
  std::optional<int64_t> context_id = std::nullopt;
  bool return_by_value = false;
  bool await_promise = false;
  bool user_gesture = false;
  bool include_command_line_api = false;  // getAccessibleName() and what else the console offers
  std::optional<int64_t> timeout_ms = std::nullopt;  // by the page's clock
  std::optional<std::string> object_group = std::nullopt;
  std::string Params() const;
  using Reply = EvaluateReply;
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct CallArgument {
  std::optional<std::string> value_json = std::nullopt;  // raw JSON text; one of the two
  std::optional<std::string> object_id = std::nullopt;
};

struct CallFunctionOn {
  static constexpr std::string_view kMethod = "Runtime.callFunctionOn";
  std::string function_declaration;
  std::optional<std::string> object_id = std::nullopt;  // `this`; exactly one of the three
  std::optional<int64_t> execution_context_id = std::nullopt;
  std::optional<std::string> unique_context_id = std::nullopt;
  std::vector<CallArgument> arguments = {};
  bool return_by_value = false;
  bool await_promise = false;
  bool user_gesture = false;
  std::optional<std::string> object_group = std::nullopt;
  std::string Params() const;
  using Reply = EvaluateReply;
  static Result<Reply> ParseReply(std::string_view result_json);
};

struct ReleaseObjectGroup {
  static constexpr std::string_view kMethod = "Runtime.releaseObjectGroup";
  std::string object_group;
  std::string Params() const;
  using Reply = Empty;
};

struct TerminateExecution {
  static constexpr std::string_view kMethod = "Runtime.terminateExecution";
  std::string Params() const;
  using Reply = Empty;
};

struct RunIfWaitingForDebugger {
  static constexpr std::string_view kMethod = "Runtime.runIfWaitingForDebugger";
  std::string Params() const;
  using Reply = Empty;
};

struct AddBinding {
  static constexpr std::string_view kMethod = "Runtime.addBinding";
  std::string name;
  std::optional<std::string> execution_context_name = std::nullopt;  // absent: every context
  std::string Params() const;
  using Reply = Empty;
};

struct ExecutionContextCreated {
  static constexpr std::string_view kMethod = "Runtime.executionContextCreated";
  int64_t id = 0;
  std::string unique_id;
  std::string origin;
  std::string name;  // of an isolated world
  std::string frame_id;
  std::string type;  // default | isolated | worker
  bool is_default = false;
  bool operator==(const ExecutionContextCreated&) const = default;
  static Result<ExecutionContextCreated> Parse(std::string_view params_json);
};

struct ExecutionContextDestroyed {
  static constexpr std::string_view kMethod = "Runtime.executionContextDestroyed";
  std::string unique_id;
  bool operator==(const ExecutionContextDestroyed&) const = default;
  static Result<ExecutionContextDestroyed> Parse(std::string_view params_json);
};

struct ExecutionContextsCleared {
  static constexpr std::string_view kMethod = "Runtime.executionContextsCleared";
  bool operator==(const ExecutionContextsCleared&) const = default;
  static Result<ExecutionContextsCleared> Parse(std::string_view params_json);
};

struct ConsoleApiCalled {
  static constexpr std::string_view kMethod = "Runtime.consoleAPICalled";
  std::string type;  // log | error | warning | …
  std::string text;  // the arguments, joined by a space
  bool operator==(const ConsoleApiCalled&) const = default;
  static Result<ConsoleApiCalled> Parse(std::string_view params_json);
};

struct ExceptionThrown {
  static constexpr std::string_view kMethod = "Runtime.exceptionThrown";
  ExceptionDetails exception;
  bool operator==(const ExceptionThrown&) const = default;
  static Result<ExceptionThrown> Parse(std::string_view params_json);
};

struct BindingCalled {
  static constexpr std::string_view kMethod = "Runtime.bindingCalled";
  std::string name;
  std::string payload;
  int64_t execution_context_id = 0;
  bool operator==(const BindingCalled&) const = default;
  static Result<BindingCalled> Parse(std::string_view params_json);
};

}  // namespace topodb::capture::cdp::runtime
