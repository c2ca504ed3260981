#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"
#include "tests/support/fixture_server.h"

// Replays of artifacts that somebody else has written, with a real browser. The server's own record
// of requests is the witness.
namespace topodb::cli {
namespace {

namespace json = boost::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class ReplayCommandTest : public CommandTest {
 protected:
  // Captures the page at "/", with everything allowed.
  void Capture(const std::string& page, const std::vector<std::string>& more = {}) {
    server_.HandlePage("/", page);
    std::vector<std::string> arguments = {"capture", server_.Url("/"), "--quiet"};
    for (const char* category : {"input_edit", "form_submit", "data_mutation", "destructive",
                                 "auth_sensitive", "payment_sensitive", "unknown"}) {
      arguments.insert(arguments.end(), {"--allow", category});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto captured = Topodb(std::move(arguments));
    ASSERT_EQ(captured.exit_code, 0) << captured.err;
  }
  json::object Exported() const { return json::parse(Topodb({"export"}).out).as_object(); }
  // Stores it as the only run of another database.
  void Import(const json::object& document) const {
    const auto imported = Topodb({"import", "-", "--db", "other"}, json::serialize(document));
    ASSERT_EQ(imported.exit_code, 0) << imported.err;
  }

  static json::object& EdgeOn(json::object& document, std::string_view name) {
    for (auto& edge : document.at("edges").as_array()) {
      if (edge.at("target").at("name").as_string() == name) return edge.as_object();
    }
    throw std::invalid_argument("no edge on " + std::string(name));
  }

  testing::FixtureServer server_;
};

constexpr std::string_view kDesk =
    R"html(<!doctype html><html lang=en><title>Desk</title><h1>Desk</h1>
<label>Search <input id=search onkeydown="if (event.key === 'Enter') said.textContent = 'Found'"></label>
<label>Paper <input type=file id=paper onchange="said.textContent = 'Got ' + this.files[0].name"></label>
<label>Password <input type=password id=pass oninput="said.textContent = 'Typed'"></label>
<button type=button onclick="said.textContent = 'Found'">Look up</button>
<p id=said role=status></p>)html";

TEST_F(ReplayCommandTest, PressesKeysAndEntersWhatTheRunDoesNotHold) {
  std::ofstream(directory_ / "paper.txt") << "paper";
  std::ofstream(directory_ / "values.json") << json::serialize(
      json::object{{"Paper", (directory_ / "paper.txt").string()}, {"Password", "correct horse"}});
  Capture(std::string(kDesk), {"--values", "values.json"});
  json::object document = Exported();
  // Pressing Enter in the field leads where the button leads.
  json::object press = EdgeOn(document, "Search");
  press["actionType"] = "press";
  press["actionParams"] = {{"key", "Enter"}};
  press["edgeId"] = "edge_00000000000000000000000000000001";
  press["toStateId"] = EdgeOn(document, "Look up").at("toStateId");
  document.at("edges").as_array().push_back(press);
  Import(document);
  const std::vector<std::string> replay = {
      "replay",         "--db",    "other",   "--allow",  "input_edit", "--allow",
      "auth_sensitive", "--allow", "unknown", "--format", "json"};
  const auto verdicts = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = replay;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto got = Topodb(std::move(arguments));
    std::set<std::string> seen;
    const auto report = json::parse(got.out);
    for (const auto& step : report.at("steps").as_array()) {
      const auto* reason = step.as_object().if_contains("reason");
      seen.insert(json::value_to<std::string>(step.at("action").at("type")) + " " +
                  json::value_to<std::string>(step.at("action").at("name")) + ": " +
                  json::value_to<std::string>(step.at("verdict")) +
                  (reason ? " " + json::value_to<std::string>(*reason) : ""));
    }
    return seen;
  };
  const auto without = verdicts({});
  EXPECT_THAT(without, Contains("press Search: passed"));
  EXPECT_THAT(without, Contains("upload Paper: skipped file-value"));
  EXPECT_THAT(without, Contains("fill Password: skipped secret-value"));
  const auto with = verdicts({"--values", "values.json"});
  EXPECT_THAT(with, Contains("upload Paper: passed"));
  EXPECT_THAT(with, Contains("fill Password: passed"));
}

TEST_F(ReplayCommandTest, IsTakenUpWithTheDigestOfItsReport) {
  Capture(std::string(kDesk));
  const auto report = json::parse(Topodb({"replay", "--allow", "unknown", "--format", "json"}).out);
  const auto digest = json::value_to<std::string>(report.at("planDigest"));
  const auto resumed = Topodb({"replay", "--allow", "unknown", "--format", "json", "--from-step",
                               "2", "--plan-digest", digest});
  EXPECT_EQ(json::parse(resumed.out).at("steps").at(0).at("index"), 2);
  const auto other = Topodb({"replay", "--from-step", "2", "--plan-digest", digest});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("plan is not"));
  EXPECT_EQ(Topodb({"replay", "--from-step", "2"}).exit_code, 2);
  EXPECT_EQ(Topodb({"replay", "--plan-digest", digest}).exit_code, 2);
}

