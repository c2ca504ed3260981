#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/model.h"

namespace topodb::script {

// Whether what is entered there must not be written down: passwords, one-time codes, cards.
bool HoldsSecret(const ActionEdge& edge, const Element& element);

// Gives controls names for the variables that hold their values: "PASSWORD", "CARD_NUMBER". The
// same control gets the same name, another one another name.
class VariableNames {
 public:
  const std::string& NameFor(const Element& element, std::string_view suffix);
  // In the order in which they were given.
  std::vector<std::string> Take() { return std::move(names_); }

 private:
  std::map<AnchorKey, std::string> by_control_;
  std::vector<std::string> names_;
};

}  // namespace topodb::script
