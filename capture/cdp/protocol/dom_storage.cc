#include "capture/cdp/protocol/dom_storage.h"

#include <utility>

#include "capture/cdp/json.h"

namespace topodb::capture::cdp::dom_storage {
namespace {

template <class T>
Result<T> ParseItem(std::string_view params_json) {
  Fields fields(params_json, T::kMethod);
  T item;
  item.is_local = fields.Object("storageId").Bool("isLocalStorage");
  if constexpr (requires { item.key; }) item.key = fields.String("key");
  return fields.Finish(std::move(item));
}

}  // namespace

std::string Enable::Params() const { return "{}"; }

Result<ItemAdded> ItemAdded::Parse(std::string_view params_json) {
  return ParseItem<ItemAdded>(params_json);
}

Result<ItemUpdated> ItemUpdated::Parse(std::string_view params_json) {
  return ParseItem<ItemUpdated>(params_json);
}

Result<ItemRemoved> ItemRemoved::Parse(std::string_view params_json) {
  return ParseItem<ItemRemoved>(params_json);
}

Result<ItemsCleared> ItemsCleared::Parse(std::string_view params_json) {
  return ParseItem<ItemsCleared>(params_json);
}

}  // namespace topodb::capture::cdp::dom_storage
