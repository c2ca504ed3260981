#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/model.h"
#include "schema/snapshot.h"

// Element -> ranked locators. Pure: whether a locator resolves to exactly its element is known from
// the counts that the snapshot took in the page.
namespace topodb::capture {

inline constexpr std::string_view kLocatorScoringVersion = "topodb-locators-1";

// The element's locators, best first; never empty for an element with a role or a tag. A duplicate
// name gets a locator scoped to its row, list item, dialog, form or landmark where that is unique;
// `nth` is the last resort, marked positional and never `verified`. Ids are left zero: whoever
// gives the element its id gives them theirs.
std::vector<Locator> BuildLocators(const PageSnapshot& page, const SnapshotNode& node,
                                   Timestamp verified_at);

// Every named container of the element, whether or not a locator needs it.
std::vector<LocatorScope> NamedScopes(const Element& element);

// The Playwright-style expression of a descriptor.
std::string ToExpression(const LocatorDescriptor& descriptor);

}  // namespace topodb::capture
