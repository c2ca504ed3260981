#include "capture/browser/page_log.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

bool NoPopupIsOpening(PageLog& log) {
  return log.WaitFor([](const PageLog::View& view) { return view.popups_opening == 0; },
                     std::chrono::steady_clock::now());
}

TEST(PageLogTest, ABlockedRequestIsOneWhateverIsToldFirst) {
  PageLog log;
  log.AddRequest("1", "POST", kUrl, "Fetch", "");
  log.BlockRequest({"1", "POST", kUrl, "XHR"}, "guard");
  EXPECT_THAT(log.TakeEvents().requests, ElementsAre(Blocked()));
  log.BlockRequest({"2", "POST", kUrl, "XHR"}, "guard");
  log.AddRequest("2", "POST", kUrl, "Fetch", "");
  EXPECT_THAT(log.TakeEvents().requests, ElementsAre(Blocked()));
}

TEST(PageLogTest, AnExceptionIsNamedWhateverIsToldFirst) {
  RequestSeen named = Sent();
  named.allowed_by = "graphql_query";
  PageLog log;
  log.AddRequest("1", "POST", kUrl, "Fetch", "");
  log.AllowRequest({"1", "POST", kUrl, "XHR"}, "graphql_query");
  EXPECT_THAT(log.TakeEvents().requests, ElementsAre(named));
  log.AllowRequest({"2", "POST", kUrl, "XHR"}, "graphql_query");
  log.AddRequest("2", "POST", kUrl, "Fetch", "");
  EXPECT_THAT(log.TakeEvents().requests, ElementsAre(named));
}

TEST(PageLogTest, ARedirectIsARequestOfItsOwn) {
  PageLog log;
  log.AddRequest("1", "POST", kUrl, "Fetch", "");
  log.AddRequest("1", "POST", kUrl, "Fetch", "");
  log.BlockRequest({"1", "POST", kUrl, "XHR"}, "guard");
  EXPECT_THAT(log.TakeEvents().requests, ElementsAre(Sent(), Blocked()));
}

TEST(PageLogTest, AWindowOpensUntilItAsksForItsDocument) {
  PageLog log;
  EXPECT_TRUE(NoPopupIsOpening(log));
  log.AddPopup("http://site.test/help?token=abc");
  EXPECT_FALSE(NoPopupIsOpening(log));
  log.AddPopupDocument("http://site.test/help?token=abc");
  EXPECT_TRUE(NoPopupIsOpening(log));
  EXPECT_THAT(log.TakeWindows(), ElementsAre("http://site.test/help?token=abc"));
  EXPECT_THAT(log.TakeWindows(), IsEmpty());
  EXPECT_THAT(log.TakeEvents().popups, ElementsAre("http://site.test/help?token=REDACTED"));
}

TEST(PageLogTest, AWindowWithoutAnAddressAsksForNone) {
  PageLog log;
  log.AddPopup("about:blank");
  log.AddPopup("javascript:void 0");
  EXPECT_TRUE(NoPopupIsOpening(log));
}

TEST(PageLogTest, ANewDocumentForgetsTheWindowsOfTheLast) {
  PageLog log;
  log.AddPopup("http://site.test/help");
  log.BeginDocument();
  EXPECT_TRUE(NoPopupIsOpening(log));
  EXPECT_THAT(log.PendingUrls(), IsEmpty());
}

}  // namespace
}  // namespace topodb::capture