constexpr std::string_view kTrap =
    R"html(<!doctype html><html lang=en><title>Office</title><h1>Office</h1>
<a href="/erase?id=7">Delete account</a>
<button type=button onclick="fetch('/sent', {method: 'POST'}); said.textContent = 'Shown'">Show news</button>
<form method=post action="/placed"><button>Show order</button></form>
<form method=get action="/unsubscribed"><button>Unsubscribe</button></form>
<a href="/manual">Manual</a> <a href="/notes">Notes</a> <a href="/elsewhere">Elsewhere</a>
<p id=said role=status></p>)html";

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The page and the artifact are the attacker's: they agree that everything is harmless.
TEST_F(ReplayCommandTest, AHostileArtifactReachesNothing) {
  for (const char* path :
       {"/erase", "/sent", "/placed", "/unsubscribed", "/manual", "/notes", "/elsewhere"}) {
    server_.HandlePage(path, "<title>There</title><h1>There</h1>");
  }
  Capture(std::string(kTrap), {"--guard", "off"});
  const auto hostile = [&](std::string text) {
    text = Replaced(std::move(text), "/manual", "file:///etc/passwd");
    text = Replaced(std::move(text), "/notes", "http://169.254.169.254/latest/meta-data");
    return Replaced(std::move(text), "/elsewhere", server_.Url("/elsewhere", "localhost"));
  };
  json::object document = Exported();
  ASSERT_GE(document.at("edges").as_array().size(), 7U);
  for (auto& edge : document.at("edges").as_array()) {
    edge.as_object()["riskLevel"] = "low";
    edge.as_object()["riskCategory"] = "read_only";
  }
  Import(json::parse(hostile(json::serialize(document))).as_object());
  server_.HandlePage("/", hostile(std::string(kTrap)));
  server_.ForgetRequests();

  const auto got = Topodb({"replay", "--db", "other", "--format", "json"});
  EXPECT_EQ(got.exit_code, 1) << got.err;
  const auto report = json::parse(got.out);
  for (const auto& step : report.at("steps").as_array()) {
    EXPECT_THAT(json::value_to<std::string>(step.at("verdict")), Not(HasSubstr("passed")))
        << json::serialize(step);
  }
  for (const auto& request : server_.requests()) {
    EXPECT_EQ(request.method, "GET");
    EXPECT_THAT(request.path, ::testing::AnyOf("/", "/favicon.ico"));
  }
}

TEST_F(ReplayCommandTest, AnEntryAtAMetadataServiceIsNotOpened) {
  Capture(std::string(kDesk));
  const std::string text = json::serialize(Exported());
  Import(json::parse(Replaced(text, server_.Url("/"), "http://169.254.169.254/")).as_object());
  const auto got = Topodb({"replay", "--db", "other", "--format", "json"});
  EXPECT_EQ(got.exit_code, 1) << got.err;
  const auto report = json::parse(got.out);
  EXPECT_EQ(report.at("counts").at("skipped"), report.at("steps").as_array().size());
  EXPECT_EQ(report.at("steps").at(0).at("reason"), "out-of-scope");
}

}  // namespace
}  // namespace topodb::cli
