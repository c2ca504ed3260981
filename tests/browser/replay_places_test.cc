#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/replay_site.h"

// Mutants that have the recorded label somewhere else: in another frame, shadow tree, landmark or
// link. Only the page's own log of clicks says what was acted on.
namespace topodb::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kShip = "panel($('#ship'), 'Ship', 'ship'); ";

std::string Mutated(std::string_view script) {
  return WithChange(ReadFixture("replay/places.html"), "</body>",
                    "<script>" + std::string(script) + "</script></body>");
}

// A frame's document with one button, which tells the server what it is for.
std::string Framed(std::string_view label, std::string_view real) {
  return "<!doctype html><title>Part</title><button type=button onclick=\"fetch('/log?" +
         std::string(real) + "'); document.body.append('" + std::string(real) +
         " done'); parent.said.textContent = '" + std::string(real) + " done'\">" +
         std::string(label) + "</button>";
}

struct Mutant {
  const char* what;
  const char* role;
  const char* name;
  std::string script;
  const char* verdict;
  const char* real = "";                         // that is clicked; empty: nothing
  std::string left = Framed("Send", "left");     // the document of that frame
  std::string right = Framed("Store", "right");  // likewise
};

class ReplayPlacesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ServeFrames(Framed("Send", "left"), Framed("Store", "right"));
    ASSERT_TRUE(replay_.Record(Mutated(kShip)));
  }
  void ServeFrames(const std::string& left, const std::string& right) {
    replay_.site().server().HandlePage("/left", left);
    replay_.site().server().HandlePage("/right", right);
  }
  void Check(const std::vector<Mutant>& mutants) {
    for (const Mutant& mutant : mutants) {
      SCOPED_TRACE(std::string(mutant.name) + ": " + mutant.what);
      ServeFrames(mutant.left, mutant.right);
      replay_.Serve(Mutated(mutant.script));
      EXPECT_EQ(VerdictOf(replay_.ReplayOf(mutant.role, mutant.name)), mutant.verdict);
      if (*mutant.real != '\0') {
        EXPECT_THAT(replay_.Clicks(), ElementsAre(mutant.real));
      } else {
        EXPECT_THAT(replay_.Clicks(), IsEmpty());
      }
    }
  }

  ReplaySite replay_;
};

TEST_F(ReplayPlacesTest, FramesAreToldApart) {
  const std::string ship(kShip);
  Check({
      {"unchanged", "button", "Send", ship, "passed", "left"},
      {"frames in another order", "button", "Send", ship + "$('main').prepend($('[name=right]'))",
       "passed", "left"},
      {"the same label in the other frame too", "button", "Send", ship, "passed", "left",
       Framed("Send", "left"), Framed("Send", "right")},
      {"the same label only in the other frame", "button", "Send", ship,
       "diverged(scope-mismatch: framePath)", "", Framed("Fetch", "left"), Framed("Send", "right")},
      {"the frame is gone, its label in the page", "button", "Send",
       ship + "$('[name=left]').outerHTML = '<button type=button data-real=page>Send</button>'",
       "diverged(scope-mismatch: framePath)"},
      {"the frame is called otherwise", "button", "Send",
       ship + "const f = $('[name=left]'); f.outerHTML = f.outerHTML.replace('left', 'aside')",
       "diverged(scope-mismatch: framePath)"},
      {"names of frames exchanged", "button", "Send",
       ship + "$('[name=left]').outerHTML = '<iframe name=right src=/left>'; "
              "$('[name=right][height]').outerHTML = '<iframe name=left src=/right>'",
       "diverged(scope-mismatch: framePath)"},
  });
}

