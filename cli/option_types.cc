#include "cli/option_types.h"

#include <charconv>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/duration.h"
#include "query/exchange/iso_time.h"
#include "schema/names.h"

namespace topodb::cli {
namespace {

std::optional<uint32_t> ParsePixels(std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr uint32_t kMaxPixels = 16'384;  // the largest texture that browsers draw
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value == 0 || value > kMaxPixels) return std::nullopt;
  return value;
}

template <class Value>
CLI::Option* AddDurationInto(CLI::App& command, const std::string& name, Value& value,
                             const std::string& description) {
  return command
      .add_option_function<std::string>(
          name,
          [&value, name](const std::string& text) {
            const auto parsed = ParseDuration(text);
            if (!parsed) {
              throw CLI::ValidationError(name, parsed.error().message + "; " + parsed.error().hint);
            }
            value = *parsed;
          },
          description)
      ->type_name("DURATION");
}

}  // namespace

CLI::Option* AddDuration(CLI::App& command, const std::string& name,
                         std::chrono::milliseconds& value, const std::string& description) {
  return AddDurationInto(command, name, value, description);
}

CLI::Option* AddDuration(CLI::App& command, const std::string& name,
                         std::optional<std::chrono::milliseconds>& value,
                         const std::string& description) {
  return AddDurationInto(command, name, value, description);
}

CLI::Option* AddViewport(CLI::App& command, const std::string& name, Viewport& value,
                         const std::string& description) {
  return command
      .add_option_function<std::string>(
          name,
          [&value, name](const std::string& text) {
            const size_t cross = text.find('x');
            const auto width = ParsePixels(std::string_view(text).substr(0, cross));
            const auto height = cross == std::string::npos
                                    ? std::nullopt
                                    : ParsePixels(std::string_view(text).substr(cross + 1));
            if (!width || !height) {
              throw CLI::ValidationError(name, fmt::format("'{}' is no size like 1440x1000", text));
            }
            value = {.width = *width, .height = *height};
          },
          description)
      ->type_name("WxH");
}

CLI::Option* AddTime(CLI::App& command, const std::string& name, std::optional<Timestamp>& value,
                     const std::string& description) {
  return command
      .add_option_function<std::string>(
          name,
          [&value, name](const std::string& text) {
            const bool date_only = text.find('T') == std::string::npos;
            value = query::ParseIsoTime(date_only ? text + "T00:00:00Z" : text);
            if (!value) {
              throw CLI::ValidationError(
                  name,
                  fmt::format("'{}' is no date like 2026-01-31 or 2026-01-31T12:00:00Z", text));
            }
          },
          description)
      ->type_name("DATE");
}

CLI::Option* AddCategories(CLI::App& command, const std::string& name,
                           std::vector<RiskCategory>& values, const std::string& description) {
  return command
      .add_option_function<std::vector<std::string>>(
          name,
          [&values, name](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              const auto category = Parse<RiskCategory>(text);
              if (!category) {
                throw CLI::ValidationError(
                    name, fmt::format("'{}' is no risk category; the categories are read_only, "
                                      "navigation, ui_reveal, input_edit, form_submit, "
                                      "data_mutation, destructive, auth_sensitive, "
                                      "payment_sensitive and unknown",
                                      text));
              }
              values.push_back(*category);
            }
          },
          description)
      ->allow_extra_args(false)
      ->type_name("CATEGORY");
}

}  // namespace topodb::cli
