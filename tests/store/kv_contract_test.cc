#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "store/kv.h"
#include "store/rocks_kv.h"
#include "tests/support/failing_kv.h"
#include "tests/support/mem_kv.h"
#include "tests/support/temp_directory.h"

// What every Kv must do, run over each of them.
namespace topodb::store {
namespace {

using testing::FailingKv;
using testing::MemKv;
using testing::TempDirectory;
using Rows = std::vector<std::pair<std::string, std::string>>;

// A Kv with whatever it stands on.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual Kv& kv() = 0;
};

class MemSubject : public Subject {
 public:
  Kv& kv() override { return kv_; }

 private:
  MemKv kv_;
};

class FailingSubject : public Subject {
 public:
  Kv& kv() override { return kv_; }

 private:
  MemKv memory_;
  FailingKv kv_{memory_, /*fail_write=*/1'000'000};
};

class RocksSubject : public Subject {
 public:
  RocksSubject() : kv_(OpenRocksForWrite(directory_.path()).value()) {}
  Kv& kv() override { return *kv_; }

 private:
  TempDirectory directory_;
  std::unique_ptr<Kv> kv_;
};

template <class SubjectType>
class KvContractTest : public ::testing::Test {
 protected:
  Kv& kv() { return subject_.kv(); }

  Rows Scan(std::string_view begin, std::string_view end) {
    Rows rows;
    const auto row = kv().Scan(begin, end);
    for (; row->Valid(); row->Next()) rows.emplace_back(row->key(), row->value());
    EXPECT_TRUE(row->status());
    return rows;
  }

  void Put(const Rows& rows) {
    Batch batch;
    for (const auto& [key, value] : rows) batch.Put(key, value);
    ASSERT_TRUE(kv().Apply(batch, Durability::kProcess));
  }

 private:
  SubjectType subject_;
};

using Subjects = ::testing::Types<MemSubject, FailingSubject, RocksSubject>;
TYPED_TEST_SUITE(KvContractTest, Subjects);

TYPED_TEST(KvContractTest, GetsWhatWasPutAndNothingElse) {
  const std::string key("a\0b", 3), value("\0\xFF", 2);
  this->Put({{key, value}, {"empty", ""}});
  EXPECT_EQ(std::optional<std::string>(value), *this->kv().Get(key));
  EXPECT_EQ(std::optional<std::string>(""), *this->kv().Get("empty"));
  EXPECT_EQ(std::nullopt, *this->kv().Get("a"));
}

TYPED_TEST(KvContractTest, ScansInByteOrderFromBeginToBeforeEnd) {
  this->Put({{"b", "2"}, {"\xFF", "5"}, {"a", "1"}, {"ba", "3"}, {"c", "4"}});
  EXPECT_EQ((Rows{{"b", "2"}, {"ba", "3"}}), this->Scan("b", "c"));
  EXPECT_EQ((Rows{{"b", "2"}, {"ba", "3"}}), this->Scan("aa", "bb"));
  EXPECT_EQ((Rows{{"c", "4"}, {"\xFF", "5"}}), this->Scan("bb", ""));
  EXPECT_EQ(5U, this->Scan("", "").size());
  EXPECT_EQ(Rows(), this->Scan("x", "y"));
}

TYPED_TEST(KvContractTest, AppliesABatchInItsOrder) {
  this->Put({{"a", "old"}, {"b", "old"}, {"c", "old"}, {"d", "old"}});
  Batch batch;
  batch.DeleteRange("a", "d");
  batch.Put("b", "new");
  batch.Put("d", "new");
  batch.Delete("d");
  batch.Delete("never there");
  ASSERT_TRUE(this->kv().Apply(batch, Durability::kSync));
  EXPECT_EQ((Rows{{"b", "new"}}), this->Scan("", ""));
}

TYPED_TEST(KvContractTest, AScanSeesOneMoment) {
  this->Put({{"a", "1"}, {"b", "1"}});
  const auto row = this->kv().Scan("", "");
  this->Put({{"b", "2"}, {"c", "2"}});
  Rows seen;
  for (; row->Valid(); row->Next()) seen.emplace_back(row->key(), row->value());
  EXPECT_EQ((Rows{{"a", "1"}, {"b", "1"}}), seen);
}

TYPED_TEST(KvContractTest, FlushChangesNothingThatCanBeRead) {
  this->Put({{"a", "1"}});
  ASSERT_TRUE(this->kv().Flush());
  EXPECT_EQ((Rows{{"a", "1"}}), this->Scan("", ""));
}

TYPED_TEST(KvContractTest, ReclaimingChangesNothingThatCanBeRead) {
  this->Put({{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}});
  ASSERT_TRUE(this->kv().Flush());
  Batch batch;
  batch.DeleteRange("b", "c");
  ASSERT_TRUE(this->kv().Apply(batch, Durability::kProcess));
  ASSERT_TRUE(this->kv().Reclaim("b", "c"));
  EXPECT_EQ((Rows{{"a", "1"}, {"c", "3"}, {"d", "4"}}), this->Scan("", ""));
  ASSERT_TRUE(this->kv().Reclaim({}, {}));
  EXPECT_EQ((Rows{{"a", "1"}, {"c", "3"}, {"d", "4"}}), this->Scan("", ""));
}

TYPED_TEST(KvContractTest, AnEmptyBatchIsNothing) {
  ASSERT_TRUE(this->kv().Apply(Batch(), Durability::kSync));
  EXPECT_EQ(Rows(), this->Scan("", ""));
}

TEST(FailingKvTest, FailsExactlyTheWriteItWasToldTo) {
  MemKv memory;
  FailingKv kv(memory, /*fail_write=*/1);
  Batch batch;
  batch.Put("a", "1");
  EXPECT_TRUE(kv.Apply(batch, Durability::kSync));
  Batch second;
  second.Put("b", "1");
  const Status failed = kv.Apply(second, Durability::kSync);
  ASSERT_FALSE(failed);
  EXPECT_EQ(ErrorCode::kIo, failed.error().code);
  EXPECT_TRUE(kv.Flush());
  EXPECT_EQ(1U, memory.Contents().size());
  EXPECT_EQ(3, kv.writes());
}

}  // namespace
}  // namespace topodb::store
