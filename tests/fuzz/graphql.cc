#include <algorithm>
#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "capture/guard/network_guard.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

namespace json = boost::json;

std::string Body(std::string_view document) {
  return json::serialize(json::object{{"query", json::string(document.data(), document.size())}});
}

// A body let through as a query holds nothing but queries.
FUZZ_TARGET(graphql) {
  if (capture::IsGraphqlQueryOnly(input)) {
    json::error_code error;
    const auto value = json::parse(input, error);
    Require(!error && (value.is_object() || value.is_array()), "a query stands in JSON", input);
    const json::array batch = value.is_array() ? value.as_array() : json::array{value};
    Require(!batch.empty(), "a batch is not empty", input);
    for (const auto& request : batch) {
      Require(request.is_object() && request.as_object().contains("query"),
              "every request of a batch is a query", input);
    }
  }
  // A document followed or led by a mutation is none, unless the rest hides it in a comment or
  // string: so the mutation starts a line and the document has no quotes.
  std::string document(input);
  std::replace(document.begin(), document.end(), '"', ' ');
  if (!capture::IsGraphqlQueryOnly(Body(document))) return;
  for (const std::string mutation : {"mutation { deleteAll }", "subscription { all }",
                                     "mutation M($a: [Int] = [1]) @x { deleteAll(a: $a) }"}) {
    Require(!capture::IsGraphqlQueryOnly(Body(document + "\n" + mutation)),
            "a query and a mutation are no query", input);
    Require(!capture::IsGraphqlQueryOnly(Body(mutation + "\n" + document)),
            "a mutation and a query are no query", input);
  }
}

}  // namespace
}  // namespace topodb::fuzz
