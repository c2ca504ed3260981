#pragma once

#include <string>
#include <string_view>
#include <vector>

// The report format that CI systems read.
namespace topodb::cli {

struct JunitCase {
  std::string name;
  std::string failure;  // empty: it passed
  std::string skipped;  // why it was not run; empty: it was
};

// One <testsuite> document. Characters that XML cannot hold are written as escapes.
std::string JunitXml(std::string_view suite, const std::vector<JunitCase>& cases);

}  // namespace topodb::cli
