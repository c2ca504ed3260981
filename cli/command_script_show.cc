#include "cli/command_script_show.h"

#include <string>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/script_file.h"
#include "query/exchange/json_writer.h"
#include "query/script/make_script.h"
#include "schema/names.h"

namespace topodb::cli {
namespace {

std::string RecordOf(const script::Step& step) {
  return step.target ? std::string(ToString(step.target->identity.verification)) : "none";
}

std::string ValueOf(const script::Value& value) {
  return value.variable.empty() ? value.text : fmt::format("${{{}}}", value.variable);
}

std::string JsonOf(const script::Script& script) {
  std::string text;
  query::JsonWriter json(text);
  json.BeginObject();
  json.Key("url");
  json.String(script.url);
  json.Key("scope");
  json.String(script.scope == script::EntryScope::kOrigin ? "origin" : "directory");
  json.Key("variables");
  json.BeginArray();
  for (const std::string& name : script.variables) json.String(name);
  json.EndArray();
  json.Key("guarded");
  json.Boolean(script::CheckGuard(script).has_value());
  json.Key("steps");
  json.BeginArray();
  for (const script::Step& step : script.steps) {
    json.BeginObject();
    for (const auto& [key, value] :
         {std::pair("type", std::string(ToString(step.verb))), std::pair("role", step.role),
          std::pair("name", step.name), std::pair("value", step.value.text),
          std::pair("variable", step.value.variable), std::pair("record", RecordOf(step))}) {
      json.Key(key);
      json.String(value);
    }
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text;
}

}  // namespace

void AddScriptShow(CLI::App& script, Selection& selection) {
  const auto [command, options] =
      AddCommand(script, selection, "show", "shows what a script does", RunScriptShow);
  command->add_option("FILE", options->file, "the script")->required();
}

Result<ExitCode> RunScriptShow(const ScriptShowOptions& options, Console& console) {
  TOPODB_TRY(const script::Script script, ReadScriptFile(options.file));
  if (console.format() != Format::kText) {
    const std::string text = JsonOf(script);
    console.Write(console.format() == Format::kJson ? PrettyJson(text) : text + "\n");
    return ExitCode::kSuccess;
  }
  console.WriteLine(fmt::format("open {}", script.url));
  for (const std::string& name : script.variables) console.WriteLine(fmt::format("needs {}", name));
  Table table({{"STEP"}, {"ACTION"}, {"ROLE"}, {"NAME"}, {"VALUE"}, {"RECORD"}});
  size_t number = 0;
  for (const script::Step& step : script.steps) {
    table.Add({{std::to_string(++number)},
               {std::string(ToString(step.verb))},
               {step.role},
               {step.name},
               {ValueOf(step.value)},
               {RecordOf(step)}});
  }
  table.Print(console);
  if (auto guard = script::CheckGuard(script); !guard) console.Warn(guard.error().message);
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
