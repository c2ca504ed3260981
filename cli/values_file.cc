#include "cli/values_file.h"

#include <algorithm>
#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "cli/read_file.h"

namespace topodb::cli {

Result<std::vector<NameValue>> ReadValues(const std::filesystem::path& path) {
  if (path.empty()) return std::vector<NameValue>();
  TOPODB_TRY(const std::string text, ReadFile(path));
  boost::system::error_code error;
  const boost::json::value document = boost::json::parse(text, error);
  const Error invalid{ErrorCode::kInvalidArgument,
                      fmt::format("'{}' is no JSON object of texts", path.string()),
                      R"(write {"name of a control": "what to enter"})"};
  if (error || !document.is_object()) return invalid;
  std::vector<NameValue> values;
  for (const auto& [name, value] : document.get_object()) {
    if (!value.is_string()) return invalid;
    values.emplace_back(name, value.get_string());
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace topodb::cli
