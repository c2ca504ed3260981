#include "cli/junit.h"

#include <gtest/gtest.h>

namespace topodb::cli {
namespace {

TEST(JunitXml, CountsAndEscapes) {
  EXPECT_EQ(JunitXml("check", {}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"check\" tests=\"0\" failures=\"0\" skipped=\"0\">\n"
            "</testsuite>\n");
  EXPECT_EQ(JunitXml("a & b", {{"passes", "", ""},
                               {"<fails>", "\"why\"\x1b[0m", ""},
                               {"skipped", "", "risk:destructive"}}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"a &amp; b\" tests=\"3\" failures=\"1\" skipped=\"1\">\n"
            "  <testcase name=\"passes\"/>\n"
            "  <testcase name=\"&lt;fails&gt;\"><failure message=\"&quot;why&quot;\\u001b[0m\"/>"
            "</testcase>\n"
            "  <testcase name=\"skipped\"><skipped message=\"risk:destructive\"/></testcase>\n"
            "</testsuite>\n");
}

}  // namespace
}  // namespace topodb::cli
