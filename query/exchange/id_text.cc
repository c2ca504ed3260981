#include "query/exchange/id_text.h"

#include <utility>

#include "store/keys.h"

namespace topodb::query {
namespace {

// So many texts are kept: records that stand together name the same ones.
constexpr size_t kKeptTexts = 16384;

}  // namespace

std::string IdText::Foreign(const IdBytes& bytes, std::string own) {
  if (const auto kept = texts_.find(bytes); kept != texts_.end()) return kept->second;
  store::Key key;
  key.kind = store::Kind::kForeignId;
  key.run = number_;
  key.id = bytes;
  auto text = reader_->kv().Get(store::EncodeKey(key));
  if (!text) {
    if (status_) status_ = std::move(text).error();
    return own;
  }
  if (texts_.size() >= kKeptTexts) texts_.clear();
  return texts_.emplace(bytes, text->value_or(std::move(own))).first->second;
}

}  // namespace topodb::query
