#pragma once

#include "schema/base/result.h"
#include "store/kv.h"

namespace topodb::store {

// Copies every row but those of drafts. `to` must be empty, and is good for nothing after an error.
Status CopyPublished(const Kv& from, Kv& to);

}  // namespace topodb::store
