#pragma once

#include <map>
#include <string>

#include "schema/base/result.h"
#include "store/graph_reader.h"

namespace topodb::query {

// How the ids of one run are spelled: our own by their bytes, those of an imported run by the text
// they came with. Lookup trouble does not interrupt the writing; it stands in status() afterwards.
class IdText {
 public:
  // Our own ids.
  IdText() = default;
  // The ids of `run`. `reader` must outlive this.
  IdText(const store::GraphReader& reader, const store::StoredRun& run)
      : reader_(run.run.id_scheme == IdScheme::kForeign ? &reader : nullptr), number_(run.number) {}

  template <class Tag>
  std::string operator()(const Id<Tag>& id) {
    std::string own = id.ToString();
    return reader_ == nullptr ? own : Foreign(id.bytes, std::move(own));
  }

  const Status& status() const { return status_; }

 private:
  std::string Foreign(const IdBytes& bytes, std::string own);

  const store::GraphReader* reader_ = nullptr;
  store::RunNumber number_ = 0;
  std::map<IdBytes, std::string> texts_;  // few of them
  Status status_;
};

}  // namespace topodb::query
