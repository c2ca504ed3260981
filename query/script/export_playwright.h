#pragma once

#include <functional>
#include <string>

#include "query/script/script.h"
#include "schema/base/result.h"
#include "schema/model.h"

namespace topodb::script {

// The Playwright expression of a locator: `page.getByRole("button", …)`.
using ExpressionOf = std::function<std::string(const LocatorDescriptor& locator)>;

// The script as a test of @playwright/test, which needs nothing of topodb. Variables are read from
// the environment when it runs. Every locator must match one element there, as Playwright's strict
// mode demands; the identity of the target is not checked further. Pure.
// kInvalidArgument: a step without a record or a locator, or in a frame.
Result<std::string> ToPlaywright(const Script& script, const ExpressionOf& expression_of);

}  // namespace topodb::script
