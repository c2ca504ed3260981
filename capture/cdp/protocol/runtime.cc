#include "capture/cdp/protocol/runtime.h"

#include "capture/cdp/protocol/remote_object.h"

namespace topodb::capture::cdp::runtime {
namespace {

ExceptionDetails ReadExceptionDetails(Fields fields) {
  ExceptionDetails details{.text = fields.String("text"),
                           .description = {},
                           .url = fields.OptionalString("url"),
                           .line_number = fields.Int("lineNumber"),
                           .column_number = fields.Int("columnNumber")};
  if (auto exception = fields.OptionalObject("exception")) {
    details.description = exception->OptionalString("description");
  }
  return details;
}

Result<EvaluateReply> ReadEvaluateReply(std::string_view result_json, std::string_view method) {
  Fields fields(result_json, method);
  EvaluateReply reply{.result = ReadRemoteObject(fields.Object("result"))};
  if (auto exception = fields.OptionalObject("exceptionDetails")) {
    reply.exception = ReadExceptionDetails(std::move(*exception));
  }
  return fields.Finish(std::move(reply));
}

// As the console shows an argument: a string bare, anything else by its description or value.
std::string ConsoleText(const RemoteObject& argument) {
  if (argument.type == "string") return DecodeJsonString(argument.value_json).value_or("");
  if (!argument.description.empty()) return argument.description;
  if (!argument.unserializable_value.empty()) return argument.unserializable_value;
  return argument.value_json.empty() ? argument.type : argument.value_json;
}

}  // namespace

RemoteObject ReadRemoteObject(Fields fields) {
  return RemoteObject{.type = fields.String("type"),
                      .subtype = fields.OptionalString("subtype"),
                      .object_id = fields.OptionalString("objectId"),
                      .description = fields.OptionalString("description"),
                      .unserializable_value = fields.OptionalString("unserializableValue"),
                      .value_json = std::string(fields.OptionalRaw("value"))};
}

std::string Enable::Params() const { return "{}"; }
std::string Disable::Params() const { return "{}"; }

std::string Evaluate::Params() const {
  return ObjectWriter()
      .String("expression", expression)
      .Optional("uniqueContextId", unique_context_id)
      .Optional("contextId", context_id)
      .Flag("returnByValue", return_by_value)
      .Flag("awaitPromise", await_promise)
      .Flag("userGesture", user_gesture)
      .Flag("includeCommandLineAPI", include_command_line_api)
      .Optional("timeout", timeout_ms)
      .Optional("objectGroup", object_group)
      .Take();
}

Result<EvaluateReply> Evaluate::ParseReply(std::string_view result_json) {
  return ReadEvaluateReply(result_json, kMethod);
}

std::string CallFunctionOn::Params() const {
  std::vector<std::string> written;
  for (const auto& argument : arguments) {
    ObjectWriter writer;
    if (argument.value_json) writer.Raw("value", *argument.value_json);
    written.push_back(writer.Optional("objectId", argument.object_id).Take());
  }
  return ObjectWriter()
      .String("functionDeclaration", function_declaration)
      .Optional("objectId", object_id)
      .Optional("executionContextId", execution_context_id)
      .Optional("uniqueContextId", unique_context_id)
      .RawArray("arguments", written)
      .Flag("returnByValue", return_by_value)
      .Flag("awaitPromise", await_promise)
      .Flag("userGesture", user_gesture)
      .Optional("objectGroup", object_group)
      .Take();
}

Result<EvaluateReply> CallFunctionOn::ParseReply(std::string_view result_json) {
  return ReadEvaluateReply(result_json, kMethod);
}

std::string ReleaseObjectGroup::Params() const {
  return ObjectWriter().String("objectGroup", object_group).Take();
}

std::string TerminateExecution::Params() const { return "{}"; }

std::string RunIfWaitingForDebugger::Params() const { return "{}"; }

std::string AddBinding::Params() const {
  return ObjectWriter()
      .String("name", name)
      .Optional("executionContextName", execution_context_name)
      .Take();
}

Result<ExecutionContextCreated> ExecutionContextCreated::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  auto context = fields.Object("context");
  ExecutionContextCreated event{.id = context.Int("id"),
                                .unique_id = context.String("uniqueId"),
                                .origin = context.String("origin"),
                                .name = context.String("name"),
                                .frame_id = {},
                                .type = {}};
  if (auto data = context.OptionalObject("auxData")) {
    event.frame_id = data->OptionalString("frameId");
    event.type = data->OptionalString("type");
    event.is_default = data->OptionalBool("isDefault");
  }
  return fields.Finish(std::move(event));
}

Result<ExecutionContextDestroyed> ExecutionContextDestroyed::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(
      ExecutionContextDestroyed{.unique_id = fields.String("executionContextUniqueId")});
}

Result<ExecutionContextsCleared> ExecutionContextsCleared::Parse(std::string_view /*params*/) {
  return ExecutionContextsCleared{};
}

Result<ConsoleApiCalled> ConsoleApiCalled::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  ConsoleApiCalled event{.type = fields.String("type"), .text = {}};
  for (auto& argument : fields.Objects("args")) {
    if (!event.text.empty()) event.text += ' ';
    event.text += ConsoleText(ReadRemoteObject(std::move(argument)));
  }
  return fields.Finish(std::move(event));
}

Result<ExceptionThrown> ExceptionThrown::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(
      ExceptionThrown{.exception = ReadExceptionDetails(fields.Object("exceptionDetails"))});
}

Result<BindingCalled> BindingCalled::Parse(std::string_view params_json) {
  Fields fields(params_json, kMethod);
  return fields.Finish(BindingCalled{.name = fields.String("name"),
                                     .payload = fields.String("payload"),
                                     .execution_context_id = fields.Int("executionContextId")});
}

}  // namespace topodb::capture::cdp::runtime
