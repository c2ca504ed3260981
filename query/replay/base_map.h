#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "schema/base/result.h"
#include "schema/snapshot.h"

// Replaying a site at another address than it was recorded at. Pure.
namespace topodb::replay {

class BaseMap {
 public:
  // `base` empty: the recorded address. Otherwise the recorded entry's origin stands for base's; a
  // base that ends in '/' and has a path (or is a file: URL) also stands for the entry's directory,
  // any other path is the entry page itself.
  // kInvalidArgument when the recorded entry was redacted and no base says where it is.
  static Result<BaseMap> Make(std::string_view recorded_entry, std::string_view base);

  // The page to open first.
  const std::string& entry() const { return entry_; }

  // The snapshot as it would look at the recorded address: URL key, route and link paths.
  PageSnapshot ToRecorded(PageSnapshot snapshot) const;

 private:
  BaseMap(std::string entry, std::string live_directory, std::string recorded_directory)
      : entry_(std::move(entry)),
        live_directory_(std::move(live_directory)),
        recorded_directory_(std::move(recorded_directory)) {}

  std::string entry_;
  std::string live_directory_, recorded_directory_;  // paths, with '/' at the end
};

}  // namespace topodb::replay
