#pragma once

#include <string>
#include <string_view>

#include "capture/cdp/command.h"

// The session and local storage of the documents of one target. What is stored is not read.
namespace topodb::capture::cdp::dom_storage {

struct Enable {
  static constexpr std::string_view kMethod = "DOMStorage.enable";
  std::string Params() const;
  using Reply = Empty;
};

struct ItemAdded {
  static constexpr std::string_view kMethod = "DOMStorage.domStorageItemAdded";
  bool is_local = false;  // localStorage, else sessionStorage
  std::string key;
  bool operator==(const ItemAdded&) const = default;
  static Result<ItemAdded> Parse(std::string_view params_json);
};

struct ItemUpdated {
  static constexpr std::string_view kMethod = "DOMStorage.domStorageItemUpdated";
  bool is_local = false;
  std::string key;
  bool operator==(const ItemUpdated&) const = default;
  static Result<ItemUpdated> Parse(std::string_view params_json);
};

struct ItemRemoved {
  static constexpr std::string_view kMethod = "DOMStorage.domStorageItemRemoved";
  bool is_local = false;
  std::string key;
  bool operator==(const ItemRemoved&) const = default;
  static Result<ItemRemoved> Parse(std::string_view params_json);
};

struct ItemsCleared {
  static constexpr std::string_view kMethod = "DOMStorage.domStorageItemsCleared";
  bool is_local = false;
  bool operator==(const ItemsCleared&) const = default;
  static Result<ItemsCleared> Parse(std::string_view params_json);
};

}  // namespace topodb::capture::cdp::dom_storage
