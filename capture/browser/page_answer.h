#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "capture/browser/target_watch.h"
#include "schema/base/result.h"

namespace topodb::capture {

// Evaluates in topodb's world of a frame; the value as JSON text. kProtocol when it throws.
Result<std::string> AskPage(const FrameWorld& world, const std::string& expression, Millis limit);

// An object that topodb's scripts returned. What is missing or of another type reads as empty, 0,
// false.
struct PageAnswer {
  simdjson::dom::parser parser;
  simdjson::dom::element object;

  // kProtocol when it is no JSON.
  static Result<std::unique_ptr<PageAnswer>> Parse(const std::string& json) {
    auto answer = std::make_unique<PageAnswer>();
    if (answer->parser.parse(json).get(answer->object) != simdjson::SUCCESS) {
      return Error{ErrorCode::kProtocol, "the page's answer is no JSON", ""};
    }
    return answer;
  }
  std::string Text(std::string_view key) const {
    std::string_view text;
    return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
  }
  std::vector<std::string> Texts(std::string_view key) const {
    std::vector<std::string> texts;
    simdjson::dom::array items;
    if (object[key].get(items) != simdjson::SUCCESS) return texts;
    for (const simdjson::dom::element item : items) {
      std::string_view text;
      if (item.get(text) == simdjson::SUCCESS) texts.emplace_back(text);
    }
    return texts;
  }
  double Number(std::string_view key) const {
    double value = 0;
    return object[key].get(value) == simdjson::SUCCESS ? value : 0;
  }
  bool Flag(std::string_view key) const {
    bool value = false;
    return object[key].get(value) == simdjson::SUCCESS && value;
  }
};

}  // namespace topodb::capture
