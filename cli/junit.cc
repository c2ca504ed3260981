#include "cli/junit.h"

#include <fmt/format.h>

#include "cli/terminal.h"

namespace topodb::cli {
namespace {

// For attributes and text. Controls and bad UTF-8, which XML cannot hold, are escaped beforehand.
std::string Xml(std::string_view text) {
  std::string out;
  for (const char c : ForTerminal(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string JunitXml(std::string_view suite, const std::vector<JunitCase>& cases) {
  size_t failures = 0, skipped = 0;
  for (const JunitCase& test : cases) {
    if (!test.failure.empty()) ++failures;
    if (!test.skipped.empty()) ++skipped;
  }
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
      Xml(suite), cases.size(), failures, skipped);
  for (const JunitCase& test : cases) {
    out += fmt::format("  <testcase name=\"{}\"", Xml(test.name));
    if (!test.failure.empty()) {
      out += fmt::format("><failure message=\"{}\"/></testcase>\n", Xml(test.failure));
    } else if (!test.skipped.empty()) {
      out += fmt::format("><skipped message=\"{}\"/></testcase>\n", Xml(test.skipped));
    } else {
      out += "/>\n";
    }
  }
  return out + "</testsuite>\n";
}

}  // namespace topodb::cli
