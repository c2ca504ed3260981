#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/replay_site.h"

// Mutants of a page with a table whose rows have a button each. A replay acts on the row that was
// recorded, proved by the page's own log of clicks, or names why it did not.
namespace topodb::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Runs at the end of the document, when the page is loaded.
std::string Mutated(std::string_view script) {
  return WithChange(ReadFixture("replay/rows.html"), "</body>",
                    "<script>" + std::string(script) + "</script></body>");
}

struct Mutant {
  const char* what;
  const char* script;
  const char* verdict;
};

class ReplayRowsTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(replay_.Record(Mutated(""))); }

  // Deleting Acme's order is replayed on each mutant.
  template <size_t N>
  void Check(const Mutant (&mutants)[N]) {
    for (const Mutant& mutant : mutants) {
      SCOPED_TRACE(mutant.what);
      replay_.Serve(Mutated(mutant.script));
      const auto report = replay_.ReplayOf("button", "Delete", "Acme Paints");
      EXPECT_EQ(VerdictOf(report), mutant.verdict);
      if (std::string_view(mutant.verdict) == "passed") {
        EXPECT_THAT(replay_.Clicks(), ElementsAre("acme"));
      } else {
        EXPECT_THAT(replay_.Clicks(), IsEmpty());
      }
    }
  }

  ReplaySite replay_;
};

TEST_F(ReplayRowsTest, WhateverLeavesTheTargetIsNoHindrance) {
  const Mutant kBenign[] = {
      {"unchanged", "", "passed"},
      {"rows swapped", "$('tbody').append($('#acme'))", "passed"},
      {"row inserted above",
       "$('#acme').insertAdjacentHTML('beforebegin', rowOf('row-0-del', 'Zeta', 'zeta'))",
       "passed"},
      {"rows inserted below",
       "for (const n of ['Dune', 'Echo']) $('tbody').insertAdjacentHTML('beforeend', "
       "rowOf('row-' + n, n, n))",
       "passed"},
      {"another row removed", "$('#borg').remove()", "passed"},
      {"node created anew", "$('#acme').outerHTML += ''", "passed"},
      {"wrapper around the button",
       "const w = document.createElement('div'); const b = $('#row-1-del'); b.replaceWith(w); "
       "w.append(b)",
       "passed"},
      {"wrapper around the table",
       "const w = document.createElement('div'); const t = $('table'); t.before(w); w.append(t)",
       "passed"},
      {"classes renamed", "for (const el of document.querySelectorAll('*')) el.className = 'x7'",
       "passed"},
      {"CSS moved", "$('main').style.cssText = 'position: relative; left: 200px; top: 90px'",
       "passed"},
      {"unrelated links reordered", "$('nav').append($('nav a'))", "passed"},
      {"unrelated parts reordered", "document.body.append($('header'))", "passed"},
      {"attribute added", "$('#row-1-del').setAttribute('data-v', '1')", "passed"},
      {"title attribute of another", "$('#row-2-del').title = 'Careful'", "passed"},
      {"white space around the name", "$('#row-1-del').textContent = '\\n Delete\\u00a0 '",
       "passed"},
      {"zero-width characters", "$('#row-1-del').textContent = 'Del\\u200bete'", "passed"},
      {"an unrelated button appears",
       "$('aside').insertAdjacentHTML('beforeend', '<button type=button "
       "data-real=x>Show</button>')",
       "passed"},
      {"an unrelated heading changes", "$('aside h2').textContent = 'Old orders'", "passed"},
  };
  Check(kBenign);
}

