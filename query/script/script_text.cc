#include "query/script/script_text.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "query/script/line_fields.h"
#include "query/script/target_text.h"

namespace topodb::script {
namespace {

constexpr std::string_view kMagic = "topodb-script ";
constexpr std::string_view kAnnotation = "@target-v";
constexpr std::string_view kOrigin = "origin", kDirectory = "directory";

Error Bad(std::string message, std::string hint = {}) {
  return {ErrorCode::kInvalidArgument, std::move(message), std::move(hint)};
}

void AppendStep(const Step& step, std::string& text) {
  if (step.target) {
    text += fmt::format("{}{} {}\n", kAnnotation, kFormatVersion, WriteTarget(*step.target));
  }
  text += ToString(step.verb);
  AppendField("role", step.role, text);
  AppendField("name", step.name, text);
  if (!step.value.variable.empty()) {
    AppendVariable("value", step.value.variable, text);
  } else if (TakesValue(step.verb)) {
    AppendField("value", step.value.text, text);
  }
  text += '\n';
}

std::optional<int> ParseVersion(std::string_view digits) {
  int version = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, version);
  if (error != std::errc() || rest != end || version < 1) return std::nullopt;
  return version;
}

// Reads a script line by line. Errors name fields, and the caller the line.
class Parser {
 public:
  Status Take(std::string_view line);
  // After the last line.
  Result<Script> Finish();

 private:
  Status TakeHeader(std::string_view line);
  Status TakeVariable(std::string_view line);
  Status TakeAnnotation(std::string_view line);
  Status TakeOpen(const Line& line);
  Status TakeStep(Verb verb, const Line& line);
  Status CheckTarget(const Step& step) const;

