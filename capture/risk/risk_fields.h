#pragma once

#include <string>
#include <vector>

#include "capture/risk/term_finder.h"
#include "capture/risk/vocabulary.h"
#include "schema/model.h"
#include "schema/snapshot.h"

// Which texts of an element are looked at, and how each is read. Pure.
namespace topodb::capture {

struct RiskField {
  std::string name;  // as in RiskMatch::field
  std::string text;
  Reading reading = Reading::kLabel;
};

// What the element is, apart from its words.
struct ElementShape {
  bool link = false;   // follows a URL, nothing else as far as its markup says
  bool input = false;  // holds a value
  bool button_like = false;
  bool submits = false;    // its activation submits a form
  bool has_words = false;  // a name or text with letters
};

ElementShape DescribeShape(const Element& element, const RiskHints& hints);

std::vector<RiskField> CollectFields(const Element& element, const RiskHints& hints,
                                     const ElementShape& shape, const Vocabulary& vocabulary);

// Path segments, command parameters and route of a link or form action; for javascript: URLs the
// script.
void AddUrlFields(const std::string& name, const std::string& url, const Vocabulary& vocabulary,
                  std::vector<RiskField>& fields);

// The value of an attribute, or empty.
std::string AttributeText(const Element& element, std::string_view name);

}  // namespace topodb::capture