TEST_F(ReplayPlacesTest, ShadowTreesAreToldApart) {
  const std::string ship(kShip);
  Check({
      {"unchanged", "button", "Ship", ship, "passed", "ship"},
      {"another host with the same label", "button", "Ship",
       ship + "const o = document.createElement('x-panel'); o.id = 'sink'; $('aside').append(o); "
              "panel(o, 'Ship', 'sink')",
       "passed", "ship"},
      {"only another host", "button", "Ship",
       "$('#ship').id = 'sink'; panel($('#sink'), 'Ship', 'x')", "diverged(identity-mismatch)"},
      {"out of the shadow", "button", "Ship",
       "$('#ship').outerHTML = '<button type=button data-real=page>Ship</button>'",
       "diverged(identity-mismatch)"},
      {"renamed", "button", "Ship", "panel($('#ship'), 'Ship all', 'ship')",
       "diverged(selector-miss)"},
  });
}

TEST_F(ReplayPlacesTest, LinksAreTheirNameAndTheirDestination) {
  const std::string ship(kShip);
  Check({
      {"unchanged", "link", "Privacy", ship, "passed", "privacy"},
      {"same text, other address", "link", "Privacy",
       ship + "$('[data-real=privacy]').href = '?page=sale'", "diverged(identity-mismatch)"},
      {"same address, other text", "link", "Privacy",
       ship + "$('[data-real=privacy]').textContent = 'Sale'", "diverged(selector-miss)"},
      {"addresses exchanged", "link", "Privacy",
       ship + "$('[data-real=privacy]').href = '?page=terms'; $('#terms').href = '?page=privacy'",
       "diverged(identity-mismatch)"},
      {"links in another order", "link", "Privacy",
       ship + "$('#terms').before($('[data-real=privacy]'))", "passed", "privacy"},
      {"the same link twice", "link", "Privacy",
       ship + "$('#terms').after($('[data-real=privacy]').cloneNode(true))",
       "diverged(identity-unverifiable: twins-changed)"},
  });
}

TEST_F(ReplayPlacesTest, ControlsAreToldApart) {
  const std::string ship(kShip);
  Check({
      {"unchanged", "button", "Weigh", ship, "passed", "weigh"},
      {"the test id twice", "button", "Weigh",
       ship + "$('[data-real=stamp]').dataset.testid = 'weigh'",
       "diverged(identity-unverifiable: id-collision)"},
      {"the test id given to another button", "button", "Weigh",
       ship + "delete $('[data-real=weigh]').dataset.testid; $('[data-real=stamp]').dataset.testid "
              "= 'weigh'",
       "diverged(identity-mismatch)"},
      {"the test id gone", "button", "Weigh", ship + "delete $('[data-real=weigh]').dataset.testid",
       "diverged(identity-mismatch)"},
      {"names exchanged", "button", "Stamp",
       ship + "$('[data-real=weigh]').textContent = 'Stamp'; $('[data-real=stamp]').textContent = "
              "'Weigh'",
       "diverged(identity-mismatch: id-of-another)"},
      {"under another landmark", "button", "Stamp",
       ship + "$('aside').append($('[data-real=stamp]'))", "diverged(identity-mismatch)"},
      {"a twin under another landmark", "button", "Stamp",
       ship + "$('aside').innerHTML += '<button type=button data-real=twin>Stamp</button>'",
       "passed", "stamp"},
      {"a twin beside it", "button", "Stamp",
       ship + "$('[data-real=stamp]').insertAdjacentHTML('beforebegin', "
              "'<button type=button data-real=twin>Stamp</button>')",
       "diverged(identity-unverifiable: twins-changed)"},
      {"a word more", "button", "Stamp", ship + "$('[data-real=stamp]').textContent = 'Stamp all'",
       "diverged(selector-miss)"},
      {"its landmark renamed", "button", "Stamp", ship + "$('main').ariaLabel = 'Waste'",
       "diverged(identity-mismatch)"},
      {"another control", "button", "Stamp",
       ship + "$('[data-real=stamp]').setAttribute('role', 'switch')",
       "diverged(identity-mismatch)"},
  });
}

}  // namespace
}  // namespace topodb::testing