  Script script_;
  bool has_header_ = false;
  bool annotated_ = false;  // the line before was an annotation, of whatever version
  std::optional<TargetRecord> target_;
};

Status Parser::TakeHeader(std::string_view line) {
  const auto version =
      line.starts_with(kMagic) ? ParseVersion(line.substr(kMagic.size())) : std::optional<int>();
  if (!version) {
    return Bad("header: this is no script of topodb",
               fmt::format("the first line of a script is '{}{}'", kMagic, kFormatVersion));
  }
  if (*version > kFormatVersion) {
    return Error{ErrorCode::kUnsupportedFormat,
                 fmt::format("header: the script is written in format {}, and this topodb reads {}",
                             *version, kFormatVersion),
                 "use the topodb that wrote it, or a newer one"};
  }
  has_header_ = true;
  return {};
}

Status Parser::TakeVariable(std::string_view line) {
  const std::string_view name = line.substr(line.find(' ') + 1);
  if (!script_.url.empty()) return Bad("env: must stand before open");
  if (!IsVariableName(name)) return Bad("env: a name is of capital letters, digits and '_'");
  if (std::ranges::find(script_.variables, name) != script_.variables.end()) {
    return Bad(fmt::format("env: {} stands there twice", name));
  }
  script_.variables.emplace_back(name);
  return {};
}

Status Parser::TakeAnnotation(std::string_view line) {
  const size_t blank = std::min(line.find(' '), line.size());
  const std::string_view name = line.substr(0, blank);
  const auto version = name.starts_with(kAnnotation) ? ParseVersion(name.substr(kAnnotation.size()))
                                                     : std::optional<int>();
  if (!version) return Bad(fmt::format("annotation: expected {}{}", kAnnotation, kFormatVersion));
  annotated_ = true;
  if (*version > kFormatVersion) return {};  // says nothing to this version
  if (target_) return Bad("annotation: the step has one already");
  TOPODB_TRY(target_, ReadTarget(line.substr(std::min(blank + 1, line.size()))));
  return {};
}

Status Parser::TakeOpen(const Line& line) {
  if (annotated_) return Bad("open: takes no annotation");
  if (!script_.url.empty()) {
    return Bad("open: a script opens one page only", "split it into several scripts");
  }
  const Value* const url = line.Find("url");
  if (url == nullptr || url->text.empty()) return Bad("url: open takes an address");
  script_.url = url->text;
  if (const Value* const scope = line.Find("scope")) {
    if (scope->text != kOrigin && scope->text != kDirectory) {
      return Bad(fmt::format("scope: is neither {} nor {}", kOrigin, kDirectory));
    }
    script_.scope = scope->text == kOrigin ? EntryScope::kOrigin : EntryScope::kDirectory;
  }
  return {};
}

// What stands in the line is what a person reads: it must be what the record is about.
Status Parser::CheckTarget(const Step& step) const {
  if (!step.target) return {};
  if (step.role != step.target->identity.role) return Bad("role: is not the role in the record");
  if (step.name != step.target->identity.name) return Bad("name: is not the name in the record");
  if (step.target->expected.has_value() != IsAction(step.verb)) {
    return Bad(IsAction(step.verb) ? "expected: the record does not say where the action led"
                                   : "expected: a wait leads nowhere");
  }
  return {};
}

Status Parser::TakeStep(Verb verb, const Line& line) {
  if (script_.url.empty()) return Bad(fmt::format("{}: stands before open", line.verb));
  if (script_.steps.size() == kMaxSteps) {
    return Bad(fmt::format("{}: a script has at most {} steps", line.verb, kMaxSteps));
  }
  if (line.Find("ref") != nullptr) {
    return Bad("ref: a handle of another session means nothing here",
               "name the target by role and name, with its record");
  }
  Step step{
      .verb = verb, .role = {}, .name = {}, .value = {}, .target = std::exchange(target_, {})};
  const Value* const role = line.Find("role");
  const Value* const name = line.Find("name");
  if (role == nullptr || !role->variable.empty()) return Bad("role: missing");
  if (name == nullptr || !name->variable.empty()) return Bad("name: missing");
  step.role = role->text;
  step.name = name->text;
  const Value* const value = line.Find("value");
  if ((value != nullptr) != TakesValue(verb)) {
    return Bad(
        fmt::format("value: {} {} one", line.verb, value == nullptr ? "takes" : "takes not"));
  }
  if (value != nullptr) step.value = *value;
  const std::string& variable = step.value.variable;
  if (!variable.empty() &&
      std::ranges::find(script_.variables, variable) == script_.variables.end()) {
    return Bad(fmt::format("value: {} is not declared", variable),
               fmt::format("add a line 'env {}' before open", variable));
  }
  TOPODB_TRY_VOID(CheckTarget(step));
  script_.steps.push_back(std::move(step));
  return {};
}

Status Parser::Take(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!has_header_) return TakeHeader(line);
  if (line.starts_with('@')) return TakeAnnotation(line);
  if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) {
    if (annotated_) return Bad("annotation: its step must stand directly below it");
    return {};
  }
  if (line.starts_with("env ")) {
    if (annotated_) return Bad("annotation: its step must stand directly below it");
    return TakeVariable(line);
  }
  auto read = ReadLine(line);
  if (!read) return std::move(read).error();
  if (read->verb == "open") return TakeOpen(*read);
  if (read->verb == "close") {
    return Bad("close: a script closes nothing", "leave it out; the browser ends with the command");
  }
  const auto verb = ParseVerb(read->verb);
  if (!verb) return Bad(fmt::format("verb: '{}' is none", read->verb));
  annotated_ = false;
  return TakeStep(*verb, *read);
}

Result<Script> Parser::Finish() {
  if (!has_header_) return TakeHeader("").error();
  if (annotated_) return Bad("annotation: its step must stand directly below it");
  if (script_.url.empty()) return Bad("open: missing");
  return std::move(script_);
}

}  // namespace

std::string Serialize(const Script& script) {
  std::string text = fmt::format("{}{}\n", kMagic, kFormatVersion);
  for (const std::string& name : script.variables) text += fmt::format("env {}\n", name);
  text += "open";
  AppendField("url", script.url, text);
  text += fmt::format(" scope={}\n", script.scope == EntryScope::kOrigin ? kOrigin : kDirectory);
  for (const Step& step : script.steps) AppendStep(step, text);
  return text;
}

Result<Script> ParseScript(std::string_view text) {
  if (text.size() > kMaxScriptBytes) {
    return Bad(fmt::format("line 1, file: is larger than {} bytes", kMaxScriptBytes));
  }
  Parser parser;
  size_t number = 0;
  const auto in_line = [&](Error error) {
    error.message = fmt::format("line {}, {}", number, error.message);
    return error;
  };
  while (!text.empty()) {
    ++number;
    const size_t end = std::min(text.find('\n'), text.size());
    if (auto taken = parser.Take(text.substr(0, end)); !taken) return in_line(taken.error());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  number = std::max<size_t>(number, 1);
  auto script = parser.Finish();
  if (!script) return in_line(script.error());
  return script;
}

}  // namespace topodb::script
