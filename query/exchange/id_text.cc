#include "query/exchange/id_text.h"

namespace topodb::query {

std::string IdText::Foreign(const IdBytes& bytes, std::string own) {
  auto text = reader_->ForeignId(number_, bytes);
  if (!text) {
    if (status_) status_ = std::move(text).error();
    return own;
  }
  return text->value_or(std::move(own));
}

}  // namespace topodb::query
