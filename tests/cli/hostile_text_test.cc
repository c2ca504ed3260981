#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"

// Text from pages must not be able to drive a terminal, wherever it is printed.
namespace topodb::cli {
namespace {

constexpr std::string_view kHostile =
    "\x1b]52;c;ZXZpbA==\x07"                        // OSC 52: clipboard
    "\x1b]8;;http://evil/\x1b\\link\x1b]8;;\x1b\\"  // OSC 8: link
    "\x1b]0;title\x07"                              // window title
    "\x1bP$q\"p\x1b\\"                              // DECRQSS
    "\xC2\x9B"
    "31m"  // CSI as a C1 control
    "\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\xA8\x7f\r\n\b";

class HostileTextTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    Store([](GraphSink& sink) -> Status {
      const std::string text(kHostile);
      topodb::Run run = testing::BuildRun("hostile");
      run.input_url = "http://x/" + text;
      run.warnings = {text};
      StateBundle home = testing::BuildState("/" + text, {{"button", text, "button"}});
      home.state.title = text;
      home.state.modal_stack = {text};
      home.skips = {testing::BuildSkip(home.elements[0])};
      home.skips[0].evidence[0].description = text;
      home.failures = {testing::BuildFailure(home.elements[0])};
      home.failures[0].message = text;
      TOPODB_TRY_VOID(sink.BeginRun(run));
      TOPODB_TRY_VOID(sink.AddState(home));
      TOPODB_TRY_VOID(sink.AddTransition(
          {.edge = testing::BuildEdge(home, 0, home.state.id), .new_state = {}}));
      return sink.EndRun(run);
    });
  }
};

// The bytes of `text` that a terminal could act on, line ends aside.
std::string Dangerous(std::string_view text, std::string_view allowed) {
  std::string found;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const bool c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<uint8_t>(text[i + 1]) < 0xA0;
    const bool control = byte < 0x20 || byte == 0x7F;
    if ((control && allowed.find(text[i]) == std::string_view::npos) || c1) found += text[i];
  }
  for (const std::string_view sequence : {"\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\xA8"}) {
    if (text.find(sequence) != std::string_view::npos) found += sequence;
  }
  return found;
}

TEST_F(HostileTextTest, NothingThatIsPrintedDrivesATerminal) {
  const std::vector<std::vector<std::string>> commands = {
      {"runs"},
      {"query", "states"},
      {"query", "elements"},
      {"query", "edges"},
      {"query", "skips"},
      {"query", "failures"},
      {"show", "hostile"},
      {"show", "state_"},
      {"show", "el_"},
      {"show", "skip_"},
      {"explain", "hostile"},
      {"explain", "state_"},
      {"explain", "el_"},
      {"explain", "skip_"},
      {"query", "edges", "--from", "state_ffff"},          // lists the states in an error
      {"query", "edges", "--run", std::string(kHostile)},  // echoes an argument
      {"show", std::string(kHostile)},
  };
  for (const auto& arguments : commands) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    const auto text = Topodb(arguments);
    EXPECT_EQ(Dangerous(text.out, "\n"), "");
    EXPECT_EQ(Dangerous(text.err, "\n"), "");
    EXPECT_THAT(text.out + text.err, ::testing::HasSubstr("\\u001b]52;c;"));

    std::vector<std::string> as_json = arguments;
    as_json.insert(as_json.end(), {"--format", "json"});
    const auto json = Topodb(as_json);
    EXPECT_EQ(Dangerous(json.out, "\n"), "");
    EXPECT_EQ(Dangerous(json.err, "\n"), "");
  }
  EXPECT_EQ(Dangerous(Topodb({"export"}).out, "\n"), "");
}

TEST_F(HostileTextTest, JsonKeepsTheTextExact) {
  const auto got = Topodb({"query", "states", "--format", "json"});
  const auto records = boost::json::parse(got.out);
  EXPECT_EQ(records.at(0).at("title").as_string(),
            boost::json::string_view(kHostile.data(), kHostile.size()));
}

}  // namespace
}  // namespace topodb::cli
