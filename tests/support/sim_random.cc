#include "tests/support/sim_random.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include <fmt/format.h>

namespace topodb::testing {
namespace {

constexpr std::array<std::string_view, 8> kForbidden = {
    "Delete account", "Pay now",          "Log out",      "Place order",
    "Remove item",    "Erase everything", "Submit claim", "Unsubscribe"};

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed), pages_(2 + Below(4)) {}

  SimSite Make() {
    SimSite site;
    for (uint32_t i = 0; i < pages_; ++i) site.AddPage(PathOf(i), MakePage(i));
    return site;
  }

 private:
  // Not std::uniform_int_distribution: its results differ between libraries.
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  bool OneIn(uint32_t n) { return Below(n) == 0; }

  static std::string PathOf(uint32_t index) {
    return index == 0 ? "/"
                      : fmt::format("/{}", std::array{"docs", "news", "shop", "help",
                                                      "about"}[(index - 1) % 5]);
  }

  SimAct RandomAct(const SimPage& page) {
    using Kind = SimAct::Kind;
    switch (Below(13)) {
      case 0:
      case 1:
        return {Kind::kGoTo, PathOf(Below(pages_))};
      case 2:
      case 3:
        if (!page.dialogs.empty()) return {Kind::kOpenDialog, page.dialogs.begin()->first};
        return {Kind::kSay, "Nothing to show"};
      case 4:
        return {Kind::kSay, std::array{"Ready", "Well done", "Loaded"}[Below(3)]};
      case 5:
        return {Kind::kSetFlag, "more"};
      case 6:
        return {Kind::kSend, "/collect"};
      case 7:
        return {Kind::kAlert, "Hello"};
      case 8:
        return {Kind::kPopup, SimSite::Url("/popup")};
      case 9:
        return {Kind::kStore, ""};
      case 10:
        return {Kind::kGoTo, "http://elsewhere.test/"};
      case 11:
        return {std::array{Kind::kCrashTab, Kind::kHang, Kind::kKillBrowser}[Below(3)], ""};
      default:
        return {};
    }
  }

  SimWidget RandomWidget(const SimPage& page) {
    if (OneIn(5))
      return SimButton(std::string(kForbidden[Below(kForbidden.size())]),
                       {SimAct::Kind::kSend, "/harm"});
    if (OneIn(3)) return SimLink(fmt::format("Chapter {}", Below(6)), PathOf(Below(pages_)));
    if (OneIn(9)) return SimLink("Partner", "https://partner.test/");
    if (OneIn(9)) return SimInput("Query");
    SimWidget button =
        SimButton(std::array<std::string, 6>{"Open menu", "Show details", "Next tab", "View list",
                                             "Expand", "Details"}[Below(6)],
                  RandomAct(page));
    button.disabled = OneIn(8);
    button.hidden = OneIn(10);
    if (OneIn(10)) button.covered_by = "div.banner";
    if (OneIn(12)) button.only_with = "more";
    if (OneIn(16)) button.outcome = capture::ActionOutcome::kWrongReceiver;
    if (OneIn(4)) button.row = fmt::format("Row {}", Below(3));
    return button;
  }

  SimPage MakePage(uint32_t index) {
    SimPage page;
    page.title = fmt::format("Page {}", index);
    page.headings = {fmt::format("Welcome to {}", PathOf(index))};
    page.ticking = OneIn(5);
    page.polling = OneIn(6);
    if (index > 0 && OneIn(8)) page.http_status = std::array{401U, 403U, 404U}[Below(3)];
    if (index > 0 && OneIn(10)) page.broken = ErrorCode::kNavigation;
    if (OneIn(2)) {
      auto& dialog = page.dialogs["Settings"];
      dialog.push_back(SimButton("Close", {SimAct::Kind::kCloseDialog, ""}));
      dialog.push_back(SimButton("Delete account", {SimAct::Kind::kSend, "/harm"}));
    }
    const uint32_t widgets = Below(8);
    for (uint32_t i = 0; i < widgets; ++i) page.widgets.push_back(RandomWidget(page));
    return page;
  }

  std::mt19937_64 random_;
  uint32_t pages_;
};

}  // namespace

bool IsForbidden(std::string_view name) {
  return std::ranges::find(kForbidden, name) != kForbidden.end();
}

SimSite RandomSite(uint64_t seed) { return Maker(seed).Make(); }

}  // namespace topodb::testing
