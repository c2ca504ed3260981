#include "query/replay/base_map.h"

#include <string_view>

#include <gtest/gtest.h>

#include "tests/support/page_builder.h"

namespace topodb::replay {
namespace {

TEST(BaseMapTest, SaysWhereTheEntryIsNow) {
  struct Case {
    std::string_view recorded, base, want;
  };
  const Case kCases[] = {
      {"http://h:1/a/x?q=1#/r", "", "http://h:1/a/x?q=1#/r"},
      {"http://h:1/a/x?q=1", "http://k:2", "http://k:2/a/x?q=1"},
      {"http://h:1/a/x?q=1", "http://k:2/", "http://k:2/a/x?q=1"},
      {"http://h:1/a/x", "http://k:2/b/", "http://k:2/b/x"},
      {"http://h:1/a/", "http://k:2/b/start.html", "http://k:2/b/start.html"},
      {"file:///old/index.html", "file:///new/site/", "file:///new/site/index.html"},
      {"file:///old/index.html", "file:///new/main.html", "file:///new/main.html"},
      {"http://h/?token=REDACTED", "http://h/?token=1", "http://h/?token=1"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.base);
    const auto map = BaseMap::Make(c.recorded, c.base);
    ASSERT_TRUE(map);
    EXPECT_EQ(map->entry(), c.want);
  }
  EXPECT_FALSE(BaseMap::Make("http://h/?token=REDACTED", ""));
  EXPECT_FALSE(BaseMap::Make("http://h/", "elsewhere/page"));
}

TEST(BaseMapTest, TurnsLiveAddressesIntoRecordedOnes) {
  const PageSnapshot live = topodb::testing::BuildPage(
      {.path = "/new/site/page.html", .nodes = {{.href = "/new/site/a"}, {.href = "/other/b"}}});
  const auto map = BaseMap::Make("file:///old/index.html", "file:///new/site/");
  ASSERT_TRUE(map);
  const PageSnapshot mapped = map->ToRecorded(live);
  EXPECT_EQ(mapped.url_canonical_key, "@entry/old/page.html");
  EXPECT_EQ(mapped.route, "/old/page.html");
  EXPECT_EQ(mapped.nodes[0].identity.ids[0].value, "/old/a");
  EXPECT_EQ(mapped.nodes[1].identity.ids[0].value, "/other/b");

  const auto port = BaseMap::Make("http://h:1/a/x", "http://k:2/");
  ASSERT_TRUE(port);
  EXPECT_EQ(port->ToRecorded(live), live);
}

}  // namespace
}  // namespace topodb::replay
