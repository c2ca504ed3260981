#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>

#include "schema/model.h"

// Options whose values are more than text. A value that does not parse is a usage error that says
// what would.
namespace topodb::cli {

// One of a few words.
template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

// The value of a word; a usage error that lists the words otherwise.
template <class Value>
Value Choose(const std::string& name, const Choices<Value>& choices, const std::string& text) {
  std::string words;
  for (const auto& [word, value] : choices) {
    if (word == text) return value;
    words += (words.empty() ? "" : ", ") + word;
  }
  throw CLI::ValidationError(name, "'" + text + "' is none of " + words);
}

template <class Value>
CLI::Option* AddChoice(CLI::App& command, const std::string& name, Value& value,
                       Choices<Value> choices, const std::string& description) {
  return command.add_option_function<std::string>(
      name,
      [&value, name, choices = std::move(choices)](const std::string& text) {
        value = Choose(name, choices, text);
      },
      description);
}

// Repeatable.
template <class Value>
CLI::Option* AddChoices(CLI::App& command, const std::string& name, std::vector<Value>& values,
                        Choices<Value> choices, const std::string& description) {
  return command
      .add_option_function<std::vector<std::string>>(
          name,
          [&values, name, choices = std::move(choices)](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) values.push_back(Choose(name, choices, text));
          },
          description)
      ->allow_extra_args(false);
}

CLI::Option* AddDuration(CLI::App& command, const std::string& name,
                         std::chrono::milliseconds& value, const std::string& description);
CLI::Option* AddDuration(CLI::App& command, const std::string& name,
                         std::optional<std::chrono::milliseconds>& value,
                         const std::string& description);

// 1440x1000.
CLI::Option* AddViewport(CLI::App& command, const std::string& name, Viewport& value,
                         const std::string& description);

// 2026-01-31 or 2026-01-31T12:00:00Z.
CLI::Option* AddTime(CLI::App& command, const std::string& name, std::optional<Timestamp>& value,
                     const std::string& description);

// Repeatable.
CLI::Option* AddCategories(CLI::App& command, const std::string& name,
                           std::vector<RiskCategory>& values, const std::string& description);

}  // namespace topodb::cli