TEST_F(ReplayRowsTest, AnythingElseInItsPlaceIsLeftAlone) {
  const Mutant kMutants[] = {
      {"row removed, id inherited", "$('#acme').remove(); $('#row-2-del').id = 'row-1-del'",
       "diverged(identity-mismatch: row-gone)"},
      {"row removed, ids as they are", "$('#acme').remove()", "diverged(selector-miss)"},
      {"customers swapped under the buttons",
       "const [a, b] = document.querySelectorAll('th'); "
       "[a.textContent, b.textContent] = [b.textContent, a.textContent]",
       "diverged(identity-mismatch)"},
      {"row renamed", "$('#acme th').textContent = 'Acme Paper'",
       "diverged(identity-mismatch: row-gone)"},
      {"button renamed", "$('#row-1-del').textContent = 'Archive'",
       "diverged(identity-mismatch: label-drift)"},
      {"case changed", "$('#row-1-del').textContent = 'DELETE'",
       "diverged(identity-mismatch: label-drift)"},
      {"confusable letters", "$('#row-1-del').textContent = 'D\\u0435lete'",
       "diverged(identity-mismatch: label-drift)"},
      {"label prefix", "$('#row-1-del').textContent = 'Delete all'",
       "diverged(identity-mismatch: label-drift)"},
      {"id re-used on another kind of control",
       "$('#row-1-del').outerHTML = '<a id=row-1-del href=?x data-real=link>Delete</a>'",
       "diverged(identity-mismatch)"},
      {"id given to a button elsewhere in the row",
       "$('#row-1-del').id = ''; $('#acme td').innerHTML = "
       "'<button type=button id=row-1-del data-real=twin>Delete</button>'",
       "diverged(identity-unverifiable: new-twin)"},
      {"the id twice", "$('#row-2-del').id = 'row-1-del'",
       "diverged(identity-unverifiable: id-collision)"},
      {"the row twice", "$('#acme').outerHTML += $('#acme').outerHTML",
       "diverged(identity-unverifiable: id-collision)"},
      {"moved under another landmark", "$('aside').append($('table'))",
       "diverged(identity-mismatch)"},
      {"same label in a frame",
       "const f = document.createElement('iframe'); f.srcdoc = $('#acme').innerHTML; "
       "$('#acme').remove(); $('main').append(f)",
       "diverged(scope-mismatch: framePath)"},
      {"same label in a shadow root",
       "const h = document.createElement('div'); h.attachShadow({mode: 'open'}).innerHTML = "
       "'<table><tr>' + $('#acme').innerHTML; $('#acme').remove(); $('main').append(h)",
       "diverged(identity-mismatch)"},
      {"same label on a route with the same skeleton", "history.replaceState(0, '', '/suppliers')",
       "not-run(source-state-mismatch)"},
      {"disabled", "$('#row-1-del').disabled = true", "diverged(not-actionable: disabled)"},
      {"disabled, with an enabled twin",
       "$('#row-1-del').disabled = true; $('#row-1-del').insertAdjacentHTML('afterend', "
       "'<button type=button data-real=twin>Delete</button>')",
       "diverged(identity-unverifiable: new-twin)"},
      {"inert", "$('table').inert = true", "diverged(selector-miss)"},
      {"hidden", "$('#row-1-del').hidden = true", "diverged(selector-miss)"},
      {"no box",
       "$('#row-1-del').style.cssText = 'width:0;height:0;padding:0;border:0;overflow:hidden'",
       "diverged(selector-miss)"},
      {"hidden, with a visible twin",
       "$('#row-1-del').hidden = true; $('#row-1-del').insertAdjacentHTML('afterend', "
       "'<button type=button data-real=twin>Delete</button>')",
       "diverged(identity-mismatch)"},
      {"covered",
       "document.body.insertAdjacentHTML('beforeend', '<div "
       "style=\"position:fixed;inset:0\"></div>')",
       "diverged(not-actionable: obscured)"},
      {"behind a modal",
       "document.body.insertAdjacentHTML('beforeend', '<dialog aria-label=Offer>Buy</dialog>'); "
       "$('dialog').showModal()",
       "not-run(source-state-mismatch)"},
      {"off the screen", "$('#row-1-del').style.cssText = 'position:fixed;left:-900px'",
       "diverged(not-actionable: offscreen)"},
  };
  Check(kMutants);
}

// The page changes under the pointer, after it was looked at and before it hears of the press.
TEST_F(ReplayRowsTest, APageThatChangesUnderThePointerHearsNothing) {
  const Mutant kRaces[] = {
      {"node created anew", "onHover(() => { $('#acme').outerHTML += ''; })",
       "diverged(dispatch-mismatch: wrong-receiver)"},
      {"overlay inserted",
       "onHover(() => document.body.insertAdjacentHTML('beforeend', "
       "'<div style=\"position:fixed;inset:0\">'))",
       "diverged(dispatch-mismatch: wrong-receiver)"},
      {"rows recycled under the same nodes", "onHover(recycle)",
       "diverged(dispatch-mismatch: wrong-receiver)"},
      {"rows recycled when pressed", "$('table').addEventListener('pointerdown', recycle)",
       "diverged(dispatch-mismatch: wrong-receiver)"},
      {"button recycled", "onHover(() => { $('#row-1-del').textContent = 'Archive'; })",
       "diverged(dispatch-mismatch: wrong-receiver)"},
      {"id taken away", "onHover(() => { $('#row-1-del').id = 'row-2-del'; })",
       "diverged(dispatch-mismatch: wrong-receiver)"},
      {"row removed", "onHover(() => $('#acme').remove())",
       "diverged(dispatch-mismatch: wrong-receiver)"},
      {"moved into another row", "onHover(() => $('#borg').append($('#row-1-del')))",
       "diverged(dispatch-mismatch: wrong-receiver)"},
      {"disabled", "onHover(() => { $('#row-1-del').disabled = true; })",
       "diverged(dispatch-unconfirmed: no-receipt)"},
      {"created anew when scrolled to",
       "$('main').style.marginTop = '300vh'; addEventListener('scroll', () => "
       "{ $('#acme').outerHTML += ''; }, {once: true})",
       "diverged(dispatch-mismatch: stale)"},
      {"recycled when scrolled to",
       "$('main').style.marginTop = '300vh'; addEventListener('scroll', recycle, {once: true})",
       "diverged(dispatch-mismatch: stale)"},
  };
  Check(kRaces);
}

TEST_F(ReplayRowsTest, WhatAButtonSaysOfItsOwnPressIsNoOtherButton) {
  const Mutant kBenign[] = {
      {"says that it works",
       "$('#row-1-del').addEventListener('pointerdown', (e) => e.target.title = 'Working')",
       "passed"},
      {"is highlighted under the pointer", "onHover(() => { $('#acme').className = 'hot'; })",
       "passed"},
  };
  Check(kBenign);
}

TEST_F(ReplayRowsTest, AHiddenTwinInFrontIsPassedOver) {
  replay_.Serve(
      Mutated("const t = $('#acme').cloneNode(true); t.hidden = true; "
              "t.querySelector('button').id = ''; $('tbody').prepend(t)"));
  EXPECT_EQ(VerdictOf(replay_.ReplayOf("button", "Delete", "Acme Paints")), "passed");
  EXPECT_THAT(replay_.Clicks(), ElementsAre("acme"));
}

}  // namespace
}  // namespace topodb::testing
