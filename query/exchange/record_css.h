#pragma once

#include <string>
#include <string_view>

namespace topodb::query {

// [data-qa="save"]: the selector of an attribute's value.
std::string AttributeSelector(std::string_view attribute, std::string_view value);

// The reverse, for values quoted as above or as a JSON string. False, with the outputs untouched,
// for any other selector.
bool ParseAttributeSelector(std::string_view selector, std::string& attribute, std::string& value);

}  // namespace topodb::query
