#pragma once

#include <optional>
#include <vector>

#include "capture/browser/page_driver.h"
#include "schema/model.h"

// What to do with an element, decided on its record alone. Pure.
namespace topodb::capture {

// fill for editable text, select, check for native checkboxes and radio buttons, upload for file
// inputs, click for everything else.
ActionType ActionTypeFor(const Element& element);

// The action with its value. A value comes from `values` (by control name or accessible name), else
// a harmless default that fits the input type is taken; select takes the first enabled option that
// is not selected. nullopt when there is nothing to enter: a secret or a file without a given
// value, a select without another option.
std::optional<ActionRequest> ChooseRequest(const Element& element,
                                           const std::vector<NameValue>& values);

// The edge's canonical parameters: the value entered, never a secret one; of a file, its name
// alone.
std::vector<NameValue> ParamsOf(const Element& element, const ActionRequest& request);

}  // namespace topodb::capture
