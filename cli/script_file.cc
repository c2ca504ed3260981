#include "cli/script_file.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "capture/guard/scope.h"
#include "capture/guard/url_parts.h"
#include "cli/read_file.h"
#include "cli/secret_value.h"
#include "query/script/script_text.h"

namespace topodb::cli {
namespace {

std::optional<std::string> FromEnvironment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

Result<script::Script> ReadScriptFile(const std::filesystem::path& path) {
  TOPODB_TRY(const std::string text, ReadFile(path));
  auto script = script::ParseScript(text);
  if (!script) return Error(script.error()).With(fmt::format("'{}'", path.string()));
  return script;
}

Result<ScriptValues> ResolveScriptValues(const script::Script& script,
                                         const std::vector<std::string>& given) {
  ScriptValues resolved;
  const auto known = [&](const std::string& name) {
    return std::ranges::find(resolved.values, name, &NameValue::first) != resolved.values.end();
  };
  for (const std::string& text : given) {
    const size_t end = text.find('=');
    const std::string name = text.substr(0, end);
    if (end == std::string::npos) {
      return Error{ErrorCode::kInvalidArgument, "--env takes NAME=VALUE",
                   "as in: --env PASSWORD=@password.txt"};
    }
    if (std::ranges::find(script.variables, name) == script.variables.end()) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("the script has no variable {}", name),
                   script.variables.empty()
                       ? "it has none at all"
                       : fmt::format("it has {}", fmt::join(script.variables, ", "))};
    }
    if (known(name)) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("--env gives {} twice", name), ""};
    }
    auto found = ReadSecretValue(text.substr(end + 1));
    if (!found) return Error(found.error()).With(fmt::format("--env {}", name));
    if (found->source == SecretSource::kLiteral) {
      resolved.warnings.push_back(fmt::format(
          "--env {}: what stands on a command line can be seen by others; better {}=@FILE "
          "or the environment",
          name, name));
    }
    resolved.values.emplace_back(name, std::move(found->text));
  }
  for (const std::string& name : script.variables) {
    if (known(name)) continue;
    if (auto value = FromEnvironment(name)) resolved.values.emplace_back(name, *std::move(value));
  }
  return resolved;
}

bool MayScriptOpen(std::string_view url) {
  const std::string scheme = capture::SplitUrl(url).scheme;
  return (scheme == "http" || scheme == "https") && !capture::IsLinkLocal(url);
}

}  // namespace topodb::cli
