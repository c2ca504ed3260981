#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/exploring_test.h"

// As whom a run comes to a site, seen by the site.
namespace topodb::testing {
namespace {

using query::RunGraph;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

class ClientTest : public ExploringTest {
 protected:
  // The last request for `path`.
  HttpRequest Asked(std::string_view path) const {
    HttpRequest last;
    for (const HttpRequest& request : site_.requests()) {
      if (request.path == path) last = request;
    }
    return last;
  }
};

// 127.0.0.1 and localhost are two sites of one server.
TEST_F(ClientTest, HeadersGoToTheSiteAndNowhereElse) {
  const std::string elsewhere = site_.server().Url("/", "localhost");
  site_.server().HandlePage(
      "/", Page("Entry", "<a href=/next>Next</a><img src=/own.png><img src=" + elsewhere +
                             "other.png><script src=/worker-page.js></script>"));
  site_.server().HandlePage("/next", Page("Next", ""));
  site_.server().Handle("/worker-page.js", [](const HttpRequest&) {
    return HttpResponse{.content_type = "text/javascript",
                        .body =
                            "new Worker(URL.createObjectURL(new Blob(["
                            "`fetch('${location.origin}/from-worker')`])));"};
  });
  site_.server().Handle("/own.png", [&](const HttpRequest&) {
    return HttpResponse::Redirect(elsewhere + "redirected.png");
  });
  capture::CaptureOptions options = ExplorationOf(site_.Url("/"));
  options.drive.client.headers = {{"X-Tenant", "s3cret"}, {"Accept-Language", "tlh"}};
  options.drive.client.user_agent = "Surveyor/1";
  const RunGraph run = Run(options);
  for (const std::string_view path : {"/", "/next", "/own.png", "/from-worker"}) {
    SCOPED_TRACE(std::string(path));
    const HttpRequest request = Asked(path);
    EXPECT_EQ("s3cret", request.Header("X-Tenant"));
    EXPECT_EQ("tlh", request.Header("Accept-Language"));
    EXPECT_EQ("Surveyor/1", request.Header("User-Agent"));
  }
  for (const std::string_view path : {"/other.png", "/redirected.png"}) {
    SCOPED_TRACE(std::string(path));
    const HttpRequest request = Asked(path);
    EXPECT_EQ("Surveyor/1", request.Header("User-Agent"));
    EXPECT_EQ("", request.Header("X-Tenant"));
  }
  EXPECT_THAT(site_.DatabaseBytes(), Not(HasSubstr("s3cret")));
}

// Which pages are opened is another matter than who asks.
TEST_F(ClientTest, HeadersGoToPartsOfPagesThatAreLeftOut) {
  site_.server().HandlePage("/", Page("Entry", "<img src=/private/logo.png>"));
  capture::CaptureOptions options = ScanOf(site_.Url("/"));
  options.drive.exclude = {"/private/*"};
  options.drive.client.headers = {{"X-Tenant", "s3cret"}};
  Run(options);
  EXPECT_EQ("s3cret", Asked("/private/logo.png").Header("X-Tenant"));
}

class HttpAuthenticationTest : public ClientTest {
 protected:
  void SetUp() override {
    for (const std::string_view path : {"/", "/next"}) {
      site_.server().Handle(std::string(path), [](const HttpRequest& request) {
        // me:pass
        if (request.Header("Authorization") == "Basic bWU6cGFzcw==") {
          return HttpResponse{.body = Page("Inside", "<a href=/next>Next</a>")};
        }
        return HttpResponse{.status = 401,
                            .body = Page("Closed", ""),
                            .headers = {{"WWW-Authenticate", "Basic realm=\"Staff\""}}};
      });
    }
  }
};

TEST_F(HttpAuthenticationTest, CredentialsOpenThePages) {
  capture::CaptureOptions options = ExplorationOf(site_.Url("/"));
  options.drive.client.credentials = {.user = "me", .password = "pass"};
  const RunGraph run = Run(options);
  EXPECT_EQ(2U, run.states.size());
  EXPECT_EQ("Inside", run.states.front().title);
  EXPECT_TRUE(run.failures.empty());
}

TEST_F(HttpAuthenticationTest, WrongOnesAreTriedOnce) {
  capture::CaptureOptions options = ExplorationOf(site_.Url("/"));
  options.drive.client.credentials = {.user = "me", .password = "wrong"};
  const RunGraph run = Run(options);
  EXPECT_EQ("Closed", run.states.front().title);
  EXPECT_THAT(run.failures,
              Contains(Field(&FailedObservation::reason, FailureReason::kAuthRequired)));
  // Two looks, each without credentials and with them.
  EXPECT_GE(4U, site_.server().CountRequests("GET", "/"));
}

TEST_F(HttpAuthenticationTest, OtherSitesDoNotGetThem) {
  const std::string elsewhere = site_.server().Url("/next", "localhost");
  site_.server().HandlePage("/entry", Page("Entry", "<img src=" + elsewhere + ">"));
  capture::CaptureOptions options = ScanOf(site_.Url("/entry"));
  options.drive.client.credentials = {.user = "me", .password = "pass"};
  Run(options);
  ASSERT_LT(0U, site_.server().CountRequests("GET", "/next"));
  EXPECT_EQ("", Asked("/next").Header("Authorization"));
}

}  // namespace
}  // namespace topodb::testing
