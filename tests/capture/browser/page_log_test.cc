#include "capture/browser/page_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view kUrl = "http://site.test/write";

RequestSeen Blocked() {
  return {.method = "POST",
          .url = std::string(kUrl),
          .resource_type = "Fetch",
          .blocked = true,
          .blocked_by = "guard"};
}

RequestSeen Sent() {
  return {.method = "POST", .url = std::string(kUrl), .resource_type = "Fetch"};
}

TEST(PageLogTest, ABlockedRequestIsOneWhateverIsToldFirst) {
  PageLog log;
  log.AddRequest("1", "POST", kUrl, "Fetch");
  log.BlockRequest("1", "POST", kUrl, "XHR", "guard");
  EXPECT_THAT(log.TakeEvents().requests, ElementsAre(Blocked()));
  log.BlockRequest("2", "POST", kUrl, "XHR", "guard");
  log.AddRequest("2", "POST", kUrl, "Fetch");
  EXPECT_THAT(log.TakeEvents().requests, ElementsAre(Blocked()));
}

TEST(PageLogTest, ARedirectIsARequestOfItsOwn) {
  PageLog log;
  log.AddRequest("1", "POST", kUrl, "Fetch");
  log.AddRequest("1", "POST", kUrl, "Fetch");
  log.BlockRequest("1", "POST", kUrl, "XHR", "guard");
  EXPECT_THAT(log.TakeEvents().requests, ElementsAre(Sent(), Blocked()));
}

}  // namespace
}  // namespace topodb::capture
