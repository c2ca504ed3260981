// Reads a database of topodb with RocksDB and nothing else: what any program over it must pay.
//   store_floor DIR edges RUN STATE        one edge range, the run found by its manifest
//   store_floor DIR names RUN ROLE PART    element-by-name keys of one run
//   store_floor DIR all-names ROLE PART    of all runs
//   store_floor DIR diff RUN RUN           merge of two runs' identity rows, differing records read
//   store_floor DIR check RUN              every row of a run, hashed
// RUN and STATE are numbers. Prints a count.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include "schema/base/hash.h"
#include "store/keys.h"

namespace {

using rocksdb::Slice;
using topodb::store::Key;
using topodb::store::KeyRange;
using topodb::store::Kind;

std::unique_ptr<rocksdb::DB> Open(const char* directory) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.block_cache = rocksdb::NewLRUCache(32 << 20);
  table.cache_index_and_filter_blocks = true;
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.max_open_files = 100;
  options.max_file_opening_threads = 1;
  options.skip_stats_update_on_db_open = true;
  options.skip_checking_sst_file_sizes_on_db_open = true;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(options, directory, &db);
  if (!status.ok()) {
    std::fprintf(stderr, "store_floor: %s\n", status.ToString().c_str());
    std::exit(1);
  }
  return std::unique_ptr<rocksdb::DB>(db);
}

// A cursor over one range.
class Range {
 public:
  Range(rocksdb::DB& db, KeyRange range) : range_(std::move(range)), end_(range_.end) {
    rocksdb::ReadOptions options;
    options.iterate_upper_bound = &end_;
    row_.reset(db.NewIterator(options));
    row_->Seek(range_.begin);
  }
  rocksdb::Iterator* operator->() { return row_.get(); }

 private:
  KeyRange range_;
  Slice end_;
  std::unique_ptr<rocksdb::Iterator> row_;
};

uint64_t CountRows(rocksdb::DB& db, const KeyRange& range) {
  uint64_t count = 0;
  for (Range row(db, range); row->Valid(); row->Next()) ++count;
  return count;
}

// Elements of a role whose name has the part, from the keys alone.
uint64_t CountNames(rocksdb::DB& db, uint32_t run, const std::string& role, std::string_view part) {
  uint64_t count = 0;
  const KeyRange range = topodb::store::RoleRange(run, role);
  for (Range row(db, range); row->Valid(); row->Next()) {
    const std::string_view name =
        std::string_view(row->key().data(), row->key().size()).substr(range.begin.size());
    if (name.find(part) != std::string_view::npos) ++count;
  }
  return count;
}

uint64_t CountNamesOfAll(rocksdb::DB& db, const std::string& role, std::string_view part) {
  uint64_t count = 0;
  for (Range row(db, topodb::store::RangeOf(Kind::kManifest)); row->Valid(); row->Next()) {
    const auto key = topodb::store::ParseKey({row->key().data(), row->key().size()});
    if (key) count += CountNames(db, key->run, role, part);
  }
  return count;
}

// The key of the record that an identity row leads to.
std::string RecordKey(uint32_t run, rocksdb::Iterator& row) {
  static constexpr Kind kKinds[] = {Kind::kState,   Kind::kElement,  Kind::kEdge,       Kind::kSkip,
                                    Kind::kFailure, Kind::kLandmark, Kind::kObservation};
  const auto number = [&](size_t at) {
    uint32_t value = 0;
    for (size_t i = at; i < at + 4; ++i) value = value << 8U | static_cast<uint8_t>(row.value()[i]);
    return value;
  };
  Key key;
  key.kind = kKinds[static_cast<uint8_t>(row.key()[5]) - 1];
  key.run = run;
  key.state = number(0);
  key.ordinal = number(4);
  return EncodeKey(key);
}

// Of rows that differ, the records are read, as a diff must to say how; in the order of their keys.
uint64_t Diff(rocksdb::DB& db, uint32_t a, uint32_t b) {
  const auto id = [](Range& row) { return Slice(row->key().data() + 5, row->key().size() - 5); };
  const auto hash = [](Range& row) { return Slice(row->value().data() + 8, 8); };
  Range left(db, RangeOf(Kind::kIdentity, a)), right(db, RangeOf(Kind::kIdentity, b));
  std::vector<std::string> wanted;
  uint64_t different = 0;
  while (left->Valid() || right->Valid()) {
    int order = left->Valid() ? -1 : 1;
    if (left->Valid() && right->Valid()) order = id(left).compare(id(right));
    if (order != 0 || hash(left) != hash(right)) {
      ++different;
      if (order <= 0) wanted.push_back(RecordKey(a, *left.operator->()));
      if (order >= 0) wanted.push_back(RecordKey(b, *right.operator->()));
    }
    if (order <= 0) left->Next();
    if (order >= 0) right->Next();
  }
  std::sort(wanted.begin(), wanted.end());
  std::string record;
  for (const std::string& key : wanted) static_cast<void>(db.Get({}, key, &record));
  return different;
}

uint64_t HashRows(rocksdb::DB& db, uint32_t run) {
  uint64_t sum = 0;
  std::string bytes;
  for (const Kind kind : topodb::store::kRunKinds) {
    for (Range row(db, RangeOf(kind, run)); row->Valid(); row->Next()) {
      bytes.assign(row->key().data(), row->key().size());
      bytes.append(row->value().data(), row->value().size());
      sum += topodb::HashBytes64(bytes);
    }
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string_view task = argv[2];
  const auto number = [&](int i) {
    return static_cast<uint32_t>(i < argc ? std::atol(argv[i]) : 0);
  };
  const auto text = [&](int i) { return std::string(i < argc ? argv[i] : ""); };
  const auto db = Open(argv[1]);
  uint64_t count = 0;
  if (task == "edges") {
    CountRows(*db, RangeOf(Kind::kManifest));
    count = CountRows(*db, RangeOf(Kind::kEdge, number(3), number(4)));
  } else if (task == "names") {
    count = CountNames(*db, number(3), text(4), text(5));
  } else if (task == "all-names") {
    count = CountNamesOfAll(*db, text(3), text(4));
  } else if (task == "diff") {
    count = Diff(*db, number(3), number(4));
  } else if (task == "check") {
    count = HashRows(*db, number(3));
  } else {
    return 2;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(count));
  return 0;
}
